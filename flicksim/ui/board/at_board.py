"""What the tables have in common at which pieces are aimed and decisions are taken from a list: board and mat."""

from __future__ import annotations

from typing import Any

import pygame

from flicksim.ui.kit.widgets import PRESS, ListBox
from flicksim.ui.match.at_table import AtTable
from flicksim.ui.table.deciding import Decision


class AtBoard(AtTable):
    """A match in which pieces are flicked from where they lie and something may have to be decided (see `AtTable`)."""

    decisions: tuple[Decision, ...]
    _list: ListBox

    def _act(self, action: Any) -> None:
        """Do it, or keep why it cannot be done."""
        raise NotImplementedError

    def _picked(self, index: int) -> None:
        if index < len(self.decisions):
            self._act(self.decisions[index].action)

    def _advised(self, action: Any) -> None:
        """Go to the decision that was asked for as a hint."""
        for k, decision in enumerate(self.decisions):
            if decision.action == action:
                self._list.go(k)
                self._notice = "So a club player would decide."

    def _go_on(self) -> None:
        self.course.go_on()

    def _click_away(self, event: pygame.event.Event) -> None:
        """A button pressed by mouse gives the keys back to the table."""
        if event.type == pygame.MOUSEBUTTONUP and self.form.focused is not self._list:
            self.form.focus = None

    @staticmethod
    def _plain(event: pygame.event.Event) -> bool:
        """Whether a key is one that widgets use."""
        return event.key in (*PRESS, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME,
                             pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN)  # fmt: skip
