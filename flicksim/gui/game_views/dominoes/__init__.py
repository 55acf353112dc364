"""Tiddly-Wink dominoes in the window."""
