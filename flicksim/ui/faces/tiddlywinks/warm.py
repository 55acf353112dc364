"""The flight of winks is compiled before the first shot."""

from __future__ import annotations

from flicksim.base.geometry import rectangle
from flicksim.physics import settle
from flicksim.table import Piece, Pot, Scene, Squidge, Surface
from flicksim.ui.kit.warming import Warming


def shoot() -> None:
    """Make one shot that needs all of the physics: two winks, a pot, the edge."""
    pot = Pot(height=0.0381, top_radius=0.0238, base_radius=0.0238, wall=0.0015, material="pot")
    lying = [
        Piece(id=f"wink-{k}", kind="small", x=0.1 + 0.05 * k, y=0.0, radius=0.0079, thickness=0.0016, mass=0.0004,
              material="wink")
        for k in range(2)
    ]  # fmt: skip
    surface = Surface(material="felt", outline=rectangle(1.0, 1.0, -0.5, -0.5), pot=pot)
    settle(Scene(surface=surface, pieces=tuple(lying)), Squidge(piece="wink-0", speed=0.5, azimuth=0.0))


WARMING = Warming("the flight of winks", shoot, ("flight/*",), "advance.advance")
