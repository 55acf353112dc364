"""Replay of a finished game of pyramids: the landings of each turn, from above and from the side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from flicksim.core.type_aliases import SimulationResult
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import seat_areas
from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import ShotPath, TurnRenderer
from flicksim.gui.game_view_kit.scores import draw_score_line, draw_seat_mark
from flicksim.gui.game_views.ice import launch_log, side_view
from flicksim.gui.game_views.ice.camera_view import IceView, with_start_lines
from flicksim.gui.game_views.ice.launch_sequence import LaunchSequence, make_sequence
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.game_views.ice.piece_count import count_of, counted_pieces
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.playback import PlaybackClock
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.sounds import SoundCue
from flicksim.match import Turn, Warmup
from flicksim.referee import Game, Reason
from flicksim.render import Camera
from flicksim.scene import VolleyTrajectory

_END_TIME = 0.4
"""Time for which the end of a sequence is shown [s]."""


class SequenceClock(PlaybackClock):
    """Playback clock of all launches of a turn."""

    def __init__(self, sequence: LaunchSequence, rate: int) -> None:
        super().__init__(sequence.duration + _END_TIME, rate, sequence.duration)
        self.sequence = sequence


class IceReplay(ReplayScreen):
    """Replay with a list of turns with landings, the table and the side view."""

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        shown_turns = launch_log.turns_with_landings(turns)
        state = shown_turns[0].before if shown_turns else None
        self._ice_view: IceView | None = None
        if isinstance(state, State):
            seats = seat_areas(state.options, state.seats)
            surface = with_start_lines(state.scene.surface, seats, game.seat_names)
            self._ice_view = IceView(game.seat_names, surface, unmarked_lines=not state.options.markers)
        super().__init__(app, game, shown_turns, resume_from, renderer=renderer, shot_path=shot_path, warmups=warmups)
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
        moved = isinstance(result, VolleyTrajectory) and bool(result.trajectories)
        return SequenceClock(make_sequence(result), self.toolbar.rate) if moved else None

    def _sounds_between(self, start_time: float, end_time: float) -> list[SoundCue]:
        clock = self.playback
        return clock.sequence.sounds_between(start_time, end_time) if isinstance(clock, SequenceClock) else []

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        view, clock = self._ice_view, self.playback
        if view is None or not isinstance(clock, SequenceClock):
            super()._draw_view(canvas, turn)
            return
        sequence, t = clock.sequence, min(clock.time, clock.motion_duration)
        launch = sequence.launch_at(t)
        if launch is None:
            super()._draw_view(canvas, turn)
            return
        trajectory, own = sequence.trajectories[launch[0]], launch[1]
        pieces = {piece.id: piece for piece in sequence.pieces_at(t)}
        if (missile := pieces.get(trajectory.launch.piece)) is not None:
            view.close_up_center = missile.centre_of_mass[:2]
        super()._draw_view(canvas, turn)
        side_view.draw_launch(canvas, view.side_rect, trajectory, own, self.game.seat_names, view.table_rect)

    def _draw_table(self, canvas: Canvas, view: TableView, camera: Camera, turn: Turn) -> None:
        painter, clock = view.painter, self.playback
        assert isinstance(painter, IcePainter)
        if isinstance(clock, SequenceClock):
            painter.draw_sequence(canvas, camera, clock.sequence, min(clock.time, clock.motion_duration))
        else:
            is_before = self.position_analysis.is_visible and self.toolbar.is_at_start
            painter.draw_pyramids(canvas, camera, (turn.before if is_before else turn.after).scene.pieces)

    def _draw_scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Draw the standing pieces of every seat after a turn. Return the lower end [pixels]."""
        counted, names = counted_pieces(turn.after), self.game.seat_names
        texts = [f"{names[seat]} {count_of(counted, seat).points}" for seat in range(turn.after.seats)]
        draw_mark = partial(draw_seat_mark, canvas, names, 8)
        return draw_score_line(canvas, rect, texts, draw_mark, (4, 6))
