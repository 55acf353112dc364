"""Physics engine: simulates flicks, squidges and launches until every piece is at rest.

Deterministic: it draws no random numbers and knows no rules of games. Only this package uses pymunk.
"""

from flicksim.engine.batch import (
    DiscBatchResult,
    Flicks,
    LaunchBatchResult,
    Launches,
    Squidges,
    WinkBatchResult,
    simulate_batch,
)
from flicksim.engine.planar_world import PlanarWorld
from flicksim.engine.settings import Settings
from flicksim.engine.simulate import check_shot, simulate

__all__ = [
    "DiscBatchResult",
    "Flicks",
    "LaunchBatchResult",
    "Launches",
    "PlanarWorld",
    "Settings",
    "Squidges",
    "WinkBatchResult",
    "check_shot",
    "simulate",
    "simulate_batch",
]  # fmt: skip
