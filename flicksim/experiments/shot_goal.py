"""Goals of a shot: measures that hold or are within a limit, written as text, or functions of the finished shot."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import inf, isfinite
from typing import Any

import numpy as np

from flicksim.core.arrays import Array
from flicksim.core.errors import InvalidInput
from flicksim.core.geometry import clearance, distance
from flicksim.core.type_aliases import JsonValue
from flicksim.core.validation import short_repr
from flicksim.experiments.measure import BUILTIN_MEASURES, CompiledMeasure, Measure, Shot, error_text
from flicksim.referee import Game
from flicksim.scene import PyramidScene, Scene

_COMPARISON = re.compile(r"(.+?)\s*(<=|>=|<|>)\s*(\S+)")
_OTHER_OPERATOR = re.compile(r"\s([=!]=?|&&?|\|\|?|or)\s")
_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Goal of a shot.

    Args:
        text: in words. measure: of the finished shot; a function of it is called where the search runs.
        column: of its values that is compared. operator: of the comparison; empty: the measure has to be true.
        limit: that it is compared with, in SI units.
    """

    text: str
    measure: Measure | Callable[[Shot], object]
    column: int = 0
    operator: str = ""
    limit: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Goal":
        """Parse "MEASURE", of what is true or not, or "MEASURE < LIMIT" with <, <=, > or >=.

        A position is compared by its x or y: "rest_position_y white > 0.46".

        Raises:
            InvalidInput: it is no goal; says what one is.
        """
        found = _COMPARISON.fullmatch(text.strip())
        if _OTHER_OPERATOR.search(found[1] if found else text):
            raise InvalidInput(
                f"goal {text!r}: a number is compared by <, <=, > or >=, and goals are joined by 'and' alone"
            )
        name, *arguments = (found[1] if found else text).split() or [""]
        base = name[:-2] if name.endswith(("_x", "_y")) else name
        is_position = base in BUILTIN_MEASURES and len(BUILTIN_MEASURES[base].columns) == 2
        measure = Measure.parse(" ".join((base if is_position else name, *arguments)))
        if measure.kind_and_unit is None:
            raise InvalidInput(f"goal {text!r}: a function of yours is given itself, not by its name")
        kind, _ = measure.kind_and_unit
        if kind == "text":
            raise InvalidInput(f"goal {text!r}: {measure.text!r} is a text; a goal is true or not, or a number")
        if found is None and kind == "boolean":
            return cls(text=text.strip(), measure=measure)
        if kind == "boolean":
            raise InvalidInput(f"goal {text!r}: {measure.text!r} is true or not; leave out the comparison")
        if is_position and base == name:
            raise InvalidInput(f"goal {text!r} is a position; compare one coordinate, as '{name}_x < 0.05'")
        if found is None:
            raise InvalidInput(f"goal {text!r} is a number; compare it, as '{measure.text.rstrip('<>= ')} < 0.05'")
        limit = inf
        with suppress(ValueError):
            limit = float(found[3])
        if not isfinite(limit):
            raise InvalidInput(f"goal {text!r}: {found[3]!r} is no number in SI units, as 0.05 for 5 cm")
        return cls(
            text=text.strip(), measure=measure, column=int(is_position and name.endswith("_y")), operator=found[2],
            limit=limit,
        )  # fmt: skip

    @classmethod
    def parse_all(cls, text: str) -> "tuple[Goal, ...]":
        """Parse goals joined by "and", all of which are to be reached: "off_surface red-1 and distance white < 0.1".

        Raises:
            InvalidInput: one of them is no goal.
        """
        return tuple(cls.parse(part) for part in re.split(r"\s+and\s+", text))

    def compile(self, scene: Scene | PyramidScene, piece: str, game: Game | None, kind: type) -> CompiledMeasure:
        """Measure for shots of a piece in a scene, or in a game.

        Raises:
            InvalidInput: it names a piece that is not there, needs a game, or holds nowhere or everywhere here.
        """
        if isinstance(self.measure, Measure):
            compiled = self.measure.compile(scene, piece, game, kind)
            if self.is_distance_from_itself(piece):
                raise InvalidInput(f"goal {self.text!r} is the distance of a piece from itself; name another")
            self._check_range(scene, compiled.unit)
            return compiled
        function = self.measure

        def evaluate(shot: Shot) -> bool:
            try:
                found = function(shot)
            except Exception as error:  # the caller's code may raise anything
                raise InvalidInput(f"goal {self.text!r} failed: {error_text(error)}") from error
            if isinstance(found, int | np.integer | np.bool_) and found in (0, 1):
                return bool(found)
            raise InvalidInput(f"goal {self.text!r} returned {short_repr(found)}; it returns True or False")

        return CompiledMeasure(
            name=self.text, title=self.text, kind="boolean", columns=("goal",), evaluate=evaluate
        )  # fmt: skip

    def _check_range(self, scene: Scene | PyramidScene, unit: str) -> None:
        """Raise InvalidInput if no value of the measure on this surface is within the limit, or every one is."""
        if not self.operator:
            return
        low, high, surface, words = -inf, inf, "", str(self.measure).split()
        outline = scene.surface.outline if isinstance(scene, Scene) else ()
        if words[0] in ("distance", "distance_to", "displacement", "duration", "win_chance"):
            low = 0.0
        if words[0] == "win_chance":
            high = 1.0
        if words[0] == "distance_to" and outline:  # a piece at rest has its centre on the surface
            point, surface = (float(words[1]), float(words[2])), " on this surface"
            low, high = max(0.0, -clearance(point, outline)), max(distance(point, corner) for corner in outline)
        if words[0] in ("distance", "displacement") and isinstance(scene, Scene):
            high, surface = scene.surface.diameter, " on this surface"
        if words[0] == "rest_position" and outline:
            coordinates, surface = [corner[self.column] for corner in outline], " on this surface"
            low, high = min(coordinates), max(coordinates)
        compare, surface = _OPERATORS[self.operator], f" {unit}".rstrip() + surface
        least, most = (low, f"at least {low:.3g}{surface}"), (high, f"at most {high:.3g}{surface}")
        (nearest, near), (farthest, far) = (least, most) if self.operator.startswith("<") else (most, least)
        if not compare(nearest, self.limit):
            raise InvalidInput(f"goal {self.text!r} cannot be reached: that number is {near}")
        if compare(farthest, self.limit) and farthest != self.limit:
            raise InvalidInput(f"goal {self.text!r} holds wherever the piece rests: that number is {far}")

    def is_distance_from_itself(self, piece: str) -> bool:
        """Return True if it compares the distance of a piece from itself when this piece is flicked."""
        if not isinstance(self.measure, Measure):
            return False
        name, *ends = self.measure.text.split()
        return name == "distance" and len({*ends, piece} if len(ends) == 1 else {*ends}) == 1

    def reached(self, columns: tuple[Array, ...]) -> Array:
        """True for each of these measured shots that reaches the goal; failed shots do not. [S]"""
        values = columns[self.column]
        if not self.operator:
            return np.asarray(values == 1.0)
        return np.asarray(_OPERATORS[self.operator](values, self.limit))  # false of NaN

    def miss(self, columns: tuple[Array, ...]) -> Array:
        """Difference of each of these measured shots from the limit, NaN of failed ones; 0 without a limit. [S]"""
        values = columns[self.column]
        return np.abs(values - self.limit) if self.operator else np.where(np.isnan(values), np.nan, 0.0)

    def shaping_measure(self, scene: Scene | PyramidScene) -> Measure | None:
        """Measure of the distance from a goal that is true or not; None where there is none."""
        if not isinstance(self.measure, Measure):
            return None
        pot = scene.surface.pot
        match str(self.measure).split():
            case ["potted", *piece] if pot is not None:
                return Measure.parse(" ".join(("distance_to", *map(str, pot.position), *piece)))
            case ["squops" | "touched", other]:
                return Measure.parse(f"distance {other}")
        return None

    def targets(self, scene: Scene | PyramidScene, flicked: str) -> list[JsonValue]:
        """Targets to aim piece `flicked` at: the pot, the point or the pieces that the goal names, or any piece."""
        words = str(self.measure).split() if isinstance(self.measure, Measure) else []
        match [word for word in words if word != flicked]:
            case ["potted"]:
                return ["pot"]
            case ["distance_to", x, y]:
                return [(float(x), float(y))]
        pieces = [piece.id for piece in scene.pieces]
        return [name for name in pieces if name in words] or pieces


def check_compatible(goals: Sequence[Goal]) -> None:
    """Raise InvalidInput if two goals exclude each other: no number is within both limits."""
    for over, under in product(goals, repeat=2):
        is_range = over.operator.startswith(">") and under.operator.startswith("<")
        if is_range and (str(over.measure), over.column) == (str(under.measure), under.column):
            is_closed = over.operator == ">=" and under.operator == "<="
            if over.limit > under.limit or (over.limit == under.limit and not is_closed):
                raise InvalidInput(f"goals {over.text!r} and {under.text!r} exclude each other; no number is both")
