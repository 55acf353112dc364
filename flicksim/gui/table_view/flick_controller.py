"""Input controller of flicks: keys and mouse become an aim, and the aim a flick."""

from math import cos, dist, sin

import msgspec
import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.units import deg2rad
from flicksim.gui.table_view import shot_painter
from flicksim.gui.table_view.aim import Aim, friction_deceleration, middle_of
from flicksim.gui.table_view.aim_controller import START_STEP, AimController
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.gestures import GestureNoise, ShotSpread
from flicksim.gui.table_view.shot_painter import first_contact, stop_position
from flicksim.gui.toolkit import BOARD_KEYS, Canvas, Colour, palette
from flicksim.match import Match
from flicksim.referee import MIN_FLICK_SPEED, FlickRange
from flicksim.render import Camera
from flicksim.scene import Flick, Piece, Trajectory, sliding_speed

_ANGLE_STEP, _SPEED_STEP, _OFFSET_STEP = deg2rad(1.0), 0.05, 0.05
"""Steps of one key press: azimuth [rad], speed [m/s], offset [radii]; with Shift a tenth of it."""


class FlickController(AimController[Aim]):
    """Controller of the flicks of a match.

    Args:
        match, view, gesture_noise: see `AimController`.
    """

    keys = BOARD_KEYS

    def __init__(self, match: Match, view: TableView, gesture_noise: GestureNoise) -> None:
        super().__init__(match, view, gesture_noise)
        self._free_cache: tuple[Flick, Trajectory | None] | None = None

    def select(self, flick_range: FlickRange) -> None:
        """Select a piece, aimed straight ahead to travel half the table's length."""
        state, scene, rules = self._match.state, self.scene, self._match.rules
        start: Point | None = None
        if flick_range.start:
            default_start = getattr(rules, "default_start", None)
            start = default_start(state) if default_start else middle_of(flick_range.start)
        speed, azimuth = max(flick_range.speed[0], MIN_FLICK_SPEED), sum(flick_range.azimuth) / 2.0
        setup = rules.simulation_setup(state, Flick(piece=flick_range.piece, speed=speed, azimuth=azimuth, start=start))
        piece = (setup[0] if setup is not None else scene).piece(flick_range.piece)
        ys = [p[1] for p in scene.surface.outline]
        speed = sliding_speed(0.6 * (max(ys) - min(ys)), friction_deceleration(piece, scene.surface))
        self.aim = Aim(flick_range, start, piece, speed)
        self.check_legality()

    def free_trajectory(self) -> Trajectory | None:
        """Trajectory of the flick on an otherwise empty table; simulated again only when the aim changes."""
        if self.aim is None:
            return None
        flick = self.aim.shot
        if self._free_cache is None or self._free_cache[0] != flick:
            free_scene = msgspec.structs.replace(self.scene, pieces=(self.aim.piece_at_start,))
            try:
                result = self._match.simulator.simulate(free_scene, flick)
            except FlicksimError:
                result = None
            self._free_cache = (flick, result if isinstance(result, Trajectory) else None)
        return self._free_cache[1]

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
            if is_other and self.is_on_piece(self.aim, self._start_of(flick_range), position):
                self.select(flick_range)
                return True
        return False

    def _start_of(self, flick_range: FlickRange) -> Point:
        piece = flick_range.piece
        return self.scene.piece(piece).position if self.scene.has(piece) else (1e9, 1e9)

    def _pull_speed(self, strength: float) -> float:
        assert self.aim is not None
        return max(MIN_FLICK_SPEED, strength * self.aim.flick_range.speed[1])

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw_spread(self, canvas: Canvas, camera: Camera, spread: ShotSpread | None) -> None:
        """Draw the spread of the flick's noise, under the pieces."""
        if self.aim is not None and spread is not None and (free := self.free_trajectory()) is not None:
            end = stop_position(free)[0]
            shot_painter.draw_spread(canvas, camera, self.aim.contact_point, end, spread, self._aim_colour)

    def draw(self, canvas: Canvas, camera: Camera, spread: ShotSpread | None) -> None:
        """Draw the aimed piece, its path where there is no spread, and the pull."""
        if self.aim is None:
            return
        view = self._view
        if self.aim.flick_range.start:
            view.painter.draw_zone(canvas, camera, self.aim.flick_range.start)
        for flick_range in self.flick_ranges:
            if flick_range.piece != self.aim.flick_range.piece:
                center = camera.to_screen(self._start_of(flick_range))
                radius = self.aim.piece.radius * camera.zoom + canvas.px(3)
                canvas.circle(center, radius, palette.TABLE_MUTED_TEXT, canvas.px(1.5))
        piece, colour = self.aim.piece_at_start, self._aim_colour
        start, radius = camera.to_screen(self.aim.contact_point), piece.radius * camera.zoom
        free = self.free_trajectory()
        if spread is None and free is not None:
            self._draw_path(canvas, camera, piece, free, colour)
        view.painter.draw_piece(canvas, camera, msgspec.structs.replace(piece, angle=0.0))
        canvas.circle(start, radius + canvas.px(3), colour, canvas.px(2))
        if spread is not None:
            shot_painter.draw_noise_ring(canvas, start, radius, spread)
        _draw_nail(canvas, start, radius, self.aim, colour, camera.rotation)
        if spread is not None and free is not None:
            shot_painter.draw_distance_beyond(canvas, camera, self.aim.contact_point, stop_position(free)[0])
        if camera is view.camera:
            self.slingshot.draw(canvas)

    def _draw_path(
        self, canvas: Canvas, camera: Camera, piece: Piece, free: Trajectory, colour: palette.Colour
    ) -> None:
        """Draw the path on the free board, its stopping point, and the first contact with a piece on the table."""
        a, radius, (end, falls) = camera.to_screen(piece.position), piece.radius * camera.zoom, stop_position(free)
        b = camera.to_screen(end)
        length = dist(a, b)
        ux, uy = ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length > 1e-9 else (0.0, -1.0)
        corridor_colour = palette.mix(palette.board_colour(free.before.surface.material), colour, 0.35)
        for s in (radius, -radius):  # the corridor the piece needs
            offset = (-s * uy, s * ux)
            canvas.line(
                (a[0] + offset[0], a[1] + offset[1]), (b[0] + offset[0], b[1] + offset[1]), corridor_colour, 1.0
            )
        canvas.dashed_line(a, b, colour, max(1.5, canvas.px(2)), canvas.px(5))
        if falls:
            at = (b[0], b[1] - canvas.px(8))
            canvas.text("off the board", at, 12, palette.BAD, bold=True, anchor="midbottom")
        else:
            canvas.circle(b, max(radius, 3.0), colour, max(1.0, canvas.px(1.6)))
        contact = first_contact(piece.position, end, piece, self.scene.pieces)
        if contact is not None:
            canvas.circle(camera.to_screen(contact), max(radius, 3.0), palette.LIGHT_TEXT, max(1.0, canvas.px(1.6)))


def _draw_nail(canvas: Canvas, position: Point, radius: float, aim: Aim, colour: Colour, rotation: float) -> None:
    """Draw the nail: an arrow head behind the piece, at the nail's offset."""
    angle = aim.azimuth + rotation
    ux, uy = cos(angle), -sin(angle)
    lx, ly = -sin(angle), -cos(angle)  # to the left of the direction, on the screen
    back = radius * (1.0 - aim.offset**2) ** 0.5 + canvas.px(3)
    tip = (position[0] + lx * aim.offset * radius - ux * back, position[1] + ly * aim.offset * radius - uy * back)
    length, half_width = canvas.px(13), canvas.px(5)
    tail = (tip[0] - ux * length, tip[1] - uy * length)
    left, right = ((tail[0] + s * lx * half_width, tail[1] + s * ly * half_width) for s in (1.0, -1.0))
    canvas.polygon([tip, left, right], colour)
