"""SI inside; these are for the doors, where people say millimetres, grams and degrees."""

from __future__ import annotations

from math import pi

GRAVITY = 9.81
"""Gravity [m/s^2]."""


def mm(value: float) -> float:
    """Millimetres to metres, kept free of binary dust: mm(20.3) == 0.0203."""
    return round(value / 1000.0, 12)


def to_mm(metres: float) -> float:
    """Metres to millimetres."""
    return round(metres * 1000.0, 9)


def grams(value: float) -> float:
    """Grams to kilograms."""
    return round(value / 1000.0, 12)


def degrees(value: float) -> float:
    """Degrees to radians."""
    return value * pi / 180.0


def to_degrees(radians: float) -> float:
    """Radians to degrees."""
    return radians * 180.0 / pi
