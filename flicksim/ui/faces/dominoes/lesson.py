"""The lesson of Tiddly-Wink dominoes: a tile laid, and another."""

from __future__ import annotations

from flicksim.cards import Lay
from flicksim.games import load
from flicksim.ui.frame.lesson import Lesson, Step, against, made

_GAME = load("dominoes")

LESSON = Lesson(
    (
        Step(
            "A tile goes where its end fits the end of the line. Those that fit stand out in your hand: drag one "
            "there, or choose it with the arrows and press Enter.",
            made(Lay), "Laid. Whoever has none that fits passes.", against(_GAME),
        ),
        Step(
            "A double earns you a second tile. Get rid of high numbers early: they count against you. Lay another.",
            made(Lay), "That is how it goes until somebody is out.",
        ),
    ),
    "Whoever is out first wins the round. Where nobody can go on, the fewest pips win it.",
)  # fmt: skip
