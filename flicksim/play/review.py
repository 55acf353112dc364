"""A played game gone through turn by turn: what every flick was worth as it was meant, as it was made, and at best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from math import ceil, exp, hypot, sqrt
from typing import Literal, Protocol

import numpy as np
from msgspec.structs import replace

from flicksim.base.codec import Value
from flicksim.base.kinds import Action, State, View
from flicksim.base.seeding import Seeds
from flicksim.play.future import GameFuture
from flicksim.players import (
    ENOUGH,
    LEAST,
    CutShort,
    Hand,
    TooFewShots,
    Weighed,
    Weighing,
    Worth,
    parts_of,
    weigh,
    worth_of,
)
from flicksim.referee import Game, Purpose

_FORGIVES = 0.1
"""A loss of so much chance [1] leaves a flick an accuracy of 1/e."""
TURNING = 3
"""So many turning points are told."""
_DECIDED, _SURELY = 0.0005, 0.95
"""A chance [1] so near to none or all is told as that."""
_TURNS = 0.005
"""A smaller change of chance [1] turns nothing."""
_FRESH = 0.5
"""Share of a turn's shots by which the worth of the best plan, of that meant, and of that made is told."""
_LEAST, _ENOUGH = 6.4 * LEAST, 40 * LEAST
"""With fewer tries a turn nothing is said to be told of it: half of them, and a little less, must do for the three that
are told. So many are enough, but where other plans take more shots a try than the two that are tried beforehand."""
_TWICE = 2
"""A turn is gone through once more by so many times the shots, at least."""
_PILOT = 2
"""Tries by which it is seen how many shots one takes."""


