"""Game view of Ice Tiddly Winks, and of other games with launchers."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import pygame

from flicksim.core.paths import assets_dir
from flicksim.core.serialization import from_json, read_bytes
from flicksim.games import load
from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import GameView, PracticeMode, TurnRenderer
from flicksim.gui.app.glossary import GlossarySection
from flicksim.gui.board_view.images import COARSE_INTERVAL, FINE_INTERVAL, REST_TIME, blank_surface
from flicksim.gui.game_views.ice import image_export
from flicksim.gui.game_views.ice.ice_replay import IceReplay
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.ice.key_bindings import SHARED_KEYS, SINGLE_PLAYER_KEYS
from flicksim.gui.game_views.ice.lesson import LESSON
from flicksim.gui.game_views.ice.miniature import IceMiniature, RecordedLaunches
from flicksim.gui.game_views.ice.position_editor import IcePositionEditor
from flicksim.gui.game_views.ice.shot_paths import shot_path
from flicksim.gui.match.replay import REPLAY_KEYS
from flicksim.gui.match.start_match import start_match
from flicksim.gui.toolkit.image_files import Frame
from flicksim.match import PYRAMID_WARMUP, Turn, open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.scene import LaunchTrajectory, PyramidScene, VolleyTrajectory

TERMS = GlossarySection(
    "Pyramids",
    (
        ("pyramid", "A hollow plastic piece with a square base. Each seat has one to hold and fourteen to launch."),
        ("launcher", "The large pyramid you hold; the others are flicked off its tip. It is never launched."),
        ("missile", "Any other pyramid of yours: five small, five medium, four large."),
        ("stack", "To set a missile over the launcher's tip, like a hat."),
        ("nail", "Where your finger strikes the launcher's base, from below. Lower leaves more backspin."),
        ("slant", "How steeply the nail comes up. A steeper flick flies higher and not so far."),
        ("start line", "The line in front of you. A missile has to come to rest wholly beyond your own."),
        ("stash area", "What lies behind your start line: the launcher is held over it."),
        ("used again", "A missile that falls short or off the table goes back to your hand."),
        ("upright", "Standing on its base. Such a piece counts one, two or three by size."),
        (
            "lean",
            "To come to rest tilted, held by another piece. With its base on one that is not upright it counts double.",
        ),
        (
            "prop",
            "A piece that bears the base of another: one that is not upright doubles it. Usually one that leans and "
            "itself counts does not; an option lets it.",
        ),
        ("pips", "The dots along the base: what a piece counts."),
    ),
)


Drawable = PyramidScene | LaunchTrajectory | VolleyTrajectory


def _can_draw(content: object) -> bool:
    """Return True if the content holds pyramids or their launches."""
    return isinstance(content, Drawable)


def _render(content: Drawable, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
    canvas = blank_surface(size or image_export.DEFAULT_SIZE)
    image_export.draw_image(canvas, content, seats)
    return canvas.surface


def _frames(game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
    for turn in turns:
        yield from image_export.turn_frames(
            game,
            turn,
            FINE_INTERVAL if is_detailed else COARSE_INTERVAL,
            REST_TIME,
            (560, 800) if is_detailed else (420, 600),
        )


def _still_image(game: Game, turn: Turn) -> pygame.Surface | None:
    """Image of the table, for a turn in which nothing came down."""
    fell = isinstance(turn.result, VolleyTrajectory) and bool(turn.result.trajectories)
    return None if fell else _render(turn.after.scene, None, game.seat_names)


_TURN_RENDERER = TurnRenderer(frames=_frames, still_image=_still_image)


def _make_miniature(game: Game) -> IceMiniature:
    path = assets_dir() / "miniatures" / f"{game.name}.json"
    return IceMiniature(game, from_json(read_bytes(path), RecordedLaunches, name=path.name))


def _start_practice(app: App) -> None:
    """Start a game of the player alone with the usual rules."""
    game, seats = load("ice"), ("human",)
    options = parse_options(game, [])
    start_match(app, open_match(game, options, [parse_seat(seat) for seat in seats], secrets.randbelow(10**9)), seats)


GAME_VIEW = GameView(
    screen=IceScreen,
    replay=partial(IceReplay, renderer=_TURN_RENDERER, shot_path=shot_path, warmups=(PYRAMID_WARMUP,)),
    turn_renderer=_TURN_RENDERER,
    can_draw=_can_draw,
    render=_render,
    miniature=_make_miniature,
    terms=TERMS,
    practice=PracticeMode("Practise pyramids", "I", "practise launching pyramids, alone", _start_practice),
    warmup=PYRAMID_WARMUP,
    lesson=LESSON,
    keys=(SINGLE_PLAYER_KEYS, SHARED_KEYS, REPLAY_KEYS),
    position_editor=IcePositionEditor,
)
