"""Playing styles of bots: weights of control and points."""

from __future__ import annotations

from flicksim.core.serialization import Value


class Style(Value, frozen=True, kw_only=True):
    """Playing style: values of winks, in points of an adjudication.

    Args:
        pot_value: a wink in the pot; 3 is what it counts at the end.
        squop_value: how much a covered wink is worse than lost time: at 1 it will count nothing, above that it is a
            hold too.
        uses_squops: whether it thinks of covering winks at all.
    """

    pot_value: float
    squop_value: float
    uses_squops: bool = True


STYLES_BY_NAME = {
    "double-squop": Style(pot_value=2.5, squop_value=1.8),
    "pot-squop": Style(pot_value=3.0, squop_value=1.2),
    "pot": Style(pot_value=3.0, squop_value=0.0, uses_squops=False),
}
"""By name. Double-squop: no potting for its own sake until in control; pot-squop: both as they come; pot: a racer that
never squops on purpose, to measure the others by."""
DEFAULT_STYLE = "double-squop"
