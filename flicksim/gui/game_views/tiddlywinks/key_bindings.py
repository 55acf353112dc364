"""Key bindings of tiddlywinks."""

from flicksim.gui.toolkit import KeyBinding, KeyMap

_AIM_KEYS = (
    KeyBinding("Left  Right", "turn the shot by 1°", ("turn",)),
    KeyBinding("Up  Down", "harder, gentler by 0.05 m/s", ("push",)),
    KeyBinding("W S   Q E   [ ]", "steeper, flatter; backspin; squidger wider, narrower", ("rise", "roll", "change")),
)
_PILE_KEY = KeyBinding("C X   B V", "in a pile: press more, less; draw on farther, less", ("lean", "draw"))
_SHOOT_KEYS = (
    KeyBinding("Ctrl + arrows", "move a wink behind its base line by 2 mm"),
    KeyBinding("Shift with any of these", "a tenth as much"),
    KeyBinding("Space or Enter", "squidge"),
    KeyBinding("R", "set the aim back", ("reset",)),
    KeyBinding("Click", "take a wink of yours; aim at the pot, a wink or a place"),
    KeyBinding("Pull back with the mouse", "aim and power; let go to squidge, right button or Esc to stop"),
    KeyBinding("M, held", "the mouse's button, on a touchpad"),
)
_PAN_KEY = KeyBinding("I J K L, right button", "move the view")
KEY_MAP = KeyMap("Squidge", (
    KeyBinding("N   O   T", "next wink of yours; aim at the pot; at the next target", ("next", "pot", "target")),
    *_AIM_KEYS,
    _PILE_KEY,
    *_SHOOT_KEYS,
    KeyBinding("G   Z", "the next wink or pile in words; follow the action or not", ("look", "follow")),
    _PAN_KEY,
))  # fmt: skip
"""Key bindings of a match."""
PRACTICE_KEYS = KeyMap("Practice", (
    KeyBinding("N", "shoot as many as asked for, and count them; again to stop", ("many",)),
    KeyBinding("O   C", "aim at the target; forget all shots", ("aim", "forget")),
    KeyBinding("Hand", "it errs as at the table, and grows calm as there; exact makes just what is aimed"),
    *_AIM_KEYS,
    *_SHOOT_KEYS,
    _PAN_KEY,
    KeyBinding("Z", "follow the action or not", ("follow",)),
))  # fmt: skip
"""Key bindings of practice."""
