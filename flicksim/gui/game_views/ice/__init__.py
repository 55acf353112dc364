"""Ice Tiddly Winks in the window; its key bindings: all for one person, a cluster of four for each of several."""

from flicksim.gui.game_views import load_key_maps
from flicksim.gui.toolkit.key_bindings import KeyMap

_KEY_MAPS = load_key_maps(__package__)
SINGLE_PLAYER_KEYS, SHARED_KEYS = _KEY_MAPS["single"], _KEY_MAPS["shared"]
KEY_CLUSTERS = tuple(KeyMap("", (row,)) for row in _KEY_MAPS["clusters"].bindings)
"""Key clusters in the order in which people are seated."""
