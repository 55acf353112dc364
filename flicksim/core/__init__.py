"""Utilities for all other packages: errors, units, plane geometry, random streams, serialization, files.

They depend on no scene and no game. Every module is public.
"""
