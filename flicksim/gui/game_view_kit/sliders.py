"""Numbers of an aim, changed by sliders and by keys."""

from collections.abc import Callable, Iterable

from flicksim.gui.toolkit.numeric_slider import AimT, SliderSpec


def attribute_slider(
    name: str, keys: str, bar: tuple[float, float], step: float, attribute: str, text: Callable[[float], str], *,
    command: str, sign: int = 1, limits: tuple[float, float] | None = None, is_highlighted: bool = False,
) -> SliderSpec:  # fmt: skip
    """Slider of an attribute of an aim, rounded to six digits.

    Args:
        name, keys, step, command, sign, is_highlighted: see `SliderSpec`. bar: its ends. attribute: of the aim. text:
            the value as text. limits: of the attribute; by default the ends of the bar.
    """
    low, high = limits or bar

    def set_value(aim: AimT, value: float) -> None:
        setattr(aim, attribute, min(max(round(value, 6), low), high))

    return SliderSpec(
        name, keys, *bar, step, lambda aim: getattr(aim, attribute), set_value, lambda _, value: text(value),
        is_highlighted, command, sign,
    )  # fmt: skip


def change_by_key(specs: Iterable[SliderSpec], aim: AimT, command: str, steps: float) -> bool:
    """Change the number of a key's command by steps of a key press; return False if none has that command."""
    spec = next((spec for spec in specs if command and spec.command == command), None)
    if spec is not None:
        spec.set(aim, spec.get(aim) + spec.sign * spec.step * steps)
    return spec is not None
