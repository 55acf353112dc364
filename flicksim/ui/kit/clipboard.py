"""The clipboard of the system: a text put there, and the one that lies there."""

from __future__ import annotations

import pygame


def copy(text: str) -> bool:
    """Put a text on the clipboard; false where there is none."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


def pasted() -> str:
    """The text on the clipboard; empty where there is none."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""


def pastes(event: pygame.event.Event) -> bool:
    """True of the key that pastes."""
    return (
        event.type == pygame.KEYDOWN
        and event.key == pygame.K_v
        and bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
    )
