"""Paragraph 9a and 9b: squopping, and strokes in a pile."""

from math import cos, radians, sin
from typing import Any

import pytest

from flicksim.core.errors import IllegalAction
from flicksim.engine import simulate
from flicksim.games.tiddlywinks import rules
from flicksim.games.tiddlywinks.state import State
from flicksim.scene import Squidge, SquidgerContact

from .helpers import BLUE, cites_rule, covers, shot, state_from_position, texts

S, L = 7.9375, 11.1125


def test_covers() -> None:
    """TW-D2: overlap seen from above by the higher one, also through a pile; free is neither."""
    state = state_from_position(
        {"green-1": (200, 0), "blue-3": (205, 0), "red-3": (196, 0), "yellow-3": (300, 0), "blue-4": (187, 0)}
    )
    found = covers(state)
    assert set(found.covering("green-1")) == {"blue-3", "blue-4", "red-3"}
    assert found.covering("blue-3") == ("red-3",)
    assert "blue-4" in found.covering("red-3")
    assert found.is_squopping("red-3")
    assert found.is_free("yellow-3")
    assert not any(found.is_free(wink) for wink in ("green-1", "blue-3", "red-3", "blue-4", "green-2"))


def test_playable() -> None:
    """TW-D3: one's own, not potted, not squopped; one behind the line is."""
    state = state_from_position({"blue-3": (200, 0), "green-3": (204, 0), "blue-4": "pot", "blue-5": (0, 200)})
    assert covers(state).playable_winks(BLUE) == ("blue-1", "blue-2", "blue-5", "blue-6")


@pytest.mark.parametrize("cover", ["green-3", "red-3", "blue-4"])
def test_covered_winks_may_not_be_played(cover: str) -> None:
    """TW-9a1: whoever covers them, oneself included, and though they squop others themselves."""
    state = state_from_position({"yellow-1": (200, 0), "blue-3": (204, 0), cover: (210, 0)})
    with pytest.raises(IllegalAction, match="squopped by") as refused:
        rules.check_action(state, Squidge(piece="blue-3", speed=1.0, azimuth=0.0))
    assert refused.value.rule == "TW-9a1"
    assert "blue-3" not in [span.piece for span in rules.legal_actions(state).flicks]


@pytest.mark.parametrize(
    ("overlap", "covered"), [(0.02, True), (0.5, True), (0.0, False), (0.005, False), (-1.0, False)]
)
def test_the_slightest_cover_is_enough(overlap: float, covered: bool) -> None:
    """TW-9a2: more than a hundredth of a millimetre; side by side is not cover."""
    state = state_from_position({"blue-3": (200, 0), "green-3": (260, 0), "red-3": (0, 200)}, to_play="green")
    going = shot(state, "green-3")
    going.set("green-3", x=(200 + 2 * S - overlap) / 1000, y=0.0, z=0.0016 if covered else None)
    after = going.then()
    assert covers(after).is_squopped("blue-3") is covered
    assert not covers(after).is_squopped("green-3")


@pytest.mark.parametrize("bearing", range(0, 360, 15))
def test_cover_is_the_same_at_every_bearing(bearing: int) -> None:
    """TW-9a2: also by the edge of a tilted wink, which reaches a little farther than its radius."""
    direction = radians(bearing)
    tilted = {"tilt": 0.1, "lean": direction, "z": 0.0016, "lies_on": ()}
    state = state_from_position({"blue-3": (200, 0), "green-3": (260, 100)}, to_play="green")
    far = (2 * S + 0.02) / 1000
    going = shot(state, "green-3").set("green-3", x=0.2 + far * cos(direction), y=far * sin(direction), **tilted)
    assert covers(going.then()).is_squopped("blue-3")
    clear = far + 0.00005
    going = shot(state, "green-3").set("green-3", x=0.2 + clear * cos(direction), y=clear * sin(direction), **tilted)
    assert not covers(going.then()).is_squopped("blue-3")


def test_covering_is_called_squopping() -> None:
    """TW-9a3: the verdict says who squopped whom."""
    state = state_from_position({"blue-3": (200, 0), "green-3": (260, 0)}, to_play="green")
    _, verdict = shot(state, "green-3").to("green-3", 205, 0).judged()
    assert texts(verdict.reasons, "TW-9a3") == ["Green 3 squopped Blue 3."]


PILE = {"green-1": (200, 0), "yellow-3": (212, 0), "red-3": (198, 7), "blue-3": (203, 0), "blue-4": (0, 200)}
"""Blue 3 on top, over Green 1, Yellow 3 and Red 3."""
WIDE = {"green-1": (200, 0), "yellow-3": (188, 0), "blue-3": (210, 0)}
"""Yellow 3 and Blue 3 on Green 1, side by side."""


def touch(wink: str, begin: float, end: float, direction: float = 0.005) -> SquidgerContact:
    return SquidgerContact(piece=wink, begin=begin, end=end, way=direction)


def foul(state: State, *log: SquidgerContact) -> str | None:
    """The row a stroke breaks."""
    after, verdict = shot(state, "blue-3").touched(*log).to("blue-3", 100, 100).judged()
    assert (after.phase == "foul") == cites_rule(verdict, "TW-12d")
    return after.book.foul


