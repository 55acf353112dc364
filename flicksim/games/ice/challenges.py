"""Challenges of Ice Tiddly Winks: pyramids of each size made to stand, as many points as a few of them
give, and a game won with the last missile."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from flicksim.base.seeding import Seeds
from flicksim.base.units import to_degrees, to_mm
from flicksim.games.ice import rules
from flicksim.games.ice.options import Options
from flicksim.games.ice.practice import KNACKS
from flicksim.games.ice.puzzles import kept, posed
from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import missile_id
from flicksim.games.ice.state import State
from flicksim.referee import Came, Challenge, Done
from flicksim.table import SIZES, Landings, Size


def shipped() -> tuple[Challenge, ...]:
    """Those that come with the game, easiest first."""
    return (
        _stand("stand-small", {"small": 5}, 1), _stand("stand-medium", {"medium": 5}, 1),
        _stand("stand-large", {"large": 4}, 1), _stand("stand-two", {"small": 5}, 2),
        _points("five-points", {"small": 3, "medium": 3}, 5),
        *(posed(number, puzzle) for number, puzzle in enumerate(kept(), 1)),
    )  # fmt: skip


def drawn(dice: np.random.Generator, name: str) -> Challenge:
    """Some missiles, and some points to be made of them."""
    counts = {size: int(dice.integers(1, 4)) for size in SIZES}
    worth = sum(count * (k + 1) for k, count in enumerate(counts.values()))
    return _points(name, counts, max(2, (worth + 2) // 4))


def _laid(counts: dict[Size, int]) -> State:
    """A bare table, one player with so many missiles of each size, the game on."""
    opening = rules.start(Options(), 1, Seeds(seed=0))
    hand = tuple(missile_id(0, size, n) for size in SIZES for n in range(1, counts.get(size, 0) + 1))
    return msgspec.structs.replace(opening, hands=(hand,), started=True)


def _launches(turns: Sequence[Done]) -> int:
    """Number of missiles that have come down."""
    return sum(len(turn.account.landings) for turn in turns if isinstance(turn.account, Landings))


def _standing(state: State) -> tuple[int, int]:
    """Number of standing pieces, and their points."""
    count = Count(state.scene, state.options, state.committed)
    return count.standing(0), count.seat(0)


def _judged(turns: Sequence[Done], missiles: int, goal: int, *, points: bool) -> Came:
    launches = _launches(turns)
    if not launches:
        return Came()
    standing, counted = _standing(turns[-1].after)
    done = (counted if points else standing) >= goal
    left = max(0, missiles - launches)
    count = f"{counted} point{'' if counted == 1 else 's'}" if points else f"{standing} standing"
    says = f"{count}, {left} to launch." if left else f"{count}."
    return Came(says=says, done=done, ended=done or not left or turns[-1].after.final is not None,
                measure=float(launches) if done else None)  # fmt: skip


_BACK = "One handed back counts as launched."


def _by_heart(size: Size) -> str:
    """The launch that the best know by heart, to begin with: hints are not given meanwhile."""
    knack = KNACKS["world"][size][0]
    return (
        f"To begin with: {knack.speed:.2f} m/s, {to_degrees(knack.slant):.0f}° up, "
        f"nail at {to_mm(knack.height):.0f} mm, lifted {to_mm(knack.lift):.0f} mm. {_BACK}"
    )


def _stand(name: str, counts: dict[Size, int], goal: int) -> Challenge:
    ((size, missiles),) = counts.items()
    which = f"{'one' if goal == 1 else 'two'} of {missiles} {size} pyramids"
    return Challenge(
        name=name, title=f"Stand {which.split(' of')[0]} {size}", ladder="Standing",
        goal=f"Make {which} stand upright on the table.", trick=_by_heart(size), options=Options(), seats=1,
        unit="launches", par=(float(goal), float(goal + 2)), begin=lambda: _laid(counts),
        judge=lambda turns: _judged(turns, missiles, goal, points=False),
    )  # fmt: skip


def _points(name: str, counts: dict[Size, int], goal: int) -> Challenge:
    missiles = sum(counts.values())
    listed = ", ".join(f"{count} {size}" for size, count in counts.items())
    return Challenge(
        name=name, title=f"{goal} points", ladder="Points",
        goal=f"Make {goal} points with {missiles} missiles: {listed}. Small counts one, medium two, large three.",
        trick=f"Keep the larger ones for last: what is launched late has less to survive. {_BACK}",
        options=Options(), seats=1, unit="launches", par=(float(max(2, missiles // 2)), missiles - 1.0),
        begin=lambda: _laid(counts), judge=lambda turns: _judged(turns, missiles, goal, points=True),
    )  # fmt: skip
