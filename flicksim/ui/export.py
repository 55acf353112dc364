"""Turns and games as pictures that can be sent to a friend: GIF and PNG, drawn without a window."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from struct import pack

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from flicksim.base.errors import BadFile, MissingExtra
from flicksim.base.files import aside
from flicksim.play import Turn
from flicksim.players.wanted import go_on
from flicksim.referee import Game
from flicksim.table import Landings, Motion, Scene
from flicksim.ui import check_gif, drawing, palette, standing
from flicksim.ui.app import save
from flicksim.ui.camera import fit
from flicksim.ui.canvas import Canvas
from flicksim.ui.felt.cloths import CLOTHS, cloth_for
from flicksim.ui.felt.lying import lay_open
from flicksim.ui.ice import picture as pyramids
from flicksim.ui.sounds import Sounds
from flicksim.ui.table_painter import scene_of
from flicksim.ui.taste import Taste
from flicksim.ui.views import painter_of

Frame = tuple[pygame.Surface, int]
"""A picture and how long it stays [ms]."""
_FINE, _COARSE = 40, 100
"""Between frames of one turn, and of a whole game [ms]."""
_REST = 900
"""How long the end of a turn stays [ms]."""
_MARGIN = 0.05
"""Room around all that moves [m]."""
_COLOURS = 96
_LOOP = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""Of a GIF: for ever."""


def counted(turns: Sequence[Turn], told: Callable[[int], None]) -> Iterator[Turn]:
    """The turns, one after another; each time it is told how many are done with."""
    for done, turn in enumerate(turns):
        told(done)
        yield turn
    told(len(turns))


def frames(game: Game, turns: Iterable[Turn], *, fine: bool = True) -> Iterator[Frame]:
    """Pictures of turns, one after another; fine: as many as one turn needs to be seen well."""
    if game.wing == "cards":
        yield from _laid(game, turns)
        return
    for turn in turns:
        if isinstance(turn.account, Landings):
            yield from pyramids.frames(
                game, turn, _FINE if fine else _COARSE, _REST, (560, 800) if fine else (420, 600)
            )
            continue
        scene = turn.account.before if isinstance(turn.account, Motion) else scene_of(turn.after)
        if scene is not None:
            yield from _moved(game, turn, scene, _FINE if fine else _COARSE)


def _moved(game: Game, turn: Turn, scene: Scene, every: int) -> Iterator[Frame]:
    """A flick from beginning to end; where nothing moved, the table as it lies then."""
    xs, ys = [p[0] for p in scene.surface.outline], [p[1] for p in scene.surface.outline]
    upright = max(ys) - min(ys) > max(xs) - min(xs)
    size = (400, 720) if upright else (720, 480)
    canvas = Canvas(pygame.Surface(size), 0.8)
    painter = painter_of(game.seat_names, scene.surface)
    head = canvas.px(30)
    camera = fit(scene.surface.outline, (0, head, size[0], size[1] - head), canvas.px(52 if upright else 30))
    canvas.surface.fill(palette.GROUND)
    painter.surface(canvas, camera, scene.surface)
    canvas.text(standing.line(game, turn), (canvas.px(10), canvas.px(8)), 15, bold=True,
                within=size[0] - canvas.px(20))  # fmt: skip
    bare = canvas.surface.copy()
    motion = turn.account
    if not isinstance(motion, Motion):
        painter.pieces(canvas, camera, scene.pieces)
        yield canvas.surface.copy(), _REST
        return
    count = int(motion.duration * 1000.0 / every)
    for k in range(count + 1):
        canvas.surface.blit(bare, (0, 0))
        painter.motion(canvas, camera, motion, motion.duration if k == count else k * every / 1000.0)
        yield canvas.surface.copy(), _REST if k == count else every


def _laid(game: Game, turns: Iterable[Turn]) -> Iterator[Frame]:
    """The cloth as it lay after each move; hands stay hidden."""
    if game.name not in CLOTHS:
        raise BadFile(f"{game.title} has no cloth that could be drawn")
    canvas = Canvas(pygame.Surface((720, 480)), 0.72)
    cloth = cloth_for(game, lambda _: "", Taste(quiet=True), Sounds(Taste(quiet=True)))
    head = canvas.px(30)
    for turn in turns:
        cloth.place(pygame.Rect(0, head, 720, 480 - head), canvas.scale)
        lay_open(cloth, game, turn, None)
        canvas.surface.fill(palette.GROUND)
        cloth.draw(canvas)
        canvas.text(standing.line(game, turn), (canvas.px(10), canvas.px(6)), 16, bold=True,
                    within=720 - canvas.px(20))  # fmt: skip
        yield canvas.surface.copy(), _REST


def write_png(path: Path, game: Game, turn: Turn) -> Path:
    """Write what came of a turn: the table with the ways that pieces went, or the cloth.

    Raises:
        BadFile: it cannot be written.
    """
    fell = isinstance(turn.account, Landings) and bool(turn.account.landings)
    shown = turn.account if isinstance(turn.account, Motion) else getattr(turn.after, "scene", None)
    if game.wing == "table" and not fell and shown is not None:
        return drawing.write(shown, path, None, game.seat_names)
    last = None
    for last in frames(game, [turn]):  # noqa: B007 - one at a time: all together they are large
        go_on()
    if last is None:
        raise BadFile(f"nothing lies there that could be shown in {str(path)!r}")
    return save(last[0], path)


def write_gif(path: Path, shown: Iterable[Frame]) -> Path:
    """Write pictures as a GIF that goes round and round; one at a time, each when the one before is in the file.

    Raises:
        MissingExtra: Pillow is not installed.
        BadFile: there is nothing to show, or the file cannot be written.
        GivenUp: nobody waits for it any more; nothing is left of it.
    """
    check_gif(path)
    if find_spec("PIL") is None:
        raise MissingExtra("a GIF", "play")
    with aside(path) as out:
        blocks = 0
        for block in _blocks(shown):
            go_on()
            out.write(block)
            blocks += 1
        if not blocks:
            raise BadFile(f"nothing moves that could be shown in {str(path)!r}")
        out.write(b";")
    return path


def _blocks(shown: Iterable[Frame]) -> Iterator[bytes]:
    """A GIF but for its end, picture by picture: of each only what differs from the one before."""
    from PIL import Image, ImageChops
    from PIL.GifImagePlugin import getdata

    def block(picture: Image.Image, corner: tuple[int, int], stay: int) -> bytes:
        few = picture.quantize(_COLOURS)
        return b"".join(getdata(few, corner, duration=stay, include_color_table=True))

    before: Image.Image | None = None
    corner, stay = (0, 0), 0
    due: Image.Image | None = None  # how long it stays is known when the next one differs
    for surface, wait in shown:
        now = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
        if before is None:
            yield b"GIF89a" + pack("<HHBBB", *now.size, 0x70, 0, 0) + _LOOP
            box: tuple[int, int, int, int] | None = (0, 0, *now.size)
        else:
            box = ImageChops.difference(before, now).getbbox()
        if box is None:
            stay += wait
            continue
        if due is not None:
            yield block(due, corner, stay)
        before, due, corner, stay = now, now.crop(box), box[:2], wait
    if due is not None:
        yield block(due, corner, stay)
