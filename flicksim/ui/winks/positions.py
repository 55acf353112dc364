"""Positions to look at and to play on from: the shipped ones in a list, each drawn before it is begun."""

from __future__ import annotations

import secrets
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.games import load
from flicksim.play import Match, open_match, parse_seat
from flicksim.ui import palette
from flicksim.ui.app import App, Screen
from flicksim.ui.camera import fit
from flicksim.ui.canvas import Canvas
from flicksim.ui.form import Form
from flicksim.ui.widgets import Button, ListBox
from flicksim.ui.winks.painter import WinkPainter
from flicksim.ui.winks.screen import WinkScreen

_LOADER = "flicksim.games.tiddlywinks.position"


def there() -> bool:
    """Whether positions can be loaded, and there are any."""
    if find_spec(_LOADER) is None:
        return False
    try:
        return bool(_loader().names())
    except FlicksimError:
        return False


def _loader() -> Any:
    return import_module(_LOADER)


def match_from(position: Any, seats: tuple[str, ...]) -> Match:
    """A match that begins at a position."""
    sitting, seed = [parse_seat(s) for s in seats], secrets.randbelow(10**6)
    return open_match(load("tiddlywinks"), position.options, sitting, seed, position=position)


def play(app: App, position: Any, seats: tuple[str, ...]) -> None:
    """Play on from a position; whoever keeps the games begun in the window is told of it."""
    match = match_from(position, seats)
    keeper = app.keep(match) if app.keep is not None else None
    app.show(WinkScreen(app, match, keeper, lambda: play(app, position, seats), own=keeper is not None))


class PositionsScreen(Screen):
    """The list on the left, the mat on the right, two ways to begin under it."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        loader = _loader()
        self.found: list[tuple[Any, Any, str]] = []
        for name in loader.names():
            try:
                position = loader.shipped(name)
                self.found.append((position, loader.state_of(position), ""))
            except FlicksimError as wrong:
                self.found.append((None, None, f"{name}: {wrong}"))
        titles = [position.title if position is not None else wrong for position, _, wrong in self.found]
        self.list = ListBox("Positions", titles, picked=lambda _: self._against(), row=30.0)
        self._bots = Button("Play it against bots", self._against, key="Enter", main=True)
        self._own = Button("Play all four seats", self._alone, key="A")
        self._back = Button("Back", app.pop, key="Esc")
        self.form = Form([self.list, self._bots, self._own, self._back])
        self._mat = pygame.Rect(0, 0, 10, 10)

    def _begin(self, seats: tuple[str, ...]) -> None:
        position, state, _ = self.found[self.list.index]
        if state is not None:
            play(self.app, position, seats)

    def _alone(self) -> None:
        self._begin(("human",) * 4)

    def _against(self) -> None:
        """You hold the seat to play and its partner."""
        state = self.found[self.list.index][1]
        mine = (state.book.to_play or 0) % 2 if state is not None else 0
        self._begin(tuple("human" if seat % 2 == mine else "bot:club" for seat in range(4)))

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_a:
            self._alone()
        elif event.type == pygame.MOUSEBUTTONDOWN and self.list.rect.collidepoint(event.pos):
            number = self.list.top + (event.pos[1] - self.list.rect.y) // max(1, round(30 * self.app.scale))
            self.list.go(min(number, len(self.found) - 1))
        else:
            self.form.handle(event)

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """List left, mat right."""
        w, h = size
        pad, top, high = round(20 * scale), round(70 * scale), round(40 * scale)
        wide = round(w * 0.34)
        foot = h - pad - high
        self.list.rect = pygame.Rect(pad, top, wide, h - top - pad)
        x = pad * 2 + wide
        self._mat = pygame.Rect(x, top, w - x - pad, round((w - x - pad) * 0.56))
        third = (w - x - pad - 2 * 8) // 3
        for k, button in enumerate((self._bots, self._own, self._back)):
            button.rect = pygame.Rect(x + k * (third + 8), foot, third, high)

    def draw(self, canvas: Canvas) -> None:
        """The chosen position, large enough for its winks to be seen, and what to look at in it."""
        canvas.text("Positions", (self.list.rect.x, canvas.px(22)), 26, bold=True)
        position, state, wrong = self.found[self.list.index]
        y = self._mat.bottom + canvas.px(14)
        words = pygame.Rect(self._mat.x, y, self._mat.w, max(canvas.high(16), self._bots.rect.y - y - canvas.px(10)))
        if state is None:
            canvas.paragraph(wrong, words, 15, palette.BAD)
        else:
            painter = WinkPainter(("Blue", "Green", "Red", "Yellow"))
            book = state.book
            around = [(0.0, 0.0)] + [p.at for p in state.scene.pieces if book.in_play(p.id)]
            xs, ys = [p[0] for p in around], [p[1] for p in around]
            box = [(min(xs) - 0.06, min(ys) - 0.06), (max(xs) + 0.06, max(ys) + 0.06)]
            camera = fit(box, (self._mat.x, self._mat.y, self._mat.w, self._mat.h), canvas.px(10))
            with canvas.clipped(self._mat):
                painter.surface(canvas, camera, state.scene.surface)
                painter.pieces(canvas, camera, state.scene.pieces)
            end = canvas.paragraph(position.title, words, 19, bold=True)
            words = pygame.Rect(words.x, end + canvas.px(4), words.w, max(canvas.high(15), words.bottom - end))
            canvas.paragraph(position.look, words, 15, palette.FAINT)
        self.form.draw(canvas)
