"""Table view: painter, camera, aiming, playback, sounds and text of a table of flicks.

What most screens use is imported from here; the rest from its module.
"""

from flicksim.gui.table_view.aim import attribute_slider, change_by_key
from flicksim.gui.table_view.aim_controller import AimController
from flicksim.gui.table_view.camera_view import Magnifier, TableView
from flicksim.gui.table_view.decisions import Decision
from flicksim.gui.table_view.effects import interpolate
from flicksim.gui.table_view.gestures import GestureNoise, ShotSpread
from flicksim.gui.table_view.hints import Hint, OutcomeScatter, compute_hint, execution_noise_of
from flicksim.gui.table_view.key_moments import event_sounds
from flicksim.gui.table_view.painter import TablePainter, draw_impact_ring, scene_of
from flicksim.gui.table_view.playback import Playback, PlaybackClock
from flicksim.gui.table_view.side_panel import draw_sentences
from flicksim.gui.table_view.side_plane import SidePlane, draw_predicted_arc, ground_colour, inner_rect
from flicksim.gui.table_view.slingshot import MouseKey
