"""Position being edited: validity and undo stack, and the pieces of a scene; without a screen."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import cos, dist, hypot, sin

from flicksim.core.errors import FlicksimError, InvalidScene
from flicksim.core.geometry import Point, is_inside_convex
from flicksim.core.type_aliases import InitialState, Position, State
from flicksim.gui.table_view import match_text
from flicksim.referee import Game, ScenePositionEditor
from flicksim.scene import FULL_TURN

_MESSAGE_PATTERNS = tuple((re.compile(pattern), template) for pattern, template in (
    (r"'([\w-]+)' and '([\w-]+)' overlap by .*", "{0} and {1} lie in the same place. Drag one of them aside."),
    (r"'([\w-]+)' goes through the pot's wall.*",
     "{0} lies in the wall of the pot. Drag it a little farther out, or right into the pot."),
    (r"'([\w-]+)' at .* off the surface", "{0} lies off the table. Drag it back onto it."),
))  # fmt: skip
"""Patterns of scene errors and their messages for players."""
_FIELD_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in (
    (r"^to_play is (seat \d+)", r"\1 is to play"),
    (r", so to_play is \d+", ", so that seat is to play"),
    (r"^dealer is", "the dealer is"),
    (r"^'by' of (group \d+) is", r"a card of \1 is from"),
    (r"^lacks are of", "numbers known to be missing are of"),
    (r"^known are of", "cards known to be held are of"),
    (r"^max_players=(\d+) keeps (\d+) players from the table", r"the table is for \1 players at most, not \2"),
    (r"^packs=(\d+) gives", r"with \1 packs there are"),
    (r"\bset=(\d+)", r"a set up to \1-\1"),
))  # fmt: skip
"""Patterns of the fields of position notations and of options, and what players call them."""


def plain_message(problem: str) -> str:
    """Convert an error of a scene to a sentence for players."""
    for pattern, template in _MESSAGE_PATTERNS:
        if (hit := pattern.fullmatch(problem)) is not None:
            text = template.format(*map(match_text.piece_text, hit.groups()))
            return text[:1].upper() + text[1:]
    for pattern, words in _FIELD_PATTERNS:
        problem = pattern.sub(words, problem)
    text = re.sub(r"'([a-z]+(?:-[a-z]+)*-\d+|white)'", lambda hit: match_text.piece_text(hit[1]), problem)
    return match_text.with_card_symbols(text[:1].upper() + text[1:]) + "." * bool(text)


class EditedPosition:
    """Position being edited.

    Args:
        game: with a position editor. position: initial one. history: undo stack. on_change: called after a change.
    """

    def __init__(
        self, game: Game, position: Position, history: Sequence[Position], on_change: Callable[[], None]
    ) -> None:
        assert game.position_editor is not None
        assert game.positions is not None
        self._game, self._notation, self._on_change = game, game.positions, on_change
        self.spec = game.position_editor
        self.position: Position = position
        self.history: list[Position] = list(history)
        """Undo stack."""
        self.state: State = None
        """State of the position; None if it is invalid."""
        self.error = ""
        """Reason why the position is invalid; empty if it is valid."""
        self._validate()

    def _validate(self) -> None:
        """Rebuild the state if the position is valid."""
        try:
            self.state, _ = self._notation.start_state(self.position)
            self.error = ""
        except InvalidScene as error:
            self.state, self.error = None, error.problems[0]
        except FlicksimError as error:
            self.state, self.error = None, str(error)
        self.error = plain_message(self.error)

    @property
    def seat_count(self) -> int:
        """Number of seats of the position, or of the game's own if it is invalid."""
        if isinstance(seats := getattr(self.position, "seats", None), int):  # also of an invalid one
            return seats
        with suppress(FlicksimError):
            return len(self._game.rules.scores(self._notation.to_state(self.position)))
        return len(self._game.rules.scores(self._notation.to_state(self.spec.empty_position())))

    @property
    def seat(self) -> int | None:
        """Seat to play; None if the position is invalid."""
        return None if self.state is None else self._game.rules.to_play(self.state)

    # -- changes --------------------------------------------------------------------------------------------------

    def replace(self, position: Position) -> None:
        """Set another position; the present one goes to the undo stack."""
        if position != self.position:
            self.history.append(self.position)
            self.position = position
            self._validate()
            self._on_change()

    def undo(self) -> None:
        """Undo the last change."""
        if self.history:
            self.position = self.history.pop()
            self._validate()
            self._on_change()


class EditedScene(EditedPosition):
    """Position of pieces being edited (see `EditedPosition`)."""

    spec: ScenePositionEditor
    scene: InitialState
    selected: str | None = None

    def _validate(self) -> None:
        """Rebuild the scene, and the state if the position is valid."""
        super()._validate()
        self.scene = self.spec.to_scene(self.position) if self.state is None else self.state.scene
        if self.selected is not None and not self.scene.has(self.selected):
            self.selected = None

    @property
    def selected_position(self) -> Point | None:
        """Position of the selected piece [m]; None without one."""
        if self.selected is None or not self.scene.has(self.selected):
            return None
        point: Point = self.scene.piece(self.selected).position
        return point

    # -- changes --------------------------------------------------------------------------------------------------

    def place_piece(self, piece: str, point: Point) -> None:
        """Place a piece [m]; off the table it is removed."""
        if is_inside_convex(point, self.scene.surface.outline):
            self.replace(self.spec.place_piece(self.position, piece, point))
            self.selected = piece if self.scene.has(piece) else None
        elif self.scene.has(piece):
            self.replace(self.spec.remove_piece(self.position, piece))

    def select_next(self) -> None:
        """Select the next piece on the table."""
        names = [piece.id for piece in self.scene.pieces]
        index = names.index(self.selected) + 1 if self.selected in names else 0
        self.selected = names[index % len(names)] if names else None

    # -- places ---------------------------------------------------------------------------------------------------

    def free_spot(self, near: Point, radius: float) -> Point | None:
        """Free spot for a piece of a radius nearest to a point [m]; None without one."""
        (x, y), spacing, outline = near, 2.2 * radius, self.scene.surface.outline
        pot = getattr(self.scene.surface, "pot", None)
        occupied = [(piece.position, spacing) for piece in self.scene.pieces]
        occupied += [(pot.position, spacing + pot.top_radius)] if pot is not None else []
        rings = int(max(hypot(a - x, b - y) for a, b in outline) / spacing) + 1
        for ring in range(2 * rings):
            for turn in range(max(1, 3 * ring)):
                angle = FULL_TURN * turn / max(1, 3 * ring)
                spot = (x + 0.5 * spacing * ring * cos(angle), y + 0.5 * spacing * ring * sin(angle))
                is_free = all(dist(spot, center) >= clearance for center, clearance in occupied)
                if is_free and is_inside_convex(spot, outline):
                    return spot
        return None

    @property
    def focus(self) -> Point | None:
        """Point for a close-up [m]: the selected piece, the pot, or the middle of the pieces; None without any."""
        pot = getattr(self.scene.surface, "pot", None)
        if self.selected is not None or pot is None:
            xs, ys = ([piece.position[k] for piece in self.scene.pieces] for k in (0, 1))
            middle = (sum(xs) / len(xs), sum(ys) / len(ys)) if xs else None
            return self.selected_position or middle
        point: Point = pot.position
        return point
