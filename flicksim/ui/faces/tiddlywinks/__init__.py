"""Tiddlywinks in the window."""
