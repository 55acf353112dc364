"""Input controller of tiddlywinks: keys and mouse become an aim, and the aim a squidge."""

from math import cos, dist, hypot, sin

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.core.type_aliases import Action
from flicksim.core.units import deg2rad, mm
from flicksim.games.tiddlywinks.candidate_shots import BACKSPIN, SQUOP_ELEVATIONS, pot_elevations, squop_tumble
from flicksim.gui.game_views.tiddlywinks import KEY_MAP
from flicksim.gui.game_views.tiddlywinks.painter import WinkPainter, wink_at
from flicksim.gui.game_views.tiddlywinks.squidge_aim import PILE_SLIDERS, SLIDERS, SquidgeAim
from flicksim.gui.table_view import AimController, GestureNoise, ShotSpread, TableView, change_by_key, shot_painter
from flicksim.gui.table_view.aim import middle_of
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match
from flicksim.referee import MIN_SQUIDGE_SPEED, FlickRange
from flicksim.render import Camera, stacking_order
from flicksim.scene import Piece, Pot, Squidge

_MAX_SPEED = 6.0
"""Highest speed of a pull [m/s]."""


class SquidgeController(AimController[SquidgeAim]):
    """Controller of the aim of squidges in a match.

    Args:
        match, view, gesture_noise: see `AimController`. target: id of the wink at which an aim begins; empty: it begins
            at the pot.
    """

    keys = KEY_MAP

    def __init__(self, match: Match, view: TableView, gesture_noise: GestureNoise, target: str = "") -> None:
        super().__init__(match, view, gesture_noise)
        self.notice = ""
        self._first_target, self._target = target, 0
        self._last_shot: dict[int, SquidgeAim] = {}
        self._suggestion: tuple[float, float] | None = None
        """Elevation [rad] and backspin [rad/s] that were suggested last, to be replaced for another target."""

    # -- state ----------------------------------------------------------------------------------------------------

    @property
    def pot(self) -> Pot | None:
        """The pot."""
        return self.scene.surface.pot

    def refresh(self) -> None:
        self.notice = ""
        super().refresh()

    def _default_range(self) -> FlickRange:
        """Legal squidges of the wink nearest to the pot, before those that wait behind a line."""
        distances = {span.piece: hypot(*self.scene.piece(span.piece).position) for span in self.flick_ranges}
        return min(self.flick_ranges, key=lambda span: (bool(span.start), 0.0 if span.start else distances[span.piece]))

    def select(self, flick_range: FlickRange) -> None:
        """Select a wink, aimed at the first target with the last squidger."""
        state, scene = self._match.state, self.scene
        piece, start = scene.piece(flick_range.piece), None
        last_shot = self._last_shot.get(piece.owner or 0)
        usual = mm(getattr(state.options, "squidger_diameter_mm", 38.1))
        diameter = last_shot.squidger if last_shot is not None else usual
        if flick_range.start and flick_range.piece in state.book.behind:
            start = middle_of(flick_range.start)
        self.aim = SquidgeAim(flick_range, piece, start, diameter, self.pot)
        self._suggestion = self.aim.elevation, self.aim.tumble
        if last_shot is not None:
            self.aim.elevation, self.aim.tumble = max(last_shot.elevation, deg2rad(30.0)), last_shot.tumble
            self._suggestion = None
        targets = self.targets()
        self._target = next((k for k, (name, *_) in enumerate(targets) if name == self._first_target), 0)
        if not (self.aim_at(*targets[self._target]) if self._target else self.aim_at_pot()):
            self.aim.aim_at((0.0, 0.0), 0.0)
        self.check_legality()

    def aim_at_pot(self) -> bool:
        """Aim to come down inside the pot."""
        aim, pot = self.aim, self.pot
        if aim is None or pot is None:
            return False
        elevation = pot_elevations(dist(aim.contact_point, pot.position))[0]
        is_suggested, rising = self._suggest(elevation, BACKSPIN), aim.elevation
        while rising <= deg2rad(85.0):
            aim.elevation = rising
            reached = aim.aim_at(pot.position, pot.height + aim.piece.thickness / 2.0)
            if is_suggested:
                self._suggestion = aim.elevation, aim.tumble
            if reached and aim.arc.end_surface == "in":
                return True
            rising += deg2rad(2.5)
        return False

    def _suggest(self, elevation: float, tumble: float) -> bool:
        """Set the usual elevation [rad] and backspin [rad/s] for a target; return False if the player set others."""
        aim = self.aim
        assert aim is not None
        if (aim.elevation, aim.tumble) != self._suggestion:
            return False
        aim.elevation, aim.tumble = elevation, tumble
        return True

    def targets(self) -> list[tuple[str, Point, float]]:
        """Targets of the aim: the pot, then other winks in play, the nearest first: name, position, height [m]."""
        aim, state = self.aim, self._match.state
        assert aim is not None
        here = aim.contact_point
        winks = [p for p in self.scene.pieces if state.book.in_play(p.id) and p.id != aim.piece.id]
        winks.sort(key=lambda p: (p.owner is not None and (p.owner - (aim.piece.owner or 0)) % 2 == 0,
                                  hypot(p.x - here[0], p.y - here[1])))  # fmt: skip
        half = aim.piece.thickness / 2.0
        return [("the pot", (0.0, 0.0), -1.0), *((p.id, p.position, p.highest + half) for p in winks)]

    def aim_at(self, name: str, point: Point, height: float) -> bool:
        """Aim to come down on a target; return False if it is out of reach."""
        aim = self.aim
        if aim is None:
            return False
        if name == "the pot":
            reached = self.aim_at_pot()
        else:
            is_suggested = self._suggest(SQUOP_ELEVATIONS[0], squop_tumble(dist(aim.contact_point, point)))
            reached = aim.aim_at(point, height)
            self._suggestion = (aim.elevation, aim.tumble) if is_suggested else self._suggestion
        target = name.replace("-", " ").capitalize() if "-" in name else name
        self.notice = f"Aimed at {target}." if reached else f"From here {target} cannot be reached."
        self.check_legality()
        return reached

    def take_shot(self) -> Action:
        """Squidge to be played; its values are the defaults of the next aim."""
        if self.aim is not None:
            self._last_shot[self.aim.piece.owner or 0] = self.aim
        return super().take_shot()

    # -- keys -----------------------------------------------------------------------------------------------------

    def _handle_key(self, aim: SquidgeAim, event: pygame.event.Event, step: float) -> bool:
        command, direction = self.keys.match(event)
        match command:
            case "turn":
                aim.rotate(-deg2rad(1.0) * direction * step)
            case "reset":
                self._last_shot.pop(aim.piece.owner or 0, None)
                self.select(aim.flick_range)
            case "pot":
                self._target = 0
                self.aim_at(*self.targets()[0])
            case "target":
                targets = self.targets()
                self._target = (self._target + (-1 if event.mod & pygame.KMOD_SHIFT else 1)) % len(targets)
                self.aim_at(*targets[self._target])
            case _:
                numbers = (*SLIDERS, *(PILE_SLIDERS if aim.is_on_pile else ()))
                return change_by_key(numbers, aim, command, direction * step)
        return True

    # -- mouse ----------------------------------------------------------------------------------------------------

    def _select_at(self, position: tuple[int, int]) -> bool:
        wink = self._wink_at(position)
        return wink is not None and self._select_clicked(wink)

    def _select_clicked(self, piece: Piece) -> bool:
        """Handle a click; return True if it selected a wink, or showed why that cannot be played."""
        span = next((span for span in self.flick_ranges if span.piece == piece.id), None)
        if span is not None:
            is_other = self.aim is None or span.piece != self.aim.piece.id
            if is_other:
                self.select(span)
            return is_other
        state = self._match.state
        if piece.owner != state.to_play or not self.flick_ranges:
            return False
        squidge = Squidge(piece=piece.id, speed=1.0, azimuth=0.0, elevation=deg2rad(45.0))
        try:
            self._match.rules.check_action(state, squidge)
            self.error = ""
        except FlicksimError as error:
            self.error = str(error)
        return True

    def _wink_at(self, position: tuple[int, int]) -> Piece | None:
        return wink_at(self._view.camera, stacking_order(self.scene.pieces), position, 3.0 * self.slingshot.scale)

    def _pull_speed(self, strength: float) -> float:
        return max(MIN_SQUIDGE_SPEED, round(strength * _MAX_SPEED, 4))

    def _clicked(self, position: tuple[int, int]) -> None:
        """Aim at the clicked target: the pot, a wink, or the bare mat."""
        place = self._view.camera.to_table(position)
        pot, wink = self.pot, self._wink_at(position)
        assert self.aim is not None
        if pot is not None and hypot(place[0] - pot.x, place[1] - pot.y) <= pot.top_radius:
            self.aim_at("the pot", pot.position, -1.0)
        elif wink is not None and wink.id != self.aim.piece.id:
            self.aim_at(wink.id, wink.position, wink.highest + self.aim.piece.thickness / 2.0)
        elif wink is None and is_inside_convex(place, self.scene.surface.outline):
            self.aim_at("that place", place, 0.0)

    # -- drawing --------------------------------------------------------------------------------------------------

    def draw_spread(self, canvas: Canvas, camera: Camera, painter: WinkPainter, spread: ShotSpread | None) -> None:
        """Draw the spread of the shots on the mat, before the winks; nothing without execution noise."""
        aim = self.aim
        if aim is not None and spread is not None:
            with painter.pot_preserved(canvas, camera):
                path = (aim.contact_point, aim.landing_point)
                shot_painter.draw_spread(canvas, camera, *path, spread, self._aim_colour)

    def draw(self, canvas: Canvas, camera: Camera, painter: WinkPainter, spread: ShotSpread | None) -> None:
        """Draw the aimed wink, its predicted path, the squidger, and the pull.

        Args:
            canvas, camera, painter: where to draw. spread: of the shots; None without execution noise.
        """
        aim = self.aim
        assert aim is not None
        start, end = camera.to_screen(aim.contact_point), camera.to_screen(aim.landing_point)
        r = aim.piece.radius * camera.zoom
        colour = self._aim_colour
        if spread is None:
            canvas.dashed_line(start, end, colour, max(1.5, canvas.px(2)), canvas.px(5))
            canvas.circle(end, max(r, 4.0), colour, max(1.0, canvas.px(1.6)))
            canvas.disc(end, canvas.px(2), colour)
        else:
            shot_painter.draw_noise_ring(canvas, start, max(r, 3.0), spread)
        if aim.start is not None:
            painter.draw_piece(canvas, camera, aim.piece_at_start)
        canvas.circle(start, max(r, 3.0) + canvas.px(3), colour, canvas.px(2))
        # the squidger's rim, pressed on the wink from behind
        wide = aim.squidger / 2.0 * camera.zoom
        ux, uy = cos(aim.azimuth + camera.rotation), -sin(aim.azimuth + camera.rotation)
        back = (start[0] - ux * (wide + 0.4 * r), start[1] - uy * (wide + 0.4 * r))
        pale = palette.mix(palette.LIGHT_TEXT, palette.PANEL, 0.25)
        canvas.circle(back, max(wide, 4.0), pale, max(1.0, canvas.px(1.3)))
        if wide > canvas.px(32) and canvas.surface.get_clip().inflate(-canvas.px(60), 0).collidepoint(back):
            canvas.text("squidger", back, 11, pale, anchor="center")
        if spread is not None:
            shot_painter.draw_distance_beyond(canvas, camera, aim.contact_point, aim.landing_point)
        if camera is self._view.camera:
            self.slingshot.draw(canvas)
