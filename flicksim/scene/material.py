"""Material pairings: friction and restitution belong to pairs of materials."""

from flicksim.core.errors import InvalidScene, InvalidValue
from flicksim.core.serialization import Value


class Pairing(Value, frozen=True, kw_only=True):
    """Friction and restitution of two materials.

    Args:
        friction: kinetic Coulomb coefficient [-].
        restitution: separation speed over approach speed for gentle impacts [-].
        yield_speed: approach speed [m/s] above which restitution falls as (v / yield_speed)^(-1/4), the plastic-impact
            law of K. L. Johnson, Contact Mechanics (1985), section 11.5; None keeps it constant.
        source: source of the numbers.
    """

    friction: float
    restitution: float = 0.0
    yield_speed: float | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction <= 5.0:
            raise InvalidValue(f"friction {self.friction!r} must lie in 0 to 5")
        if not 0.0 <= self.restitution <= 1.0:
            raise InvalidValue(f"restitution {self.restitution!r} must lie in 0 to 1")
        if self.yield_speed is not None and not self.yield_speed > 0.0:
            raise InvalidValue(f"yield_speed {self.yield_speed!r} must be above 0, or null")

    def restitution_at(self, speed: float) -> float:
        """Restitution of an impact with this approach speed [m/s]."""
        if self.yield_speed is None or speed <= self.yield_speed:
            return self.restitution
        return self.restitution * float((speed / self.yield_speed) ** -0.25)


class Pairings(Value, frozen=True, kw_only=True):
    """Table of pairings by unordered pair of material names, written "bronze|wood" with the names in sorted order."""

    pairs: dict[str, Pairing]

    def __post_init__(self) -> None:
        for name in self.pairs:
            one, _, other = name.partition("|")
            if not (one and other and one <= other):
                right = "|".join(sorted((one or "bronze", other or "wood")))
                raise InvalidValue(f"pairing {name!r} would never be looked up; write its two materials as {right!r}")

    def __repr__(self) -> str:
        return f"<{len(self.pairs)} pairings of materials>"

    def lookup(self, one: str, other: str) -> Pairing:
        """Look up the pairing of two materials.

        Raises:
            InvalidScene: the table has no such pair; lists the materials it knows.
        """
        found = self.pairs.get("|".join(sorted((one, other))))
        if found is None:
            known = ", ".join(sorted({name for pair in self.pairs for name in pair.split("|")}))
            raise InvalidScene([f"no friction is known between {one!r} and {other!r}; known materials: {known}"])
        return found

    def with_pairing(self, one: str, other: str, pairing: Pairing) -> "Pairings":
        """Copy with one pair changed."""
        return Pairings(pairs={**self.pairs, "|".join(sorted((one, other))): pairing})


_COIN_ON_BOARD_SOURCE = (
    "coin on a polished board 0.2 (0.12-0.3), judged from metal on wood 0.3 and chalked boards 0.06-0.16"
)
_COIN_ON_COIN_SOURCE = (
    "coin on coin 0.75 (0.6-0.9): Theilmann, Phys. Educ. 49 (2014) 537 finds clearly inelastic coins; rim friction "
)
_COIN_ON_COIN_SOURCE += "0.12 from oblique puck impacts (Maw, Barber, Fawcett)"

_WINK_ON_FELT_SOURCE = (
    "wink on felt over a hard table: mu 0.35 (0.2-0.5), flat e 0.3 (0.2-0.4), judged from balls on billiard cloth"
)
_WINK_ON_WINK_SOURCE = "hard plastic on hard plastic: mu 0.3 (0.2-0.4), e 0.5 as in the 3D reference tables"
_WINK_ON_POT_SOURCE = (
    "wink on pot: with air drag e 0.37 gives the record rate, 12 in 21 from 3 ft (Kahn 1978), to a world-class hand"
)
_MAT_COEFFICIENTS = {
    "felt": (0.35, 0.30),
    "blanket": (0.45, 0.24),
    "carpet": (0.50, 0.22),
    "rug": (0.45, 0.26),
    "bare": (0.25, 0.50),
}
"""Friction and restitution of a wink by mat."""

_PYRAMID_SOURCE = (
    "pyramid of polystyrene: mu 0.3 (0.2-0.4) on itself and on wood, e 0.4 (0.3-0.6), judged from plastics on steel "
)
_PYRAMID_SOURCE += "and wood; on cloth as a wink"
_TABLE_TOP_COEFFICIENTS = {"wood": (0.30, 0.40), "polished": (0.25, 0.45), "slate": (0.30, 0.45), "cloth": (0.40, 0.30)}
"""Friction and restitution of a pyramid by table top."""

_METAL_RESTITUTION = {"bronze": 0.75, "steel": 0.80, "zinc": 0.65}
_BOARD_FRICTION = {"polished": 0.20, "wood": 0.30, "chalked": 0.12, "slate": 0.15}


def _default_pairs() -> dict[str, Pairing]:
    pairs: dict[str, Pairing] = {}

    def add(first: str, second: str, source: str, **coefficients: float) -> None:
        pairs["|".join(sorted((first, second)))] = Pairing(source=source, **coefficients)

    for metal, own in _METAL_RESTITUTION.items():
        for board, friction in _BOARD_FRICTION.items():
            add(metal, board, _COIN_ON_BOARD_SOURCE, friction=friction)
        for other, its in _METAL_RESTITUTION.items():
            restitution = round((own * its) ** 0.5, 3)
            add(metal, other, _COIN_ON_COIN_SOURCE, friction=0.12, restitution=restitution, yield_speed=2.0)
    for mat, (friction, restitution) in _MAT_COEFFICIENTS.items():
        add("wink", mat, _WINK_ON_FELT_SOURCE, friction=friction, restitution=restitution)
    add("wink", "wink", _WINK_ON_WINK_SOURCE, friction=0.30, restitution=0.50)
    add("wink", "pot", _WINK_ON_POT_SOURCE, friction=0.30, restitution=0.37)
    for top, (friction, restitution) in _TABLE_TOP_COEFFICIENTS.items():
        add("styrene", top, _PYRAMID_SOURCE, friction=friction, restitution=restitution)
    add("styrene", "styrene", _PYRAMID_SOURCE, friction=0.30, restitution=0.40)
    return pairs


DEFAULT_PAIRINGS = Pairings(pairs=_default_pairs())
"""Default pairings. The `source` of each gives ranges and confidence; all may be replaced."""
