"""Ice Tiddly Winks in the window."""
