"""A position appraised little by little: a first word at once, then the same with more and more shots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from msgspec.structs import replace

from flicksim.base.codec import Value
from flicksim.base.errors import BadOption, FlicksimError
from flicksim.base.geometry import half_turn
from flicksim.base.kinds import Account, Action, State, View
from flicksim.base.seeding import Seeds
from flicksim.games import load
from flicksim.play.future import GameFuture
from flicksim.play.model import THOUGHT, TableStage
from flicksim.play.review import Acted, Past, Reviewed, Untold, reviewing
from flicksim.play.workers import share_out
from flicksim.players import (
    ENOUGH,
    GRADES,
    LEAST,
    Chart,
    Hand,
    TooFewShots,
    Weighed,
    Weighing,
    chart,
    gained,
    weigh,
    worth_of,
)
from flicksim.referee import Game, Purpose
from flicksim.table import Flick, Launch, Squidge

_ROUGH, _FIRST, _LEAST = 3, 0.02, 12
"""The first word is about so many plans, with tries over the game's usual number of shots, and at least so many."""
_PARTS = (0.1, 0.4, 1.0, 3.0)
"""Shots settled for each word after that, over the game's usual number."""
_LOOKS = 2
"""So often at most the brightest place of the map is tried as a better plan."""
_BESIDE = 0.3
"""Shots for that, over the game's usual number."""
_FLICKS = Flick | Squidge | Launch
_TOLD = 3
"""Plans told of."""
_SURE = 0.03
"""A chance whose interval by luck is no wider is sure enough, after as many shots as usual [1]."""


class Appraisal(Value, frozen=True, kw_only=True):
    """A position weighed.

    Args:
        weighing: by as many shots as there were. guessed: whether the game is not played out, only judged.
        rough: whether only the most natural plans were tried, a few times. purposes: of its best plans, in their order.
    """

    weighing: Weighing
    guessed: bool
    rough: bool = False
    purposes: tuple[Purpose | None, ...] = ()

    def shares(self, sides: Sequence[Sequence[int]]) -> tuple[tuple[float, float, float], ...]:
        """The chance of each of two sides, with its interval; of more only that of the side to play, and the rest."""
        worth = self.weighing.worth
        own = (worth.chance, worth.low, worth.high)
        rest = (1.0 - worth.chance, 1.0 - worth.high, 1.0 - worth.low)
        return (own, rest) if len(sides) != 2 or self.weighing.seat in sides[0] else (rest, own)


def appraising(name: str, state: State, hand: str, seed: int, mapped: bool = False) -> Iterator[Appraisal | Chart]:
    """Weigh a position of a game with more and more shots, until it is sure enough; the first word is a rough one.

    Args:
        mapped: whether the map of the best flick is told too, as soon as that is known by the usual number of shots;
            where its brightest place is better beyond luck, that becomes the best flick, with a map of its own.

    Raises:
        BadOption: nobody is to play there, or nothing can be weighed; says why.
    """
    game = load(name)
    future, seat = GameFuture(game, TableStage(THOUGHT)), game.rules.to_play(state)
    if seat is None:
        raise BadOption("the game is over there, and nobody is to play")
    view, few = game.rules.view(state, seat), None
    drawn: Chart | None = None

    def told(weighing: Weighing, *, rough: bool = False) -> Appraisal:
        purposes = tuple(future.purpose(view, one.action) for one in weighing.best)
        return Appraisal(weighing=weighing, guessed=not future.played_out, rough=rough, purposes=purposes)

    rough = _rough(future, GRADES[hand], view, seat, seed)
    if rough is not None:
        yield told(rough, rough=True)
    for k, part in enumerate(_PARTS):
        luck = Seeds(seed=seed).child("part", k).number() % 2**62
        try:
            weighing = weigh(future, GRADES[hand], view, seat, luck, round(part * future.usual))
        except TooFewShots as wrong:
            few = wrong
            continue
        few = None
        yield told(weighing)
        if part == 1.0 and mapped and (drawn := _mapped(future, GRADES[hand], view, seat, seed, weighing)) is not None:
            yield drawn
        if part >= 1.0 and 2.0 * weighing.worth.luck < _SURE:
            break
    if few is not None:
        raise few
    for turn in range(_LOOKS if mapped else 0):
        if drawn is None or drawn.action != weighing.best[0].action:
            if (drawn := _mapped(future, GRADES[hand], view, seat, seed, weighing)) is None:
                return
            yield drawn
        luck = Seeds(seed=seed).child("brightest", turn).number() % 2**62
        if (better := surpassed(future, GRADES[hand], view, seat, luck, weighing, drawn)) is None:
            return
        weighing = better
        yield told(weighing)


def _mapped(future: GameFuture, hand: Hand, view: View, seat: int, seed: int, weighing: Weighing) -> Chart | None:
    """The map of the best plan; None where that is no flick."""
    best = weighing.best[0].action
    return chart(future, hand, view, seat, seed, best, future.usual) if isinstance(best, _FLICKS) else None


