"""The face of Ice Tiddly Winks, and any other game in which they are launched."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import pygame

from flicksim.base.codec import from_json, read_bytes
from flicksim.base.places import assets
from flicksim.games import load
from flicksim.play import PYRAMIDS, Turn, open_match, parse_seat
from flicksim.referee import Game, parse_options
from flicksim.table import Landing, Landings, PyramidScene
from flicksim.ui.board.pictures import COARSE, FINE, REST, bare
from flicksim.ui.faces.ice import picture
from flicksim.ui.faces.ice.keys import ALONE, SEVERAL
from flicksim.ui.faces.ice.lesson import LESSON
from flicksim.ui.faces.ice.miniature import IceMiniature, IceSketch
from flicksim.ui.faces.ice.review import IceReplay
from flicksim.ui.faces.ice.screen import IceScreen
from flicksim.ui.faces.ice.study import IceStudy
from flicksim.ui.faces.ice.ways import way
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Face, Practice, Prints
from flicksim.ui.frame.glossary import Words
from flicksim.ui.kit.pictures import Frame
from flicksim.ui.match.replay import LOOKING
from flicksim.ui.match.starting import begin

WORDS = Words(
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


Drawn = PyramidScene | Landing | Landings


def _draws(shown: object) -> bool:
    """Tell whether pyramids lie or fly there."""
    return isinstance(shown, Drawn)


def _picture(shown: Drawn, size: tuple[int, int] | None, seats: Sequence[str]) -> pygame.Surface:
    canvas = bare(size or picture.SIZE)
    picture.draw(canvas, shown, seats)
    return canvas.surface


def _frames(game: Game, turns: Iterable[Turn], *, fine: bool = True) -> Iterator[Frame]:
    for turn in turns:
        yield from picture.frames(game, turn, FINE if fine else COARSE, REST, (560, 800) if fine else (420, 600))


def _still(game: Game, turn: Turn) -> pygame.Surface | None:
    """The table, when nothing came down on it."""
    fell = isinstance(turn.account, Landings) and bool(turn.account.landings)
    return None if fell else _picture(turn.after.scene, None, game.seat_names)


_PRINTS = Prints(frames=_frames, still=_still)


def _miniature(game: Game) -> IceMiniature:
    path = assets() / "miniatures" / f"{game.name}.json"
    return IceMiniature(game, from_json(read_bytes(path), IceSketch, name=path.name))


def _practise(app: App) -> None:
    """Nobody but you, usual rules."""
    game, seats = load("ice"), ("human",)
    options = parse_options(game, [])
    begin(app, open_match(game, options, [parse_seat(seat) for seat in seats], secrets.randbelow(10**9)), seats)


FACE = Face(
    screen=IceScreen,
    replay=partial(IceReplay, prints=_PRINTS, way=way, warmings=(PYRAMIDS,)),
    prints=_PRINTS,
    draws=_draws,
    picture=_picture,
    miniature=_miniature,
    words=WORDS,
    practice=Practice("Practise pyramids", "I", "practise launching pyramids, alone", _practise),
    warming=PYRAMIDS,
    lesson=LESSON,
    keys=(ALONE, SEVERAL, LOOKING),
    study=IceStudy,
)
