"""The lesson of tiddlywinks: a squidge, a pot, a squop."""

from __future__ import annotations

from flicksim.table import Squidge
from flicksim.ui.frame.lesson import Lesson, Step, at, came, made, reached

_POT, _SQUOP = "tiddlywinks/pot-10", "tiddlywinks/squop-10"

LESSON = Lesson(
    (
        Step(
            "Your blue wink is pressed with a squidger, so that it jumps: a squidge. Press the mouse on the mat, draw "
            "back like a slingshot, and let go. By keys: arrows aim, Space squidges.",
            made(Squidge), "It jumps! How hard you press sends it far, how steeply sends it high.", at(_POT),
        ),
        Step(
            "Pot it: it has to come down inside the pot. O aims there; then wait until your hand is calm.",
            reached(_POT), "Potted! A potted wink stays, counts three when time runs out, and gives you another shot.",
            at(_POT), came(_POT),
        ),
        Step(
            "The trick of the game: cover an opposing wink with yours. It is squopped, and may not be played. T aims "
            "at the green one.",
            reached(_SQUOP), "Squopped! Green cannot play that wink until yours is moved away.", at(_SQUOP),
            came(_SQUOP),
        ),
    ),
    "You hold Blue and Red, the others Green and Yellow. Pot your winks, cover theirs: when time runs out, potted "
    "ones count three, covered ones nothing, all others on the field one. The side that first pots all six of a "
    "colour wins.",
)  # fmt: skip
