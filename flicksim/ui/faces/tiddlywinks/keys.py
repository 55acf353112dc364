"""The keys of a mat."""

from flicksim.ui.kit.keys import Key, Keys

_AIMING = (
    Key("Left  Right", "turn the shot by 1°", ("turn",)),
    Key("Up  Down", "harder, gentler by 0.05 m/s", ("push",)),
    Key("W S   Q E   [ ]", "steeper, flatter; backspin; squidger wider, narrower", ("rise", "roll", "change")),
)
_PILED = Key("C X   B V", "in a pile: press more, less; draw on farther, less", ("lean", "draw"))
_GIVING = (
    Key("Ctrl + arrows", "move a wink behind its base line by 2 mm"),
    Key("Shift with any of these", "a tenth as much"),
    Key("Space or Enter", "squidge"),
    Key("R", "set the aim back", ("reset",)),
    Key("Click", "take a wink of yours; aim at the pot, a wink or a place"),
    Key("Pull back with the mouse", "aim and power; let go to squidge, right button or Esc to stop"),
    Key("M, held", "the mouse's button, on a touchpad"),
)
_PANNING = Key("I J K L, right button", "move the view")
KEYS = Keys("Squidge", (
    Key("N   O   T", "next wink of yours; aim at the pot; at the next target", ("next", "pot", "target")),
    *_AIMING,
    _PILED,
    *_GIVING,
    Key("G   Z", "the next wink or pile in words; follow the action or not", ("look", "follow")),
    _PANNING,
))  # fmt: skip
"""At a game."""
PRACTISED = Keys("Practice", (
    Key("N", "shoot as many as asked for, and count them; again to stop", ("many",)),
    Key("O   C", "aim at the target; forget all shots", ("aim", "forget")),
    Key("Hand", "it errs as at the table, and grows calm as there; exact makes just what is aimed"),
    *_AIMING,
    *_GIVING,
    _PANNING,
    Key("Z", "follow the action or not", ("follow",)),
))  # fmt: skip
"""While one practises."""
