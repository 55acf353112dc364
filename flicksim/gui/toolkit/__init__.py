"""Widgets, canvas, palettes, keys, sounds and the player's files, which all screens share.

What most screens use is imported from here; the rest from its module.
"""

from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form, place_at_bottom, place_in_grid
from flicksim.gui.toolkit.image_files import Frame, save_png
from flicksim.gui.toolkit.key_bindings import BOARD_KEYS, GLOBAL_KEYS, KEY_MAPS, KeyBinding, KeyMap, common_action
from flicksim.gui.toolkit.numeric_slider import NumericSlider, SliderSpec
from flicksim.gui.toolkit.palette import Colour
from flicksim.gui.toolkit.preferences import PACES, Gesture, Preferences
from flicksim.gui.toolkit.scroll import RowList, RowMetrics, ScrollArea
from flicksim.gui.toolkit.sounds import SoundCue, Sounds
from flicksim.gui.toolkit.surface_cache import cached_surface, surface_of
from flicksim.gui.toolkit.translation import Untranslated, translate
from flicksim.gui.toolkit.user_folders import ensure_folder, keep_file, user_folder
from flicksim.gui.toolkit.widgets import PRESS_KEYS, Button, Checkbox, Choice, Field, ListBox, TextField, Widget
from flicksim.gui.toolkit.worker_process import WorkerProcess
