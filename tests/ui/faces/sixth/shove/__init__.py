"""The sixth game in the window."""
