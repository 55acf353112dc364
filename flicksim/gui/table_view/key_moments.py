"""Key moments of a trajectory, close calls, pots and squops, and the sounds of its events."""

from collections.abc import Iterable, Iterator
from math import hypot

import numpy as np
import numpy.typing as npt

from flicksim.core.geometry import Point
from flicksim.core.units import mm
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.painter import rim_distance, scene_of
from flicksim.gui.toolkit import SoundCue
from flicksim.match import Turn
from flicksim.scene import Collision, Landed, LeftSurface, Piece, Pot, Scene, Squidge, Struck, Trajectory

_RIM_DISTANCE, _WHITE_DISTANCE = mm(10.0), mm(20.0)
"""Distances of a close call: of a wink from the rim of the pot, and of a coin at rest from the white [m]."""
_TIME_STEP = 0.005
"""Time step at which a trajectory is sampled [s]."""
_MAX_DURATION = 0.35
"""Longest interval of a close call [s]."""
_MAX_SPEED = 1.5
"""Impact speed of full volume [m/s]."""
_MIN_SPEED = 0.04
"""Lowest audible impact speed [m/s]."""

Times = npt.NDArray[np.float64]


def close_call_interval(trajectory: Trajectory) -> tuple[float, float] | None:
    """Interval of a close call [s]: a wink by the rim of the pot, a coin that stops near the white."""
    pot, name = trajectory.before.surface.pot, trajectory.flick.piece
    if name not in trajectory.tracks.ids:
        return None
    times = np.arange(0.0, trajectory.motion_end + _TIME_STEP, _TIME_STEP)
    row = trajectory.tracks.ids.index(name)
    if pot is not None:
        return _near_rim(trajectory, pot, row, times)
    return _near_white(trajectory, row, times)


def _near_rim(trajectory: Trajectory, pot: Pot, row: int, times: Times) -> tuple[float, float] | None:
    if trajectory.tracks.heights_and_normals is None:
        return None
    positions = trajectory.tracks.poses_at(times)[:, row, :2]
    heights = trajectory.tracks.heights_and_normals_at(times)[:, row, 0]
    rim_offsets = np.hypot(positions[:, 0] - pot.x, positions[:, 1] - pot.y) - pot.top_radius
    return _first_interval(np.hypot(rim_offsets, heights - pot.height) <= _RIM_DISTANCE, times)


def _near_white(trajectory: Trajectory, row: int, times: Times) -> tuple[float, float] | None:
    white = next((piece for piece in trajectory.after.pieces if piece.kind == "white"), None)
    if white is None or trajectory.flick.piece == white.id or not trajectory.after.has(trajectory.flick.piece):
        return None
    coin = trajectory.after.piece(trajectory.flick.piece)
    if rim_distance(coin, white) > _WHITE_DISTANCE:
        return None
    positions = trajectory.tracks.poses_at(times)[:, row, :2]
    is_still = np.hypot(positions[:, 0] - coin.x, positions[:, 1] - coin.y) < mm(0.5)
    rest_time = float(times[int(np.argmax(is_still))]) if is_still.any() else trajectory.duration
    return (max(0.0, rest_time - _MAX_DURATION), rest_time) if rest_time > 0.0 else None


def _first_interval(mask: npt.NDArray[np.bool_], times: Times) -> tuple[float, float] | None:
    """First interval in which a condition holds [s]."""
    indices = np.flatnonzero(mask)
    if not len(indices):
        return None
    start = float(times[indices[0]])
    ends = np.flatnonzero(~mask[indices[0] :])
    end = float(times[indices[0] + ends[0]]) if len(ends) else float(times[-1])
    return (max(0.0, start - 2 * _TIME_STEP), min(end, start + _MAX_DURATION))


def is_in_pot(scene: Scene, piece: str) -> bool:
    """Return True if a piece lies in the pot."""
    pot = scene.surface.pot
    if pot is None or not scene.has(piece):
        return False
    x, y = scene.piece(piece).position
    return hypot(x - pot.x, y - pot.y) < pot.top_radius


def potted_pieces(trajectory: Trajectory) -> list[str]:
    """Pieces that a trajectory has brought into the pot."""
    before, after = trajectory.before, trajectory.after
    return [one.id for one in before.pieces if not is_in_pot(before, one.id) and is_in_pot(after, one.id)]


