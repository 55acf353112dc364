"""Many shots at once are compiled before the first bot, hint or cloud asks for them."""

from __future__ import annotations

from flicksim.base.geometry import rectangle
from flicksim.base.units import mm
from flicksim.physics import settle_many
from flicksim.table import Piece, Scene, Squidge, Surface, samples
from flicksim.ui.kit.warming import Warming


def flick() -> None:
    """Make one flick as the batch does."""
    settle_many(*samples.sample("draw"), events=True)


def squidge() -> None:
    """Make one squidge as the batch does."""
    wink = Piece(id="wink", kind="small", x=0.0, y=0.0, radius=mm(7.9), thickness=mm(1.6), mass=0.0004, material="wink")
    mat = Surface(material="felt", outline=rectangle(1.0, 1.0, -0.5, -0.5))
    settle_many(Scene(surface=mat, pieces=(wink,)), Squidge(piece="wink", speed=0.5, azimuth=0.0))


FLICKS = Warming("bots", flick, ("batch/glide", "batch/coins"), "coins.shoot")
SQUIDGES = Warming("hints", squidge, ("flight/*", "batch/glide", "batch/lone"), "lone.shoot")
