"""Tables on which pieces are flicked and decisions are taken from a list."""
