"""The lesson of Penny White: a flick, how near is near, an end taken from Red."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.challenges import find, stood
from flicksim.play import Turn
from flicksim.table import Flick
from flicksim.ui.frame.lesson import Lesson, Step, at, came, made, reached

_NEAR = 100.0
"""Distance from the white that is near enough for a beginner [mm]."""
_DRAW, _FIVE, _LAST = "penny-white/draw-30", "penny-white/nearest-of-5", "penny-white/last-penny"


def _near(turns: Sequence[Turn]) -> bool:
    measure = stood(find(_FIVE), turns).measure
    return measure is not None and measure <= _NEAR


LESSON = Lesson(
    (
        Step(
            "Your penny lies at the end of the board, the white in the middle. Press the mouse on the board, draw back "
            "like a slingshot, and let go. By keys: arrows aim, Space flicks.",
            made(Flick), "A flick! The farther back you draw, the farther it slides.", at(_DRAW),
        ),
        Step(
            "Only nearness to the white counts. You have five pennies: bring one to rest within 10 cm of it. The ring "
            "about your coin closes when your hand is calm: wait for that.",
            _near, "Near! Every penny of yours that lies nearer than Red's best is a point.", at(_FIVE), came(_FIVE),
        ),
        Step(
            "Red lies near the white, and you have one penny left. Lie nearer, or push Red away. Do not knock the "
            "white off: that loses the end.",
            reached(_LAST), "The end is yours.", at(_LAST), came(_LAST),
        ),
    ),
    "The nearest penny wins the end, a point for each that is nearer than the other's best. Knock a red penny off and "
    "you may lose one of yours; knock the white off and the end is lost. H shows what a club player would do.",
)  # fmt: skip
