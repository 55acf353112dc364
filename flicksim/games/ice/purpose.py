"""Purposes of launches: stand, stand on a prop for double, knock over what scores."""

from collections.abc import Mapping

from flicksim.games.ice import bot, rules
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import State
from flicksim.games.ice.table_layout import owner_of
from flicksim.scene import Launch, VolleyTrajectory

WEIGHTS: Mapping[str, float] = {"double": 4.0, "stand": 2.0, "knock_over": 1.5, "prop": 0.2}
TEMPLATES: Mapping[str, str] = {
    "double": "stand on {} for double", "stand": "land standing", "knock_over": "knock {} over",
    "prop": "lie there as a prop",
}  # fmt: skip


def purpose_of_aim(state: State, action: Launch) -> tuple[str, tuple[str, ...]] | None:
    """Purpose of a launch aimed at a piece, from its aim: most launches miss, so the result would not show it."""
    name = bot.target_of(state, action)
    if not name:
        return None
    count = TableCount(state)
    if not count.points(name):
        opposing = [other for other in state.committed if owner_of(other) != owner_of(action.piece)]
        borne = [other for other in opposing if name in state.scene.piece(other).stands_on and count.points(other)]
        return ("knock_over", tuple(borne)) if borne else ("double", (name,))
    return None if owner_of(name) == owner_of(action.piece) else ("knock_over", (name,))


def purposes_served(state: State, action: Launch, result: VolleyTrajectory) -> Mapping[str, tuple[str, ...]]:
    """Purposes served by a finished launch."""
    next_state = rules.next_state(state, result, rules.judge(state, action, result))
    before, after = map(TableCount, (state, next_state))
    on_table = [name for name in next_state.committed if next_state.scene.has(name)]
    others = [name for name in state.committed if owner_of(name) != owner_of(action.piece)]
    lost = tuple(name for name in others if before.points(name) and not (name in on_table and after.points(name)))
    purposes = {"knock_over": lost} if lost else {}
    if action.piece in on_table:
        missile, points = next_state.scene.piece(action.piece), after.points(action.piece)
        if points > missile.shape.pips:
            purposes["double"] = missile.stands_on
        else:
            purposes["stand" if points else "prop"] = (missile.id,)
    return purposes


def describe(kind: str, pieces: tuple[str, ...]) -> str:
    """Describe a purpose in words."""
    name = pieces[0].replace("-", " ").capitalize() if len(pieces) == 1 else f"{len(pieces)} pieces"
    return TEMPLATES[kind].format(name)
