"""Batched rollouts of ends of Penny White: positions as arrays, adjudicated as by `rules`, heuristic play.

The heuristic drives the opponent's nearest penny away if it lies so close that a draw would rarely beat it, and else
draws to the white. Rare options are not supported (`is_supported`).
"""

from dataclasses import dataclass, fields
from math import pi

import numpy as np

from flicksim.ai import DiscSimulator, ExecutionNoise
from flicksim.core.arrays import Bools, Floats, Ints
from flicksim.core.units import deg2rad, mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE, Options
from flicksim.games.penny_white.state import State, penny_id
from flicksim.referee import queries
from flicksim.scene import MAX_SPEED, Scene

_START_OFFSETS = tuple(mm(offset) for offset in (0, 24, -24, 48, -48, 72, -72, 100, -100, 125, -125))
"""Sideways offsets of a flick's start, tried in order [m]."""
_TAKE_OUT_OVERSHOOT = mm(180.0)
"""Overshoot of a flick that drives another penny away [m]."""


def is_supported(options: Options) -> bool:
    """Return True if ends with these options can be simulated in batches."""
    return options.removal_scope == "on_board" and options.tie == "no_score" and options.blocked_start == "forfeit"


@dataclass(slots=True)
class EndBatch:
    """Batch of ends; the columns are Blue's pennies, Red's, and the white.

    Attributes:
        positions: x, y [m]. [S, N, 2] on_board: whether each coin is on the board. [S, N]
        pennies_left: pennies not yet flicked, by seat. [S, 2] to_play: seat to flick. [S]
        points: gained in this end, by seat. [S, 2] running: whether each end is in progress. [S]
    """

    positions: Floats
    on_board: Bools
    pennies_left: Ints
    to_play: Ints
    points: Ints
    running: Bools

    def select(self, rows: Ints | Bools) -> "EndBatch":
        """Copy the selected ends."""
        return EndBatch(**{column.name: getattr(self, column.name)[rows] for column in fields(self)})

    def update(self, rows: Ints, selected: "EndBatch") -> None:
        """Write selected ends back."""
        for column in fields(self):
            getattr(self, column.name)[rows] = getattr(selected, column.name)


