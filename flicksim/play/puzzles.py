"""Puzzles out of bots' games: positions in which one flick is worth clearly more than all that are not like it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import cos, hypot, inf, sin, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, to_plain
from flicksim.base.errors import BadOption
from flicksim.base.kinds import Action, Plain
from flicksim.base.seeding import Seeds
from flicksim.base.units import GRAVITY
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
_LEAST = 0.2
"""And wins so often itself, at least: nobody likes to try for ever."""
CHECKED = 100
"""Factor of tries by which a puzzle is checked: it is kept if as many times more of them say the same."""
_PLANS, _SIFTED = 40, 8
"""Plans that are tried a few times, and so many tries of each."""
_IDEAS, _TRIES = 8, 48
"""Ideas that are tried in earnest, and so many tries of each."""
_SURE, _HOPELESS = 3.0, 6.0
"""Standard errors by which a solution is ahead of its rivals, and by which a rival is not asked again."""
_PART = 10
"""A check begins with so many times the tries: who is hopeless then is left out."""
_OVER = 0.75
"""Share of the tries that must end the game: their chance is counted and not guessed."""
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


def must_be_flicked(game: Game) -> None:
    """See that something is flicked in a game: of cards nobody knows what the others hold.

    Raises:
        BadOption: nothing is.
    """
    if not game.flicked:
        raise BadOption(f"nothing is flicked in {game.title}; puzzles are found in games of flicks")


def mined(game: Game, options: Value, hand: str, seed: int) -> Iterator[Puzzle | None]:
    """Play game after game between bots with these hands; a puzzle, or None after each game.

    Only positions in which a flick ends the game are told of: there chances are counted.

    Raises:
        BadOption: nothing is flicked in it.
    """
    must_be_flicked(game)
    future = GameFuture(game, TableStage())
    seats = min(max(2, game.seats[0]), game.seats[1])
    for number in count(1):
        chance = game_seed(seed, number)
        match = open_match(game, options, [f"bot:{hand}/beginner"] * seats, chance)
        for turn in match.run():
            puzzle = _puzzle(game, future, turn, hand, chance)
            if puzzle is not None:
                yield puzzle
        yield None


def _puzzle(game: Game, future: GameFuture, turn: Turn, hand: str, seed: int) -> Puzzle | None:
    """The puzzle that the position before a turn is, if it is one."""
    view = game.rules.view(turn.before, turn.seat)
    plans = [plan for plan in future.plans(view, _PLANS) if isinstance(plan, Flick | Squidge | Launch)]
    stream = Seeds(seed=seed).child("puzzle", turn.number)

    def tried(some: Sequence[Action], tries: int, part: str) -> Floats:
        luck = stream.child(part).number() % 2**62
        return future.play_out(view, turn.seat, some, GRADES[hand], tries, luck).chance

    if len(plans) < 2 or not _over(tried(plans[:1], _SIFTED, "sifted")):
        return None
    sifted = tried(plans, _SIFTED, "sifted").mean(axis=1)
    if sifted.max() - sifted.min() < MARGIN:
        return None
    ideas = _ideas([plans[k] for k in np.argsort(-sifted, kind="stable")], GRADES[hand])
    ideas, found = _ranked(ideas, tried(ideas, _TRIES, "found"))
    if not (_over(found) and found[0].mean() >= _LEAST and _clear(found[0], found[1:])):
        return None
    ideas, part = _ranked(ideas, tried(ideas, _PART * _TRIES, "part"))
    ideas = [
        ideas[0],
        *(idea for k, idea in enumerate(ideas[1:], 1) if k == 1 or _errors(part[0] - part[k]) < _HOPELESS),
    ]
    checked = tried(ideas, CHECKED * _TRIES, "checked")
    if not (_over(checked) and checked[0].mean() >= _LEAST and _clear(checked[0], checked[1:])):
        return None
    chance, rival = float(checked[0].mean()), float(checked[1:].mean(axis=1).max())
    who = game.seat_names[turn.seat]
    return Puzzle(
        game=game.name, edition=game.edition, options=to_plain(turn.before.options), state=to_plain(turn.before),
        seat=turn.seat, hand=hand, goal=f"{who} to play: find the flick that wins {chance - rival:.0%} oftener.",
        solution=to_plain(ideas[0]), chance=chance, rival=rival, tries=CHECKED * _TRIES, game_seed=seed,
        turn=turn.number,
    )  # fmt: skip


def _over(chance: Floats) -> bool:
    """Tell whether so many tries ended the game that the chance is counted."""
    return bool(np.isin(chance, (0.0, 0.5, 1.0)).mean() >= _OVER)


def _ideas(plans: Sequence[Action], hand: Hand) -> list[Action]:
    """The first plans of which none is like another."""
    found: list[Action] = []
    for plan in plans:
        if len(found) < _IDEAS and not any(alike(plan, one, hand) for one in found):
            found.append(plan)
    return found


def _ranked(ideas: Sequence[Action], chance: Floats) -> tuple[list[Action], Floats]:
    """Ideas and the chances of their tries, the best first."""
    order = np.argsort(-chance.mean(axis=1), kind="stable")
    return [ideas[k] for k in order], chance[order]


def alike(one: Action, other: Action, hand: Hand) -> bool:
    """Tell whether two flicks are one idea: by pieces and by where they would end with nothing in the way."""
    if type(one) is not type(other) or one.piece != other.piece:
        return False
    (x, y, way), (u, v, far) = _reach(one), _reach(other)
    return hypot(x - u, y - v) <= _ALIKE * max(way, far) * hypot(hand.azimuth, 2.0 * hand.speed)


def _reach(flick: Action) -> tuple[float, float, float]:
    """End on a bare table, and the way there [m]; only held against others of its kind."""
    at = getattr(flick, "start", None) or getattr(flick, "hold", None) or (0.0, 0.0)
    flies = isinstance(flick, Squidge)
    way = flick.speed**2 * (sin(2.0 * flick.elevation) / GRAVITY if flies else 1.0 / (2.0 * _PULL))
    return at[0] + way * cos(flick.azimuth), at[1] + way * sin(flick.azimuth), way


def _errors(gain: Floats) -> float:
    """Standard errors by which a gain lies above nothing."""
    spread = float(gain.std(ddof=1)) / sqrt(len(gain))
    return float(gain.mean()) / spread if spread > 0.0 else inf if gain.mean() > 0.0 else 0.0


def _clear(best: Floats, rivals: Floats) -> bool:
    """Tell whether it is ahead of all of these, by the margin and beyond luck."""
    gains = [best - rival for rival in rivals]
    return bool(gains) and all(gain.mean() >= MARGIN and _errors(gain) >= _SURE for gain in gains)
