"""Batched playouts of ends of Penny White: tables as arrays, judged as `rules` does, heuristic play.

The side that lies nearest is left alone by nobody: the other drives that penny away where it lies so close that a draw
would hardly beat it, and else flicks up to the white. What options ask for rarely (`is_supported`) is not played here.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import pi

import numpy as np
import numpy.typing as npt

from flicksim.ai import DiscSimulator, ExecutionNoise
from flicksim.core.units import GRAVITY, degrees, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import State, penny_id
from flicksim.referee import queries
from flicksim.scene import DEFAULT_PAIRINGS, MAX_SPEED, Scene

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_START_OFFSETS = tuple(mm(way) for way in (0, 24, -24, 48, -48, 72, -72, 100, -100, 125, -125))
"""Other starts of a flick when coins lie on the spot, beside it [m]."""
_TAKE_OUT_OVERSHOOT = mm(180.0)
"""Way to spare of a penny that is to drive another away [m]."""


def is_supported(options: Options) -> bool:
    """Return True if ends with these options can be simulated in batches."""
    return options.removal_scope == "on_board" and options.tie == "no_score" and options.blocked_start == "forfeit"


@dataclass(slots=True)
class EndBatch:
    """Batch of ends; the columns are Blue's pennies, Red's, and the white.

    Attributes:
        places: x, y [m]. [S, N, 2] there: which lie on the board. [S, N]
        left: pennies not yet flicked, by seat. [S, 2] turn: seat to flick. [S]
        gained: points, by seat. [S, 2] live: which ends are not over. [S]
    """

    positions: Floats
    on_board: Bools
    pennies_left: Ints
    to_play: Ints
    points: Ints
    running: Bools

    def select(self, rows: Ints | Bools) -> EndBatch:
        """Copy the selected ends."""
        return EndBatch(**{one.name: getattr(self, one.name)[rows] for one in fields(self)})

    def update(self, rows: Ints, some: EndBatch) -> None:
        """Write selected ends back."""
        for one in fields(self):
            getattr(self, one.name)[rows] = getattr(some, one.name)


class EndSimulator:
    """Simulator of batches of ends under the options of a game.

    Args:
        simulate: simulates flicks of these coins (see `scene_with_all_coins`). noise: execution noise of both seats.
    """

    def __init__(self, options: Options, simulate: DiscSimulator, noise: ExecutionNoise) -> None:
        self._simulate, self.noise, self._pennies = simulate, noise, options.pennies
        self._options = options
        self.radius, self.board_width = kit.radius(options), kit.board_width(options)
        self.start = kit.start_spot(options)
        room = mm(options.board_mm[0]) / 2.0 - self.radius
        self._start_offsets = np.array([aside for aside in _START_OFFSETS if abs(aside) <= room])
        self.friction_deceleration = (
            DEFAULT_PAIRINGS.lookup(kit.COINS[options.coin].material, options.board).friction * GRAVITY
        )
        self._white = 2 * options.pennies
        wide, long = (mm(side) for side in options.board_mm)
        margin = self.radius - queries.LENGTH_TOLERANCE if options.off_rule == "overhang" else -np.inf
        self._board_min = np.array([margin, margin])
        self._board_max = np.array([wide - margin, long - margin])
        self.shots = 0

    def from_state(self, state: State, count: int) -> EndBatch:
        """Batch of copies of one state."""
        ids = coin_ids(state.options)
        places = np.zeros((len(ids), 2))
        there = np.zeros(len(ids), np.bool_)
        for piece in state.scene.pieces:
            places[ids.index(piece.id)] = piece.position
            there[ids.index(piece.id)] = True
        return EndBatch(
            positions=np.repeat(places[None], count, axis=0), on_board=np.repeat(there[None], count, axis=0),
            pennies_left=np.tile(np.array(state.left, np.int64), (count, 1)),
            to_play=np.full(count, state.to_play, np.int64), points=np.zeros((count, 2), np.int64),
            running=np.ones(count, np.bool_),
        )  # fmt: skip

    # -- one flick ----------------------------------------------------------------------------------------------------

    def flick(
        self,
        ends: EndBatch,
        start: Floats,
        speed: Floats,
        azimuth: Floats,
        noise_samples: Floats,
        offset: Floats | float = 0.0,
    ) -> None:
        """Flick the next penny of each end, with execution noise.

        Args:
            start: where from [m]. [S, 2] speed, azimuth, offset: as meant. [S] noise_samples: standard normal errors.
                [S, 3]
        """
        rows = np.arange(len(speed))
        column = self._next_column(ends)
        ends.positions[rows, column] = start
        ends.on_board[rows, column] = True
        places, gone = self.simulate_flicks(ends, column, speed, azimuth, noise_samples, offset)
        self._apply_rules(ends, column, places, gone)

    def _next_column(self, ends: EndBatch) -> Ints:
        flicked: Ints = self._pennies - ends.pennies_left[np.arange(len(ends.to_play)), ends.to_play]
        return ends.to_play * self._pennies + flicked

    def simulate_flicks(
        self,
        ends: EndBatch,
        column: Ints,
        speed: Floats,
        azimuth: Floats,
        noise_samples: Floats,
        offset: Floats | float = 0.0,
    ) -> tuple[Floats, Bools]:
        """Flick coins of these columns, as the hand makes it: where all comes to rest, and what is gone."""
        hand = self.noise
        speed = np.clip(speed * (1.0 + hand.speed * noise_samples[:, 1]), 1e-3, MAX_SPEED)
        offset = np.clip(offset + hand.offset * noise_samples[:, 2], -0.95, 0.95)
        self.shots += len(column)
        places, gone = self._simulate(
            ends.positions, ends.on_board, column, speed, azimuth + hand.azimuth * noise_samples[:, 0], offset
        )
        return places, gone | (ends.on_board & ((places < self._board_min) | (places > self._board_max)).any(axis=2))

    def open_end(self, ends: EndBatch, start: Floats, speed: Floats, azimuth: Floats, noise_samples: Floats) -> Bools:
        """Flick the white of each; which openings failed and gave the other side its point (PW-3b, PW-10a, PW-10b)."""
        column = np.full(len(speed), self._white, np.int64)
        ends.positions[:, self._white], ends.on_board[:, self._white] = start, True
        places, gone = self.simulate_flicks(ends, column, speed, azimuth, noise_samples)
        past = places[:, self._white, 1] - self.radius - mm(450.0)
        over = (
            past > queries.LENGTH_TOLERANCE
            if self._options.line_touch == "not_over"
            else past >= -queries.LENGTH_TOLERANCE
        )
        failed: Bools = gone[:, self._white] | ~over
        rows = np.flatnonzero(failed)
        ends.points[rows, 1 - ends.to_play[rows]] += 1
        ends.running[rows] = False
        ends.positions[:, self._white, 0] = kit.board_width(self._options) / 2.0
        ends.positions[:, self._white, 1] = places[:, self._white, 1]
        return failed

    def _apply_rules(self, ends: EndBatch, column: Ints, positions: Floats, off_board: Bools) -> None:
        """Apply the rules to each flick (PW-7, PW-8, PW-12, PW-X1)."""
        rows, n = np.arange(len(column)), self._pennies
        turn = ends.to_play.copy()
        ends.positions, ends.on_board = positions, ends.on_board & ~off_board
        ends.pennies_left[rows, turn] -= 1
        sunk = off_board[:, self._white]
        ends.points[rows[sunk], 1 - turn[sunk]] += 1
        if self._options.short_penny == "removed":
            short = positions[rows, column, 1] - self.radius <= mm(50.0) + queries.LENGTH_TOLERANCE
            ends.on_board[rows[short], column[short]] = False
        lost = np.stack([off_board[:, :n].sum(axis=1), off_board[:, n : 2 * n].sum(axis=1)], axis=1)
        due = lost[rows, 1 - turn]
        if not self._options.removals_per_coin:
            due = np.minimum(due, 1)
        for row in np.flatnonzero((due > 0) & ~sunk).tolist():  # rare, so one by one
            self._remove_pennies(ends, row, int(turn[row]), int(due[row]))
        follow = np.where(ends.pennies_left[rows, 1 - turn] > 0, 1 - turn, turn)
        done = (ends.pennies_left.sum(axis=1) == 0) & ~sunk
        if done.any():
            ends.points[done] += self._count_points(ends.positions[done], ends.on_board[done])
        ends.to_play = follow
        ends.running = ~(done | sunk)

    def _remove_pennies(self, ends: EndBatch, row: int, seat: int, removals: int) -> None:
        """Remove the pennies of a seat nearest the white, as its opponent would choose (PW-12b)."""
        own = np.arange(seat * self._pennies, (seat + 1) * self._pennies)
        away = self.distances_to_white(ends.positions[row : row + 1], ends.on_board[row : row + 1])[0, own]
        for column in own[np.argsort(away, kind="stable")][:removals].tolist():
            ends.on_board[row, column] = False

    def distances_to_white(self, positions: Floats, on_board: Bools) -> Floats:
        """Distance of every penny from the white [m]; infinite if it is not on the board. [S, 2 n]"""
        way = positions[:, :-1] - positions[:, -1:]
        return np.where(on_board[:, :-1], np.hypot(way[..., 0], way[..., 1]), np.inf)

    def _count_points(self, positions: Floats, on_board: Bools) -> Ints:
        """Points of finished ends, by seat (PW-8a to PW-8d). [S, 2]"""
        gaps, n = self.distances_to_white(positions, on_board), self._pennies
        best = np.stack([gaps[:, :n].min(axis=1), gaps[:, n:].min(axis=1)], axis=1)
        with np.errstate(invalid="ignore"):
            level = ~(np.abs(best[:, 0] - best[:, 1]) > queries.LENGTH_TOLERANCE)
        points = np.zeros((len(gaps), 2), np.int64)
        for seat in (0, 1):
            own = gaps[:, seat * n : (seat + 1) * n]
            ahead = (best[:, seat] < best[:, 1 - seat]) & ~level
            points[:, seat] = np.where(ahead, (own < best[:, 1 - seat, None] - queries.LENGTH_TOLERANCE).sum(axis=1), 0)
        return points

    # -- played on ----------------------------------------------------------------------------------------------------

    def play_to_end(self, ends: EndBatch, noise_samples: Floats) -> None:
        """Play all ends out by the heuristic policy.

        Args:
            noise_samples: standard normal errors of every flick there may be. [S, 2 n, 3]
        """
        for step in range(noise_samples.shape[1]):
            rows = np.flatnonzero(ends.running)
            if not len(rows):
                return
            some = ends.select(rows)
            self.flick(some, *self.heuristic_flick(some), noise_samples[rows, step])
            ends.update(rows, some)

    def heuristic_flick(self, ends: EndBatch) -> tuple[Floats, Floats, Floats]:
        """Flick of the heuristic policy: start [m], speed [m/s], azimuth [rad]."""
        rows, n = np.arange(len(ends.to_play)), self._pennies
        gaps = self.distances_to_white(ends.positions, ends.on_board)
        by_seat = gaps.reshape(-1, 2, n)
        theirs = by_seat[rows, 1 - ends.to_play]
        nearest = theirs.argmin(axis=1) + (1 - ends.to_play) * n
        best, own = theirs.min(axis=1), by_seat[rows, ends.to_play].min(axis=1)
        white = ends.positions[:, self._white]
        way = white[:, 1] - self.start[1]
        spread = way * np.hypot(self.noise.azimuth, 2.0 * self.noise.speed) / np.sqrt(2.0)
        drive = (best < own) & (best < 2.0 * self.radius + spread)
        target = np.where(drive, nearest, self._white)
        aim = ends.positions[rows, target]
        start = self._free_starts(ends, aim, target)
        line = aim - start
        far = np.hypot(line[:, 0], line[:, 1]) + np.where(drive, _TAKE_OUT_OVERSHOOT, -2.0 * self.radius)
        azimuth = np.clip(np.arctan2(line[:, 1], line[:, 0]), degrees(5.0), pi - degrees(5.0))
        return start, np.minimum(np.sqrt(2.0 * self.friction_deceleration * far), MAX_SPEED), azimuth

    def _free_starts(self, ends: EndBatch, aim: Floats, target: Ints) -> Floats:
        """A free spot behind the line for each, with nothing in the way to what is aimed at if there is one; a spot on
        other coins where all are taken, for they hardly ever are. [S, 2]"""
        rows, need = np.arange(len(target)), 2.0 * self.radius
        lying = ends.on_board.copy()
        lying[rows, target] = False
        best, found = np.zeros(len(target)), np.full(len(target), -1)
        for aside in self._start_offsets.tolist():
            start = np.array([self.start[0] + aside, self.start[1]])
            line, to = aim[rows] - start, ends.positions[rows] - start
            far = np.hypot(line[:, 0], line[:, 1])
            way = line / far[:, None]
            along = to[..., 0] * way[:, None, 0] + to[..., 1] * way[:, None, 1]
            beside = np.abs(to[..., 0] * way[:, None, 1] - to[..., 1] * way[:, None, 0])
            barred = (lying[rows] & (beside < need) & (along > 0.0) & (along < far[:, None])).any(axis=1)
            taken = (ends.on_board[rows] & (along * along + beside * beside < need * need)).any(axis=1)
            good = np.where(taken, 0, np.where(barred, 1, 2))
            better = good > found[rows]
            best[rows[better]], found[rows[better]] = aside, good[better]
            rows = rows[good < 2]
            if not len(rows):
                break
        return np.stack([self.start[0] + best, np.full(len(best), self.start[1])], axis=1)


def coin_ids(options: Options) -> tuple[str, ...]:
    """Coin ids in the order of the columns."""
    return (*(penny_id(seat, k + 1) for seat in (0, 1) for k in range(options.pennies)), WHITE)


def scene_with_all_coins(options: Options) -> Scene:
    """Scene with every coin, for the batch simulator; the positions are placeholders."""
    ids, apart = coin_ids(options), 2.5 * kit.radius(options)
    scene = Scene(surface=kit.board(options))
    for k, name in enumerate(ids):
        owner = None if name == WHITE else k // options.pennies
        scene = scene.with_piece(kit.coin(options, name, owner, (apart * (k % 8 + 1), apart * (k // 8 + 1))))
    return scene
