"""Tests of the purposes of launches, by their aim or their result."""

import msgspec
import pytest
from ice_helpers import landings_result, launch, leaning, lying_on_side, pyramid, running_state

from flicksim.core.random_streams import RandomStreams
from flicksim.games import load
from flicksim.games.ice import bot, purpose
from flicksim.games.ice.state import State
from flicksim.match import GameRolloutModel
from flicksim.referee import Purpose
from flicksim.scene import Pyramid

MISSILE = "red-small-1"


def table(*pieces: Pyramid) -> State:
    return running_state(2, pieces, {0: (MISSILE,)})


def brought(state: State, rest: Pyramid | tuple[float, float] | None, **more: object) -> dict[str, tuple[str, ...]]:
    action = launch(state, MISSILE)
    return dict(purpose.purposes_served(state, action, landings_result(state, action, rest, **more)))  # type: ignore[arg-type]


def test_every_purpose_is_recognised_from_the_result_of_the_launch() -> None:
    enemy, prop = pyramid("yellow-medium-1", (0.45, 0.45)), lying_on_side("yellow-large-1", (0.3, 0.45))
    state = table(enemy, prop)
    assert brought(state, (0.4, 0.5)) == {"stand": (MISSILE,)}
    assert brought(state, lying_on_side(MISSILE, (0.4, 0.5))) == {"prop": (MISSILE,)}
    assert brought(state, leaning(MISSILE, (0.3, 0.45), 10.0, prop.id)) == {"double": (prop.id,)}
    over = brought(state, lying_on_side(MISSILE, (0.4, 0.5)), also=(lying_on_side(enemy.id, enemy.position),))
    assert over == {"knock_over": (enemy.id,), "prop": (MISSILE,)}
    assert brought(state, None, gone=(enemy.id,)) == {"knock_over": (enemy.id,)}
    assert brought(state, None) == {}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (pyramid("yellow-large-1", (0.45, 0.45)), "knock Yellow large 1 over"),
        (lying_on_side("yellow-large-1", (0.45, 0.45)), "stand on Yellow large 1 for double"),
        (lying_on_side("red-large-1", (0.45, 0.45)), "stand on Red large 1 for double"),
    ],
)
def test_purpose_of_a_launch_aimed_at_a_piece_depends_on_the_piece(target: Pyramid, message: str) -> None:
    """ITW-7e, ITW-7f"""
    state = table(target)
    ideas = bot.candidates(state, RandomStreams(seed=1).generator(), 3)
    heart, aimed = ideas[0], ideas[-1]
    assert bot.target_of(state, aimed) == target.id
    rollout_model = GameRolloutModel(load("ice"))
    found = rollout_model.purpose(state, aimed)
    assert (found.text, found.pieces) == (message, (target.id,))
    assert rollout_model.purpose(state, heart) == Purpose(kind="stand", pieces=(MISSILE,), text="land standing")


@pytest.mark.parametrize(
    ("owner", "tilt", "expected"),
    [
        ("yellow", 10.0, ("knock_over", ("yellow-small-1",))),
        ("yellow", 70.0, ("double", ("yellow-large-1",))),
        ("red", 10.0, ("double", ("yellow-large-1",))),
    ],
)
def test_a_launch_at_the_prop_of_an_opposing_piece_that_scores_is_to_knock_that_over(
    owner: str, tilt: float, expected: tuple[str, tuple[str, ...]]
) -> None:
    """ITW-7f"""
    prop = lying_on_side("yellow-large-1", (0.45, 0.45))
    on_it = leaning(f"{owner}-small-1", (0.49, 0.49), tilt, prop.id)
    aimed = bot.candidates(table(prop), RandomStreams(seed=1).generator(), 3)[-1]
    assert purpose.purpose_of_aim(table(prop, on_it), aimed) == expected


def test_several_pieces_are_described_by_their_number() -> None:
    assert purpose.describe("knock_over", ("red-small-1",)) == "knock Red small 1 over"
    assert purpose.describe("knock_over", ("red-small-1", "red-large-2")) == "knock 2 pieces over"


def test_what_no_word_is_for_is_for_nothing() -> None:
    state = table()
    back = msgspec.structs.replace(launch(state, MISSILE), speed=0.05)
    assert GameRolloutModel(load("ice")).purpose(state, back) is None
