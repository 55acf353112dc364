"""System clipboard for text."""

import pygame


def copy(text: str) -> bool:
    """Copy a text to the clipboard; return False without a clipboard."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


def paste() -> str:
    """Text on the clipboard; empty if there is none."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""


def is_paste_key(event: pygame.event.Event) -> bool:
    """True of the key that pastes."""
    is_v = event.type == pygame.KEYDOWN and event.key == pygame.K_v
    return is_v and bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
