"""Rendering of scenes and trajectories as display lists, painted by Pillow or pygame.

`draw` and `draw_frames` make display lists in pixels and colours; `pillow_backend` paints them with Pillow alone,
so that images need no window. The window has a renderer of its own; tests compare boards and mats of both.
"""

from flicksim.render import colours, procedural_textures, table_tops
from flicksim.render.camera import Camera, best_quarter_turns, fit_camera
from flicksim.render.charts import WinChanceSeries, value_heatmap, win_chance_chart
from flicksim.render.display_list import Bitmap, Disc, DisplayList, Label, Pixels, Polygon, Polyline, Primitive
from flicksim.render.pieces import TRANSLUCENCY, inset_triangles
from flicksim.render.scenes import DEFAULT_SEAT_NAMES, Drawable, draw, draw_frames, draw_paths

__all__ = [
    "DEFAULT_SEAT_NAMES",
    "TRANSLUCENCY",
    "Bitmap",
    "Camera",
    "Disc",
    "DisplayList",
    "Drawable",
    "Label",
    "Pixels",
    "Polygon",
    "Polyline",
    "Primitive",
    "WinChanceSeries",
    "best_quarter_turns",
    "colours",
    "draw",
    "draw_frames",
    "draw_paths",
    "fit_camera",
    "inset_triangles",
    "procedural_textures",
    "table_tops",
    "value_heatmap",
    "win_chance_chart",
]  # fmt: skip
