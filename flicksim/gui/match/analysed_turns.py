"""Base class of the replay screen: the turn shown, its playback, and the analysis of the game and of positions."""

from collections.abc import Callable, Iterable, Sequence

import pygame

from flicksim import games
from flicksim.core.type_aliases import SimulationResult
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import ShotPath
from flicksim.gui.match import game_analysis
from flicksim.gui.match.playback_toolbar import PlaybackToolbar
from flicksim.gui.match.position_analysis import PositionAnalysis, draw_shown_caption
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.playback import Playback, PlaybackClock
from flicksim.gui.toolkit import Canvas, ListBox, palette
from flicksim.match import ReviewedTurn, Turn, Warmup, bot_warmup, wait_for_warmups
from flicksim.referee import Game
from flicksim.scene import Trajectory


class AnalysedTurns(Screen):
    """Screen of turns with their analysis, before anything is drawn beside the table (see `ReplayScreen`)."""

    game: Game
    TURN_NOUN, TURNS_NOUN = "turn", "turns"
    """Name of what is listed, and of several."""

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None, *,
        shot_path: ShotPath | None, warmups: Sequence[Warmup],
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.game, self.turns, self._resume_from, self._warmups = game, list(turns), resume_from, tuple(warmups)
        self.list = ListBox("Turns", [], on_select=self._on_select, row_height=26.0, wrap_lines=True)
        self.toolbar = PlaybackToolbar(lambda step: self.list.select(self.list.index + step), self.TURN_NOUN)
        self.game_analysis: game_analysis.GameAnalysis | None = None
        self.position_analysis = PositionAnalysis(game, shot_path, *wait_for_warmups(*warmups, bot_warmup(game)))
        self._best_trajectory: SimulationResult = None
        """Trajectory of the candidate shown in place of the turn."""
        self.graph_area = pygame.Rect(0, 0, 0, 0)
        self.is_ruling_visible = False
        """True while the ruling is shown instead of the analysis."""

    def shown_names(self) -> Iterable[str]:
        return set(self.game.seat_names).difference(games.load(self.game.name).seat_names)

    @property
    def turn(self) -> Turn | None:
        """Turn shown."""
        return self.turns[self.list.index] if self.turns else None

    @property
    def action_turn(self) -> Turn | None:
        """Turn of the action whose result is shown, which is analysed."""
        return self.turn

    def _actions_shown(self, turn: Turn) -> Sequence[Turn]:
        """Turns of the actions whose results are shown with a turn."""
        return (turn,)

    def _turns_to_analyse(self) -> Sequence[Turn]:
        return self.turns

    def _on_select(self, index: int) -> None:
        """Select another turn, shown at its end."""
        self._best_trajectory = None
        self.toolbar.show(self._make_clock(self.turns[index].result), at_end=not self.position_analysis.is_visible)

    @property
    def playback(self) -> PlaybackClock | None:
        """Playback of the turn or candidate shown; None if nothing moves."""
        return self.toolbar.clock

    @property
    def is_animating(self) -> bool:
        return self.playback is not None and not self.playback.is_paused

    @property
    def may_analyse(self) -> bool:
        """True if analysis helps no player: the game is over, or only recorded."""
        return bool(self.turns) and (self._resume_from is None or self.turns[-1].verdict.ruling.is_over)

    def analyse(self) -> None:
        """Analyse the game; once that is done, show the best flick of the turn."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
        elif self.game_analysis is None:
            self.game_analysis = game_analysis.GameAnalysis(self.game, self._turns_to_analyse(), self._warmups)
            self.app.layout_screen(self)
        else:
            self._show_best()

    @property
    def _is_analysis_visible(self) -> bool:
        """True while the analysis is shown beside the table."""
        return self.game_analysis is not None or self.position_analysis.is_visible

    def toggle_ruling(self) -> None:
        """Toggle between ruling and analysis."""
        self.is_ruling_visible = not self.is_ruling_visible and self._is_analysis_visible

    def toggle_evaluation(self, kind: str) -> None:
        """Toggle the evaluation bar, or the map, of the position before the turn."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
            return
        self.position_analysis.toggle(kind)
        self._on_select(self.list.index)
        self.app.layout_screen(self)

    def show_candidate(self) -> None:
        """Show the selected candidate without noise."""
        if not self.position_analysis.simulate_candidate():
            self.app.show_notice("F8 shows the best flicks; then V plays the chosen one.")

    def update(self, dt: float) -> None:
        """Advance the analyses; show the candidate of the turn once it is simulated."""
        if self.game_analysis is not None:
            self.game_analysis.update()
        analysis = self.position_analysis
        turn = self.action_turn if analysis.is_visible else None
        analysis.set_state(None if turn is None else turn.before, dt)
        if (result := analysis.take_trajectory()) is not None:
            self._show_trajectory(result)

    def _show_trajectory(self, result: SimulationResult) -> None:
        """Play the trajectory of a candidate in place of the turn."""
        self._best_trajectory, self.toolbar.clock = result, self._make_clock(result)

    def _show_best(self) -> None:
        """Show the best candidate of the turn, simulated without noise."""
        review, turn = self._turn_review(), self.action_turn
        assert self.game_analysis is not None
        assert turn is not None
        if self.game_analysis.review_of(turn) is None:
            self.app.show_notice("This turn is not analysed yet.")
        elif review is None or not review.is_significant:
            self.app.show_notice("Of this turn there is nothing better to show.")
        elif (result := self.game_analysis.best_trajectory(turn, review)) is None:
            self.app.show_notice("What is better stands beside the table: only flicks are shown.")
        else:
            self._show_trajectory(result)

    def _turn_review(self) -> ReviewedTurn | None:
        """Review of the action shown; None without one."""
        if self.game_analysis is None or self.action_turn is None:
            return None
        review = self.game_analysis.review_of(self.action_turn)
        return review if isinstance(review, ReviewedTurn) else None

    def _make_clock(self, result: SimulationResult) -> PlaybackClock | None:
        """Playback of a result; None if it is no trajectory."""
        return Playback(result, self.toolbar.rate) if isinstance(result, Trajectory) else None

    def _back_to_turn(self) -> None:
        """Return to the turn from a candidate that is shown or being simulated."""
        self.position_analysis.cancel_simulation()
        self._on_select(self.list.index)

    def _go_to_graph_turn(self, x: float) -> None:
        """Select the turn at a point of the graph."""
        if self.game_analysis is not None:
            number = game_analysis.turn_at(self.graph_area, self.game_analysis, x, self.app.scale)
            last_actions = map(self._last_action_number, self.turns)
            self.list.select(next((k for k, last in enumerate(last_actions) if last >= number), len(self.turns) - 1))

    def _last_action_number(self, turn: Turn) -> int:
        """Turn number of the last action shown with a turn of the list."""
        return self._actions_shown(turn)[-1].number

    def _list_number(self, index: int) -> int:
        """Number by which a turn of the list is told."""
        return self.turns[index].number

    def _show_analysis(self) -> None:
        """Show the analysis in place of the ruling; start it, or show the best flick."""
        self.is_ruling_visible = False
        self.analyse()

    def _draw_analysis_overlay(self, canvas: Canvas, view: TableView) -> None:
        """Draw evaluation bar, candidate arrows, and the caption of a candidate shown."""
        review, turn = self._turn_review(), self.action_turn
        column = pygame.Rect(0, view.area.y, canvas.px(BAR_COLUMN_WIDTH), view.area.h)
        if self.position_analysis.is_bar_visible:
            self.position_analysis.draw_bar(canvas, column)
        elif review is not None and self.game_analysis is not None:
            before = self.position_analysis.is_map_visible and self.toolbar.is_at_start
            game_analysis.draw_bar(canvas, column, self.game_analysis, review, before=before)
        with canvas.clipped(view.unobstructed):
            if self._best_trajectory is None and self.position_analysis.is_map_visible and self.toolbar.is_at_start:
                self.position_analysis.draw_overlay(canvas, view.camera)
            elif self._best_trajectory is None and review is not None and turn is not None:
                game_analysis.draw_arrows(canvas, view.camera, view.unobstructed, turn, review)
            elif self._best_trajectory is not None:
                draw_shown_caption(canvas, view.unobstructed)

    def _draw_analysis(self, canvas: Canvas, analysis: game_analysis.GameAnalysis, turn: Turn, bottom: int) -> int:
        """Draw the graph and the text of a turn, above a height. Return their lower end [pixels]."""
        last = len(self.turns) - 1
        ticks = {self._last_action_number(self.turns[k]): self._list_number(k) for k in (0, last // 2, last)}
        game_analysis.draw_graph(canvas, self.graph_area, analysis, turn, ticks)
        rect, y = self.graph_area, self.graph_area.bottom + canvas.px(8)
        if self.is_ruling_visible:
            return y
        for sentence in game_analysis.turn_text(analysis.review_of(turn), is_done=analysis.is_done):
            height = min(3 * canvas.line_height(14), bottom - y)
            if height >= canvas.line_height(14):
                y = canvas.paragraph(sentence, pygame.Rect(rect.x, y, rect.w, height), 14)
        if analysis.is_done and bottom - y >= canvas.line_height(13):
            canvas.text(game_analysis.accuracy_text(analysis), (rect.x, y), 13, palette.MUTED_TEXT)
            y += canvas.line_height(13)
        return y + canvas.px(8)

    def close(self) -> None:
        """Cancel the analysis."""
        self.position_analysis.shut_down()
        if self.game_analysis is not None:
            self.game_analysis.cancel()
