"""Animated miniature of a pyramid table for the main menu: recorded launches in a loop."""

import numpy as np

from flicksim.core.geometry import Point
from flicksim.core.serialization import Value
from flicksim.gui.board_view.miniature import TableMiniature, load_recorded
from flicksim.gui.game_views.ice.flight import LaunchSequence
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.toolkit import Canvas
from flicksim.referee import Game
from flicksim.render import Camera, fit_camera
from flicksim.scene import Launch, LaunchTrajectory, Point3, PyramidScene, Quaternion, Track


class RecordedTrack(Value, frozen=True, kw_only=True):
    """Track of a piece as it is shipped in the assets (see `Track`)."""

    id: str
    times: tuple[float, ...]
    middles: tuple[Point3, ...]
    turns: tuple[Quaternion, ...]
    gone: bool = False


class RecordedLaunch(Value, frozen=True, kw_only=True):
    """Launch trajectory as it is shipped, with its start time [s]: enough to be shown, not to be ruled on."""

    start: float
    before: PyramidScene
    after: PyramidScene
    launch: Launch
    down: float
    duration: float
    ways: tuple[RecordedTrack, ...]

    def to_trajectory(self) -> LaunchTrajectory:
        """Trajectory to be shown."""
        tracks = tuple(
            Track(id=track.id, times=np.array(track.times), positions=np.array(track.middles),
                  orientations=np.array(track.turns), has_left_table=track.gone)
            for track in self.ways
        )  # fmt: skip
        return LaunchTrajectory(before=self.before, launch=self.launch, after=self.after, events=(), tracks=tracks,
                       first_contact_time=self.down, duration=self.duration)  # fmt: skip


class RecordedLaunches(Value, frozen=True, kw_only=True):
    """Recorded launches as they are shipped.

    Args:
        thrown: in the order of landing. look: corners of the visible part of the table [m].
    """

    thrown: tuple[RecordedLaunch, ...]
    look: tuple[Point, ...]

    def to_sequence(self) -> LaunchSequence:
        """Sequence of the launches."""
        landings = tuple(one.to_trajectory() for one in self.thrown)
        return LaunchSequence(landings[0].before, landings, tuple(one.start for one in self.thrown))


def record_sequence(
    sequence: LaunchSequence, viewport: tuple[Point, ...], interval: float = 1.0 / 40.0
) -> RecordedLaunches:
    """Resample a sequence to fewer keyframes and digits, to be shipped as assets/miniatures/GAME.json."""
    launches = []
    for start, trajectory in zip(sequence.starts, sequence.trajectories, strict=True):
        recorded = tuple(_record_track(track, interval) for track in trajectory.tracks)
        launches.append(
            RecordedLaunch(
                start=round(start, 4), before=trajectory.before, after=trajectory.after, launch=trajectory.launch,
                down=round(trajectory.first_contact_time, 4), duration=round(trajectory.duration, 4), ways=recorded,
            )
        )  # fmt: skip
    return RecordedLaunches(thrown=tuple(launches), look=viewport)


def _record_track(track: Track, interval: float) -> RecordedTrack:
    begin, end = float(track.times[0]), float(track.times[-1])
    times = [min(begin + k * interval, end) for k in range(int((end - begin) / interval) + 2)]
    poses = [now for t in times if (now := track.pose_at(t)) is not None]
    return RecordedTrack(
        id=track.id, times=tuple(round(t, 4) for t in times), gone=track.has_left_table,
        middles=tuple((round(x, 5), round(y, 5), round(z, 5)) for (x, y, z), _ in poses),
        turns=tuple((round(a, 4), round(b, 4), round(c, 4), round(d, 4)) for _, (a, b, c, d) in poses),
    )  # fmt: skip


class IceMiniature(TableMiniature):
    """Miniature of a table on which the same launches are repeated."""

    def __init__(self, game: Game) -> None:
        recorded, painter = load_recorded(game, RecordedLaunches), IcePainter(game.seat_names)
        painter.unmarked_lines = True
        self.sequence = sequence = recorded.to_sequence()
        super().__init__(
            painter, sequence.before.surface, recorded.look, sequence.duration,
            lambda canvas, camera, t: painter.draw_sequence(canvas, camera, sequence, t),
        )  # fmt: skip

    def _camera(self, canvas: Canvas, area: tuple[int, int, int, int]) -> Camera:
        del canvas
        return fit_camera(self._viewport, area)
