"""Templates with placeholders for the varying parameters of an experiment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from flicksim.experiments.parameter_spec import Level

Template: TypeAlias = Any
"""Nested values with a `Placeholder` for each varying parameter."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Placeholder for the value of an axis, by its index."""

    index: int


def fill(template: Template, values: Sequence[Level]) -> Template:
    """Fill the placeholders of a template with values."""
    if isinstance(template, Placeholder):
        return values[template.index]
    if isinstance(template, dict):
        return {name: fill(slot, values) for name, slot in template.items()}
    if isinstance(template, tuple):
        return tuple(fill(slot, values) for slot in template)
    return template
