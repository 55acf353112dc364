"""Makes a scene move until it rests. The only room that knows pymunk; it knows no rules and rolls no dice."""

from flicksim.physics.plan import PlanWorld
from flicksim.physics.settings import Settings
from flicksim.physics.settle import settle

__all__ = ["PlanWorld", "Settings", "settle"]
