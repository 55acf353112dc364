"""Screens of card and tile games: the table, the hand, seat plates and score sheets."""
