"""A hearing: what has been found so far while one action is judged. It lives for that judgement and no longer."""

from __future__ import annotations

from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import Book, State, replace_book
from flicksim.referee import Reason
from flicksim.table import Scene


class Hearing:
    """Collects, step by step, where winks come to lie, what the book then says, and why.

    Args:
        state: as it stood. scene: as it lies when judging begins.
    """

    def __init__(self, state: State, scene: Scene) -> None:
        self.options: Options = state.options
        self.scene = scene
        self.was: Book = state.book
        self.book: Book = state.book
        self.reasons: list[Reason] = []

    def say(self, rule: str, says: str) -> None:
        """Give a reason."""
        self.reasons.append(Reason(rule=rule, says=says))

    def enter(self, **changes: object) -> None:
        """Change the book."""
        self.book = replace_book(self.book, **changes)

    def newly_potted(self) -> tuple[str, ...]:
        """Winks this action has potted, in order."""
        return tuple(wink for wink in self.book.potted if wink not in self.was.potted)

    def squops(self) -> Squops:
        """The winks that each wink covers, as they lie now."""
        return Squops(self.scene, self.book)
