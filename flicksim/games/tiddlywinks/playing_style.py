"""Playing styles of bots: weights of control and points."""

from __future__ import annotations

from flicksim.core.serialization import Value


class Style(Value, frozen=True, kw_only=True):
    """Playing style: values of winks, in points of an adjudication.

    Args:
        pot_value: value of a potted wink; it scores 3 at the end.
        squop_value: loss of value of a covered wink: at 1 it is worthless, above that the hold itself has a value.
        uses_squops: whether squops are candidates at all.
    """

    pot_value: float
    squop_value: float
    uses_squops: bool = True


STYLES_BY_NAME = {
    "double-squop": Style(pot_value=2.5, squop_value=1.8),
    "pot-squop": Style(pot_value=3.0, squop_value=1.2),
    "pot": Style(pot_value=3.0, squop_value=0.0, uses_squops=False),
}
"""Styles by name. double-squop: control before potting; pot-squop: both alike; pot: never squops on purpose, as a
baseline."""
DEFAULT_STYLE = "double-squop"
