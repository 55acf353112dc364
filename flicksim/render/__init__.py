"""Rendering of scenes and trajectories as display lists, painted by Pillow or pygame.

`draw` and `draw_frames` make display lists in pixels and colours; `pillow_backend` paints them with Pillow alone,
so that images need no window. The window has a renderer of its own; tests compare boards and mats of both.
"""

from flicksim.render import colours, procedural_textures, table_tops
from flicksim.render.camera import Camera, best_quarter_turns, fit_around, fit_camera
from flicksim.render.card_zones import PlaceOfCards, draw_card_places
from flicksim.render.charts import WinChanceSeries, value_heatmap, win_chance_chart
from flicksim.render.display_list import (
    Bitmap,
    Disc,
    DisplayList,
    Label,
    Pixels,
    Polygon,
    Polyline,
    Primitive,
    dashed_line,
)
from flicksim.render.moving_pieces import pieces_at, stacking_order, top_of, winks_at
from flicksim.render.pieces import (
    MIN_PIPS_WIDTH,
    TRANSLUCENCY,
    draw_pyramid_shadow,
    draw_pyramid_side,
    inset_triangles,
    visible_sides,
)
from flicksim.render.scenes import DEFAULT_SEAT_NAMES, Drawable, draw, draw_frames, draw_paths

__all__ = [
    "DEFAULT_SEAT_NAMES", "MIN_PIPS_WIDTH", "TRANSLUCENCY", "Bitmap", "Camera", "Disc", "DisplayList", "Drawable",
    "Label", "Pixels", "PlaceOfCards", "Polygon", "Polyline", "Primitive", "WinChanceSeries", "best_quarter_turns",
    "colours", "dashed_line", "draw", "draw_card_places", "draw_frames", "draw_paths", "draw_pyramid_shadow",
    "draw_pyramid_side", "fit_around", "fit_camera", "inset_triangles", "pieces_at", "procedural_textures",
    "stacking_order", "table_tops", "top_of", "value_heatmap", "visible_sides", "win_chance_chart", "winks_at",
]  # fmt: skip