class EndSimulator:
    """Simulator of batches of ends under the options of a game.

    Args:
        simulate: batch simulator of the coins of `scene_with_all_coins`. noise: execution noise of both seats.
    """

    def __init__(self, options: Options, simulate: DiscSimulator, noise: ExecutionNoise) -> None:
        self._simulate, self.noise, self._pennies = simulate, noise, options.pennies
        self._options = options
        self.radius, self.board_width = kit.radius(options), kit.board_width(options)
        self.start = kit.start_spot(options)
        max_offset = mm(options.board_mm[0]) / 2.0 - self.radius
        self._start_offsets = np.array([offset for offset in _START_OFFSETS if abs(offset) <= max_offset])
        self.friction_deceleration = kit.friction_deceleration(options)
        self._white = 2 * options.pennies
        width, length = (mm(side) for side in options.board_mm)
        margin = self.radius - queries.LENGTH_TOLERANCE if options.off_rule == "overhang" else -np.inf
        self._board_min = np.array([margin, margin])
        self._board_max = np.array([width - margin, length - margin])
        self.shots = 0

    def from_state(self, state: State, count: int) -> EndBatch:
        """Batch of copies of one state."""
        ids = coin_ids(state.options)
        positions = np.zeros((len(ids), 2))
        on_board = np.zeros(len(ids), np.bool_)
        for piece in state.scene.pieces:
            positions[ids.index(piece.id)] = piece.position
            on_board[ids.index(piece.id)] = True
        return EndBatch(
            positions=np.repeat(positions[None], count, axis=0), on_board=np.repeat(on_board[None], count, axis=0),
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
            start: start of the flick [m]. [S, 2] speed, azimuth, offset: intended. [S]
            noise_samples: standard normal errors. [S, 3]
        """
        rows = np.arange(len(speed))
        flicked: Ints = self._pennies - ends.pennies_left[rows, ends.to_play]
        column = ends.to_play * self._pennies + flicked
        ends.positions[rows, column] = start
        ends.on_board[rows, column] = True
        positions, off_board = self.simulate_flicks(ends, column, speed, azimuth, noise_samples, offset)
        self._apply_rules(ends, column, positions, off_board)

    def simulate_flicks(
        self,
        ends: EndBatch,
        column: Ints,
        speed: Floats,
        azimuth: Floats,
        noise_samples: Floats,
        offset: Floats | float = 0.0,
    ) -> tuple[Floats, Bools]:
        """Simulate flicks of these columns with execution noise; return positions at rest, and coins off the board."""
        made = self.noise.execute_flicks(noise_samples, speed, azimuth, offset)
        self.shots += len(column)
        positions, off_board = self._simulate(ends.positions, ends.on_board, column, *made)
        return positions, off_board | (
            ends.on_board & ((positions < self._board_min) | (positions > self._board_max)).any(axis=2)
        )

    def open_end(self, ends: EndBatch, start: Floats, speed: Floats, azimuth: Floats, noise_samples: Floats) -> Bools:
        """Flick the white of each end; return which openings failed and cost a point (PW-3b, PW-10a, PW-10b)."""
        column = np.full(len(speed), self._white, np.int64)
        ends.positions[:, self._white], ends.on_board[:, self._white] = start, True
        positions, off_board = self.simulate_flicks(ends, column, speed, azimuth, noise_samples)
        beyond = positions[:, self._white, 1] - self.radius - mm(450.0)
        passed = (
            beyond > queries.LENGTH_TOLERANCE
            if self._options.line_touch == "not_over"
            else beyond >= -queries.LENGTH_TOLERANCE
        )
        failed: Bools = off_board[:, self._white] | ~passed
        rows = np.flatnonzero(failed)
        ends.points[rows, 1 - ends.to_play[rows]] += 1
        ends.running[rows] = False
        ends.positions[:, self._white, 0] = kit.board_width(self._options) / 2.0
        ends.positions[:, self._white, 1] = positions[:, self._white, 1]
        return failed

    def _apply_rules(self, ends: EndBatch, column: Ints, positions: Floats, off_board: Bools) -> None:
        """Apply the rules to each flick (PW-7, PW-8, PW-12, PW-X1)."""
        rows, n = np.arange(len(column)), self._pennies
        turn = ends.to_play.copy()
        ends.positions, ends.on_board = positions, ends.on_board & ~off_board
        ends.pennies_left[rows, turn] -= 1
        white_off = off_board[:, self._white]
        ends.points[rows[white_off], 1 - turn[white_off]] += 1
        if self._options.short_penny == "removed":
            short = positions[rows, column, 1] - self.radius <= mm(50.0) + queries.LENGTH_TOLERANCE
            ends.on_board[rows[short], column[short]] = False
        knocked_off = np.stack([off_board[:, :n].sum(axis=1), off_board[:, n : 2 * n].sum(axis=1)], axis=1)
        removals = knocked_off[rows, 1 - turn]
        if not self._options.removals_per_coin:
            removals = np.minimum(removals, 1)
        for row in np.flatnonzero((removals > 0) & ~white_off).tolist():  # rare, so one by one
            self._remove_pennies(ends, row, int(turn[row]), int(removals[row]))
        next_seat = np.where(ends.pennies_left[rows, 1 - turn] > 0, 1 - turn, turn)
        finished = (ends.pennies_left.sum(axis=1) == 0) & ~white_off
        if finished.any():
            ends.points[finished] += self._count_points(ends.positions[finished], ends.on_board[finished])
        ends.to_play = next_seat
        ends.running = ~(finished | white_off)

    def _remove_pennies(self, ends: EndBatch, row: int, seat: int, removals: int) -> None:
        """Remove the pennies of a seat nearest the white, as its opponent would choose (PW-12b)."""
        own = np.arange(seat * self._pennies, (seat + 1) * self._pennies)
        distances = self.distances_to_white(ends.positions[row : row + 1], ends.on_board[row : row + 1])[0, own]
        for column in own[np.argsort(distances, kind="stable")][:removals].tolist():
            ends.on_board[row, column] = False

    def distances_to_white(self, positions: Floats, on_board: Bools) -> Floats:
        """Distance of every penny from the white [m]; infinite if it is not on the board. [S, 2 n]"""
        offset = positions[:, :-1] - positions[:, -1:]
        return np.where(on_board[:, :-1], np.hypot(offset[..., 0], offset[..., 1]), np.inf)

    def _count_points(self, positions: Floats, on_board: Bools) -> Ints:
        """Points of finished ends, by seat (PW-8a to PW-8d). [S, 2]"""
        distances, n = self.distances_to_white(positions, on_board), self._pennies
        best = np.stack([distances[:, :n].min(axis=1), distances[:, n:].min(axis=1)], axis=1)
        with np.errstate(invalid="ignore"):
            level = ~(np.abs(best[:, 0] - best[:, 1]) > queries.LENGTH_TOLERANCE)
        points = np.zeros((len(distances), 2), np.int64)
        for seat in (0, 1):
            own = distances[:, seat * n : (seat + 1) * n]
            ahead = (best[:, seat] < best[:, 1 - seat]) & ~level
            points[:, seat] = np.where(ahead, (own < best[:, 1 - seat, None] - queries.LENGTH_TOLERANCE).sum(axis=1), 0)
        return points

    # -- rollouts -----------------------------------------------------------------------------------------------------

    def play_to_end(self, ends: EndBatch, noise_samples: Floats) -> None:
        """Play all ends to their end by the heuristic policy.

        Args:
            noise_samples: standard normal errors of each possible flick. [S, 2 n, 3]
        """
        for step in range(noise_samples.shape[1]):
            rows = np.flatnonzero(ends.running)
            if not len(rows):
                return
            running = ends.select(rows)
            self.flick(running, *self.heuristic_flick(running), noise_samples[rows, step])
            ends.update(rows, running)

    def heuristic_flick(self, ends: EndBatch) -> tuple[Floats, Floats, Floats]:
        """Flick of the heuristic policy: start [m], speed [m/s], azimuth [rad]."""
        rows, n = np.arange(len(ends.to_play)), self._pennies
        distances = self.distances_to_white(ends.positions, ends.on_board)
        by_seat = distances.reshape(-1, 2, n)
        opposing = by_seat[rows, 1 - ends.to_play]
        nearest = opposing.argmin(axis=1) + (1 - ends.to_play) * n
        best, own = opposing.min(axis=1), by_seat[rows, ends.to_play].min(axis=1)
        white = ends.positions[:, self._white]
        reach = white[:, 1] - self.start[1]
        spread = reach * np.hypot(self.noise.azimuth, 2.0 * self.noise.speed) / np.sqrt(2.0)
        drives = (best < own) & (best < 2.0 * self.radius + spread)
        target = np.where(drives, nearest, self._white)
        aim = ends.positions[rows, target]
        start = self._free_starts(ends, aim, target)
        direction = aim - start
        travel = np.hypot(direction[:, 0], direction[:, 1]) + np.where(drives, _TAKE_OUT_OVERSHOOT, -2.0 * self.radius)
        azimuth = np.clip(np.arctan2(direction[:, 1], direction[:, 0]), deg2rad(5.0), pi - deg2rad(5.0))
        return start, np.minimum(np.sqrt(2.0 * self.friction_deceleration * travel), MAX_SPEED), azimuth

    def _free_starts(self, ends: EndBatch, aim: Floats, target: Ints) -> Floats:
        """Free start behind the line for each end, with a clear path to the target if there is one; if all starts are
        taken, which is rare, one on other coins. [S, 2]"""
        rows, diameter = np.arange(len(target)), 2.0 * self.radius
        obstacles = ends.on_board.copy()
        obstacles[rows, target] = False
        best, best_quality = np.zeros(len(target)), np.full(len(target), -1)
        for offset in self._start_offsets.tolist():
            start = np.array([self.start[0] + offset, self.start[1]])
            direction, relative = aim[rows] - start, ends.positions[rows] - start
            target_distance = np.hypot(direction[:, 0], direction[:, 1])
            unit = direction / target_distance[:, None]
            along = relative[..., 0] * unit[:, None, 0] + relative[..., 1] * unit[:, None, 1]
            across = np.abs(relative[..., 0] * unit[:, None, 1] - relative[..., 1] * unit[:, None, 0])
            is_blocked = (
                obstacles[rows] & (across < diameter) & (along > 0.0) & (along < target_distance[:, None])
            ).any(axis=1)
            is_taken = (ends.on_board[rows] & (along * along + across * across < diameter * diameter)).any(axis=1)
            quality = np.where(is_taken, 0, np.where(is_blocked, 1, 2))
            better = quality > best_quality[rows]
            best[rows[better]], best_quality[rows[better]] = offset, quality[better]
            rows = rows[quality < 2]
            if not len(rows):
                break
        return np.stack([self.start[0] + best, np.full(len(best), self.start[1])], axis=1)


def coin_ids(options: Options) -> tuple[str, ...]:
    """Coin ids in the order of the columns."""
    return (*(penny_id(seat, k + 1) for seat in (0, 1) for k in range(options.pennies)), WHITE)


def scene_with_all_coins(options: Options) -> Scene:
    """Scene with every coin, for the batch simulator; the positions are placeholders."""
    ids, spacing = coin_ids(options), 2.5 * kit.radius(options)
    scene = Scene(surface=kit.board(options))
    for k, name in enumerate(ids):
        owner = None if name == WHITE else k // options.pennies
        scene = scene.with_piece(kit.coin(options, name, owner, (spacing * (k % 8 + 1), spacing * (k // 8 + 1))))
    return scene
