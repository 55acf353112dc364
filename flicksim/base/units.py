"""SI inside; these are for the doors, where people say millimetres, grams and degrees."""

from __future__ import annotations

from math import pi

from flicksim.base.geometry import half_turn

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


def direction(azimuth: float, digits: int = 1) -> str:
    """A direction [rad] as people are told it, in degrees above -180 and up to 180: "-90.0"."""
    told = round(to_degrees(half_turn(azimuth)), digits)
    return f"{180.0 if told == -180.0 else told + 0.0:.{digits}f}"


def to_degrees(radians: float) -> float:
    """Radians to degrees."""
    return radians * 180.0 / pi
