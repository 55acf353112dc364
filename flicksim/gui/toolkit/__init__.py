"""Toolkit of the window: canvas, widgets, keys, sounds, workers, user files."""