class Acted(Protocol):
    """A turn as far as it is gone through; that of a match is one, and so is `Past`."""

    @property
    def number(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def before(self) -> State: ...
    @property
    def meant(self) -> Action: ...
    @property
    def made(self) -> Action: ...


class Past(Value, frozen=True, kw_only=True):
    """A turn without what moved in it: little enough to be sent to another process."""

    number: int
    seat: int
    before: State
    meant: Action
    made: Action

    @classmethod
    def of(cls, turn: Acted) -> Past:
        """A turn's."""
        return cls(number=turn.number, seat=turn.seat, before=turn.before, meant=turn.meant, made=turn.made)


class Reviewed(Value, frozen=True, kw_only=True):
    """A turn gone through; all worths are those of the seat that acted.

    Args:
        number: from 1. meant, made: as recorded. best: what would have been best; it may be what was meant.
        before: what the position was worth: that of the best. meant_worth: of what was meant.
        after: once it was made; see `joined`.
        lost_as_meant: chance to win that the best would have had more, as it was found by the same luck.
        lost_by_hand: chance that the hand lost beside what was meant; below nothing where it was lucky.
        sure: whether what was meant was worse beyond luck and the model's error. give: half the 95 % interval of
            `lost_as_meant`. own: the part of it that is the model's error.
        alike: whether all plans came to the same, try for try.
        meant_purpose, best_purpose: of what was meant, and of the best, where these are flicks.
    """

    number: int
    seat: int
    meant: Action
    made: Action
    best: Action
    before: Worth
    meant_worth: Worth
    after: Worth
    lost_as_meant: float
    lost_by_hand: float
    sure: bool
    give: float = 0.0
    alike: bool = False
    own: float = 0.0
    meant_purpose: Purpose | None = None
    best_purpose: Purpose | None = None

    @property
    def matters(self) -> bool:
        """True where it was not all one what was chosen, as it is in a turn whose game is decided."""
        return not self.alike and not self.tells

    @property
    def swing(self) -> float:
        """The chance to win that the turn brought, by the plan and by the hand."""
        return self.after.chance - self.before.chance

    @property
    def by_luck(self) -> bool:
        """True where the hand cost or brought no more than the luck of the tries and the model's error may."""
        return abs(self.lost_by_hand) <= max(_TURNS, hypot(self.meant_worth.luck, self.after.luck, self.own))

    @property
    def tells(self) -> Literal["won", "lost", ""]:
        """Won or lost for who acted, whatever was chosen and however it was made; empty where that still mattered."""
        worths = (self.before, self.meant_worth, self.after)
        if self.alike and all(worth.chance > 1.0 - _DECIDED and worth.low > _SURELY for worth in worths):
            return "won"
        lost = all(worth.chance < _DECIDED and worth.high < 1.0 - _SURELY for worth in worths)
        return "lost" if lost and not self.sure else ""


class Accuracy(Value, frozen=True, kw_only=True):
    """Marks of a seat for choosing and making its turns.

    Args:
        turns: in which it mattered what was chosen; only these count. of: all of its turns that were gone through.
        accuracy: from 0 to 100, of its plans alone.
        lost_as_meant, lost_by_hand: chance to win lost a turn in the mean.
    """

    seat: int
    turns: int
    of: int
    accuracy: float
    lost_as_meant: float
    lost_by_hand: float


class Untold(Value, frozen=True, kw_only=True):
    """A turn of which nothing is told.

    Args:
        number: from 1. seat: who acted. why: there was nothing to choose, or so few shots tell nothing.
        need: shots a turn that would be enough; 0 where none would.
    """

    number: int
    seat: int
    why: Literal["nothing to choose", "too few shots"]
    need: int = 0


class Review(Value, frozen=True, kw_only=True):
    """A game as far as it was gone through: its turns, the turning points by number, and what is to be said of all.

    Args:
        of: turns there are. untold: turns of which nothing is told. shots: settled for it.
        accuracy: of each seat for which it mattered in any turn what was chosen.
        decided: from that turn on nothing that anybody did mattered any more; None where it did to the end.
        winners: seats for which it was decided.
    """

    game: str
    turns: tuple[Reviewed, ...]
    of: int
    turning: tuple[int, ...]
    accuracy: tuple[Accuracy, ...]
    shots: int
    untold: tuple[Untold, ...] = ()
    decided: int | None = None
    winners: tuple[int, ...] = ()


def reviewing(
    game: Game, future: GameFuture, turns: Sequence[Acted], hand: Hand, shots: int, seed: int, enough: int = ENOUGH
) -> Iterator[tuple[Reviewed | Untold, int]]:
    """Go through the turns one by one. Beside each the shots settled for it.

    Args:
        hand: everybody's: of one hand all through, turns join. shots: settled for a turn, at most.
        enough: tries of each plan, at most.

    Raises:
        CutShort: Ctrl-C within a turn; it holds what is known of that position.
    """
    for turn in turns:
        view = game.rules.view(turn.before, turn.seat)
        if not _chose(game, future, turn, view):
            yield Untold(number=turn.number, seat=turn.seat, why="nothing to choose"), 0
            continue
        try:
            yield _reviewed(future, turn, view, hand, shots, seed, enough)
        except TooFewShots as wrong:
            need = -(-wrong.need * shots // max(1, wrong.shots))
            yield Untold(number=turn.number, seat=turn.seat, why="too few shots", need=need), 0


def needed(
    game: Game, future: GameFuture, turns: Sequence[Acted], hand: Hand, shots: int
) -> tuple[int, int, int]:  # fmt: skip
    """Before anything is spent: of how many turns so many shots will tell nothing, of how many there is something to
    tell, and how many shots a turn are enough for all, as far as the first plan and the one that was meant show.

    Args:
        shots: to be settled for a turn, at most.
    """
    each = []
    for turn in turns:
        view = game.rules.view(turn.before, turn.seat)
        if _chose(game, future, turn, view):
            tried = [*future.plans(view, 1), turn.meant]
            shots_each = [future.play_out(view, turn.seat, [plan], hand, _PILOT, 0).shots / _PILOT for plan in tried]
            each.append(max(1.0, *shots_each))
    return sum(shots < _LEAST * one for one in each), len(each), ceil(_ENOUGH * max(each, default=1.0))


def _chose(game: Game, future: GameFuture, turn: Acted, view: View) -> bool:
    """Tell whether there was anything to choose: it was the seat's turn, and it had two plans or another one."""
    if game.rules.to_play(turn.before) != turn.seat:
        return False
    found = future.plans(view, 2)
    return len(found) > 1 or (len(found) == 1 and turn.meant not in found)


def weighed_as_reviewed(
    future: GameFuture, turn: Acted, view: View, hand: Hand, shots: int, seed: int, *, many: int, also: int = 0,
    enough: int = ENOUGH,
) -> Weighing:  # fmt: skip
    """The position before a turn weighed, with what was meant beside the best plans.

    The seeds are the turn's own, wherever it is weighed; by other numbers of shots or plans other luck comes of them.

    Args:
        shots: settled at most. seed: of the review. many: plans told of.
        also: so many more will be tried as often, by whoever asks. enough: tries of each plan, at most.
    """
    return weigh(
        future, hand, view, turn.seat, Seeds(seed=seed).child("turn", turn.number).number() % 2**62, shots, many=many,
        beside=[turn.meant], also=also, fresh=_FRESH, luck=_luck_of(turn, seed), enough=enough,
    )  # fmt: skip


def _luck_of(turn: Acted, seed: int) -> int:
    """The luck by which a turn's plans are told of."""
    return Seeds(seed=seed).child("turn", turn.number).child("beside").number() % 2**62


def _reviewed(
    future: GameFuture, turn: Acted, view: View, hand: Hand, shots: int, seed: int, enough: int
) -> tuple[Reviewed, int]:
    """A turn gone through, and the shots settled for it."""
    weighed = weighed_as_reviewed(future, turn, view, hand, shots, seed, many=1, also=1, enough=enough)
    best, meant = weighed.best[0], next(one for one in weighed.best if one.action == turn.meant)
    if meant.behind <= 0.0:
        best = meant = Weighed(action=meant.action, worth=meant.worth)
    try:
        made = [
            future.play_out(view, turn.seat, [turn.made], hand, tries, luck, exact=True)
            for tries, luck in parts_of(best.worth.tries, _luck_of(turn, seed))
        ]
        meant_purpose, best_purpose = (future.purpose(view, one.action) for one in (meant, best))
    except KeyboardInterrupt:
        raise CutShort(weighed) from None
    error, rows = future.model_error(view), [(part.chance[0], part.points[0]) for part in made]
    after = worth_of(np.hstack([chance for chance, _ in rows]), np.hstack([points for _, points in rows]), error)
    own = 0.0 if error is None else error.of_gap(best.worth.chance)
    return Reviewed(
        number=turn.number, seat=turn.seat, meant=turn.meant, made=turn.made, best=best.action, before=best.worth,
        meant_worth=meant.worth, after=after, lost_as_meant=meant.behind, give=meant.give,
        lost_by_hand=meant.worth.chance - after.chance, sure=meant.behind > max(meant.give, _TURNS),
        alike=weighed.alike, own=own, meant_purpose=meant_purpose, best_purpose=best_purpose,
    ), weighed.shots + sum(part.shots for part in made)  # fmt: skip


def deepened(
    found: Sequence[Reviewed | Untold], spent: Mapping[int, int], shots: int, at_once: int = 1
) -> dict[int, int]:  # fmt: skip
    """Shots by which turns are gone through once more, by number, so many in all: the more, the less sure it is what
    was lost there. Only turns that are given twice what they had; none where so many shots are too few for any.

    Args:
        spent: shots settled for each turn so far, by number. at_once: turns gone through side by side; none is given
            more than its share of them, or the others would be done long before.
    """
    # luck shrinks as the root of the shots, so by these shares all would end about as sure
    strays = {one.number: _luck(one) * sqrt(spent[one.number]) for one in found if isinstance(one, Reviewed)}
    while any(strays.values()):
        whole = sum(strays.values())
        given = {number: int(shots * min(stray / whole, 1.0 / at_once)) for number, stray in strays.items()}
        least = min(given, key=lambda number: given[number] / spent[number])
        if given[least] >= _TWICE * spent[least]:
            return given
        del strays[least]
    return {}


def _luck(one: Reviewed) -> float:
    """The part that luck leaves open: of a turn's chance, or of what it lost [1]; nothing where it was all one."""
    return max(sqrt(max(0.0, one.give**2 - one.own**2)), one.before.luck) if one.matters else 0.0


def joins(game: Game, seats: int) -> bool:
    """Tell whether a turn ends where the next begins: where two sides flick a position has one worth for both. Who
    holds cards knows more than who acted before, so there each keeps its own.

    Args:
        seats: at the table.
    """
    return game.flicked and len(game.sides(seats)) == 2


def joined(game: Game, found: Sequence[Reviewed | Untold], seats: int) -> list[Reviewed | Untold]:
    """The turns so that each ends at the worth that was found before the next, where they join.

    Args:
        found: in order. seats: at the table.
    """
    turns = list(found)
    for k, (one, following) in enumerate(pairwise(found) if joins(game, seats) else ()):
        if isinstance(one, Reviewed) and isinstance(following, Reviewed) and following.number == one.number + 1:
            with_it = any(one.seat in side and following.seat in side for side in game.sides(seats))
            after = following.before if with_it else _other_side(following.before)
            turns[k] = replace(one, after=after, lost_by_hand=one.meant_worth.chance - after.chance)
    return turns


def _other_side(worth: Worth) -> Worth:
    """The same position's worth to the other of two sides."""
    return replace(
        worth, chance=1.0 - worth.chance, low=1.0 - worth.high, high=1.0 - worth.low, points=-worth.points
    )  # fmt: skip


def review_of(game: Game, found: Sequence[Reviewed | Untold], of: int, shots: int) -> Review:
    """The review of these turns, of so many."""
    turns = [one for one in found if isinstance(one, Reviewed)]
    swung = sorted((turn for turn in turns if abs(turn.swing) >= _TURNS), key=lambda turn: -abs(turn.swing))[:TURNING]
    seats = sorted({one.seat for one in found})
    decided, winners = _decided(game, turns, seats)
    marks = [_accuracy(seat, [one for one in found if one.seat == seat]) for seat in seats]
    return Review(
        game=game.name, turns=tuple(turns), of=of, turning=tuple(sorted(turn.number for turn in swung)),
        accuracy=tuple(one for one in marks if one is not None), shots=shots,
        untold=tuple(one for one in found if isinstance(one, Untold)), decided=decided, winners=winners,
    )  # fmt: skip


def _decided(game: Game, turns: Sequence[Reviewed], seats: Sequence[int]) -> tuple[int | None, tuple[int, ...]]:
    """The turn from which on all was decided, and for whom: a side had won, and whoever else acted had lost."""
    tail = list(takewhile(lambda turn: turn.tells, reversed(turns)))
    won, lost = ({turn.seat for turn in tail if turn.tells == told} for told in ("won", "lost"))
    sides = game.sides(max(seats, default=0) + 1)
    winners = [side for side in sides if won & set(side)] or [side for side in sides if not lost & set(side)]
    if len(winners) != 1 or len(tail) < 2 or lost & set(winners[0]):
        return None, ()
    return tail[-1].number, tuple(sorted(winners[0]))


def _accuracy(seat: int, found: Sequence[Reviewed | Untold]) -> Accuracy | None:
    """The marks for the turns of a seat; none where it mattered in none of them what was chosen."""
    turns = [one for one in found if isinstance(one, Reviewed) and one.matters]
    count = len(turns)
    if not turns:
        return None
    return Accuracy(
        seat=seat, turns=count, of=len(found),
        accuracy=100.0 * sum(exp(-turn.lost_as_meant / _FORGIVES) for turn in turns) / count,
        lost_as_meant=sum(turn.lost_as_meant for turn in turns) / count,
        lost_by_hand=sum(turn.lost_by_hand for turn in turns) / count,
    )  # fmt: skip
