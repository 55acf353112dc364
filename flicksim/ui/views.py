"""The one place that knows what a table is drawn by: with a pot on it a mat, else a board."""

from __future__ import annotations

from collections.abc import Sequence

from flicksim.table import Surface
from flicksim.ui.table_painter import TablePainter
from flicksim.ui.table_view import TableView
from flicksim.ui.winks.painter import WinkPainter
from flicksim.ui.winks.view import WinkView


def view_of(seats: Sequence[str], surface: Surface, near: str = "") -> TableView:
    """Where such a table is seen (see `TableView`)."""
    return WinkView(seats, surface) if surface.pot is not None else TableView(seats, surface, near)


def painter_of(seats: Sequence[str], surface: Surface) -> TablePainter:
    """What such a table is drawn by."""
    return WinkPainter(seats) if surface.pot is not None else TablePainter(seats)
