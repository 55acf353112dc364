"""PettingZoo's own tests; importing them loads a game that warns."""

import warnings

import flicksim.envs  # noqa: F401 - first, for it puts back what PettingZoo changes in the environment

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "The old environment creation API has been deprecated", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

__all__ = ["api_test", "parallel_api_test", "parallel_seed_test", "render_test", "seed_test"]
