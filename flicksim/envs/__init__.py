"""Environments for learning agents: single shots and single seats by Gymnasium, whole games by PettingZoo.

Importing this package makes `flicksim/Pot-v1`, `flicksim/Squop-v1` and `flicksim/Draw-v1` known to `gymnasium.make` and
`gymnasium.make_vec`; every game, as `flicksim/dominoes-v1`, to `pettingzoo.make`; and one seat of it against others, as
`flicksim/dominoes-vs-v0`, to `gymnasium.make`. It needs the extra `env`.
"""

import os

from flicksim.core.errors import MissingExtra

_audio_driver = os.environ.get("SDL_AUDIODRIVER")
try:
    from flicksim.envs import game_env, shot_env, versus_env
    from flicksim.envs.game_env import GameEnv, env, parallel_env
    from flicksim.envs.shot_env import ShotEnv, ShotVectorEnv
    from flicksim.envs.versus_env import VersusEnv
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] not in ("gymnasium", "pettingzoo"):
        raise
    raise MissingExtra("an environment for learning agents", "env") from None
finally:
    # PettingZoo sets SDL's audio driver when it is imported; a window opened in the same process would be mute
    if _audio_driver is None:
        os.environ.pop("SDL_AUDIODRIVER", None)
    else:
        os.environ["SDL_AUDIODRIVER"] = _audio_driver

__all__ = ["GameEnv", "ShotEnv", "ShotVectorEnv", "VersusEnv", "env", "parallel_env"]

shot_env.register()
game_env.register()
versus_env.register()
