"""`simulate`: one flick, squidge, launch or volley, from its scene to the table at rest."""

from __future__ import annotations

from typing import overload

from flicksim.core.errors import InvalidAction
from flicksim.engine.planar_world import simulate_flick
from flicksim.engine.pyramid_launch import check_launch, simulate_launch, simulate_volley
from flicksim.engine.settings import Settings
from flicksim.engine.squidge import scene_at_start, simulate_squidge
from flicksim.scene.flick import Flick, Squidge
from flicksim.scene.launch import Launch, Volley
from flicksim.scene.launch_trajectory import LaunchTrajectory, VolleyTrajectory
from flicksim.scene.pyramid_scene import PyramidScene
from flicksim.scene.scene import Scene
from flicksim.scene.trajectory import Trajectory


@overload
def simulate(scene: Scene, flick: Flick | Squidge, settings: Settings | None = None) -> Trajectory: ...
@overload
def simulate(scene: PyramidScene, flick: Launch, settings: Settings | None = None) -> LaunchTrajectory: ...
@overload
def simulate(scene: PyramidScene, flick: Volley, settings: Settings | None = None) -> VolleyTrajectory: ...
def simulate(
    scene: Scene | PyramidScene, flick: Flick | Squidge | Launch | Volley, settings: Settings | None = None
) -> Trajectory | LaunchTrajectory | VolleyTrajectory:
    """Simulate one shot until the table is at rest. Pure: the same scene, flick and settings give the same bits.

    Raises:
        InvalidScene: pieces overlap, are off the surface, or have unknown materials.
        InvalidAction: the piece is absent, or cannot be placed where the flick starts.
        DidNotSettle: the table did not come to rest; names the pieces that still moved.
    """
    settings = settings or Settings()
    if isinstance(scene, PyramidScene):
        if isinstance(flick, Launch):
            return simulate_launch(scene, flick, settings)
        if isinstance(flick, Volley):
            return simulate_volley(scene, flick, settings)
        raise InvalidAction(f"{flick.piece!r} is a pyramid's; pyramids are launched, not flicked")
    if isinstance(flick, Launch | Volley):
        raise InvalidAction("a launch needs a table with pyramids, not a board with flat pieces")
    if isinstance(flick, Squidge):
        return simulate_squidge(scene, flick, settings)
    return simulate_flick(scene, flick, settings)


def check_shot(scene: Scene | PyramidScene, flick: Flick | Squidge | Launch | Volley) -> None:
    """Raise the error by which `simulate` refuses a squidge or a launch before it needs compiled code.

    Raises:
        InvalidScene: pyramids overlap, hang or balance.
        InvalidAction: the piece is absent, or cannot be where the shot starts.
    """
    if isinstance(scene, PyramidScene) and isinstance(flick, Launch):
        check_launch(scene, flick)
    elif isinstance(scene, Scene) and isinstance(flick, Squidge):
        scene_at_start(scene, flick)
