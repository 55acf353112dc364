"""Validation of the physics against closed forms, tables and other engines, and its performance.

`flicksim bench` runs it, also from an installed copy.
"""