def newly_covering(trajectory: Trajectory) -> list[str]:
    """Pieces that newly lie on another one."""
    before = {piece.id: set(piece.lies_on) for piece in trajectory.before.pieces}
    return [piece.id for piece in trajectory.after.pieces if set(piece.lies_on) - before.get(piece.id, set())]


def newly_squopping(trajectory: Trajectory) -> list[str]:
    """Pieces that newly lie on a wink of the other pair; partners sit opposite each other."""
    after = trajectory.after

    def are_opponents(a: Piece, b: Piece) -> bool:
        return a.owner is not None and b.owner is not None and (a.owner - b.owner) % 2 == 1

    covering = map(after.piece, newly_covering(trajectory))
    return [piece.id for piece in covering if any(are_opponents(piece, after.piece(name)) for name in piece.lies_on)]


ScoreGain = tuple[int, str, Point]
"""Gain of a seat: seat, text, position on the table [m]."""


def score_gains(turn: Turn) -> list[ScoreGain]:
    """Gains of a turn with their positions."""
    result = turn.result
    gains: list[ScoreGain] = []
    if isinstance(result, Trajectory):
        for word, names in (("potted", potted_pieces(result)), ("squop", newly_squopping(result))):
            for name in names:
                piece = result.after.piece(name)
                if piece.owner is not None:
                    gains.append((piece.owner, word, piece.position))
    scene = result.after if isinstance(result, Trajectory) else scene_of(turn.before)
    if scene is None:
        return gains
    for seat, points in enumerate(turn.verdict.ruling.points):
        if points:
            gains.append((seat, match_text.format_gain(points), _score_position(scene, seat)))
    return gains


def _score_position(scene: Scene, seat: int) -> Point:
    """Position of a seat's gain on the table: its piece nearest to the reference of the score."""
    white = next((piece for piece in scene.pieces if piece.kind == "white"), None)
    reference = (
        white.position if white is not None else scene.surface.pot.position if scene.surface.pot is not None else None
    )
    pieces = [piece for piece in scene.pieces if piece.owner == seat]
    if reference is None or not pieces:
        xs, ys = zip(*scene.surface.outline, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))
    return min((piece.position for piece in pieces), key=lambda at: hypot(at[0] - reference[0], at[1] - reference[1]))


def loudest(cues: Iterable[SoundCue]) -> list[SoundCue]:
    """Each sound once, at its loudest, limited to full volume."""
    volumes: dict[str, float] = {}
    for name, volume in cues:
        volumes[name] = max(volumes.get(name, 0.0), min(volume, 1.0))
    return list(volumes.items())


def event_sounds(trajectory: Trajectory, start_time: float, end_time: float) -> list[SoundCue]:
    """Sounds of the events in a time interval (start, end] [s], each once and at its loudest."""
    return loudest(_event_cues(trajectory, start_time, end_time))


def _event_cues(trajectory: Trajectory, start_time: float, end_time: float) -> Iterator[SoundCue]:
    is_squidge = isinstance(trajectory.flick, Squidge)
    for event in trajectory.events:
        if not (start_time < event.t <= end_time or (start_time <= 0.0 and event.t == 0.0)):
            continue
        match event:
            case Struck():
                strength = trajectory.flick.speed / 3.0
                yield "snap", 0.3 + 0.7 * strength
                if not is_squidge:
                    yield "slide", strength
            case Collision(speed=speed) if speed > _MIN_SPEED and not is_squidge:
                yield "click", (speed / _MAX_SPEED) ** 0.7
            case Landed(on="pot", speed=speed) if speed > _MIN_SPEED:
                yield "rattle", (speed / _MAX_SPEED) ** 0.7
            case Landed(on="surface", speed=speed) if speed > _MIN_SPEED:
                yield "knock", (speed / _MAX_SPEED) ** 0.7
            case Landed(speed=speed) if speed > _MIN_SPEED:
                yield "click", 0.5 * (speed / _MAX_SPEED) ** 0.7
            case LeftSurface():
                yield "fall", 0.7
    if start_time < trajectory.motion_end <= end_time:
        yield from _final_cues(trajectory)


def _final_cues(trajectory: Trajectory) -> Iterator[SoundCue]:
    """Final sounds: a pot that rings, a squop with a small clap, a murmur for a near miss."""
    if newly_covering(trajectory):
        yield from (("squop", 0.8), ("clap", 0.5))
    if potted_pieces(trajectory):
        yield "ring", 0.9
    elif trajectory.before.surface.pot is not None and close_call_interval(trajectory) is not None:
        yield "murmur", 0.5
