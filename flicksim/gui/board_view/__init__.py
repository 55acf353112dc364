"""Screens of board games: pieces are flicked, decisions are taken from a list."""
