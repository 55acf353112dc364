"""Lesson of Ice Tiddly Winks: a launch, a missile of another size, one that stands."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.gui.app.lesson import (
    Lesson,
    LessonStep,
    action_made,
    challenge_feedback,
    challenge_match,
    challenge_solved,
)
from flicksim.match import Turn
from flicksim.scene import Launch

_STAND_CHALLENGE, _SCORE_CHALLENGE = "ice/stand-small", "ice/five-points"


def _used_medium(turns: Sequence[Turn]) -> bool:
    return any(isinstance(turn.made, Launch) and turn.made.size == "medium" for turn in turns)


LESSON = Lesson(
    (
        LessonStep(
            "A small pyramid sits on the tip of a large one in your hand. Draw back with the mouse and let go: your "
            "nail strikes the large one, and the small one flies. By keys: arrows aim, Space launches.",
            action_made(Launch),
            "It flies! It must come down beyond your start line, or it is handed back.",
            challenge_match(_STAND_CHALLENGE),
        ),
        LessonStep(
            "Missiles come in three sizes: 1, 2 and 3 choose. Larger ones count more and want more strength. Launch a "
            "medium one.",
            _used_medium,
            "Small counts one, medium two, large three.",
            challenge_match(_SCORE_CHALLENGE),
        ),
        LessonStep(
            "What stands upright counts, and what leans with its base on a fallen piece; what lies counts nothing. H "
            "shows a launch that often stands; try until one does.",
            challenge_solved(_STAND_CHALLENGE),
            "It stands, and counts.",
            challenge_match(_STAND_CHALLENGE),
            challenge_feedback(_STAND_CHALLENGE),
        ),
    ),
    "All launch at once, each as soon as his missile before is at rest. What stands at the end counts its pips; one "
    "whose base rests on a fallen piece counts double, so what has fallen is of use too.",
)
