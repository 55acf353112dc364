"""Everything here runs without a screen or a loudspeaker."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ.pop("DISPLAY", None)
os.environ.pop("WAYLAND_DISPLAY", None)
