"""Tinkle in the window."""
