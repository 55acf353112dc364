"""Puzzles out of bots' games: positions in which one flick is worth clearly more than all that are not like it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import cos, hypot, sin, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, to_plain
from flicksim.base.errors import BadOption
from flicksim.base.kinds import Action, Plain
from flicksim.base.seeding import Seeds
from flicksim.play.future import GameFuture
from flicksim.play.match import Turn
from flicksim.play.model import TableStage
from flicksim.play.open_match import open_match
from flicksim.play.series import game_seed
from flicksim.players import GRADES, Hand
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]

MARGIN = 0.06
"""A solution wins so much oftener than the best that is not like it [1], at least."""
CHECKED = 100
"""Factor of tries by which a puzzle is checked: it is kept if as many times more of them say the same."""
_TRIES, _PLANS, _RIVALS = 48, 24, 5
_SURE = 3.0
_ALIKE = 2.0
"""Flicks are alike that would end no farther apart than so many errors of the hand."""
_PULL = 2.0
"""Deceleration of a flat piece on polished wood [m/s^2]."""


class Puzzle(Value, frozen=True, kw_only=True):
    """A position with a goal and its solution.

    Args:
        game, edition: by which rules. options: all of them, by name. state: where it stands. seat: who is to play.
        hand: grade of everybody's. goal: what is to be done, in a sentence.
        solution: the flick. chance: to win with it. rival: with the best that is not like it.
        tries: both rest on so many.
        game_seed, turn: out of which game.
    """

    game: str
    edition: int
    options: dict[str, Plain]
    state: dict[str, Plain]
    seat: int
    hand: str
    goal: str
    solution: dict[str, Plain]
    chance: float
    rival: float
    tries: int
    game_seed: int
    turn: int


def must_be_played_out(game: Game) -> None:
    """See that games are played out to the end: else nobody knows what a flick is worth.

    Raises:
        BadOption: they are not.
    """
    if not game.flicked or not GameFuture(game, TableStage()).played_out:
        raise BadOption(f"{game.title} is not played out to the end of a game or round yet")


def mined(game: Game, options: Value, hand: str, seed: int) -> Iterator[Puzzle | None]:
    """Play game after game between bots with these hands; a puzzle, or None after each game.

    Raises:
        BadOption: its games are not played out.
    """
    must_be_played_out(game)
    future = GameFuture(game, TableStage())
    for number in count(1):
        chance = game_seed(seed, number)
        match = open_match(game, options, [f"bot:{hand}/beginner"] * game.seats[0], chance)
        for turn in match.run():
            puzzle = _puzzle(game, future, turn, hand, chance)
            if puzzle is not None:
                yield puzzle
        yield None


def _puzzle(game: Game, future: GameFuture, turn: Turn, hand: str, seed: int) -> Puzzle | None:
    """The puzzle that the position before a turn is, if it is one."""
    view = game.rules.view(turn.before, turn.seat)
    plans = [plan for plan in future.plans(view, _PLANS) if isinstance(plan, Flick | Squidge | Launch)]
    if len(plans) < 2:
        return None
    stream = Seeds(seed=seed).child("puzzle", turn.number)
    found = future.play_out(view, turn.seat, plans, GRADES[hand], _TRIES, stream.child("found").number() % 2**62).chance
    best = int(found.mean(axis=1).argmax())
    rivals = [k for k, plan in enumerate(plans) if not alike(plan, plans[best], GRADES[hand])]
    rivals = sorted(rivals, key=lambda k: -float(found[k].mean()))[:_RIVALS]
    if not _clear(found[best], found[rivals]):
        return None
    again = [plans[best], *(plans[k] for k in rivals)]
    tries = CHECKED * _TRIES
    checked = future.play_out(
        view, turn.seat, again, GRADES[hand], tries, stream.child("checked").number() % 2**62
    ).chance  # fmt: skip
    if not _clear(checked[0], checked[1:]):
        return None
    chance, rival = float(checked[0].mean()), float(checked[1:].mean(axis=1).max())
    who = game.seat_names[turn.seat]
    return Puzzle(
        game=game.name, edition=game.edition, options=to_plain(turn.before.options), state=to_plain(turn.before),
        seat=turn.seat, hand=hand, goal=f"{who} to play: find the flick that wins {chance - rival:.0%} oftener.",
        solution=to_plain(plans[best]), chance=chance, rival=rival, tries=tries, game_seed=seed, turn=turn.number,
    )  # fmt: skip


def alike(one: Action, other: Action, hand: Hand) -> bool:
    """Tell whether two flicks are one idea: by pieces and by where they would end with nothing in the way."""
    if type(one) is not type(other) or one.piece != other.piece:
        return False
    (x, y, way), (u, v, far) = _reach(one), _reach(other)
    return hypot(x - u, y - v) <= _ALIKE * max(way, far) * hypot(hand.azimuth, 2.0 * hand.speed)


def _reach(flick: Action) -> tuple[float, float, float]:
    """End on a bare board, and the way there [m]; only held against others of its kind."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    way = flick.speed**2 / (2.0 * _PULL)
    return at[0] + way * cos(flick.azimuth), at[1] + way * sin(flick.azimuth), way


def _clear(best: Floats, rivals: Floats) -> bool:
    """Tell whether it is ahead of all of these, by the margin and beyond luck."""
    for rival in rivals:
        gain = best - rival
        if gain.mean() < max(MARGIN, _SURE * gain.std(ddof=1) / sqrt(len(gain))):
            return False
    return len(rivals) > 0
