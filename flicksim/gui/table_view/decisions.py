"""Display of decisions of any game: text, and the piece or place concerned."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

import msgspec

from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import Action
from flicksim.core.units import to_mm
from flicksim.match import Match
from flicksim.render import Camera
from flicksim.scene import Piece, Scene


@dataclass(frozen=True, slots=True)
class Decision:
    """One legal action with its text and place.

    Args:
        action: of the decision. text: describes it. piece_id: piece on the table it names.
        placed_piece: piece it would place.
    """

    action: Action
    text: str
    piece_id: str | None = None
    placed_piece: Piece | None = None

    @property
    def short_text(self) -> str:
        """Short text of a decision: the piece or the place, or else its whole text."""
        if self.piece_id is not None:
            return self.piece_id.replace("-", " ").capitalize()
        piece = self.placed_piece
        if piece is not None:
            return f"{piece.id.capitalize()} at {to_mm(piece.x):.0f}, {to_mm(piece.y):.0f} mm"
        return self.text


def decisions(match: Match) -> tuple[Decision, ...]:
    """List the legal decisions. Text and places come from applying the rules."""
    return tuple(_describe(match, action) for action in match.legal_actions().actions)


def _describe(match: Match, action: Action) -> Decision:
    scene, piece_id = match.state.scene, None
    if isinstance(action, msgspec.Struct):
        strings = [name for name in msgspec.structs.astuple(action) if isinstance(name, str)]
        piece_id = next((name for name in strings if scene.has(name)), None)
    try:
        if match.rules.simulation_setup(match.state, action) is not None:  # its outcome needs a simulation
            return Decision(action, str(action), piece_id)
        verdict = match.rules.judge(match.state, action, None)
        text = verdict.reasons[0].text if verdict.reasons else str(action)
        after = match.rules.next_state(match.state, None, verdict).scene
    except FlicksimError:
        return Decision(action, str(action), piece_id)
    placed = next((piece for piece in after.pieces if not scene.has(piece.id)), None)
    return Decision(action, text, piece_id, placed)


def decision_at(
    decisions: Sequence[Decision], scene: Scene, camera: Camera, position: tuple[int, int], tolerance: float
) -> int | None:
    """Number of the decision whose piece or place lies under a point of the screen, within `tolerance` [pixels]."""
    hits: list[tuple[float, int]] = []
    for k, decision in enumerate(decisions):
        piece = decision.placed_piece if decision.piece_id is None else scene.piece(decision.piece_id)
        if piece is not None:
            distance = dist(position, camera.to_screen(piece.position))
            if distance <= piece.radius * camera.zoom + tolerance:
                hits.append((distance, k))
    return min(hits)[1] if hits else None
