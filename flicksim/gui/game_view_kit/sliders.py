"""Sliders of the attributes of an aim."""

from __future__ import annotations

from collections.abc import Callable

from flicksim.gui.toolkit.numeric_slider import AimT, SliderSpec


def attribute_slider(
    name: str, keys: str, limits: tuple[float, float], step: float, attribute: str, text: Callable[[float], str], *,
    is_clamped: bool = False, is_highlighted: bool = False,
) -> SliderSpec:  # fmt: skip
    """Slider of an attribute of an aim, rounded to six digits.

    Args:
        name, keys, step, is_highlighted: see `SliderSpec`. limits: ends of the bar. attribute: of the aim. text: the
            value as text. is_clamped: True if the attribute never exceeds the limits.
    """

    def set_value(aim: AimT, value: float) -> None:
        value = round(value, 6)
        setattr(aim, attribute, min(max(value, limits[0]), limits[1]) if is_clamped else value)

    return SliderSpec(
        name, keys, *limits, step, lambda aim: getattr(aim, attribute), set_value, lambda _, value: text(value),
        is_highlighted,
    )  # fmt: skip
