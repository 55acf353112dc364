"""Launches in time: everything on the table and in the air as it is at any moment, two missiles at once included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flicksim.table import Fell, Hit, Kept, Landing, Landings, Launched, Lay, Pyramid, PyramidScene
from flicksim.ui.kit.sounds import Heard
from flicksim.ui.table.effects import Met

_HARD = 2.0
"""Pieces that meet this fast are heard at full strength [m/s]."""
_SOFT = 0.12
"""Slower touches are not heard [m/s]."""


@dataclass(frozen=True, slots=True)
class Film:
    """Landings on one clock.

    Args:
        before: the table at the beginning. landings: in the order in which they came down. starts: when each was
            launched, on the film's clock [s].
    """

    before: PyramidScene
    landings: tuple[Landing, ...]
    starts: tuple[float, ...]

    @property
    def duration(self) -> float:
        """Until the last piece is at rest [s]."""
        return max((start + one.duration for start, one in self._each()), default=0.0)

    def _each(self) -> list[tuple[float, Landing]]:
        return list(zip(self.starts, self.landings, strict=True))

    def pieces_at(self, t: float) -> tuple[Pyramid, ...]:
        """Every piece at a time [s]."""
        found = {piece.id: piece for piece in self.before.pieces}
        for start, landing in self._each():
            if t < start:
                continue
            now = {piece.id: piece for piece in landing.pieces_at(t - start)}
            if t - start < landing.down:  # until it comes down it moves nothing but itself
                found |= {name: piece for name, piece in now.items() if name == landing.launch.piece}
                continue
            was = {piece.id: piece for piece in landing.before.pieces}
            # what it has not moved may still move from the one before
            found |= {name: piece for name, piece in now.items() if was.get(name) != piece}
            for name in was.keys() - now.keys():
                found.pop(name, None)
        return tuple(found.values())

    def seen_at(self, t: float) -> tuple[int, float] | None:
        """Landing that is seen from the side, and its own time [s]; None before the first.

        Whatever was launched last is looked at until it lies, but not before the one before it has come down.
        """
        begun = [k for k, start in enumerate(self.starts) if start <= t]
        if not begun:
            return None
        flying = [k for k in begun if t - self.starts[k] < self.landings[k].down + 0.25]
        k = min(flying, key=lambda k: self.starts[k] + self.landings[k].down) if flying else max(
            begun, key=lambda k: self.starts[k] + self.landings[k].down)  # fmt: skip
        return k, t - self.starts[k]

    def heard(self, since: float, until: float) -> list[Heard]:
        """The sounds of the events after one time [s] and up to another."""
        found: dict[str, float] = {}
        for start, landing in self._each():
            for name, loud in heard(landing, since - start, until - start):
                found[name] = max(found.get(name, 0.0), loud)
        return list(found.items())


def heard(landing: Landing, since: float, until: float) -> list[Heard]:
    """The sounds of one landing after one time [s] after the flick and up to another, each once."""
    found: dict[str, float] = {}

    def add(name: str, loud: float) -> None:
        found[name] = max(found.get(name, 0.0), min(loud, 1.0))

    if since < 0.0 <= until or since == 0.0 < until:
        add("snap", 0.3 + landing.launch.speed / 8.0)
    for event in landing.events:
        if not since < event.t <= until:
            continue
        match event:
            case Hit(on="surface", speed=speed) if speed > _SOFT:
                add("tile", (speed / _HARD) ** 0.7)
            case Hit(speed=speed) if speed > _SOFT:
                add("click", (speed / _HARD) ** 0.7)
            case Fell():
                add("fall", 0.7)
            case Launched() | Kept() | Lay():
                pass
    return list(found.items())


def met(landing: Landing, t: float) -> Iterator[Met]:
    """The meetings of a landing, as they are to be seen so long after the flick [s]."""
    for event in landing.events:
        if isinstance(event, Hit):
            yield Met(t - event.t, event.point, event.speed, event.on == "surface")


def filmed(account: Landing | Landings) -> Film:
    """One landing, or all of a turn, on a clock that begins with the first flick."""
    if isinstance(account, Landing):
        return Film(account.before, (account,), (0.0,))
    times = [landing.launch.time or 0.0 for landing in account.landings]
    first = min(times, default=0.0)
    return Film(account.before, account.landings, tuple(time - first for time in times))


def best(landings: Sequence[Landing]) -> Landing | None:
    """The launch most worth seeing again: missiles that lean or stand on others, uprights by size, then what lies."""

    def worth(landing: Landing) -> tuple[float, float]:
        missile = landing.missile
        if missile is None:
            return (0.0, 0.0)
        leans = not missile.standing and not missile.on_side
        capped = missile.standing and bool(missile.stands_on)
        score = missile.shape.pips * (2.0 if leans else 1.5 if capped else 1.0 if missile.standing else 0.1)
        return (score, landing.duration)

    found = max(landings, key=worth, default=None)
    return found if found is not None and worth(found)[0] > 0.0 else None
