"""The world of pyramids in space is compiled before the first launch."""

from __future__ import annotations

from flicksim.physics import settle
from flicksim.table import samples
from flicksim.ui.kit.warming import Warming


def shoot() -> None:
    """Make one launch onto a table on which something lies."""
    settle(*samples.launch())


WARMING = Warming("the flight of pyramids", shoot, ("space/*",), "advance.advance")
