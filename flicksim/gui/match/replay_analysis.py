"""Analysis beside a replay: of the game with its graph, of the position before the turn shown, and better flicks."""

from collections.abc import Mapping, Sequence

import pygame

from flicksim.core.type_aliases import SimulationResult
from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import ShotPath
from flicksim.gui.match import game_analysis
from flicksim.gui.match.game_analysis import GameAnalysis
from flicksim.gui.match.position_analysis import PositionAnalysis, draw_shown_caption
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import TableView
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import ReviewedTurn, Turn, Warmup, bot_warmup, wait_for_warmups
from flicksim.referee import Game

_GRAPH_HEIGHT, _LEGEND_HEIGHT, _GAP = 112.0, 16.0, 12.0
"""Height of the graph, what a legend adds to it, and gap above it [units]."""


class ReplayAnalysis:
    """Analysis beside a replay; nothing is analysed before it is asked for.

    Args:
        shot_path: start and end of a flick [m]. warmups: of the physics, awaited first.
    """

    def __init__(self, app: App, game: Game, shot_path: ShotPath | None, warmups: Sequence[Warmup]) -> None:
        self._app, self._replayed = app, game
        self._warmup_hooks = wait_for_warmups(*warmups, bot_warmup(game))
        self.game: GameAnalysis | None = None
        self.position = PositionAnalysis(game, shot_path, *self._warmup_hooks)
        self.candidate: SimulationResult = None
        """Trajectory of the candidate shown in place of the turn."""
        self.graph_area = pygame.Rect(0, 0, 0, 0)
        self.is_ruling_visible = False
        """True while the ruling is shown instead of the analysis."""

    @property
    def is_visible(self) -> bool:
        """True while the analysis is shown beside the table."""
        return self.game is not None or self.position.is_visible

    @property
    def has_bar(self) -> bool:
        """True if an evaluation bar stands beside the table."""
        return self.game is not None or self.position.is_bar_visible

    def start(self, turns: Sequence[Turn]) -> None:
        """Begin the analysis of the game."""
        self.game = GameAnalysis(self._replayed, turns, *self._warmup_hooks)

    def toggle_ruling(self) -> None:
        """Toggle between ruling and analysis."""
        self.is_ruling_visible = not self.is_ruling_visible and self.is_visible

    def review_of(self, turn: Turn | None) -> ReviewedTurn | None:
        """Review of a turn; None without one."""
        review = None if self.game is None or turn is None else self.game.review_of(turn)
        return review if isinstance(review, ReviewedTurn) else None

    def has_better(self, turn: Turn | None) -> bool:
        """True if a surely better flick than that of a turn can be shown."""
        review = self.review_of(turn)
        return review is not None and review.is_significant and self._replayed.uses_physics

    def best_trajectory(self, turn: Turn) -> SimulationResult:
        """Trajectory of the best candidate of a turn without noise; None, with a notice, where there is none."""
        assert self.game is not None
        review = self.review_of(turn)
        if self.game.review_of(turn) is None:
            self._app.show_notice("This turn is not analysed yet.")
        elif review is None or not review.is_significant:
            self._app.show_notice("Of this turn there is nothing better to show.")
        elif (result := self.game.best_trajectory(turn, review)) is not None:
            return result
        else:
            self._app.show_notice("What is better stands beside the table: only flicks are shown.")
        return None

    def update(self, turn: Turn | None, dt: float) -> SimulationResult:
        """Advance by a frame at a turn: the trajectory of a candidate whose simulation has ended, or None."""
        if self.game is not None:
            self.game.update()
        self.position.set_state(turn.before if turn is not None and self.position.is_visible else None, dt)
        return self.position.take_trajectory()

    def close(self) -> None:
        """Cancel what is being analysed."""
        self.position.shut_down()
        if self.game is not None:
            self.game.cancel()

    # -- layout, drawing ------------------------------------------------------------------------------------------

    def layout(self, column: pygame.Rect, top: int, scale: float) -> None:
        """Place the graph in a column, below a height [pixels]."""
        height = 0 if self.game is None else round(_GRAPH_HEIGHT * scale)
        if self.game is not None and game_analysis.legend_seats(self.game):
            height += round(_LEGEND_HEIGHT * scale)
        self.graph_area = pygame.Rect(column.x, top + round(_GAP * scale), column.w, height)

    def draw_over_table(self, canvas: Canvas, view: TableView, turn: Turn | None, *, at_start: bool) -> None:
        """Draw evaluation bar, candidate arrows, and the caption of a candidate shown; at_start: of the playback."""
        review, is_map_shown = self.review_of(turn), self.position.is_map_visible and at_start
        column = pygame.Rect(0, view.area.y, canvas.px(BAR_COLUMN_WIDTH), view.area.h)
        time = "before" if self.position.is_bar_visible or is_map_shown else "after"
        if self.position.is_bar_visible:
            self.position.draw_bar(canvas, column)
        elif review is not None and self.game is not None and self.game.is_two_sided:
            game_analysis.draw_bar(canvas, column, self.game, review, before=is_map_shown)
        else:
            time = ""
        if time:
            position = (column.right + canvas.px(4), column.y + canvas.px(4))
            canvas.text(f"{time} the turn", position, 11, palette.TABLE_MUTED_TEXT)
        with canvas.clipped(view.unobstructed):
            if self.candidate is not None:
                draw_shown_caption(canvas, view.unobstructed)
            elif is_map_shown:
                self.position.draw_overlay(canvas, view.camera)
            elif review is not None and turn is not None:
                game_analysis.draw_arrows(canvas, view.camera, view.unobstructed, turn, review)

    def draw_game(self, canvas: Canvas, turn: Turn, ticks: Mapping[int, int], bottom: int) -> int:
        """Draw the graph, with ticks by turn, and a turn's text above a height. Return their lower end [pixels]."""
        analysis, rect, y = self.game, self.graph_area, self.graph_area.bottom + canvas.px(8)
        assert analysis is not None
        game_analysis.draw_graph(canvas, rect, analysis, turn, ticks)
        if self.is_ruling_visible:
            return y
        names = analysis.game.seat_names
        for sentence in game_analysis.turn_text(analysis.review_of(turn), names, is_done=analysis.is_done):
            height = min(3 * canvas.line_height(14), bottom - y)
            if height >= canvas.line_height(14):
                y = canvas.paragraph(sentence, pygame.Rect(rect.x, y, rect.w, height), 14)
        if analysis.is_done and bottom - y >= canvas.line_height(13):
            canvas.text(game_analysis.accuracy_text(analysis), (rect.x, y), 13, palette.MUTED_TEXT)
            y += canvas.line_height(13)
        return y + canvas.px(8)
