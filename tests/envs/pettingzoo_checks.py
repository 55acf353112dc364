"""PettingZoo's own tests. To import them loads a game of its own that warns of how PettingZoo makes it."""

import warnings

import flicksim.envs  # noqa: F401 - first, for it puts back what PettingZoo changes in the environment

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "The old environment creation API has been deprecated", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

__all__ = ["api_test", "parallel_api_test", "parallel_seed_test", "render_test", "seed_test"]
