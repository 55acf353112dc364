"""Something that goes along with a match and says its piece on a floating card: a challenge, a lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pygame

from flicksim.base.kinds import Action, State
from flicksim.play import Turn
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas

_WIDE, _PAD = 460.0, 12.0
"""Greatest width of a card, and its margin [units]."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A flick that is shown as an arrow, and made where somebody wants to see it.

    Args:
        action: the flick. label: beside its arrow. hand: grade of the hand that makes it.
        onward: what is done in a state, the flick first.
    """

    action: Action
    label: str
    hand: str
    onward: Callable[[State, np.random.Generator], Action]


class Beside:
    """Goes along with the match on a table. The table tells it of every turn that has been seen, and asks it what Esc
    means."""

    head, says, note = "", "", ""
    """Words on the card: a title, a sentence or two, and a smaller line."""
    told = ""
    """The last flick told, which goes along from one table to the next."""
    hints = True
    """True if the table may give hints meanwhile."""
    plan: Plan | None = None
    """Flick that the table shows; none is."""
    done = False
    """True if the card shows that something was done."""

    def __init__(self) -> None:
        self._room = pygame.Rect(0, 0, 1, 1)
        self.rect = pygame.Rect(0, 0, 0, 0)

    def seen(self, turns: Sequence[Turn], *, quiet: bool) -> None:
        """These turns have been seen; quiet: nothing is being settled or shown just now."""

    def advance(self, dt: float) -> None:
        """Let time go on [s]."""

    def shown(self) -> None:
        """The plan is being made."""

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key before the table does; true where it was for the card."""
        del event
        return False

    def leave(self) -> None:
        """Esc was pressed where the table had no use for it."""

    def place(self, room: pygame.Rect) -> None:
        """Float within a part of the window."""
        self._room = room

    def draw(self, canvas: Canvas) -> None:
        """The card, as high as its words need."""
        pad = canvas.px(_PAD)
        wide = min(canvas.px(_WIDE), self._room.w)
        room = wide - 2 * pad
        says = canvas.wrapped(self.says, room, 15)
        note = canvas.wrapped(self.note, room, 13) if self.note else []
        high = canvas.high(17) + len(says) * canvas.high(15) + len(note) * canvas.high(13) + 2 * pad
        self.rect = pygame.Rect(self._room.right - wide, self._room.bottom - high - pad, wide, high)
        canvas.veil(self.rect.move(0, canvas.px(3)), palette.SHADE, 90)
        canvas.box(self.rect, palette.PANEL, 10, palette.GOOD if self.done else palette.ACCENT)
        x, y = self.rect.x + pad, self.rect.y + pad
        canvas.text(self.head, (x, y), 15, palette.GOOD if self.done else palette.ACCENT, bold=True, within=room)
        y += canvas.high(17)
        for words, size, colour in ((says, 15, palette.TEXT), (note, 13, palette.FAINT)):
            for line in words:
                canvas.text(line, (x, y), size, colour)
                y += canvas.high(size)
