"""Tables, motions and launches as pictures: described once, as marks, and painted by whichever brush is at hand.

`picture` and `frames` say what is to be seen, in pixels and colours; `brush` paints it with Pillow alone, so that
pictures need no window. The window has painters of its own; tests hold boards and mats of both side by side.
"""

from flicksim.drawing.camera import Camera
from flicksim.drawing.marks import Drawing, Mark
from flicksim.drawing.scenes import Shown, frames, picture

__all__ = ["Camera", "Drawing", "Mark", "Shown", "frames", "picture"]
