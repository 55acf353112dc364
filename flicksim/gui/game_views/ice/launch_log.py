"""Texts about launches: prompts, outcomes with the ruling on each; counts of pieces on the table and in hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from flicksim.core.geometry import Point
from flicksim.core.units import to_degrees, to_mm
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.state import IceRuling, LandingOutcome, Load, State, Wait
from flicksim.games.ice.table_layout import size_of
from flicksim.gui.table_view.match_text import seat_text
from flicksim.match import Match, Turn
from flicksim.referee import Game, Reason
from flicksim.scene import SIZES, Launch, LaunchFailed, LaunchTrajectory, Pyramid, Size, VolleyTrajectory

_OUTCOME_RULES = ("ITW-5", "ITW-6b")
"""Ledger ids of the sentences on the outcome of a missile; sentences after them are about pieces it hit."""
CountedPieces = Sequence[tuple[Pyramid, int]]
"""Pieces that were played, with their points as they stand."""


@dataclass(frozen=True, slots=True)
class LaunchOutcome:
    """Outcome of a missile that has come down.

    Args:
        turn: in which it came down. trajectory: of the launch. outcome: of the missile. reasons: the ruling on it.
    """

    turn: Turn
    trajectory: LaunchTrajectory
    outcome: LandingOutcome
    reasons: tuple[Reason, ...]

    @property
    def seat(self) -> int:
        """Seat of the missile."""
        return self.outcome.seat


def launch_outcomes(turn: Turn) -> list[LaunchOutcome]:
    """Outcomes of all missiles that came down in a turn, in order."""
    ruling, result = turn.verdict.ruling, turn.result
    if not isinstance(ruling, IceRuling) or not isinstance(result, VolleyTrajectory):
        return []
    groups: list[list[Reason]] = []
    for reason in turn.verdict.reasons:
        if reason.rule.startswith(_OUTCOME_RULES):
            groups.append([reason])
        elif reason.rule == "ITW-6c" and groups:
            groups[-1].append(reason)
    return [
        LaunchOutcome(turn, trajectory, outcome, tuple(group))
        for trajectory, outcome, group in zip(result.trajectories, ruling.fates, groups, strict=True)
    ]


def outcome_text(outcome: LaunchOutcome) -> str:
    """Outcome of a launch in a few words: "Red medium: stands on another"."""
    trajectory = outcome.trajectory
    phrases = [resting_text(outcome)]
    before, after = trajectory.before.pieces, {piece.id: piece for piece in trajectory.after.pieces}
    fallen = sum(one.is_upright and one.id in after and not after[one.id].is_upright for one in before)
    gone = sum(one.id not in after for one in before)
    if fallen:
        phrases.append(f"topples {fallen}")
    if gone:
        phrases.append(f"knocks {gone} off the table")
    return ", ".join(phrases)


def resting_text(outcome: LaunchOutcome) -> str:
    """Final position of a missile, as text."""
    missile = outcome.trajectory.missile
    if any(isinstance(event, LaunchFailed) for event in outcome.trajectory.events):
        return "stays on the launcher"
    if missile is None:
        return "off the table, used again"
    if outcome.outcome.fate == "returned":
        return "falls short, used again"
    return orientation_text(missile)


def orientation_text(piece: Pyramid) -> str:
    """Orientation of a piece at rest, as text."""
    if piece.is_upright:
        return "stands on another" if piece.stands_on else "stands"
    return "lies" if piece.is_on_side else "leans" if piece.rests_on else "moves"


def missile_name(name: str) -> str:
    """Display name of a missile: "medium 2"."""
    _, size, number = name.split("-")
    return f"{size} {number}"


def turn_text(game: Game, turn: Turn) -> str:
    """Text about a turn: its outcomes, else its action."""
    names = game.seat_names
    texts = [
        f"{names[one.seat]} {missile_name(one.trajectory.launch.piece)} {outcome_text(one)}"
        for one in launch_outcomes(turn)
    ]
    if not texts:
        texts = [f"{names[turn.seat]} {action_text(turn)}"]
    return " · ".join(texts)


def action_text(turn: Turn) -> str:
    """Action of a turn, as text."""
    match turn.made:
        case Launch(piece=piece, speed=speed):
            return f"launches {missile_name(piece)} at {speed:.2f} m/s"
        case Load(piece=piece):
            return f"stacks {missile_name(piece)}"
        case Wait(until=until):
            return f"waits until {until:.1f} s"
    return str(turn.made)


def launch_numbers(launch: Launch) -> str:
    """Numbers of a launch, as text."""
    return (
        f"{launch.speed:.2f} m/s, {to_degrees(launch.slant):.0f}° up, nail {to_mm(launch.height):.1f} mm up the base, "
        f"held {to_mm(launch.lift):.0f} mm high"
    )


def loading_prompt(match: Match, unloaded: Sequence[int]) -> str:
    """Prompt to the seats that have not loaded yet."""
    if len(unloaded) == len(match.players):
        return "Everybody: stack a missile on your launcher."
    seats = [seat_text(match, seat) for seat in unloaded]
    names = " and ".join(filter(None, [", ".join(seats[:-1]), *seats[-1:]]))
    return f"{names}: stack a missile on your launcher."


def launching_prompt(match: Match, state: State, time: float) -> str:
    """Prompt at a time of the game's clock [s]; before 0 it is counted down."""
    is_single = state.seats == 1
    if time < 0.0:
        return f"{'You hold' if is_single else 'Everybody holds'} a loaded launcher. Ready ... {ceil(-time)}"
    if is_single:
        return "Launch whenever you like."
    armed = [seat for seat, hand in enumerate(state.hands) if hand]
    if sum(len(state.hands[seat]) for seat in armed) > 1:
        return "All launch at once. Flick whenever you are loaded."
    return f"{seat_text(match, armed[0])} has the last missile." if armed else "Every missile is launched."


# -- counts -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PieceCount:
    """Count of a seat's standing pieces.

    Args:
        points: of all. once, twice: number of pieces of each size that count once, and twice as they stand on a lying
            one.
    """

    points: int
    once: Mapping[Size, int]
    twice: Mapping[Size, int]


def counted_pieces(state: State) -> list[tuple[Pyramid, int]]:
    """Every piece that counts, with its points as it stands."""
    count = TableCount(state)
    return [(state.scene.piece(name), count.points(name)) for name in state.committed if state.scene.has(name)]


def count_of(counted: CountedPieces, seat: int) -> PieceCount:
    """Count of a seat's pieces as they stand."""
    own = [(piece, points) for piece, points in counted if piece.owner == seat and points]
    once, twice = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, 0)
    for piece, points in own:
        (twice if points > piece.shape.pips else once)[piece.size] += 1
    return PieceCount(sum(points for _, points in own), once, twice)


def stash_counts(state: State, seat: int) -> dict[Size, int]:
    """Number of missiles of each size in a seat's hand."""
    return {size: sum(size_of(name) == size for name in state.hands[seat]) for size in SIZES}


def score_changes(before: CountedPieces, after: CountedPieces) -> list[tuple[int, int, Point]]:
    """Changes in the points of pieces: owner, difference, position [m]."""
    was = {piece.id: points for piece, points in before}
    remaining = {piece.id for piece, _ in after}
    changes = [(piece, points - was.get(piece.id, 0)) for piece, points in after]
    changes += [(piece, -points) for piece, points in before if piece.id not in remaining]
    return [
        (piece.owner, more, piece.centre_of_mass[:2]) for piece, more in changes if more and piece.owner is not None
    ]
