"""How the player at this window likes it: kept while the window is open."""

from __future__ import annotations

from dataclasses import dataclass

PACES = ((1.0, "calm"), (0.45, "brisk"), (0.0, "at once"))
"""How long the others' moves stay to be seen, beside the usual time."""


@dataclass(slots=True)
class Taste:
    """Likings.

    Args:
        four: a colour for each suit. quiet: no sounds. by_suit: the hand sorted by suit, not by rank.
        pace: which of PACES the others play at.
    """

    four: bool = False
    quiet: bool = False
    by_suit: bool = False
    pace: int = 0

    @property
    def wait(self) -> float:
        """Share of the usual time that moves of others stay."""
        return PACES[self.pace][0]

    def faster(self) -> str:
        """The next pace. Returns it in words."""
        self.pace = (self.pace + 1) % len(PACES)
        return PACES[self.pace][1]
