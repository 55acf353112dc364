"""Self-reported disturbance: pieces moved by a hand go back to where they lay (ITW-3a)."""

import msgspec

from flicksim.core.errors import IllegalAction
from flicksim.games.ice.state import Disturb, State
from flicksim.referee import ActionField, SelfReport
from flicksim.scene import PyramidScene


def self_reports(state: State, seat: int | None) -> tuple[SelfReport, ...]:
    """Self-reports after the last landings: pieces that were moved by a hand, of the seat that acted before them."""
    moved = _moved_pieces(state)
    if not moved or state.options.disturb == "stands":
        return ()
    field = ActionField(field="pieces", prompt="Which pieces did a hand move?", kind="some", options=moved)
    text = "A hand moved pieces as the last missile came down: they go back."
    return (SelfReport(text=text, action=Disturb(pieces=()), fields=(field,), seat=seat),)


def _moved_pieces(state: State) -> tuple[str, ...]:
    """Pieces played before that were displaced or removed by the last landings."""
    former = state.former
    if former is None:
        return ()
    flying = {launch.piece for launch in state.aloft}
    return tuple(
        name
        for name in former.committed
        if name not in flying
        and former.scene.has(name)
        and not (state.scene.has(name) and state.scene.piece(name) == former.scene.piece(name))
    )


def check_disturb(state: State, action: Disturb) -> None:
    """Check a self-reported disturbance.

    Raises:
        IllegalAction: the pieces were not moved, or cannot be restored beside the others.
    """
    if state.options.disturb == "stands":
        raise IllegalAction("ITW-3a", "pieces that a hand moved lie as they lie, by option disturb=stands")
    moved = _moved_pieces(state)
    if not action.pieces:
        raise IllegalAction("ITW-3a", "no piece is named; say which a hand moved")
    for name in action.pieces:
        if name not in moved:
            listed = ", ".join(map(repr, moved)) or "none"
            raise IllegalAction("ITW-3a", f"{name!r} was not moved as the last missile came down; moved were {listed}")
    assert state.former is not None
    scene = _restored_scene(state, action.pieces)
    named, former_scene = frozenset(action.pieces), state.former.scene
    for piece in scene.pieces:
        for support in piece.rests_on:
            if piece.id in named and not (scene.has(support) and scene.piece(support) == former_scene.piece(support)):
                raise IllegalAction("ITW-3a", f"{piece.id!r} rested on {support!r}, which lies otherwise; name both")
            if support in named and piece.id not in named:
                raise IllegalAction("ITW-3a", f"{support!r} cannot go back: {piece.id!r} rests on it")
    if problems := scene.problems():
        raise IllegalAction("ITW-3a", f"{' and '.join(map(repr, action.pieces))} cannot go back: {problems[0]}")


def _restored_scene(state: State, names: tuple[str, ...]) -> PyramidScene:
    assert state.former is not None
    scene = state.scene
    for name in names:
        scene = scene.with_piece(state.former.scene.piece(name))
    return scene


def restore_pieces(state: State, names: tuple[str, ...]) -> State:
    """Restore pieces to their former places, in play and in no seat's hand, without the final count."""
    hands = tuple(tuple(name for name in hand if name not in names) for hand in state.hands)
    loaded = tuple(None if name in names else name for name in state.loaded)
    return msgspec.structs.replace(
        state, scene=_restored_scene(state, names), hands=hands, loaded=loaded, final=None,
        committed=tuple(sorted({*state.committed, *names})),
        lift=tuple(name for name in state.lift if name not in names),
    )  # fmt: skip