def surpassed(
    future: GameFuture, hand: Hand, view: View, seat: int, luck: int, weighing: Weighing, drawn: Chart
) -> Weighing | None:
    """The weighing with the brightest place of a map as its best plan; None where that is not better beyond luck.

    The best of many places looks better than it is: it is tried by fresh luck, beside the plan that was the best.
    """
    best, plan = weighing.best[0], brightest(drawn)
    tries = max(LEAST, round(_BESIDE * future.usual / (2.0 * weighing.each)))
    try:
        future.check(view, plan)
    except FlicksimError:
        return None
    told = future.play_out(view, seat, [plan, best.action], hand, tries, luck)
    error = future.model_error(view)
    gain, give = gained(told.chance[0], told.chance[1], error)
    worth = worth_of(told.chance[0], told.points[0], error)
    if gain <= give or worth.chance <= best.worth.chance:
        return None
    unlike = [one for one in weighing.best if not future.same_idea(view, one.action, plan, hand)]
    others = (replace(one, behind=one.behind + gain, give=hypot(one.give, give)) for one in unlike[: _TOLD - 1])
    return Weighing(  # the race was sure of another, where this was not among the plans
        seat=seat, best=(Weighed(action=plan, worth=worth), *others), sure=False,
        shots=weighing.shots + told.shots, each=weighing.each,
    )  # fmt: skip


def brightest(drawn: Chart) -> Action:
    """The flick at the brightest place of a map."""
    most = max(map(max, drawn.chance))
    row = next(k for k, chances in enumerate(drawn.chance) if most in chances)
    column = drawn.chance[row].index(most)
    return replace(drawn.action, speed=drawn.speeds[row], azimuth=half_turn(drawn.azimuths[column]))


def usual_shots(game: Game) -> int:
    """Shots that a game's position is weighed with, and a map drawn."""
    return GameFuture(game, TableStage()).usual


def expected(game: Game, *, mapped: bool) -> tuple[int, int]:
    """Shots that an appraisal takes until the position may be sure enough, and at most.

    Args:
        mapped: see `appraising`.
    """
    usual = usual_shots(game)
    maps = (1.0 + _BESIDE) * mapped
    first = sum(part for part in _PARTS if part <= 1.0) + maps
    return round(usual * first), round(usual * (sum(_PARTS) + _LOOKS * maps))


def _rough(future: GameFuture, hand: Hand, view: View, seat: int, seed: int) -> Weighing | None:
    """A first look at the most natural plans; None where there are none."""
    plans = future.plans(view, _ROUGH)
    if not plans:
        return None
    tries = max(_LEAST, round(_FIRST * future.usual / len(plans)))
    told = future.play_out(view, seat, plans, hand, tries, seed)
    error = future.model_error(view)
    worths = [worth_of(chance, points, error) for chance, points in zip(told.chance, told.points, strict=True)]
    found = [Weighed(action=plan, worth=worth) for plan, worth in zip(plans, worths, strict=True)]
    found.sort(key=lambda one: -one.worth.chance)
    each = told.shots / told.chance.size
    return Weighing(seat=seat, best=tuple(found), sure=False, shots=told.shots, each=each)


def charting(name: str, state: State, hand: str, seed: int, actions: Sequence[Action]) -> Iterator[Chart]:
    """The maps of some flicks in a position, one after another."""
    game = load(name)
    future, seat = GameFuture(game, TableStage(THOUGHT)), game.rules.to_play(state)
    assert seat is not None
    view = game.rules.view(state, seat)
    for action in actions:
        yield chart(future, GRADES[hand], view, seat, seed, action, future.usual)


def showing(name: str, state: State, action: Action) -> Iterator[Account]:
    """The motion of an action made just as it is meant; nothing where nothing moves."""
    staged = load(name).rules.stage(state, action)
    if staged is not None:
        yield TableStage().settle(*staged)


def reviewed(
    name: str, turns: Sequence[Acted], hand: str, seed: int, shots: int | None = None, enough: int = ENOUGH
) -> Iterator[tuple[Reviewed | Untold, int]]:
    """The turns of a game gone through, weighed with a hand of that grade; beside each the shots settled for it.

    Args:
        shots: settled for a turn at most; the game's usual number without. enough: tries of each plan, at most.
    """
    game = load(name)
    future = GameFuture(game, TableStage(THOUGHT))
    return reviewing(game, future, turns, GRADES[hand], future.usual if shots is None else shots, seed, enough)


def reviewed_by(
    name: str, turns: Sequence[Acted], hand: str, seed: int, shots: Mapping[int, int], *, jobs: int,
    enough: int = ENOUGH,
) -> Iterator[tuple[Reviewed | Untold, int]]:  # fmt: skip
    """The turns gone through by so many workers and told in order; what is done before one ahead of it waits for that.

    Every turn has seeds of its own, so one worker or many come to the same.

    Args:
        shots: settled for each turn at most, by number. enough: tries of each plan, at most.

    Raises:
        WorkersLost: one died. KeyboardInterrupt: Ctrl-C. What still waited then is not told.
    """
    early = dict[int, tuple[Reviewed | Untold, int]]()
    due = iter(turn.number for turn in turns)
    number = next(due, None)
    tasks = [(name, Past.of(turn), hand, seed, shots[turn.number], enough) for turn in turns]
    for one, cost in share_out(_review, tasks, jobs=jobs):
        early[one.number] = one, cost
        while number in early:
            yield early.pop(number)
            number = next(due, None)


def _review(name: str, turn: Past, hand: str, seed: int, shots: int, enough: int) -> tuple[Reviewed | Untold, int]:
    """A turn gone through, by a worker."""
    return next(reviewed(name, (turn,), hand, seed, shots, enough))
