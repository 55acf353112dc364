"""The one question to this room: what comes of this flick?"""

from __future__ import annotations

from flicksim.physics.plan import settle_flick
from flicksim.physics.settings import Settings
from flicksim.physics.squidge import settle_squidge
from flicksim.table.flick import Flick, Squidge
from flicksim.table.motion import Motion
from flicksim.table.scene import Scene


def settle(scene: Scene, flick: Flick | Squidge, settings: Settings | None = None) -> Motion:
    """Flick a piece and let the table come to rest. Pure: the same scene, flick and settings give the same bits.

    Raises:
        BadScene: pieces overlap, lie off the surface, or have unknown materials.
        BadFlick: the piece is not there, or cannot be put where the flick starts.
        Unsettled: it would not come to rest; names what still moved.
    """
    settings = settings or Settings()
    if isinstance(flick, Squidge):
        return settle_squidge(scene, flick, settings)
    return settle_flick(scene, flick, settings)
