"""Penny White in the window."""
