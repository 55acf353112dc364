"""Tiddlywinks in the window."""

from flicksim.gui.game_views import load_key_maps

_KEY_MAPS = load_key_maps(__name__)
KEY_MAP, PRACTICE_KEYS = _KEY_MAPS["squidge"], _KEY_MAPS["practice"]
"""Key bindings of a match, and of practice."""
