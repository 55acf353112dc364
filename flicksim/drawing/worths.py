"""Worth as pictures: a map over two numbers of a flick, and a graph over the turns of a game. Values only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from flicksim.drawing.colours import EDGE, FAINT, GLOW, GROUND, PALE, TEXT, WELL, mix, seat
from flicksim.drawing.marks import Colour, Disc, Drawing, Mark, Patch, Stroke, Words

Forms = tuple[Callable[[float], str], Callable[[float], str]]
"""Words for a number across, and for one up."""
_SIZE = (900, 640)
_LEFT, _RIGHT, _TOP, _FOOT = 110.0, 150.0, 70.0, 80.0
_LETTER = 15.0
_PARTS = 4
"""Parts of an axis that are told by numbers."""
_PALER = 0.35
"""Share of a pale colour in that of a side's line, which lies on dark ground."""


class _Frame:
    """A field in a picture, with numbers up its left side and along its foot."""

    def __init__(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        self._across, self._up = across, up
        self.left, self.right = _LEFT, _SIZE[0] - _RIGHT
        self.top, self.foot = _TOP, _SIZE[1] - _FOOT

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the field in the picture [pixels]."""
        (x0, x1), (y0, y1) = self._across, self._up
        return (
            self.left + (self.right - self.left) * (x - x0) / (x1 - x0),
            self.foot - (self.foot - self.top) * (y - y0) / (y1 - y0),
        )

    def round(self, title: str, across: str, up: str, form: Forms) -> list[Mark]:
        """Its edge, its title, its numbers."""
        marks: list[Mark] = [Words(title, (self.left, self.top - 36.0), 19.0, TEXT)]
        corners = ((self.left, self.top), (self.right, self.top), (self.right, self.foot), (self.left, self.foot))
        marks.append(Stroke((*corners, corners[0]), EDGE, 1.5))
        for k in range(_PARTS + 1):
            x = self._across[0] + (self._across[1] - self._across[0]) * k / _PARTS
            y = self._up[0] + (self._up[1] - self._up[0]) * k / _PARTS
            marks.append(Words(form[0](x), (self.at(x, 0.0)[0], self.foot + 16.0), _LETTER, FAINT, "mm"))
            marks.append(Words(form[1](y), (self.left - 10.0, self.at(0.0, y)[1]), _LETTER, FAINT, "rm"))
        marks.append(Words(across, ((self.left + self.right) / 2.0, self.foot + 44.0), _LETTER, TEXT, "mm"))
        marks.append(Words(up, (self.left, self.top - 11.0), _LETTER, TEXT, "lm"))
        return marks


def worth_map(
    title: str, across: Sequence[float], up: Sequence[float], worth: Sequence[Sequence[float]],
    names: tuple[str, str], best: tuple[float, float], form: Forms,
) -> Drawing:  # fmt: skip
    """A map of chances, brighter where they are better, with a ring about one place.

    Args:
        across, up: numbers of the columns and rows, each rising. worth: chance by row and column, 0 to 1.
        names: of both numbers. best: where the ring is, across and up. form: of the numbers told across and up.
    """
    frame = _Frame((across[0], across[-1]), (up[0], up[-1]))
    low, high = min(map(min, worth)), max(map(max, worth))
    marks: list[Mark] = []
    wide, tall = (across[-1] - across[0]) / len(across), (up[-1] - up[0]) / len(up)
    for row, chances in enumerate(worth):
        for column, chance in enumerate(chances):
            x0, y0 = across[0] + column * wide, up[0] + row * tall
            a, b = frame.at(x0, y0), frame.at(x0 + wide, y0 + tall)
            marks.append(Patch((a, (b[0], a[1]), b, (a[0], b[1])), _shade(chance, low, high)))
    marks += frame.round(title, names[0], names[1], form)
    ring = frame.at(*best)
    marks.append(Disc(ring, 9.0, TEXT))
    marks.append(Disc(ring, 6.0, _shade(high, low, high)))
    bar = frame.right + 40.0
    for k in range(40):
        y0, y1 = (frame.foot + (frame.top - frame.foot) * (k + step) / 40.0 for step in (0, 1))
        marks.append(Patch(((bar, y0), (bar + 22.0, y0), (bar + 22.0, y1), (bar, y1)), _shade(k / 39.0, 0.0, 1.0)))
    for share in (0.0, 0.5, 1.0):
        y = frame.foot + (frame.top - frame.foot) * share
        marks.append(Words(f"{low + (high - low) * share:.0%}", (bar + 30.0, y), _LETTER, TEXT))
    marks.append(Words("wins", (bar, frame.top - 16.0), _LETTER, TEXT))
    return Drawing(_SIZE, GROUND, tuple(marks))


def _shade(chance: float, low: float, high: float) -> Colour:
    return mix(WELL, GLOW, (chance - low) / max(high - low, 1e-9))


class Course(NamedTuple):
    """A chance over the turns of a game.

    Args:
        who: whose chance it is. key: of the colour they wear, as `key_of` tells it.
        turns: numbers of turns, rising. chance: after each, 0 to 1.
    """

    who: str
    key: str
    turns: Sequence[int]
    chance: Sequence[float]


def worth_graph(title: str, courses: Sequence[Course], marked: Collection[int], span: tuple[int, int]) -> Drawing:
    """A graph of chances over the turns of a game; some turns are marked by a dot and their number.

    Args:
        courses: one, or one for each side, told apart by name and colour. marked: numbers of turns.
        span: the first turn and the last that there is anything to tell of.
    """
    first, last = span
    frame = _Frame((first, first + _PARTS * max(1, ceil((last - first) / _PARTS))), (0.0, 1.0))
    alone = len(courses) == 1
    marks = frame.round(
        title, "turn", f"chance of {courses[0].who} to win" if alone else "chance to win",
        ("{:.0f}".format, "{:.0%}".format),
    )  # fmt: skip
    middle = (frame.at(frame.left, 0.5)[1],) * 2
    marks.append(Stroke(((frame.left, middle[0]), (frame.right, middle[1])), EDGE, 1.0))
    dots: list[Mark] = []
    for course in courses:
        colour = GLOW if alone else _worn(course)
        way = tuple(frame.at(x, y) for x, y in zip(course.turns, course.chance, strict=True))
        marks.append(Stroke(way, colour, 2.5))
        for turn, (x, y) in zip(course.turns, way, strict=True):
            if turn in marked:
                up = y > frame.top + 24.0
                dots += [
                    Disc((x, y), 6.0, TEXT), Words(f"{turn}", (x, y - 16.0 if up else y + 16.0), _LETTER, TEXT, "mm")
                ]  # fmt: skip
    if not alone:
        marks += _names(frame, courses)
    return Drawing(_SIZE, GROUND, (*marks, *dots))


def _worn(course: Course) -> Colour:
    return mix(seat(course.key), PALE, _PALER)


def _names(frame: _Frame, courses: Sequence[Course]) -> Iterator[Mark]:
    """The names of courses beside their ends, from the top, none upon another and none below the foot."""
    step = 1.4 * _LETTER
    free, lowest = frame.top, frame.foot - step * (len(courses) - 1)
    for course in sorted(courses, key=lambda one: -one.chance[-1]):
        y = min(max(free, frame.at(course.turns[-1], course.chance[-1])[1]), lowest)
        yield Words(course.who, (frame.right + 12.0, y), _LETTER, _worn(course))
        free, lowest = y + step, lowest + step
