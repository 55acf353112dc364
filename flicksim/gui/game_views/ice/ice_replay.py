"""Replay and position editor of pyramids: landings of each turn from above and from the side, and edited tables."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

import pygame

from flicksim.core.geometry import Point
from flicksim.core.type_aliases import SimulationResult
from flicksim.games.ice.position import Position, empty_position
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import owner_of, seat_areas, size_of
from flicksim.gui.app import App, ShotPath, TurnRenderer
from flicksim.gui.game_views.ice import launch_log, pyramid_sprites, side_view
from flicksim.gui.game_views.ice.camera_view import IceView, with_start_lines
from flicksim.gui.game_views.ice.flight import SequenceClock, sequence_clock, shot_path
from flicksim.gui.game_views.ice.launch_log import count_of, counted_pieces
from flicksim.gui.game_views.ice.painter import IcePainter
from flicksim.gui.match.position_editor import PositionEditorScreen
from flicksim.gui.match.replay import ReplayScreen
from flicksim.gui.table_view import PlaybackClock, TableView
from flicksim.gui.toolkit import Canvas, SoundCue, palette
from flicksim.match import PYRAMID_WARMUP, Turn, Warmup
from flicksim.referee import Game, Reason
from flicksim.render import Camera
from flicksim.scene import Launch, Pyramid, Surface


class IceReplay(ReplayScreen):
    """Replay with a list of turns with landings, the table and the side view."""

    view: IceView | None
    TURN_NOUN, TURNS_NOUN = "launch", "launches"

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        shown_turns = [turn for turn in turns if launch_log.launch_outcomes(turn)] or list(turns)
        # another game with launchers has another state, of which nothing but the pieces is known here
        self._launches = {_launch_key(turn): turn for turn in turns
                          if isinstance(turn.made, Launch) and isinstance(turn.before, State)}  # fmt: skip
        self._last_numbers = list(accumulate(len(launch_log.launch_outcomes(turn)) or 1 for turn in shown_turns))
        """Number of the last launch of each turn shown, in the order in which they come down."""
        self._launch_index = 0
        """Index of the landing shown in the turn."""
        super().__init__(app, game, shown_turns, resume_from, renderer=renderer, shot_path=shot_path, warmups=warmups)
        state = shown_turns[0].before if shown_turns else None
        self.view = IceView.of_state(state, game.seat_names) if isinstance(state, State) else None

    def _actions_shown(self, turn: Turn) -> Sequence[Turn]:
        """Turns of the launches that come down in a turn; other seats may have launched since."""
        landed = [one.trajectory.launch for one in launch_log.launch_outcomes(turn)]
        keys = [(launch.piece, launch.time) for launch in landed]
        return [self._launches[key] for key in keys if key in self._launches] or [turn]

    @property
    def action_turn(self) -> Turn | None:
        if self.turn is None:
            return None
        actions = self._actions_shown(self.turn)
        return actions[min(self._launch_index, len(actions) - 1)]

    def _turns_to_analyse(self) -> Sequence[Turn]:
        return list(self._launches.values()) or self.turns

    def update(self, dt: float) -> None:
        """Advance the playback; note which launch it shows."""
        super().update(dt)
        if self.analysis.candidate is None and isinstance(clock := self.playback, SequenceClock):
            shown = clock.sequence.launch_at(clock.sequence_time)
            self._launch_index = 0 if shown is None else shown[0]

    def _turn_lines(self) -> list[str]:
        lines = (launch_log.turn_text(self.game, turn) for turn in self.turns)
        return [f"{self._numbers(k)}. {line}" for k, line in enumerate(lines)]

    def _place_text(self, turn: Turn) -> str:
        landed = len(launch_log.launch_outcomes(turn))
        what = "Turn" if not landed else "Launch" if landed == 1 else "Launches"
        return f"{what} {self._numbers(self.list.index)} of {self._last_numbers[-1]}"

    def _list_number(self, index: int) -> int:
        return self._last_numbers[index]

    def _numbers(self, index: int) -> str:
        """Numbers of the launches that come down in a turn of the list: "7", or "7–8"."""
        last = self._last_numbers[index]
        first = (self._last_numbers[index - 1] if index else 0) + 1
        return str(last) if first == last else f"{first}–{last}"

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
        view, clock = self.view, self.playback
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
            is_before = self.analysis.position.is_visible and self.toolbar.is_at_start
            painter.draw_pyramids(canvas, camera, (turn.before if is_before else turn.after).scene.pieces)

    def _points_after(self, turn: Turn) -> Sequence[Fraction]:
        """Points of what stands, which count only at the end; of another game its scores."""
        if not isinstance(turn.after, State):
            return super()._points_after(turn)
        counted = counted_pieces(turn.after)
        return [Fraction(count_of(counted, seat).points) for seat in range(turn.after.seats)]


def _launch_key(turn: Turn) -> tuple[str, float]:
    """Piece and time, which tell a launch from others; one without a time flies at the first moment allowed."""
    return turn.made.piece, turn.before.ready[turn.seat] if turn.made.time is None else turn.made.time


class _WholeTableView(IceView):
    """View of the whole table without a close-up or a side view."""

    is_table_only = True

    def fit_table(self) -> None:
        """Show the whole table, centred."""
        TableView.fit_table(self)
        self._whole_camera, self._target, self._magnifier_rect = self.camera, None, None


class IcePositionEditor(PositionEditorScreen):
    """Position editor of a game of pyramids (see `PositionEditorScreen`)."""

    view: IceView

    def __init__(self, app: App, game: Game, position: Position | None = None) -> None:
        shown_position = position if position is not None else empty_position()
        seats = seat_areas(shown_position.options, len(shown_position.left))

        def view(names: Sequence[str], surface: Surface, corner: str) -> TableView:
            del corner
            lined = with_start_lines(surface, seats, names)
            return _WholeTableView(names, lined, unmarked_lines=not shown_position.options.markers)

        super().__init__(app, game, position, view=view, shot_path=shot_path, warmups=(PYRAMID_WARMUP,))

    def max_radius(self) -> float:
        return float(self.edited.scene.kit.large.bounding_radius)

    def piece_at(self, point: Point) -> str | None:
        x, y = self.view.camera.to_screen(point)
        piece = self.view.piece_at((round(x), round(y)), self.edited.scene.pieces)
        return piece.id if piece is not None else None

    def draw_pieces(self, canvas: Canvas, camera: Camera, excluded: str | None) -> None:
        self.view.painter.draw_pyramids(
            canvas, camera, [piece for piece in self.edited.scene.pieces if piece.id != excluded]
        )

    def draw_highlight(self, canvas: Canvas, camera: Camera, name: str) -> None:
        self.view.painter.draw_outline(canvas, camera, self.edited.scene.piece(name), palette.HIGHLIGHT, 4.0)

    def draw_piece_sprite(self, name: str, size: float) -> pygame.Surface:
        """Draw a piece seen from above: as it lies, or upright as it is brought in."""
        piece: Pyramid | None = next((one for one in self.edited.scene.pieces if one.id == name), None)
        shape = self.edited.scene.kit.shape(size_of(name))
        tilt, heading = (piece.tilt, piece.heading) if piece is not None else (0.0, 0.0)
        largest = self.edited.scene.kit.large.base
        key = palette.seat_key(owner_of(name), self.game.seat_names)
        zoom = max(self.view.camera.zoom, 2.0 * size / largest)
        sprite = pyramid_sprites.pyramid_sprite(shape, zoom, key, tilt, heading + self.view.camera.rotation)
        return sprite.subsurface(sprite.get_bounding_rect())

    def make_playback(self, result: SimulationResult) -> PlaybackClock | None:
        return sequence_clock(result, 0)

    def draw_playback(self, canvas: Canvas, camera: Camera, clock: PlaybackClock) -> None:
        if isinstance(clock, SequenceClock):
            self.view.painter.draw_sequence(canvas, camera, clock.sequence, clock.sequence_time)
