"""The purpose of a launch is told by what it is sent at, or read off what comes of it."""

from __future__ import annotations

import msgspec
import pytest
from ice_table import going, launch, lean, pyramid, side, told

from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.games.ice import bot, purpose
from flicksim.games.ice.state import State
from flicksim.play import THOUGHT, GameFuture, TableStage
from flicksim.referee import Purpose
from flicksim.table import Launch, Pyramid

MISSILE = "red-small-1"


def table(*pieces: Pyramid) -> State:
    return going(2, pieces, {0: (MISSILE,)})


def brought(state: State, rest: Pyramid | tuple[float, float] | None, **more: object) -> dict[str, tuple[str, ...]]:
    action = launch(state, MISSILE)
    return dict(purpose.brought(state, action, told(state, action, rest, **more)))  # type: ignore[arg-type]


def test_every_kind_is_read_off_what_came_of_the_launch() -> None:
    enemy, prop = pyramid("yellow-medium-1", (0.45, 0.45)), side("yellow-large-1", (0.3, 0.45))
    state = table(enemy, prop)
    assert brought(state, (0.4, 0.5)) == {"stand": (MISSILE,)}
    assert brought(state, side(MISSILE, (0.4, 0.5))) == {"prop": (MISSILE,)}
    assert brought(state, lean(MISSILE, (0.3, 0.45), 10.0, prop.id)) == {"double": (prop.id,)}
    over = brought(state, side(MISSILE, (0.4, 0.5)), also=(side(enemy.id, enemy.at),))
    assert over == {"knock_over": (enemy.id,), "prop": (MISSILE,)}
    assert brought(state, None, gone=(enemy.id,)) == {"knock_over": (enemy.id,)}
    assert brought(state, None) == {}


@pytest.mark.parametrize(
    ("target", "says"),
    [
        (pyramid("yellow-large-1", (0.45, 0.45)), "knock Yellow large 1 over"),
        (side("yellow-large-1", (0.45, 0.45)), "stand on Yellow large 1 for double"),
        (side("red-large-1", (0.45, 0.45)), "stand on Red large 1 for double"),
    ],
)
def test_a_launch_sent_at_a_piece_is_for_what_that_piece_is(target: Pyramid, says: str) -> None:
    """ITW-7e, ITW-7f"""
    state = table(target)
    ideas = bot.candidates(state, Seeds(seed=1).generator(), 3)
    heart, aimed = ideas[0], ideas[-1]
    assert isinstance(aimed, Launch)
    assert bot.aimed_at(state, aimed) == target.id
    future = GameFuture(load("ice"), TableStage(THOUGHT))
    found = future.purpose(state, aimed)
    assert found is not None
    assert (found.says, found.of) == (says, (target.id,))
    assert future.purpose(state, heart) == Purpose(kind="stand", of=(MISSILE,), says="land standing")


def test_several_pieces_are_told_by_their_number() -> None:
    assert purpose.says("knock_over", ("red-small-1",)) == "knock Red small 1 over"
    assert purpose.says("knock_over", ("red-small-1", "red-large-2")) == "knock 2 pieces over"


def test_what_no_word_is_for_is_for_nothing() -> None:
    state = table()
    back = msgspec.structs.replace(launch(state, MISSILE), speed=0.05)
    assert GameFuture(load("ice"), TableStage(THOUGHT)).purpose(state, back) is None
