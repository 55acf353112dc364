"""No window and no sound in the tests, whatever the machine has; the same examples in every run."""

import os

from hypothesis import settings

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)
os.environ.pop("FLICKSIM_HOME", None)  # with a dummy driver nothing of the player's own is read or written

settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")
