"""Validation of the physics against closed forms, tables and other engines, and its performance.

It lies beside the engine, not in it; the shell runs it on an installed copy too.
"""
