"""Puzzles out of bots' games: positions in which one flick wins clearly oftener than all that are not like it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Value, to_plain
from flicksim.base.errors import BadOption, FlicksimError
from flicksim.base.kinds import Action, Plain, State, View
from flicksim.base.seeding import Seeds
from flicksim.play.future import GameFuture
from flicksim.play.ideas import alike
from flicksim.play.match import Turn
from flicksim.play.model import TableStage
from flicksim.play.open_match import open_match
from flicksim.play.series import game_seed
from flicksim.players import GRADES, Hand, best_plans
from flicksim.referee import Game
from flicksim.table import Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]

MARGIN = 0.06
"""A solution wins so much oftener than the best that is not like it [1], at least."""
_LEAST = 0.2
"""And wins so often itself, at least: nobody likes to try for ever."""
_LATE = 6
"""So many of a game's last turns are looked at: before them hardly a flick ends it."""
_ENDS = 4
"""Tries of one plan that tell whether a flick ends the game at all."""
_PLANS, _EVERY, _SIFTED, _LEFT = 40, 3, 3, 16
"""Plans, every so manieth of which is tried first; tries of each; and the best of them that are looked at."""
_SEARCHED, _FOUND = 1.5, 64
"""Shots by which the analyst looks for flicks, over the game's usual number, and so many that it finds."""
_IDEAS, TRIES = 8, 16
"""Ideas that are tried in earnest, and so many tries of each."""
CHECKED = 100
"""Factor of tries by which a puzzle is checked: it is kept if as many times more of them say the same."""
_STEPS = (1, 3, 10, 30, CHECKED)
"""Factors of tries, one after another, with luck of their own: what is no puzzle by few is not tried by many."""
_SURE, _HOPELESS = 3.0, 5.0
"""Standard errors by which a solution is ahead of its rivals, and by which a rival is not asked again."""
_OVER = 0.75
"""Share of the tries that must end the game: their chance is counted and not guessed."""
_AGAIN = 8
"""Turns that who has the last one plays on by what is natural: what is handed back is flicked again."""


