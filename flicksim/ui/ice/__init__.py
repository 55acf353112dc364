"""Pyramids on the screen: the table from above, the launch from the side, and several hands at once."""
