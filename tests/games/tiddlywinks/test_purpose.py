"""Tests of the purposes of shots at tiddlywinks, on a position for each."""

from math import atan2, pi

import numpy as np
from msgspec.structs import replace

from flicksim.games import load
from flicksim.games.tiddlywinks import bot, purpose
from flicksim.games.tiddlywinks.state import State
from flicksim.match import GameRolloutModel
from flicksim.referee import Purpose
from flicksim.scene import Landed, Squidge

from .helpers import ShotBuilder, initial_state, shot, state_from_position

GAME = load("tiddlywinks")


def told(state: State, action: Squidge) -> Purpose | None:
    return GameRolloutModel(GAME).purpose(state, action)


def brought(result: ShotBuilder) -> dict[str, tuple[str, ...]]:
    return dict(purpose.purposes_served(result.state, result.squidge, result.done()))


def down_on(name: str) -> Landed:
    return Landed(t=0.2, piece="blue-1", on=name, point=(0.0, 0.0), speed=1.0)


def test_every_purpose_is_recognised_from_the_result_of_the_shot() -> None:
    near = {"blue-1": (100, 0), "green-1": (200, 0)}
    held = {"blue-2": (200, 0), "green-1": (205, 0), "blue-1": (100, 0)}
    off = {"blue-2": (200, 0), "green-2": (300, 0), "blue-1": (205, 0)}
    open_field = {"blue-1": (400, 0), "green-1": (430, 0), "yellow-1": (0, 200)}
    cases = {
        "pot": (shot(state_from_position(near), "blue-1").pot("blue-1"), ("blue-1",)),
        "squop": (shot(state_from_position(near), "blue-1").to("blue-1", 195, 0), ("green-1",)),
        "free": (shot(state_from_position(off), "blue-1").to("blue-1", 500, 0), ("blue-2",)),
        "blow": (shot(state_from_position(held), "blue-1").to("green-1", 400, 0).to("blue-1", 230, 40), ("blue-2",)),
        "bring_in": (shot(state_from_position({}), "blue-1").to("blue-1", 110, 0), ("blue-1",)),
        "retreat": (shot(state_from_position(open_field), "blue-1").to("blue-1", 400, 300), ("green-1",)),
        "stalk": (shot(state_from_position(open_field), "blue-1").to("blue-1", 30, 230), ("yellow-1",)),
        "approach": (shot(state_from_position({"blue-1": (800, 0)}), "blue-1").to("blue-1", 100, 0), ("blue-1",)),
    }
    found = {kind: brought(result) for kind, (result, _) in cases.items()}
    assert {kind: found[kind].get(kind) for kind in cases} == {kind: of for kind, (_, of) in cases.items()}
    assert "free" not in found["blow"]
    assert "blow" not in found["free"]


def test_what_lay_below_is_sent_away() -> None:
    held = state_from_position({"green-1": (200, 0), "blue-1": (203, 0)})
    assert brought(shot(held, "blue-1").to("blue-1", 203, 60).to("green-1", 500, 0))["send_away"] == ("green-1",)
    assert "send_away" not in brought(shot(held, "blue-1").to("blue-1", 203, 60).to("green-1", 260, 0))


def test_a_shot_that_lands_on_its_target_serves_the_purpose_even_if_it_does_not_stay() -> None:
    state = state_from_position({"blue-1": (100, 0), "green-1": (200, 0), "red-1": (0, 200)})
    assert brought(shot(state, "blue-1").to("blue-1", 90, 90).happened(down_on("pot")))["pot"] == ("blue-1",)
    assert brought(shot(state, "blue-1").to("blue-1", 90, 90).happened(down_on("green-1")))["squop"] == ("green-1",)
    assert "squop" not in brought(shot(state, "blue-1").to("blue-1", 90, 90).happened(down_on("red-1")))


def test_where_somebody_has_potted_out_nothing_is_squopped() -> None:
    """TW-10b"""
    state = state_from_position(
        {"blue-1": (100, 0), "green-1": (200, 0), **{f"red-{k}": "pot" for k in range(1, 7)}}, finished=("red",)
    )
    assert state.book.potted_out
    assert "squop" not in brought(shot(state, "blue-1").to("blue-1", 195, 0))


def test_shots_near_a_candidate_have_its_purpose() -> None:
    """A pot and a squop turned by a quarter of a degree are no candidates; their purpose is found by simulation."""
    state = state_from_position({"blue-1": (120, 0), "green-1": (200, 40)})
    actions = [action for action in bot.candidates(state, np.random.default_rng(1), 12) if isinstance(action, Squidge)]
    to_green = atan2(0.04, 0.08)
    pot = next(one for one in actions if one.piece == "blue-1" and abs(abs(one.azimuth) - pi) < 0.1)
    squop = next(
        one for one in actions if one.piece == "blue-1" and abs(one.azimuth - to_green) < 0.1 and one.elevation > 0.8
    )
    for meant, expected in ((pot, "pot Blue 1"), (squop, "squop Green 1")):
        for action in (meant, replace(meant, azimuth=meant.azimuth - 0.004)):
            found = told(state, action)
            assert found.text == expected


def test_squidge_off_shots_have_a_purpose_and_what_moves_almost_nothing_or_is_no_shot_has_none() -> None:
    state = initial_state()
    first = bot.candidates(state, np.random.default_rng(1), 1)[0]
    assert told(state, first) == Purpose(kind="lag", pieces=(first.piece,), text="lie nearest the pot")
    assert GameRolloutModel(GAME).purpose(state, object()) is None
    near = state_from_position({"blue-1": (500, 0)})
    assert told(near, Squidge(piece="blue-1", speed=0.02, azimuth=pi / 2.0)) is None
