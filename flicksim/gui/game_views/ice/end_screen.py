"""End screen of a game of pyramids: standing pieces, their points and the winner."""

from collections.abc import Callable, Iterable

import pygame

from flicksim.games.ice.state import State
from flicksim.gui.app import App, Overlay
from flicksim.gui.game_views.ice.launch_log import count_of, counted_pieces
from flicksim.gui.match import score_table
from flicksim.gui.match.overlays import EndScreen
from flicksim.gui.match.score_table import Rows
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import Button, Canvas, palette, piece_sprites
from flicksim.match import Match
from flicksim.scene import SIZES


class IceEndScreen(EndScreen):
    """End screen with a row for each size and way of counting, and a column for each seat."""

    CAN_ANALYSE = False
    TURN_NOUN, TURNS_NOUN = "launch", "launches"

    def __init__(
        self, app: App, match: Match, restart: Callable[[], None] | None, on_undo: Callable[[], None],
        best_launch: Callable[[], None] | None = None, self_report: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, match, restart, on_undo, self_report)
        if best_launch is not None:
            self.form.widgets.insert(1, Button("Show the best launch", self.closing(best_launch), key="B"))
        button_rows = -(-len(self.form.widgets) // 2)
        self._width, self._height = 350 + 84 * len(match.players), 384 + 44 * button_rows

    def draw(self, canvas: Canvas) -> None:
        Overlay.draw(self, canvas)
        rect, match = self.rect, self.match
        text = match_text.result_text(match) if len(match.players) > 1 else f"{match.scores[0]} points"
        y = canvas.text(text, (rect.centerx, rect.y + canvas.px(18)), 28, palette.ACCENT, bold=True,
                        anchor="midtop").bottom + canvas.px(12)  # fmt: skip
        label, first = rect.x + canvas.px(30), rect.x + canvas.px(250)
        wide = (rect.right - canvas.px(30) - first) / len(match.players)
        columns = [round(first + wide * (k + 0.5)) for k in range(len(match.players))]
        names = [match_text.seat_text(match, seat) for seat in range(len(columns))]
        keys = [palette.seat_key(seat, match.game.seat_names) for seat in range(len(columns))]
        marks = [piece_sprites.piece_sprite(canvas.px(10), key, "penny", 0.0) for key in keys]
        y = score_table.draw_header(canvas, columns, y, names, marks, 14)
        foot, table = self.form.widgets[0].rect.y, score_rows(match)
        step = min(canvas.px(25), (foot - y - canvas.px(20)) // max(1, len(table)))
        y = score_table.draw_rows(canvas, label, columns, rect.right - canvas.px(30), y, table, (step, step), 14)
        table_rect = pygame.Rect(label, y + canvas.px(10), rect.w - canvas.px(60), foot - y - canvas.px(14))
        if table_rect.h >= canvas.line_height(12):
            canvas.paragraph(
                "Upright counts 1, 2 or 3 by size (ITW-7e); with its base on a piece that is not upright, twice that "
                "(ITW-7f).", table_rect, 12, palette.MUTED_TEXT,
            )  # fmt: skip


def score_rows(match: Match) -> Rows:
    """Rows of the table at the end: a label, and a text for each seat."""
    state: State = match.state
    counted, pips = counted_pieces(state), {size: state.scene.kit.shape(size).pips for size in SIZES}
    counts = [count_of(counted, seat) for seat in range(len(match.players))]

    def texts(numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(str(number) if number else "–" for number in numbers)

    return [
        *((f"{size} upright, {pips[size]} each", texts(one.once[size] for one in counts)) for size in SIZES),
        *((f"{size} on one not upright, {2 * pips[size]} each", texts(one.twice[size] for one in counts))
          for size in SIZES),
        ("Points", tuple(match_text.format_points(points) for points in match.scores)),
    ]  # fmt: skip
