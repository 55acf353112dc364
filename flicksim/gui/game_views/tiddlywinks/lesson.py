"""Lesson of tiddlywinks: a squidge, a pot, a squop."""

from __future__ import annotations

from flicksim.gui.app.lesson import (
    Lesson,
    LessonStep,
    action_made,
    challenge_feedback,
    challenge_match,
    challenge_solved,
)
from flicksim.scene import Squidge

_POT_CHALLENGE, _SQUOP_CHALLENGE = "tiddlywinks/pot-10", "tiddlywinks/squop-10"

LESSON = Lesson(
    (
        LessonStep(
            "Your blue wink is pressed with a squidger, so that it jumps: a squidge. Press the mouse on the mat, draw "
            "back like a slingshot, and let go. By keys: arrows aim, Space squidges.",
            action_made(Squidge),
            "It jumps! How hard you press sends it far, how steeply sends it high.",
            challenge_match(_POT_CHALLENGE),
        ),
        LessonStep(
            "Pot it: it has to come down inside the pot. O aims there; then wait until your hand is calm.",
            challenge_solved(_POT_CHALLENGE),
            "Potted! A potted wink stays, counts three when time runs out, and gives you another shot.",
            challenge_match(_POT_CHALLENGE),
            challenge_feedback(_POT_CHALLENGE),
        ),
        LessonStep(
            "The trick of the game: cover an opposing wink with yours. It is squopped, and may not be played. T aims "
            "at the green one.",
            challenge_solved(_SQUOP_CHALLENGE),
            "Squopped! Green cannot play that wink until yours is moved away.",
            challenge_match(_SQUOP_CHALLENGE),
            challenge_feedback(_SQUOP_CHALLENGE),
        ),
    ),
    "You hold Blue and Red, the others Green and Yellow. Pot your winks, cover theirs: when time runs out, potted "
    "ones count three, covered ones nothing, all others on the field one. The side that first pots all six of a "
    "colour wins.",
)
