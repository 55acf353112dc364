"""Makes a scene move until it rests. The only room that knows pymunk; it knows no rules and rolls no dice."""

from flicksim.physics.plan import PlanWorld, settle
from flicksim.physics.settings import Settings

__all__ = ["PlanWorld", "Settings", "settle"]
