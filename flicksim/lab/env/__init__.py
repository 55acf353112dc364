"""Environments for learning agents: single shots by Gymnasium, whole games by PettingZoo.

Importing this package registers `flicksim/Pot-v0`, `flicksim/Squop-v0` and `flicksim/Draw-v0` with Gymnasium.
It needs the extra `env`.
"""

from __future__ import annotations

from flicksim.base.errors import MissingExtra

try:
    from flicksim.lab.env.game_env import GameEnv, env, parallel_env
    from flicksim.lab.env.shot_env import ShotEnv, ShotVectorEnv, register
except ModuleNotFoundError as missing:
    if missing.name not in ("gymnasium", "pettingzoo"):
        raise
    raise MissingExtra("environments for learning agents", "env") from None

__all__ = ["GameEnv", "ShotEnv", "ShotVectorEnv", "env", "parallel_env", "register"]

register()
