"""The camera of pictures, as the window looks through it."""

from flicksim.drawing import Camera, fit, lying

__all__ = ["Camera", "fit", "lying"]
