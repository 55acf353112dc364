"""Animated miniature of a pyramid table for the main menu: recorded launches in a loop."""

import msgspec

from flicksim.core.geometry import Point
from flicksim.core.serialization import Value
from flicksim.gui.board_view.miniature import TableMiniature, load_recorded
from flicksim.gui.game_views.ice.flight import LaunchSequence
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.referee import Game
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene, Track


class RecordedLaunch(Value, frozen=True, kw_only=True):
    """Launch trajectory as it is shipped: for display, without events (see `LaunchTrajectory`)."""

    before: PyramidScene
    launch: Launch
    after: PyramidScene
    tracks: tuple[Track, ...]
    first_contact_time: float
    duration: float


class RecordedLaunches(Value, frozen=True, kw_only=True):
    """Recorded launches and their start times (see `LaunchSequence`); corners of the visible part of the table [m]."""

    launches: tuple[RecordedLaunch, ...]
    starts: tuple[float, ...]
    viewport: tuple[Point, ...]


class IceMiniature(TableMiniature):
    """Miniature of a table on which the same launches are repeated."""

    def __init__(self, game: Game) -> None:
        recorded, painter = load_recorded(game, RecordedLaunches), IcePainter(game.seat_names)
        painter.unmarked_lines = True
        launches = tuple(LaunchTrajectory(events=(), **msgspec.structs.asdict(one)) for one in recorded.launches)
        self.sequence = sequence = LaunchSequence(launches[0].before, launches, recorded.starts)
        super().__init__(
            painter, sequence.before.surface, recorded.viewport, sequence.duration,
            lambda canvas, camera, t: painter.draw_sequence(canvas, camera, sequence, t), margin=0.0,
        )  # fmt: skip
