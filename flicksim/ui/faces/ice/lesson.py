"""The lesson of Ice Tiddly Winks: a launch, a missile of another size, one that stands."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.play import Turn
from flicksim.table import Launch
from flicksim.ui.frame.lesson import Lesson, Step, at, came, made, reached

_STAND, _MIXED = "ice/stand-small", "ice/five-points"


def _medium(turns: Sequence[Turn]) -> bool:
    return any(isinstance(turn.made, Launch) and turn.made.size == "medium" for turn in turns)


LESSON = Lesson(
    (
        Step(
            "A small pyramid sits on the tip of a large one in your hand. Draw back with the mouse and let go: your "
            "nail strikes the large one, and the small one flies. By keys: arrows aim, Space launches.",
            made(Launch), "It flies! It must come down beyond your start line, or it is handed back.", at(_STAND),
        ),
        Step(
            "Missiles come in three sizes: 1, 2 and 3 choose. Larger ones count more and want more strength. Launch a "
            "medium one.",
            _medium, "Small counts one, medium two, large three.", at(_MIXED),
        ),
        Step(
            "What stands upright counts, and what leans with its base on a fallen piece; what lies counts nothing. H "
            "shows a launch that often stands; try until one does.",
            reached(_STAND), "It stands, and counts.", at(_STAND), came(_STAND),
        ),
    ),
    "All launch at once, each as soon as his missile before is at rest. What stands at the end counts its pips; one "
    "whose base rests on a fallen piece counts double, so what has fallen is of use too.",
)  # fmt: skip
