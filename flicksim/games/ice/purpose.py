"""The purposes of launches: stand, stand on a prop for double, knock over what scores."""

from __future__ import annotations

from collections.abc import Mapping

from flicksim.games.ice import bot, rules
from flicksim.games.ice.scoring import Count
from flicksim.games.ice.seats import owner_of
from flicksim.games.ice.state import State
from flicksim.table import Landings, Launch

WORTH: Mapping[str, float] = {"double": 4.0, "stand": 2.0, "knock_over": 1.5, "prop": 0.2}
KINDS: Mapping[str, str] = {
    "double": "stand on {} for double", "stand": "land standing", "knock_over": "knock {} over",
    "prop": "lie there as a prop",
}  # fmt: skip


def aimed(state: State, action: Launch) -> tuple[str, tuple[str, ...]] | None:
    """The purpose of a launch that is sent at a piece: most go astray, so what comes of it does not tell."""
    name = bot.aimed_at(state, action)
    if not name:
        return None
    if not Count(state.scene, state.options, state.committed).points(name):
        return "double", (name,)
    return None if owner_of(name) == owner_of(action.piece) else ("knock_over", (name,))


def brought(state: State, action: Launch, account: Landings) -> Mapping[str, tuple[str, ...]]:
    """The purposes that a finished launch has served."""
    then = rules.advance(state, account, rules.judge(state, action, account))
    before, after = (Count(one.scene, one.options, one.committed) for one in (state, then))
    there = [name for name in then.committed if then.scene.has(name)]
    others = [name for name in state.committed if owner_of(name) != owner_of(action.piece)]
    lost = tuple(name for name in others if before.points(name) and not (name in there and after.points(name)))
    found = {"knock_over": lost} if lost else {}
    if action.piece in there:
        missile, points = then.scene.piece(action.piece), after.points(action.piece)
        if points > missile.shape.pips:
            found["double"] = missile.stands_on
        else:
            found["stand" if points else "prop"] = (missile.id,)
    return found


def says(kind: str, of: tuple[str, ...]) -> str:
    """A purpose in words."""
    name = of[0].replace("-", " ").capitalize() if len(of) == 1 else f"{len(of)} pieces"
    return KINDS[kind].format(name)
