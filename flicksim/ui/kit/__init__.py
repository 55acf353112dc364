"""What everything in the window is made of: canvas, colours, widgets, keys, sounds, work beside it, player files."""