def test_first_touch() -> None:
    """TW-9b1: of the player's own uncovered wink, and nothing else with it."""
    state = state_from_position(PILE)
    assert foul(state, touch("blue-3", 0.0, 0.01)) is None
    assert foul(state, touch("blue-3", 0.0, 0.01), touch("green-1", 0.0, 0.01)) == "TW-9b1"
    assert foul(state, touch("green-1", 0.0, 0.01), touch("blue-3", 0.005, 0.01)) == "TW-7b"
    own_below = state_from_position({"blue-4": (200, 0), "blue-3": (204, 0)})
    assert foul(own_below, touch("blue-4", 0.0, 0.01), touch("blue-3", 0.005, 0.01)) == "TW-9a1"


def test_short_and_continuous() -> None:
    """TW-9b2: no break, 50 mm and 1 s at most."""
    state = state_from_position(PILE)
    low = "green-1"
    assert foul(state, touch("blue-3", 0.0, 0.1), touch(low, 0.1, 0.2)) is None
    assert foul(state, touch("blue-3", 0.0, 0.1), touch(low, 0.15, 0.2)) == "TW-9b2"
    assert foul(state, touch("blue-3", 0.0, 0.1, 0.020), touch(low, 0.1, 0.2, 0.031)) == "TW-9b2"
    assert foul(state, touch("blue-3", 0.0, 0.1, 0.020), touch(low, 0.1, 0.2, 0.029)) is None
    assert foul(state, touch("blue-3", 0.0, 0.1, 0.030), touch(low, 0.05, 0.1, 0.030)) is None
    assert foul(state, touch("blue-3", 0.0, 1.01)) == "TW-9b2"
    assert foul(state_from_position(PILE, options={"stroke_max_s": 2.0}), touch("blue-3", 0.0, 1.01)) is None
    assert (
        foul(state_from_position(PILE, options={"stroke_max_mm": 10.0}), touch("blue-3", 0.0, 0.1, 0.011)) == "TW-9b2"
    )


def test_only_winks_vertically_under_may_be_touched() -> None:
    """TW-9b3, TW-9b2: any layer down, if overlapped; a pile-mate beside, or a wink elsewhere, not, however late."""
    state = state_from_position(PILE)
    assert (
        foul(state, *(touch(w, 0.001 * k, 0.1) for k, w in enumerate(("blue-3", "green-1", "yellow-3", "red-3"))))
        is None
    )
    assert foul(state, touch("blue-3", 0.0, 0.1), touch("blue-4", 0.05, 0.1)) == "TW-9b3"
    assert foul(state, touch("blue-3", 0.0, 0.01), touch("blue-4", 0.05, 0.06)) == "TW-9b3", "felt is no pause"
    assert foul(state_from_position(WIDE), touch("blue-3", 0.0, 0.1), touch("yellow-3", 0.05, 0.1)) == "TW-9b3"
    assert foul(state_from_position(WIDE), touch("blue-3", 0.0, 0.1), touch("green-1", 0.05, 0.1)) is None
    stairs = state_from_position({"green-4": (185, 0), "green-3": (198, 0), "blue-3": (211, 0)})
    assert foul(stairs, touch("blue-3", 0.0, 0.1), touch("green-3", 0.02, 0.1)) is None
    assert foul(stairs, touch("blue-3", 0.0, 0.1), touch("green-4", 0.05, 0.1)) == "TW-9b3"


def test_desquop() -> None:
    """TW-9b4: a shot from a pile that frees squopped winks is called one; it changes nothing else."""
    state = state_from_position({"red-3": (200, 0), "blue-3": (204, 0), "green-3": (300, 0)})
    after, verdict = shot(state, "blue-3").to("blue-3", 100, 100).judged()
    assert cites_rule(verdict, "TW-9b4")
    assert covers(after).playable_winks(2) == ("red-1", "red-2", "red-3", "red-4", "red-5", "red-6")
    _, verdict = shot(state, "blue-3").to("blue-3", 205, 1).judged()
    assert not cites_rule(verdict, "TW-9b4")
    _, verdict = shot(state, "blue-1").to("blue-1", 100, 0).to("blue-3", 120, 100).judged()
    assert not cites_rule(verdict, "TW-9b4")


def test_a_real_stroke_can_be_foul() -> None:
    """TW-9b3, TW-9b2: drawn over a neighbour, or too far through a pile; a short one through the pile is fair."""
    beside = {"blue-3": (300, 100), "green-3": (318, 100), "red-3": (-300, 0)}
    pile = {"green-1": (300, 100), "blue-3": (305, 100), "red-3": (-300, 0)}

    def foul_of(winks: dict[str, Any], **squidge: float) -> str | None:
        state = state_from_position(winks)
        stroke = Squidge(piece="blue-3", speed=1.0, azimuth=0.0, elevation=1.3, **squidge)  # type: ignore[arg-type]
        rules.check_action(state, stroke)
        staged = rules.simulation_setup(state, stroke)
        motion = simulate(*staged)
        return rules.next_state(state, motion, rules.judge(state, stroke, motion)).book.foul

    assert foul_of(beside) is None
    assert foul_of(beside, drag=0.02) == "TW-9b3"
    assert foul_of(beside, press=1.0, drag=0.001) is None
    assert foul_of(pile, press=1.0, drag=0.02) is None
    assert foul_of(pile, press=1.0, drag=0.06) == "TW-9b2"
    assert foul_of(pile, drag=0.06) == "TW-9b2"
    assert foul_of({**pile, "yellow-3": (325, 100)}, press=1.0, drag=0.02) == "TW-9b3"
