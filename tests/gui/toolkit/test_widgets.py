"""Text fields: typing and the selection of all text."""

import pygame

from flicksim.gui.app import App
from flicksim.gui.menus.welcome import WelcomeScreen

from ..conftest import Driver


def test_select_all_is_replaced_by_what_is_typed(app: App, drive: Driver) -> None:
    field = drive.show(WelcomeScreen(app)).name
    for key, text in ((pygame.K_BACKSPACE, ""), (pygame.K_DELETE, ""), (pygame.K_z, "z")):
        drive.type("ada")
        drive.key(pygame.K_a, pygame.KMOD_LCTRL)
        assert (field.text, field.is_selected) == ("ada", True)
        drive.key(pygame.K_LSHIFT)  # as before a capital
        drive.key(key, text=text)
        assert (field.text, field.is_selected) == (text, False)


def test_arrows_presses_and_a_lost_focus_end_the_selection(app: App, drive: Driver) -> None:
    screen = drive.show(WelcomeScreen(app))
    drive.type("ada")
    for leave in (
        lambda: drive.key(pygame.K_RIGHT),
        lambda: drive.click(screen.name.rect.center),
        lambda: drive.keys(pygame.K_TAB, pygame.K_TAB, pygame.K_TAB),
    ):
        drive.key(pygame.K_a, pygame.KMOD_LCTRL)
        assert screen.name.is_selected
        leave()
        drive.type("x")
        drive.key(pygame.K_BACKSPACE)
        assert screen.name.text == "ada"
