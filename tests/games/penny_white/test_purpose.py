"""Tests of the purposes of flicks at Penny White, on a board for each."""

from typing import Any

import numpy as np

from flicksim.games import load
from flicksim.games.penny_white import bot, purpose
from flicksim.games.penny_white.rules import State
from flicksim.games.penny_white.state import PlaceWhite
from flicksim.match import GameRolloutModel, PhysicsSimulator
from flicksim.referee import Purpose
from flicksim.scene import Flick

from .helpers import flick_result, opening_state, state


def brought(before: State, **places: Any) -> dict[str, tuple[str, ...]]:
    flick, motion = flick_result(before, **places)
    return dict(purpose.purposes_served(before, flick, motion))


def test_every_purpose_is_recognised_from_the_result_of_the_flick() -> None:
    """PW-7a: none is of a flick that loses the white."""
    theirs = state(red_1=(150, 540))
    own = state(blue_2=(150, 450), red_1=(110, 575))
    found = {
        "knock_off": brought(theirs, blue_1=(150, 545), gone=("red-1",)),
        "drive_away": brought(theirs, blue_1=(40, 540), red_1=(150, 700)),
        "promote": brought(own, blue_1=(150, 420), blue_2=(150, 545)),
        "push_white": brought(own, blue_1=(40, 540), white=(140, 490)),
        "draw": brought(theirs, blue_1=(172, 575)),
        "guard": brought(state(blue_2=(150, 545)), blue_1=(151, 450)),
        "near": brought(theirs, blue_1=(200, 540)),
        "leave": brought(state(blue_2=(150, 550)), blue_1=(20, 700)),
    }
    assert {kind: one.get(kind) for kind, one in found.items()} == {
        "knock_off": ("red-1",), "drive_away": ("red-1",), "promote": ("blue-2",), "push_white": ("blue-2",),
        "draw": ("blue-1",), "guard": ("blue-2",), "near": ("blue-1",), "leave": ("blue-2",),
    }  # fmt: skip
    assert brought(state(), blue_1=(150, 480))["guard"] == ("white",), "with no penny there, the white is guarded"
    assert brought(theirs, blue_1=(20, 700)) == {}, "where the other leads all is not to be left as it lies"
    assert "drive_away" not in brought(theirs, white=(150, 650), blue_1=(40, 540)), "it was the white that went away"
    assert brought(theirs, blue_1=(150, 545), gone=("red-1", "white")) == {}
    lost = brought(state(blue_2=(150, 545)), blue_1=(40, 540), white=(140, 590), gone=("blue-2",))
    assert lost == {"draw": ("blue-1",)}, "an own penny knocked off while the white moved is for nothing"


def test_purposes_of_flicks_have_a_text_and_a_stable_key() -> None:
    game = load("penny-white")
    rollout_model = GameRolloutModel(game, PhysicsSimulator())
    before = state(red_1=(172, 570))
    drive = next(
        one for one in bot.candidates(before, np.random.default_rng(1), 3)
        if isinstance(one, Flick) and one.speed > 1.5
    )  # fmt: skip
    found = rollout_model.purpose(before, drive)
    assert found == Purpose(kind="drive_away", pieces=("red-1",), text="drive Red 1 away from the white")
    roll = bot.candidates(state(), np.random.default_rng(1), 1)[0]
    assert rollout_model.purpose(state(), roll) == Purpose(
        kind="draw", pieces=("blue-1",), text="lie nearest the white"
    )
    first = bot.candidates(opening_state(), np.random.default_rng(1), 1)[0]
    assert rollout_model.purpose(opening_state(), first) == Purpose(kind="open", text="open the end")
    assert rollout_model.purpose(opening_state(jack_mode="beginner"), PlaceWhite(y=0.575)) is None