class Puzzle(Value, frozen=True, kw_only=True):
    """A position with a goal and its solution.

    Args:
        game, edition: by which rules. options: all of them, by name. state: where it stands. seat: who is to play.
        hand: grade of everybody's. goal: what is to be done, in a sentence.
        solution: the flick. chance: to win whole with it. rival: with the best that is not like it.
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
    future = GameFuture(game, TableStage(), turns=_AGAIN)
    seats = min(max(2, game.seats[0]), game.seats[1])
    for number in count(1):
        chance = game_seed(seed, number)
        match = open_match(game, options, [f"bot:{hand}/beginner"] * seats, chance)
        for turn in list(match.run())[-_LATE:]:
            state = _calmed(game, turn)
            puzzle = _puzzle(game, future, turn, state, hand, chance) if state is not None else None
            if puzzle is not None:
                yield puzzle
        yield None


def _calmed(game: Game, turn: Turn) -> State:
    """The state before a turn, once all that is in the air there has come down; None where that changes whose it is.

    A bot of a game without turns brings `calmed`: what a seat does that only waits for the others.
    """
    waits = getattr(game.bot, "calmed", lambda _state: None)(turn.before)
    if waits is None:
        return turn.before
    staged = game.rules.stage(turn.before, waits)
    account = TableStage().settle(*staged) if staged is not None else None
    state = game.rules.advance(turn.before, account, game.rules.judge(turn.before, waits, account))
    return state if game.rules.to_play(state) == turn.seat else None


def _puzzle(game: Game, future: GameFuture, turn: Turn, state: State, hand: str, seed: int) -> Puzzle | None:
    """The puzzle that a position is, which is that before a turn, if it is one."""
    view = game.rules.view(state, turn.seat)
    plans = [plan for plan in future.plans(view, _PLANS) if isinstance(plan, Flick | Squidge | Launch)]
    stream = Seeds(seed=seed).child("puzzle", turn.number)

    def tried(some: Sequence[Action], tries: int, part: str) -> Floats:
        luck = stream.child(part).number() % 2**62
        return future.play_out(view, turn.seat, some, GRADES[hand], tries, luck).chance

    if len(plans) < 2 or not _last(game, future, view, turn.seat, plans[::_EVERY]):
        return None
    if not _over(tried(plans[:1], _ENDS, "ends")):
        return None
    first = _won(tried(plans[::_EVERY], _SIFTED, "sifted")).mean(axis=1)
    if first.max() - first.min() < MARGIN:
        return None
    sifted = _won(tried(plans, _SIFTED, "sifted")).mean(axis=1)
    ranked = [plans[k] for k in np.argsort(-sifted, kind="stable")[:_LEFT]]
    # the bot's own plans seldom hold the best flick, or all that rival it
    searches = [
        best_plans(
            future, GRADES[hand], view, turn.seat, stream.child(part).number() % 2**62,
            round(_SEARCHED * future.usual), _FOUND,
        )
        for part in ("ideas", "other ideas")
    ]  # fmt: skip
    ranked = [*(plan for both in zip_longest(*searches) for plan in both if plan is not None), *ranked]
    ranked = [plan for plan in ranked if isinstance(plan, Flick | Squidge | Launch)]
    ideas = _ideas(ranked, [future.aim(view, plan) for plan in ranked], GRADES[hand])
    checked = np.zeros((1, 0))
    for step in _STEPS:
        if len(ideas) < 2:
            return None
        found = tried(ideas, step * TRIES, f"times-{step}")
        ideas, checked = _ranked(ideas, _won(found))
        if not (_over(found) and checked[0].mean() >= _LEAST and _hopes(checked)):
            return None
        if step < CHECKED:
            ideas = [idea for k, idea in enumerate(ideas) if k <= 1 or _errors(checked[0] - checked[k]) < _HOPELESS]
    if not _clear(checked[0], checked[1:]):
        return None
    chance, rival = float(checked[0].mean()), float(checked[1:].mean(axis=1).max())
    who, more = game.seat_names[turn.seat], 100.0 * (chance - rival)
    return Puzzle(
        game=game.name, edition=game.edition, options=to_plain(turn.before.options), state=to_plain(state),
        seat=turn.seat, hand=hand, goal=f"{who} to play: one idea wins {more:.0f} games in 100 more than any other.",
        solution=to_plain(ideas[0]), chance=chance, rival=rival, tries=CHECKED * TRIES, game_seed=seed,
        turn=turn.number,
    )  # fmt: skip


def _last(game: Game, future: GameFuture, view: View, seat: int, plans: Sequence[Action]) -> bool:
    """Tell whether these flicks mostly end the game, and else mostly bring extra shots or a decision alone."""
    found = [one for one in future.after([(view, plan) for plan in plans]) if not isinstance(one, FlicksimError)]
    due = [game.rules.to_play(one) for one in found]
    return due.count(None) > sum(one not in (None, seat) for one in due)


def _over(chance: Floats) -> bool:
    """Tell whether so many tries ended the game that the chance is counted."""
    return bool(np.isin(chance, (0.0, 0.5, 1.0)).mean() >= _OVER)


def _won(chance: Floats) -> Floats:
    """1 for each try that is won whole, else 0: to come out level is not to win."""
    return np.where(chance == 1.0, 1.0, 0.0)


def _ideas(plans: Sequence[Action], aims: Sequence[str | None], hand: Hand) -> list[Action]:
    """The first plans of which none is like another.

    Args:
        aims: at what each is aimed, where the game's bot tells (`aimed_at`): those at one thing are alike.
    """
    found: list[tuple[Action, str | None]] = []
    for plan, aim in zip(plans, aims, strict=True):
        if len(found) < _IDEAS and not any(alike(plan, one, hand, (aim, other)) for one, other in found):
            found.append((plan, aim))
    return [plan for plan, _ in found]


def _ranked(ideas: Sequence[Action], chance: Floats) -> tuple[list[Action], Floats]:
    """Ideas and the chances of their tries, the best first."""
    order = np.argsort(-chance.mean(axis=1), kind="stable")
    return [ideas[k] for k in order], chance[order]


def _hopes(chance: Floats) -> bool:
    """Tell whether the first idea is ahead of the next by the margin, as far as luck allows."""
    gain = chance[0] - chance[1]
    return float(gain.mean()) + (float(gain.std(ddof=1)) / sqrt(len(gain)) if len(gain) > TRIES else 0.0) >= MARGIN


def _errors(gain: Floats) -> float:
    """Standard errors by which a gain lies above nothing."""
    spread = float(gain.std(ddof=1)) / sqrt(len(gain))
    return float(gain.mean()) / spread if spread > 0.0 else inf if gain.mean() > 0.0 else 0.0


def _clear(best: Floats, rivals: Floats) -> bool:
    """Tell whether it is ahead of all of these, by the margin and beyond luck."""
    gains = [best - rival for rival in rivals]
    return bool(gains) and all(gain.mean() >= MARGIN and _errors(gain) >= _SURE for gain in gains)
