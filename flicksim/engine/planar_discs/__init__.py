"""Discs that slide and collide in the plane as arrays: laws that batches of flicks and squidges of winks share."""
