"""All keys at the mat, as the help shows them."""

KEYS = (
    ("Squidge", ""),
    ("N   O   T", "next wink of yours; aim at the pot; at the next target"),
    ("Left Right   Up Down", "turn by 1°; harder, gentler by 0.05 m/s"),
    ("W S   Q E   [ ]", "steeper, flatter; backspin; squidger wider, narrower"),
    ("C X   B V", "in a pile: press more, less; draw on farther, less"),
    ("Ctrl + arrows", "move a wink behind its base line by 2 mm"),
    ("Shift with any of these", "a tenth as much"),
    ("Space or Enter   R   Y", "squidge; set the aim back; how steady your hand is"),
    ("Mouse", ""),
    ("Click", "take a wink of yours; aim at the pot, a wink or a place"),
    ("Pull back on the mat", "aim and power; let go to squidge, right button or Esc to stop"),
    ("Wheel, right button drag", "zoom, pan; also + − 0, and I J K L"),
    ("Look", ""),
    ("G   Z", "the next wink or pile in words; follow the action or not"),
    ("P  .  ,  S  F", "while a shot is shown: pause, step on, back, slower, skip"),
    ("Always", ""),
    ("Tab, Shift + Tab", "go through numbers, buttons, lists"),
    ("U   H", "undo to your last decision; hint"),
    ("Esc   F11   ?", "menu; whole screen; these keys"),
)
