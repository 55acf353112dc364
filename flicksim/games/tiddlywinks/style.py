"""The aims of a bot: control first, control and points, or points alone."""

from __future__ import annotations

from flicksim.base.codec import Value


class Style(Value, frozen=True, kw_only=True):
    """Worth of winks to it, in points of an adjudication.

    Args:
        potted: a wink in the pot; 3 is what it counts at the end.
        cover: how much a covered wink is worse than lost time: at 1 it will count nothing, above that it is a hold too.
        squops: whether it thinks of covering winks at all.
    """

    potted: float
    cover: float
    squops: bool = True


STYLES_BY_NAME = {
    "double-squop": Style(potted=2.5, cover=1.8),
    "pot-squop": Style(potted=3.0, cover=1.2),
    "pot": Style(potted=3.0, cover=0.0, squops=False),
}
"""By name. Double-squop: no potting for its own sake until in control; pot-squop: both as they come; pot: a racer that
never squops on purpose, to measure the others by."""
USUAL = "double-squop"
