"""Base class of aim controllers: selection, legality, pull back and release."""

from math import dist
from typing import Generic, TypeVar

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.core.units import mm
from flicksim.gui.table_view.aim import AimBase
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.gestures import GestureNoise
from flicksim.gui.table_view.painter import scene_of
from flicksim.gui.table_view.slingshot import Slingshot
from flicksim.gui.toolkit import Colour, KeyMap, palette
from flicksim.match import Match
from flicksim.referee import FlickRange
from flicksim.scene import Scene

START_STEP = mm(2.0)
"""Step of a start by one key press [m]; with Shift a tenth of it."""
ARROW_DIRECTIONS = {
    pygame.K_LEFT: (-1.0, 0.0),
    pygame.K_RIGHT: (1.0, 0.0),
    pygame.K_UP: (0.0, 1.0),
    pygame.K_DOWN: (0.0, -1.0),
}
"""Direction in which an arrow key moves a start."""

AimT = TypeVar("AimT", bound=AimBase)


class AimController(Generic[AimT]):
    """Aim controller of a match.

    Args:
        match: to be played. view: of the table. gesture_noise: of the person who aims.
    """

    keys: KeyMap
    """Key bindings of the table."""

    def __init__(self, match: Match, view: TableView, gesture_noise: GestureNoise) -> None:
        self._match, self._view = match, view
        self.flick_ranges: tuple[FlickRange, ...] = ()
        self.aim: AimT | None = None
        self.error = ""
        self.slingshot = Slingshot(
            view, self._pull_speed, lambda: self.contact_point, gesture_noise, on_change=self.check_legality,
            on_click=self._clicked,
        )  # fmt: skip

    # -- overridden by table ----------------------------------------------------------------------------------------

    def select(self, flick_range: FlickRange) -> None:
        """Select this piece with a default aim."""
        raise NotImplementedError

    def _default_range(self) -> FlickRange:
        """Flick range selected first."""
        return self.flick_ranges[0]

    def _handle_key(self, aim: AimT, event: pygame.event.Event, step: float) -> bool:
        """Handle a key of this table; a tenth of the step with Shift."""
        raise NotImplementedError

    def _select_at(self, position: tuple[int, int]) -> bool:
        """Select another piece under the mouse; return True if the press is used up."""
        raise NotImplementedError

    def _pull_speed(self, strength: float) -> float:
        """Speed of a pull, 0 to 1 [m/s]."""
        raise NotImplementedError

    def _clicked(self, position: tuple[int, int]) -> None:
        """Handle a click without a pull."""

    # -- selection ------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """Pieces on the table."""
        scene = scene_of(self._match.state)
        assert scene is not None, "only pieces are flicked"
        return scene

    def refresh(self) -> None:
        """Load the legal flicks and select the default one; no aim if there are none."""
        self.clear()
        self.flick_ranges = self._match.legal_actions().flicks if not self._match.is_over else ()
        self.slingshot.is_dragging = False
        self.error = ""
        if self.flick_ranges:
            self.select(self._default_range())

    def clear(self) -> None:
        """Remove the aim."""
        self.flick_ranges, self.aim, self.slingshot.pull = (), None, None

    def check_legality(self) -> None:
        """Check the legality of the shot aimed."""
        if self.aim is None:
            return
        try:
            self._match.rules.check_action(self._match.state, self.aim.shot)
            self.error = ""
        except (FlicksimError, ValueError) as error:
            self.error = str(error)

    @property
    def intended_shot(self) -> Action:
        """Shot of the present aim; None without one."""
        return self.aim.shot if self.aim is not None else None

    def take_shot(self) -> Action:
        """Shot to be played; None without an aim."""
        return self.intended_shot

    @property
    def _aim_colour(self) -> Colour:
        return palette.TABLE_BAD if self.error else palette.HIGHLIGHT

    def set_shot(self, shot: Action) -> None:
        """Set the aim to a given shot (a hint)."""
        flick_range = next((flick_range for flick_range in self.flick_ranges if flick_range.piece == shot.piece), None)
        if flick_range is None:
            return
        self.select(flick_range)
        assert self.aim is not None
        self.aim.copy_shot(shot)
        self.check_legality()

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key; return True if it changed the aim."""
        aim = self.aim
        if aim is None:
            return False
        event = self._view.to_player_direction(event)
        factor = 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        if event.mod & pygame.KMOD_CTRL and event.key in ARROW_DIRECTIONS:
            dx, dy = ARROW_DIRECTIONS[event.key]
            aim.move_start(dx * START_STEP * factor, dy * START_STEP * factor)
        elif self.keys.match(event)[0] == "next" and len(self.flick_ranges) > 1:
            step = -1 if event.mod & pygame.KMOD_SHIFT else 1
            self.select(self.flick_ranges[(self.flick_ranges.index(aim.flick_range) + step) % len(self.flick_ranges)])
        elif not self._handle_key(aim, event, factor):
            return False
        self.check_legality()
        return True

    def handle_mouse(self, event: pygame.event.Event) -> Action:
        """Handle the mouse; return the shot when a pull is released, else None."""
        if self.aim is None:
            return None
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1:
            return self.take_shot() if self.slingshot.handle_mouse(event, self.aim) else None
        if self._view.contains(event.pos) and not self._select_at(event.pos):
            aim = self.aim
            is_placing = aim.start is not None and self.is_on_piece(aim, aim.contact_point, event.pos)
            self.slingshot.mouse_down(aim, event.pos, is_placing=is_placing)
        return None

    def is_on_piece(self, aim: AimT, place: Point, position: tuple[int, int]) -> bool:
        """Return True if a point of the screen is on a piece like the aimed one, that lies at a place [m]."""
        reach = aim.piece.radius * self._view.camera.zoom + 4.0 * self.slingshot.scale
        return dist(position, self._view.camera.to_screen(place)) <= reach

    @property
    def is_pulling(self) -> bool:
        """True while the mouse pulls back."""
        return self.slingshot.pull is not None

    @property
    def contact_point(self) -> Point | None:
        """Contact point of the selected piece [m]; None without one."""
        return self.aim.contact_point if self.aim is not None else None

    def cancel(self) -> bool:
        """Stop pulling; return True if a pull had begun."""
        return self.slingshot.cancel(self.aim)
