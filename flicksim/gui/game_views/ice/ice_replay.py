"""Replay of a finished game of pyramids: the landings of each turn, from above and from the side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from flicksim.core.type_aliases import SimulationResult
from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import ShotPath, TurnRenderer
from flicksim.gui.game_view_kit.scores import draw_score_line, draw_seat_mark
from flicksim.gui.game_views.ice import launch_log, side_view
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.flight import SequenceClock, sequence_clock
from flicksim.gui.game_views.ice.launch_log import count_of, counted_pieces
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.playback import PlaybackClock
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.sounds import SoundCue
from flicksim.match import Turn, Warmup
from flicksim.referee import Game, Reason
from flicksim.render import Camera


class IceReplay(ReplayScreen):
    """Replay with a list of turns with landings, the table and the side view."""

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        shown_turns = launch_log.turns_with_landings(turns)
        super().__init__(app, game, shown_turns, resume_from, renderer=renderer, shot_path=shot_path, warmups=warmups)
        self._ice_view = IceView.of_state(shown_turns[0].before, game.seat_names) if shown_turns else None
        self.view = self._ice_view

    def _turn_line(self, turn: Turn) -> str:
        return launch_log.turn_text(self.game, turn)

    def _action_text(self, turn: Turn) -> str:
        names = self.game.seat_names
        launches = [(names[one.seat], one.trajectory.launch) for one in launch_log.launch_outcomes(turn)]
        flights = [
            f"{name} {launch_log.missile_name(one.piece)}: {launch_log.launch_numbers(one)}" for name, one in launches
        ]
        return "; ".join(flights) or f"{names[turn.seat]} {launch_log.action_text(turn)}."

    def _reasons(self, turn: Turn) -> Sequence[Reason]:
        """Reasons for what came down, without those for seats that waited."""
        reasons = [reason for one in launch_log.launch_outcomes(turn) for reason in one.reasons]
        ending = [reason for reason in turn.verdict.reasons if reason.rule.startswith("ITW-7")]
        return [*reasons, *ending] or turn.verdict.reasons

    def _make_clock(self, result: SimulationResult) -> PlaybackClock | None:
        return sequence_clock(result, self.toolbar.rate)

    def _sounds_between(self, start_time: float, end_time: float) -> list[SoundCue]:
        clock = self.playback
        return clock.sequence.sounds_between(start_time, end_time) if isinstance(clock, SequenceClock) else []

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        view, clock = self._ice_view, self.playback
        shown = clock.sequence.launch_at(clock.sequence_time) if isinstance(clock, SequenceClock) else None
        if view is None or not isinstance(clock, SequenceClock) or shown is None:
            super()._draw_view(canvas, turn)
            return
        trajectory = clock.sequence.trajectories[shown[0]]
        pieces = {piece.id: piece for piece in clock.sequence.pieces_at(clock.sequence_time)}
        if (missile := pieces.get(trajectory.launch.piece)) is not None:
            view.close_up_center = missile.centre_of_mass[:2]
        super()._draw_view(canvas, turn)
        side_view.draw_launch(canvas, view.side_rect, trajectory, shown[1], self.game.seat_names, view.surface)

    def _draw_table(self, canvas: Canvas, view: TableView, camera: Camera, turn: Turn) -> None:
        painter, clock = view.painter, self.playback
        assert isinstance(painter, IcePainter)
        if isinstance(clock, SequenceClock):
            painter.draw_sequence(canvas, camera, clock.sequence, clock.sequence_time)
        else:
            is_before = self.position_analysis.is_visible and self.toolbar.is_at_start
            painter.draw_pyramids(canvas, camera, (turn.before if is_before else turn.after).scene.pieces)

    def _draw_scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Draw the standing pieces of every seat after a turn. Return the lower end [pixels]."""
        counted, names = counted_pieces(turn.after), self.game.seat_names
        texts = [f"{names[seat]} {count_of(counted, seat).points}" for seat in range(turn.after.seats)]
        draw_mark = partial(draw_seat_mark, canvas, names, 8)
        return draw_score_line(canvas, rect, texts, draw_mark, (4, 6))
