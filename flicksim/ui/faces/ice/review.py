"""A finished game of pyramids, looked through: what came down in each turn, from above and from the side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from flicksim.base.kinds import Account
from flicksim.drawing import Camera
from flicksim.games.ice.seats import places
from flicksim.games.ice.state import State
from flicksim.play import Turn, Warming
from flicksim.referee import Game, Reason
from flicksim.table import Landings, Pyramid
from flicksim.ui.faces.ice import log_lines, side
from flicksim.ui.faces.ice.count import counted, tally
from flicksim.ui.faces.ice.film import Film, filmed
from flicksim.ui.faces.ice.view import IceView, lined
from flicksim.ui.frame.app import App
from flicksim.ui.frame.face import Prints, Way
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.sounds import Heard
from flicksim.ui.match.replay import ReplayScreen
from flicksim.ui.table.playback import Clock

_STAY = 0.4
"""Time that the end of a film stays [s]."""


class FilmClock(Clock):
    """All that moved in a turn, in time."""

    def __init__(self, film: Film, rate: int) -> None:
        super().__init__(film.duration + _STAY, rate, film.duration)
        self.film = film


class IceReplay(ReplayScreen):
    """Turns in which something came down, in a list; the table and the launch from the side."""

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None = None, *,
        prints: Prints, way: Way | None = None, warmings: Sequence[Warming] = (),
    ) -> None:  # fmt: skip
        shown = log_lines.worth_telling(turns)
        state = shown[0].before if shown else None
        self._ice: IceView | None = None
        if isinstance(state, State):
            seats = places(state.options, state.seats)
            surface = lined(state.scene.surface, seats, game.seat_names)
            self._ice = IceView(game.seat_names, surface, imaginary=not state.options.markers)
        super().__init__(app, game, shown, back, prints=prints, way=way, warmings=warmings)
        self.view = self._ice

    def _line(self, turn: Turn) -> str:
        return log_lines.line(self.game, turn)

    def _made(self, turn: Turn) -> str:
        names, launches = self.game.seat_names, [(one.seat, one.landing.launch) for one in log_lines.told(turn)]
        found = [f"{names[seat]} {log_lines.said(one.piece)}: {log_lines.numbers(one)}" for seat, one in launches]
        return "; ".join(found) or f"{names[turn.seat]} {log_lines.done(turn)}."

    def _reasons(self, turn: Turn) -> Sequence[Reason]:
        """The reasons for what came down; that somebody else waited meanwhile is left out."""
        found = [reason for one in log_lines.told(turn) for reason in one.reasons]
        ending = [reason for reason in turn.verdict.reasons if reason.rule.startswith("ITW-7")]
        return [*found, *ending] or turn.verdict.reasons

    def _clock(self, account: Account) -> Clock | None:
        moved = isinstance(account, Landings) and bool(account.landings)
        return FilmClock(filmed(account), self._rate) if moved else None

    def _heard(self, since: float, until: float) -> list[Heard]:
        clock = self.playback
        return clock.film.heard(since, until) if isinstance(clock, FilmClock) else []

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        view, clock = self._ice, self.playback
        if view is None:
            return
        before = self.insight.on and self.at_rest
        pieces: Sequence[Pyramid] = (turn.before if before else turn.after).scene.pieces
        film, t = (clock.film, min(clock.t, clock.moves)) if isinstance(clock, FilmClock) else (None, 0.0)
        seen = film.seen_at(t) if film is not None else None
        if film is not None:
            pieces = film.pieces_at(t)
        if film is not None and seen is not None:
            name = film.landings[seen[0]].launch.piece
            view.look = next((piece.centre[:2] for piece in pieces if piece.id == name), view.look)

        def draw(camera: Camera) -> None:
            for start, landing in zip(film.starts, film.landings, strict=True) if film is not None else ():
                view.painter.way(canvas, camera, landing, t - start)
            view.painter.pyramids(canvas, camera, pieces)

        with canvas.clipped(view.area):
            view.draw(canvas)
            if self._best is None and self.at_rest:
                self.insight.draw_under(canvas, view.camera)
            draw(view.camera)
        self._draw_told(canvas, view, turn)
        lens = view.lens({})
        if lens is not None:
            with view.through(canvas, lens):
                draw(lens.camera)
        if film is None or seen is None:
            return
        landing, own = film.landings[seen[0]], seen[1]
        side.show(canvas, view.side, landing, min(own, landing.duration), self.game.seat_names,
                  line=side.own_line(view.table, landing.launch),
                  says=side.words(self.game.seat_names, landing.launch, own))  # fmt: skip

    def _scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Draw what every seat has standing after this turn. Returns where they end [pixels]."""
        found, x, y, step = counted(turn.after), rect.x, rect.y, canvas.high(14) + canvas.px(4)
        for seat in range(turn.after.seats):
            name = self.game.seat_names[seat]
            words = f"{name} {tally(found, seat).points}"
            wide = canvas.wide(words, 14, bold=True) + canvas.px(34)
            if x + wide > rect.right:
                x, y = rect.x, y + step
            mark = coins.coin(canvas.px(8), palette.seat_key(seat, self.game.seat_names), "penny", 0.0)
            canvas.surface.blit(mark, mark.get_rect(center=(x + canvas.px(8), y + step // 2)))
            canvas.text(words, (x + canvas.px(20), y), 14, bold=True)
            x += wide
        return y + step + canvas.px(6)
