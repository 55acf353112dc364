"""Makes a scene move until it rests. The only room that knows pymunk; it knows no rules and rolls no dice."""

from flicksim.physics.batch import Flicks, Launches, Settled, SettledLaunches, SettledMats, Squidges, settle_many
from flicksim.physics.plan import PlanWorld
from flicksim.physics.settings import Settings
from flicksim.physics.settle import settle

__all__ = [
    "Flicks", "Launches", "PlanWorld", "Settings", "Settled", "SettledLaunches", "SettledMats", "Squidges", "settle",
    "settle_many",
]  # fmt: skip
