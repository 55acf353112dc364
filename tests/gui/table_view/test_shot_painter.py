"""Spread of an aimed shot: what of it lies beyond the view is told."""

import pygame

from flicksim.gui.app import App
from flicksim.gui.table_view import ShotSpread, shot_painter
from flicksim.gui.toolkit import Canvas, palette
from flicksim.render import fit_camera


def test_an_aim_that_leaves_the_view_says_how_much_farther_it_goes(app: App) -> None:
    """The fan ran off at the edge of the window, its end out of sight."""
    del app
    outline = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5))
    for width, reach, told in ((600, 0.8, []), (600, 1.003, []), (600, 2.5, ["1500 mm farther"]), (150, 2.5, [])):
        canvas = Canvas(pygame.Surface((width, width // 2)))
        canvas.drawn_texts = []
        camera = fit_camera(outline, (0.0, 0.0, float(width), width / 2.0), 0.0)
        spread = ShotSpread(0.05, 0.05, 1.0)
        shot_painter.draw_spread(canvas, camera, (0.1, 0.25), (reach, 0.25), spread, palette.HIGHLIGHT)
        assert [said.source for said in canvas.drawn_texts] == told
        assert all(canvas.surface.get_rect().contains(said.rect) for said in canvas.drawn_texts)
