"""Makes a scene move until it rests."""
