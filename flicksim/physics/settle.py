"""The one question to this room: what comes of this flick?"""

from __future__ import annotations

from typing import overload

from flicksim.base.errors import BadFlick
from flicksim.physics.launch import settle_launch, settle_volley
from flicksim.physics.plan import settle_flick
from flicksim.physics.settings import Settings
from flicksim.physics.squidge import settle_squidge
from flicksim.table.flick import Flick, Squidge
from flicksim.table.landing import Landing, Landings
from flicksim.table.launch import Launch, Volley
from flicksim.table.motion import Motion
from flicksim.table.pyramid_scene import PyramidScene
from flicksim.table.scene import Scene


@overload
def settle(scene: Scene, flick: Flick | Squidge, settings: Settings | None = None) -> Motion: ...
@overload
def settle(scene: PyramidScene, flick: Launch, settings: Settings | None = None) -> Landing: ...
@overload
def settle(scene: PyramidScene, flick: Volley, settings: Settings | None = None) -> Landings: ...
def settle(
    scene: Scene | PyramidScene, flick: Flick | Squidge | Launch | Volley, settings: Settings | None = None
) -> Motion | Landing | Landings:
    """Flick a piece and let the table come to rest. Pure: the same scene, flick and settings give the same bits.

    Raises:
        BadScene: pieces overlap, lie off the surface, or have unknown materials.
        BadFlick: the piece is not there, or cannot be put where the flick starts.
        Unsettled: it would not come to rest; names what still moved.
    """
    settings = settings or Settings()
    if isinstance(scene, PyramidScene):
        if isinstance(flick, Launch):
            return settle_launch(scene, flick, settings)
        if isinstance(flick, Volley):
            return settle_volley(scene, flick, settings)
        raise BadFlick(f"{flick.piece!r} is a pyramid's; pyramids are launched, not flicked")
    if isinstance(flick, Launch | Volley):
        raise BadFlick("a launch needs a table with pyramids, not a board with flat pieces")
    if isinstance(flick, Squidge):
        return settle_squidge(scene, flick, settings)
    return settle_flick(scene, flick, settings)
