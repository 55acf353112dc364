"""The makings of everything in the window: canvas, colours, widgets, keys, sounds, work beside it, player files."""
