"""Tables, motions and launches as pictures: described once, as marks, and painted by whichever brush is at hand.

`picture` and `frames` say what is to be seen, in pixels and colours; `brush` paints it with Pillow alone, so that
pictures need no window. The window has painters of its own; tests hold boards and mats of both side by side.
"""

from flicksim.drawing import colours, matter, tops
from flicksim.drawing.camera import Camera, fit, lying
from flicksim.drawing.marks import Drawing, Mark, Patch, Pixels, Sheet, Stroke
from flicksim.drawing.pieces import THROUGH, within
from flicksim.drawing.scenes import SEATS_SHOWN, Shown, frames, picture
from flicksim.drawing.worths import Course, worth_graph, worth_map

__all__ = [
    "SEATS_SHOWN", "THROUGH", "Camera", "Course", "Drawing", "Mark", "Patch", "Pixels", "Sheet", "Shown", "Stroke",
    "colours", "fit", "frames", "lying", "matter", "picture", "tops", "within", "worth_graph", "worth_map",
]  # fmt: skip
