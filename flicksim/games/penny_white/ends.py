"""Many ends side by side: tables as arrays, ruled on as `rules` does, played to their end by a rule of thumb.

The side that lies nearest is left alone by nobody: the other drives that penny away where it lies so close that a draw
would hardly beat it, and else flicks up to the white. What options ask for rarely (`played_here`) is not played here.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import pi

import numpy as np
import numpy.typing as npt

from flicksim.base.units import GRAVITY, degrees, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import State, penny_id
from flicksim.players import Hand, Slide
from flicksim.referee import reading
from flicksim.table import MAX_SPEED, PAIRINGS, Scene

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_BESIDE = tuple(mm(way) for way in (0, 24, -24, 48, -48, 72, -72, 100, -100, 125, -125))
"""Other starts of a flick when coins lie on the spot, beside it [m]."""
_PAST = mm(180.0)
"""Way to spare of a penny that is to drive another away [m]."""


def played_here(options: Options) -> bool:
    """Tell whether ends by these options are played here."""
    return options.removal_scope == "on_board" and options.tie == "no_score" and options.blocked_start == "forfeit"


@dataclass(slots=True)
class Ends:
    """Ends side by side; the columns are Blue's pennies, Red's, and the white.

    Attributes:
        places: x, y [m]. [S, N, 2] there: which lie on the board. [S, N]
        left: pennies not yet flicked, by seat. [S, 2] turn: seat to flick. [S]
        gained: points, by seat. [S, 2] live: which ends are not over. [S]
    """

    places: Floats
    there: Bools
    left: Ints
    turn: Ints
    gained: Ints
    live: Bools

    def some(self, rows: Ints | Bools) -> Ends:
        """Some of them, as copies."""
        return Ends(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def put(self, rows: Ints, some: Ends) -> None:
        """Write some of them back."""
        for one in fields(self):
            getattr(self, one.name)[rows] = getattr(some, one.name)


class Play:
    """Play on such ends by the options of a game.

    Args:
        slide: settles flicks of these coins (see `coins`). hand: of both seats.
    """

    def __init__(self, options: Options, slide: Slide, hand: Hand) -> None:
        self._slide, self.hand, self._pennies = slide, hand, options.pennies
        self._options = options
        self.size, self.across = kit.radius(options), kit.width(options)
        self.start = kit.start_spot(options)
        room = mm(options.board_mm[0]) / 2.0 - self.size
        self._beside = np.array([aside for aside in _BESIDE if abs(aside) <= room])
        self.pull = PAIRINGS.of(kit.COINS[options.coin].material, options.board).friction * GRAVITY
        self._white = 2 * options.pennies
        wide, long = (mm(side) for side in options.board_mm)
        margin = self.size - reading.EPS if options.off_rule == "overhang" else -np.inf
        self._least = np.array([margin, margin])
        self._most = np.array([wide - margin, long - margin])
        self.shots = 0

    def lay(self, state: State, count: int) -> Ends:
        """So many ends that stand as this one does."""
        ids = ids_of(state.options)
        places = np.zeros((len(ids), 2))
        there = np.zeros(len(ids), np.bool_)
        for piece in state.scene.pieces:
            places[ids.index(piece.id)] = piece.at
            there[ids.index(piece.id)] = True
        return Ends(
            places=np.repeat(places[None], count, axis=0), there=np.repeat(there[None], count, axis=0),
            left=np.tile(np.array(state.left, np.int64), (count, 1)),
            turn=np.full(count, state.to_play, np.int64), gained=np.zeros((count, 2), np.int64),
            live=np.ones(count, np.bool_),
        )  # fmt: skip

    # -- one flick ----------------------------------------------------------------------------------------------------

    def flick(
        self, ends: Ends, start: Floats, speed: Floats, azimuth: Floats, luck: Floats, offset: Floats | float = 0.0
    ) -> None:
        """Flick the next penny of each, as the hand makes it.

        Args:
            start: where from [m]. [S, 2] speed, azimuth, offset: as meant. [S] luck: standard normal errors. [S, 3]
        """
        rows = np.arange(len(speed))
        column = self._next(ends)
        ends.places[rows, column] = start
        ends.there[rows, column] = True
        places, gone = self.made(ends, column, speed, azimuth, luck, offset)
        self._rule(ends, column, places, gone)

    def _next(self, ends: Ends) -> Ints:
        flicked: Ints = self._pennies - ends.left[np.arange(len(ends.turn)), ends.turn]
        return ends.turn * self._pennies + flicked

    def made(
        self, ends: Ends, column: Ints, speed: Floats, azimuth: Floats, luck: Floats, offset: Floats | float = 0.0
    ) -> tuple[Floats, Bools]:
        """Flick coins of these columns, as the hand makes it: where all comes to rest, and what is gone."""
        hand = self.hand
        speed = np.clip(speed * (1.0 + hand.speed * luck[:, 1]), 1e-3, MAX_SPEED)
        offset = np.clip(offset + hand.offset * luck[:, 2], -0.95, 0.95)
        self.shots += len(column)
        places, gone = self._slide(ends.places, ends.there, column, speed, azimuth + hand.azimuth * luck[:, 0], offset)
        return places, gone | (ends.there & ((places < self._least) | (places > self._most)).any(axis=2))

    def open(self, ends: Ends, start: Floats, speed: Floats, azimuth: Floats, luck: Floats) -> Bools:
        """Flick the white of each; which openings failed and gave the other side its point (PW-3b, PW-10a, PW-10b)."""
        column = np.full(len(speed), self._white, np.int64)
        ends.places[:, self._white], ends.there[:, self._white] = start, True
        places, gone = self.made(ends, column, speed, azimuth, luck)
        past = places[:, self._white, 1] - self.size - mm(450.0)
        over = past > reading.EPS if self._options.line_touch == "not_over" else past >= -reading.EPS
        failed: Bools = gone[:, self._white] | ~over
        rows = np.flatnonzero(failed)
        ends.gained[rows, 1 - ends.turn[rows]] += 1
        ends.live[rows] = False
        ends.places[:, self._white, 0] = kit.width(self._options) / 2.0
        ends.places[:, self._white, 1] = places[:, self._white, 1]
        return failed

    def _rule(self, ends: Ends, column: Ints, places: Floats, gone: Bools) -> None:
        """The ruling on each flick, done (PW-7, PW-8, PW-12, PW-X1)."""
        rows, n = np.arange(len(column)), self._pennies
        turn = ends.turn.copy()
        ends.places, ends.there = places, ends.there & ~gone
        ends.left[rows, turn] -= 1
        sunk = gone[:, self._white]
        ends.gained[rows[sunk], 1 - turn[sunk]] += 1
        if self._options.short_penny == "removed":
            short = places[rows, column, 1] - self.size <= mm(50.0) + reading.EPS
            ends.there[rows[short], column[short]] = False
        lost = np.stack([gone[:, :n].sum(axis=1), gone[:, n : 2 * n].sum(axis=1)], axis=1)
        due = lost[rows, 1 - turn]
        if not self._options.removals_per_coin:
            due = np.minimum(due, 1)
        for row in np.flatnonzero((due > 0) & ~sunk).tolist():  # rare, so one by one
            self._take(ends, row, int(turn[row]), int(due[row]))
        follow = np.where(ends.left[rows, 1 - turn] > 0, 1 - turn, turn)
        done = (ends.left.sum(axis=1) == 0) & ~sunk
        if done.any():
            ends.gained[done] += self._count(ends.places[done], ends.there[done])
        ends.turn = follow
        ends.live = ~(done | sunk)

    def _take(self, ends: Ends, row: int, seat: int, due: int) -> None:
        """The other side takes the pennies of a seat off that lie nearest the white (PW-12b)."""
        own = np.arange(seat * self._pennies, (seat + 1) * self._pennies)
        away = self.gaps(ends.places[row : row + 1], ends.there[row : row + 1])[0, own]
        for column in own[np.argsort(away, kind="stable")][:due].tolist():
            ends.there[row, column] = False

    def gaps(self, places: Floats, there: Bools) -> Floats:
        """Distance of every penny from the white [m]; infinite where it is not there. [S, 2 n]"""
        way = places[:, :-1] - places[:, -1:]
        return np.where(there[:, :-1], np.hypot(way[..., 0], way[..., 1]), np.inf)

    def _count(self, places: Floats, there: Bools) -> Ints:
        """Points of finished ends, by seat (PW-8a to PW-8d). [S, 2]"""
        gaps, n = self.gaps(places, there), self._pennies
        best = np.stack([gaps[:, :n].min(axis=1), gaps[:, n:].min(axis=1)], axis=1)
        with np.errstate(invalid="ignore"):
            level = ~(np.abs(best[:, 0] - best[:, 1]) > reading.EPS)
        points = np.zeros((len(gaps), 2), np.int64)
        for seat in (0, 1):
            own = gaps[:, seat * n : (seat + 1) * n]
            ahead = (best[:, seat] < best[:, 1 - seat]) & ~level
            points[:, seat] = np.where(ahead, (own < best[:, 1 - seat, None] - reading.EPS).sum(axis=1), 0)
        return points

    # -- played on ----------------------------------------------------------------------------------------------------

    def finish(self, ends: Ends, luck: Floats) -> None:
        """Play all to their end by the rule of thumb.

        Args:
            luck: standard normal errors of every flick there may be. [S, 2 n, 3]
        """
        for step in range(luck.shape[1]):
            rows = np.flatnonzero(ends.live)
            if not len(rows):
                return
            some = ends.some(rows)
            self.flick(some, *self.thumb(some), luck[rows, step])
            ends.put(rows, some)

    def thumb(self, ends: Ends) -> tuple[Floats, Floats, Floats]:
        """The flick by the rule of thumb: where from [m], speed [m/s], azimuth [rad]."""
        rows, n = np.arange(len(ends.turn)), self._pennies
        gaps = self.gaps(ends.places, ends.there)
        by_seat = gaps.reshape(-1, 2, n)
        theirs = by_seat[rows, 1 - ends.turn]
        nearest = theirs.argmin(axis=1) + (1 - ends.turn) * n
        best, own = theirs.min(axis=1), by_seat[rows, ends.turn].min(axis=1)
        white = ends.places[:, self._white]
        way = white[:, 1] - self.start[1]
        spread = way * np.hypot(self.hand.azimuth, 2.0 * self.hand.speed) / np.sqrt(2.0)
        drive = (best < own) & (best < 2.0 * self.size + spread)
        target = np.where(drive, nearest, self._white)
        aim = ends.places[rows, target]
        start = self._starts(ends, aim, target)
        line = aim - start
        far = np.hypot(line[:, 0], line[:, 1]) + np.where(drive, _PAST, -2.0 * self.size)
        azimuth = np.clip(np.arctan2(line[:, 1], line[:, 0]), degrees(5.0), pi - degrees(5.0))
        return start, np.minimum(np.sqrt(2.0 * self.pull * far), MAX_SPEED), azimuth

    def _starts(self, ends: Ends, aim: Floats, target: Ints) -> Floats:
        """A free spot behind the line for each, with nothing in the way to what is aimed at if there is one; a spot on
        other coins where all are taken, for they hardly ever are. [S, 2]"""
        rows, need = np.arange(len(target)), 2.0 * self.size
        lying = ends.there.copy()
        lying[rows, target] = False
        best, found = np.zeros(len(target)), np.full(len(target), -1)
        for aside in self._beside.tolist():
            start = np.array([self.start[0] + aside, self.start[1]])
            line, to = aim[rows] - start, ends.places[rows] - start
            far = np.hypot(line[:, 0], line[:, 1])
            way = line / far[:, None]
            along = to[..., 0] * way[:, None, 0] + to[..., 1] * way[:, None, 1]
            beside = np.abs(to[..., 0] * way[:, None, 1] - to[..., 1] * way[:, None, 0])
            barred = (lying[rows] & (beside < need) & (along > 0.0) & (along < far[:, None])).any(axis=1)
            taken = (ends.there[rows] & (along * along + beside * beside < need * need)).any(axis=1)
            good = np.where(taken, 0, np.where(barred, 1, 2))
            better = good > found[rows]
            best[rows[better]], found[rows[better]] = aside, good[better]
            rows = rows[good < 2]
            if not len(rows):
                break
        return np.stack([self.start[0] + best, np.full(len(best), self.start[1])], axis=1)


def ids_of(options: Options) -> tuple[str, ...]:
    """The coins in the order of the columns."""
    return (*(penny_id(seat, k + 1) for seat in (0, 1) for k in range(options.pennies)), WHITE)


def coins(options: Options) -> Scene:
    """A board with every coin on it, as what settles them must know them; where they lie says nothing."""
    ids, apart = ids_of(options), 2.5 * kit.radius(options)
    scene = Scene(surface=kit.board(options))
    for k, name in enumerate(ids):
        owner = None if name == WHITE else k // options.pennies
        scene = scene.with_piece(kit.coin(options, name, owner, (apart * (k % 8 + 1), apart * (k // 8 + 1))))
    return scene
