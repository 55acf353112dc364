"""Measures the physics: against closed forms, tables and other engines, and what it costs.

It lies beside the engine, not in it; the shell runs it on an installed copy too.
"""
