"""Widgets, canvas, palettes, keys, sounds and the player's files, which all screens share.

What most screens use is imported from here; the rest from its module.
"""

from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form, place_at_bottom, place_in_grid, place_in_row
from flicksim.gui.toolkit.image_files import Frame
from flicksim.gui.toolkit.key_bindings import KeyBinding, KeyMap
from flicksim.gui.toolkit.palette import Colour
from flicksim.gui.toolkit.preferences import Gesture, Preferences
from flicksim.gui.toolkit.scroll import RowList, RowMetrics, ScrollArea
from flicksim.gui.toolkit.sounds import SoundCue, Sounds
from flicksim.gui.toolkit.surface_cache import cached_surface
from flicksim.gui.toolkit.widgets import PRESS_KEYS, Button, Choice, ListBox, TextField, Widget
from flicksim.gui.toolkit.worker_process import WorkerProcess

__all__ = [
    "PRESS_KEYS", "Button", "Canvas", "Choice", "Colour", "Form", "Frame", "Gesture", "KeyBinding", "KeyMap",
    "ListBox", "Preferences", "RowList", "RowMetrics", "ScrollArea", "SoundCue", "Sounds", "TextField", "Widget",
    "WorkerProcess", "cached_surface", "place_at_bottom", "place_in_grid", "place_in_row",
]  # fmt: skip
