"""A cloth as it lay when a turn was over."""

from __future__ import annotations

from flicksim.play import Turn
from flicksim.referee import Game
from flicksim.ui.cards.cloth import Cloth
from flicksim.ui.cards.course import closed


def lay_open(cloth: Cloth, game: Game, turn: Turn, seat: int | None) -> None:
    """Show a cloth as it lay when a turn was over, with one seat's hand open or none."""
    view = game.rules.view
    state = cloth.laid(turn) if closed(turn) is not None else turn.after
    shown = view(state, seat) if seat is not None else view(view(state, 0), 1)
    cloth.show(shown, seat, choosing=False, made=turn.made)
