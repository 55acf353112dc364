"""The plugin game in the window."""
