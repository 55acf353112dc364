"""Mutable context used while one action of tiddlywinks is adjudicated."""

import msgspec

from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State
from flicksim.referee import Reason
from flicksim.scene import Scene


class AdjudicationContext:
    """Mutable scene, score book and reasons of one adjudication, filled step by step.

    Args:
        state: before the action. scene: after the simulation.
    """

    def __init__(self, state: State, scene: Scene) -> None:
        self.options: Options = state.options
        self.scene = scene
        self.initial_book: Book = state.book
        self.book: Book = state.book
        self.reasons: list[Reason] = []

    def add_reason(self, rule: str, text: str) -> None:
        """Append a reason."""
        self.reasons.append(Reason(rule, text))

    def update_book(self, **changes: object) -> None:
        """Change the score book."""
        self.book = msgspec.structs.replace(self.book, **changes)

    def newly_potted(self) -> tuple[str, ...]:
        """Winks potted by this action, in order."""
        return tuple(wink for wink in self.book.potted if wink not in self.initial_book.potted)

    def squops(self) -> Squops:
        """Squop relations of the winks as they lie now."""
        return Squops(self.scene, self.book)
