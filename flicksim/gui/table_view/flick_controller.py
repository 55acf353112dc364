"""Input controller of flicks: keys and mouse become an aim, and the aim a flick."""

import msgspec
import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad
from flicksim.gui.table_view import shot_painter
from flicksim.gui.table_view.aim import Aim, friction_deceleration
from flicksim.gui.table_view.aim_controller import START_STEP, AimController
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.gestures import ShotSpread
from flicksim.gui.table_view.painter import scene_of
from flicksim.gui.toolkit import Canvas, palette
from flicksim.gui.toolkit.key_bindings import BOARD_KEYS
from flicksim.match import Match
from flicksim.referee import MIN_FLICK_SPEED, FlickRange
from flicksim.render import Camera
from flicksim.scene import Flick, Piece, Scene, Trajectory, sliding_speed

_ANGLE_STEP, _SPEED_STEP, _OFFSET_STEP = deg2rad(1.0), 0.05, 0.05
"""Steps of one key press: azimuth [rad], speed [m/s], offset [radii]; with Shift a tenth of it."""


class FlickController(AimController[Aim]):
    """Controller of the flicks of a match.

    Args:
        match: to be played. view: of the table.
    """

    keys = BOARD_KEYS

    def __init__(self, match: Match, view: TableView) -> None:
        super().__init__(match, view)
        self.piece: Piece | None = None
        self._free_cache: tuple[Flick, Trajectory | None] | None = None

    def select(self, flick_range: FlickRange) -> None:
        """Select a piece, aimed straight ahead to travel half the table's length."""
        state = self._match.state
        scene = scene_of(state)
        assert scene is not None
        start: Point | None = None
        if flick_range.start:
            default_start = getattr(self._match.rules, "default_start", None)
            n = len(flick_range.start)
            middle = (sum(p[0] for p in flick_range.start) / n, sum(p[1] for p in flick_range.start) / n)
            start = default_start(state) if default_start else middle
        position = scene.piece(flick_range.piece).position if start is None else start
        self.aim = Aim(flick_range, start, position, flick_range.speed[0])
        self.piece = self._piece(scene)
        ys = [p[1] for p in scene.surface.outline]
        self.aim.speed = min(
            sliding_speed(0.6 * (max(ys) - min(ys)), friction_deceleration(self.piece, scene.surface)),
            max(flick_range.speed[1], MIN_FLICK_SPEED),
        )
        self.check_legality()

    def _piece(self, scene: Scene) -> Piece:
        """Piece at the start of the aim."""
        assert self.aim is not None
        setup = self._match.rules.simulation_setup(self._match.state, self.aim.shot)
        before = setup[0] if setup is not None else scene
        assert isinstance(before, Scene)
        return before.piece(self.aim.flick_range.piece)

    def free_trajectory(self) -> Trajectory | None:
        """Trajectory of the flick on an otherwise empty table; simulated again only when the aim changes."""
        if self.aim is None or self.piece is None:
            return None
        flick = self.aim.shot
        if self._free_cache is None or self._free_cache[0] != flick:
            scene = scene_of(self._match.state)
            assert scene is not None
            free_scene = msgspec.structs.replace(scene, pieces=(self._piece_at_contact(),))
            try:
                result = self._match.simulator.simulate(free_scene, flick)
            except FlicksimError:
                result = None
            self._free_cache = (flick, result if isinstance(result, Trajectory) else None)
        return self._free_cache[1]

    def _piece_at_contact(self) -> Piece:
        assert self.aim is not None
        assert self.piece is not None
        return msgspec.structs.replace(self.piece, x=self.aim.contact_point[0], y=self.aim.contact_point[1])

    # -- keys -----------------------------------------------------------------------------------------------------

    def _handle_key(self, aim: Aim, event: pygame.event.Event, step: float) -> bool:
        action, direction = self.keys.match(event)
        match action:
            case "turn":
                aim.rotate(-direction * _ANGLE_STEP * step)
            case "push":
                aim.change_speed(-direction * _SPEED_STEP * step)
            case "shift":
                aim.move_start(direction * START_STEP * step, 0.0)
            case "lean":
                aim.change_offset(-direction * _OFFSET_STEP * step)
            case "reset":
                self.select(aim.flick_range)
            case _:
                return False
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _select_at(self, position: tuple[int, int]) -> bool:
        assert self.aim is not None
        for flick_range in self.flick_ranges:
            is_other = flick_range.piece != self.aim.flick_range.piece
            if is_other and self.is_on_piece(self._start_of(flick_range), position):
                self.select(flick_range)
                return True
        return False

    @property
    def _radius(self) -> float:
        assert self.piece is not None
        return self.piece.radius

    def _start_of(self, flick_range: FlickRange) -> Point:
        scene, piece = scene_of(self._match.state), flick_range.piece
        return scene.piece(piece).position if scene is not None and scene.has(piece) else (1e9, 1e9)

    def _pull_speed(self, strength: float) -> float:
        assert self.aim is not None
        return max(MIN_FLICK_SPEED, strength * self.aim.flick_range.speed[1])

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, camera: Camera, spread: ShotSpread | None) -> None:
        """Draw the aimed piece, its path or the spread of its noise, and the pull."""
        if self.aim is None or self.piece is None:
            return
        view = self._view
        if self.aim.flick_range.start:
            view.painter.draw_zone(canvas, camera, self.aim.flick_range.start)
        for flick_range in self.flick_ranges:
            if flick_range.piece != self.aim.flick_range.piece:
                center = camera.to_screen(self._start_of(flick_range))
                radius = self.piece.radius * camera.zoom + canvas.px(3)
                canvas.circle(center, radius, palette.TABLE_MUTED_TEXT, canvas.px(1.5))
        scene = scene_of(self._match.state)
        pieces = scene.pieces if scene is not None else ()
        shot_painter.draw_aim(
            canvas, camera, view.painter, self._piece_at_contact(), self.aim, self.free_trajectory(), pieces,
            bool(self.error), spread,
        )  # fmt: skip
        if camera is view.camera:
            self.slingshot.draw(canvas)
