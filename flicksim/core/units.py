"""Conversions between SI units (used inside) and mm, grams and degrees (used at the interfaces)."""

from math import pi

from flicksim.core.geometry import wrap_angle

GRAVITY = 9.81
"""Acceleration of gravity [m/s^2]."""


def mm(value: float) -> float:
    """Millimetres to metres, rounded to the nearest decimal: mm(20.3) == 0.0203."""
    return round(value / 1000.0, 12)


def to_mm(metres: float) -> float:
    """Metres to millimetres."""
    return round(metres * 1000.0, 9)


def grams(value: float) -> float:
    """Grams to kilograms."""
    return round(value / 1000.0, 12)


def deg2rad(value: float) -> float:
    """Degrees to radians."""
    return value * pi / 180.0


def format_azimuth(azimuth: float, digits: int = 1) -> str:
    """Format a direction [rad] in degrees above -180 and up to 180: "-90.0"."""
    rounded = round(to_degrees(wrap_angle(azimuth)), digits)
    return f"{180.0 if rounded == -180.0 else rounded + 0.0:.{digits}f}"


def to_degrees(radians: float) -> float:
    """Radians to degrees."""
    return radians * 180.0 / pi
