"""The keys of a mat, as the help shows them."""

KEYS = (
    ("Squidge", ""),
    ("N   O   T", "next wink of yours; aim at the pot; at the next target"),
    ("Left  Right", "turn the shot by 1°"),
    ("Up  Down", "harder, gentler by 0.05 m/s"),
    ("W S   Q E   [ ]", "steeper, flatter; backspin; squidger wider, narrower"),
    ("C X   B V", "in a pile: press more, less; draw on farther, less"),
    ("Ctrl + arrows", "move a wink behind its base line by 2 mm"),
    ("Shift with any of these", "a tenth as much"),
    ("Space or Enter", "squidge"),
    ("R", "set the aim back"),
    ("Click", "take a wink of yours; aim at the pot, a wink or a place"),
    ("Pull back with the mouse", "aim and power; let go to squidge, right button or Esc to stop"),
    ("M, held", "the mouse's button, on a touchpad"),
    ("G   Z", "the next wink or pile in words; follow the action or not"),
    ("I J K L, right button", "move the view"),
)
"""At a game."""
PRACTISED = (
    ("Practice", ""),
    ("N", "shoot as many as asked for, and count them; again to stop"),
    ("O   C", "aim at the target; forget all shots"),
    ("Hand", "it errs as at the table, and grows calm as there; exact makes just what is aimed"),
    *(line for line in KEYS if not line[0].startswith(("N ", "C X", "G "))),
    ("Z", "follow the action or not"),
)
"""While one practises."""
