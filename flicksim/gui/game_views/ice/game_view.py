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
from flicksim.gui.app.lesson import action_made
from flicksim.gui.board_view.images import COARSE_INTERVAL, FINE_INTERVAL, REST_TIME, image_renderer
from flicksim.gui.game_view_kit.texts import load_texts
from flicksim.gui.game_views.ice import image_export
from flicksim.gui.game_views.ice.flight import shot_path
from flicksim.gui.game_views.ice.ice_replay import IceReplay
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.gui.game_views.ice.key_bindings import SHARED_KEYS, SINGLE_PLAYER_KEYS
from flicksim.gui.game_views.ice.miniature import IceMiniature, RecordedLaunches
from flicksim.gui.game_views.ice.position_editor import IcePositionEditor
from flicksim.gui.match.replay import REPLAY_KEYS
from flicksim.gui.match.start_match import start_match
from flicksim.gui.toolkit.image_files import Frame
from flicksim.match import PYRAMID_WARMUP, Turn, open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.scene import Launch, LaunchTrajectory, PyramidScene, VolleyTrajectory

Drawable = PyramidScene | LaunchTrajectory | VolleyTrajectory


def _can_draw(content: object) -> bool:
    """Return True if the content holds pyramids or their launches."""
    return isinstance(content, Drawable)


def _used_medium(turns: Sequence[Turn]) -> bool:
    return any(isinstance(turn.made, Launch) and turn.made.size == "medium" for turn in turns)


def _frames(game: Game, turns: Iterable[Turn], *, is_detailed: bool = True) -> Iterator[Frame]:
    for turn in turns:
        interval, size = (FINE_INTERVAL, (560, 800)) if is_detailed else (COARSE_INTERVAL, (420, 600))
        yield from image_export.turn_frames(game, turn, interval, REST_TIME, size)


def _still_image(game: Game, turn: Turn) -> pygame.Surface | None:
    """Image of the table, for a turn in which nothing came down."""
    fell = isinstance(turn.result, VolleyTrajectory) and bool(turn.result.trajectories)
    return None if fell else _render(turn.after.scene, None, game.seat_names)


_render = image_renderer(image_export.draw_image, image_export.DEFAULT_SIZE)
_TURN_RENDERER = TurnRenderer(frames=_frames, still_image=_still_image)


def _make_miniature(game: Game) -> IceMiniature:
    path = assets_dir() / "miniatures" / f"{game.name}.json"
    return IceMiniature(game, from_json(read_bytes(path), RecordedLaunches, name=path.name))


def _start_practice(app: App) -> None:
    """Start a game of the player alone with the usual rules."""
    game, seats = load("ice"), ("human",)
    options = parse_options(game, [])
    start_match(app, open_match(game, options, [parse_seat(seat) for seat in seats], secrets.randbelow(10**9)), seats)


_TERMS, _LESSON = load_texts(__package__, {"launch": action_made(Launch), "medium": _used_medium})
GAME_VIEW = GameView(
    screen=IceScreen,
    replay=partial(IceReplay, renderer=_TURN_RENDERER, shot_path=shot_path, warmups=(PYRAMID_WARMUP,)),
    turn_renderer=_TURN_RENDERER,
    can_draw=_can_draw,
    render=_render,
    miniature=_make_miniature,
    terms=_TERMS,
    practice=PracticeMode("Practise pyramids", "I", "practise launching pyramids, alone", _start_practice),
    warmup=PYRAMID_WARMUP,
    lesson=_LESSON,
    keys=(SINGLE_PLAYER_KEYS, SHARED_KEYS, REPLAY_KEYS),
    position_editor=IcePositionEditor,
)
