"""Game view of Ice Tiddly Winks, and of other games with launchers; its images for files and its miniature."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import msgspec
import pygame

from flicksim.core.geometry import Point
from flicksim.core.serialization import Value
from flicksim.games import load
from flicksim.games.ice.state import State
from flicksim.gui.app import App, GameView, PracticeMode, TurnRenderer, action_made
from flicksim.gui.board_view import images
from flicksim.gui.game_views import load_texts
from flicksim.gui.game_views.ice import SHARED_KEYS, SINGLE_PLAYER_KEYS, launch_log, side_view
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.flight import LaunchSequence, make_sequence, shot_path
from flicksim.gui.game_views.ice.ice_replay import IcePositionEditor, IceReplay
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.match.replay import REPLAY_KEYS
from flicksim.gui.match.start_match import start_match
from flicksim.gui.table_view import inner_rect
from flicksim.gui.toolkit import Canvas, Frame, palette
from flicksim.match import PYRAMID_WARMUP, Turn, open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.render import fit_camera
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene, Surface, Track, VolleyTrajectory


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


class IceMiniature(images.TableMiniature):
    """Miniature of a table on which the same launches are repeated."""

    def __init__(self, game: Game) -> None:
        recorded, painter = images.load_recorded(game, RecordedLaunches), IcePainter(game.seat_names)
        painter.unmarked_lines = True
        launches = tuple(LaunchTrajectory(events=(), **msgspec.structs.asdict(one)) for one in recorded.launches)
        self.sequence = sequence = LaunchSequence(launches[0].before, launches, recorded.starts)
        super().__init__(
            painter, sequence.before.surface, recorded.viewport, sequence.duration,
            lambda canvas, camera, t: painter.draw_sequence(canvas, camera, sequence, t), margin=0.0,
        )  # fmt: skip


Drawable = PyramidScene | LaunchTrajectory | VolleyTrajectory


def _draw_image(canvas: Canvas, content: Drawable, seats: Sequence[str]) -> None:
    """Draw the table from above, and a launch from the side below it."""
    w, h = canvas.size
    painter = IcePainter(seats)
    if isinstance(content, PyramidScene):
        camera = fit_camera(content.surface.outline, (0, 0, w, h), canvas.px(30))
        painter.draw_surface(canvas, camera, content.surface)
        painter.draw_pyramids(canvas, camera, content.pieces)
        return
    sequence, high = make_sequence(content), round(h * 0.66)
    surface = sequence.before.surface
    camera = fit_camera(surface.outline, (0, 0, w, high), canvas.px(24))
    painter.draw_surface(canvas, camera, surface)
    painter.draw_sequence(canvas, camera, sequence, sequence.duration)
    _draw_side(canvas, high, sequence, sequence.duration, surface, seats, ends_close=False)


def _draw_side(
    canvas: Canvas, y: int, sequence: LaunchSequence, t: float, surface: Surface, seats: Sequence[str], *,
    ends_close: bool = True,
) -> None:  # fmt: skip
    """Draw the launch shown at a time [s] from the side, in the part of a canvas below a height [pixels]."""
    launch, (w, h) = sequence.launch_at(t), canvas.size
    if launch is not None:
        rect = inner_rect(canvas, pygame.Rect(0, y, w, h - y), 14, 24)
        trajectory = sequence.trajectories[launch[0]]
        side_view.draw_launch(canvas, rect, trajectory, launch[1], seats, surface, ends_close=ends_close)


def _frames(game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
    """Frames of turns, each from the first launch that came down until everything rests."""
    interval, (w, h) = (images.FINE_INTERVAL, (560, 800)) if is_detailed else (images.COARSE_INTERVAL, (420, 600))
    for turn in turns:
        if _fell(turn):
            yield from _turn_frames(game, turn, Canvas(pygame.Surface((w, h)), w / 700.0), interval)


def _turn_frames(game: Game, turn: Turn, canvas: Canvas, interval: int) -> Iterator[Frame]:
    view, sequence, (w, _) = IceView.of_state(turn.before, game.seat_names), make_sequence(turn.result), canvas.size
    head, side = canvas.px(30), w - canvas.px(10)
    camera = fit_camera(view.surface.outline, (0, head, w, side), canvas.px(10))
    canvas.surface.fill(palette.BACKGROUND)
    view.painter.draw_surface(canvas, camera, view.surface)
    text, at = launch_log.turn_text(game, turn), (canvas.px(10), canvas.px(6))
    canvas.text(text, at, 15, bold=True, max_width=w - canvas.px(20))

    def draw(t: float) -> None:
        view.painter.draw_sequence(canvas, camera, sequence, t)
        _draw_side(canvas, head + side, sequence, t, view.surface, game.seat_names)

    return images.motion_frames(canvas, sequence.duration, interval, draw)


def _fell(turn: Turn) -> bool:
    """Return True if something came down in a turn of this game."""
    return (
        isinstance(turn.before, State) and isinstance(turn.result, VolleyTrajectory) and bool(turn.result.trajectories)
    )


def _still_image(game: Game, turn: Turn) -> pygame.Surface | None:
    """Image of the table, for a turn in which nothing came down."""
    return None if _fell(turn) else _render(turn.after.scene, None, game.seat_names)


_render = images.image_renderer(_draw_image, (1000, 1200))
_TURN_RENDERER = TurnRenderer(frames=_frames, still_image=_still_image)


def _start_practice(app: App) -> None:
    """Start a game of the player alone with the usual rules."""
    game, seats = load("ice"), ("human",)
    options = parse_options(game, [])
    start_match(app, open_match(game, options, [parse_seat(seat) for seat in seats], secrets.randbelow(10**9)), seats)


_TERMS, _LESSON = load_texts(__package__, {"launch": action_made(Launch)})
GAME_VIEW = GameView(
    screen=IceScreen,
    replay=partial(IceReplay, renderer=_TURN_RENDERER, shot_path=shot_path, warmups=(PYRAMID_WARMUP,)),
    turn_renderer=_TURN_RENDERER,
    can_draw=lambda content: isinstance(content, Drawable),
    render=_render,
    miniature=IceMiniature,
    terms=_TERMS,
    practice=PracticeMode("Practise pyramids", "I", "practise launching pyramids, alone", _start_practice),
    warmup=PYRAMID_WARMUP,
    lesson=_LESSON,
    keys=(SINGLE_PLAYER_KEYS, SHARED_KEYS, REPLAY_KEYS),
    position_editor=IcePositionEditor,
)
