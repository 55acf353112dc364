"""Puzzles of dominoes: endings of two in which one move alone wins, whatever the other plays."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.cards import SUIT_MASKS, Pass, PlaceTile
from flicksim.core.serialization import from_json, read_bytes
from flicksim.games.dominoes.bitboard import playable_tiles
from flicksim.games.dominoes.deck import HANDS, NAMES
from flicksim.games.dominoes.endgame import Position, best_move, is_mirror_image, move_values, position_after
from flicksim.games.dominoes.state import State
from flicksim.referee import AttemptStatus, Challenge, CompletedAction
from flicksim.referee import Puzzle as GenericPuzzle

FILE = Path(__file__).with_name("puzzles.json")

Puzzle = GenericPuzzle[State, PlaceTile | Pass]
"""Position with its only winning move."""

_OPPONENT = "bot:world"
"""Player of the other seat."""
generate = None
"""No random challenges: a random ending is seldom a puzzle."""


def builtin() -> tuple[Challenge, ...]:
    """Return the challenges that come with the game, easiest first."""
    return tuple(puzzle_challenge(number, puzzle) for number, puzzle in enumerate(load_puzzles(), 1))


@lru_cache(maxsize=1)
def load_puzzles() -> tuple[Puzzle, ...]:
    """Load the puzzles that come with the game, easiest first.

    They are from British games of two bots, where both hands are known as every tile is dealt; all moves are solved to
    the end of the round (`python -m benchmarks.domino_puzzles`).
    """
    return from_json(read_bytes(FILE), tuple[Puzzle, ...])


def puzzle_challenge(number: int, puzzle: Puzzle) -> Challenge:
    """Convert a puzzle to a challenge, solved by a move after which the round is won against any play."""
    state, seat = puzzle.state, puzzle.seat
    who, other = NAMES[seat], NAMES[1 - seat]

    def judge(turns: Sequence[CompletedAction]) -> AttemptStatus:
        for turn in turns:
            before = turn.before
            if before.to_play != seat:
                break
            if not any(move_values(before)[move] == 1.0 and is_mirror_image(before, move, turn.made)
                       for move in move_values(before)):  # fmt: skip
                return AttemptStatus(text=f"Now {other} can keep {who} from winning.", is_over=True)
        else:
            if not turns or turns[-1].after.phase == "second":
                return AttemptStatus()
        return AttemptStatus(text=f"{who} wins, whatever {other} plays.", is_solved=True, is_over=True)

    held = [state.zones.cards(HANDS[at]) for at in (seat, 1 - seat)]
    listed = ", ".join(map(str, held[1]))
    second = state.phase == "second"
    return puzzle.to_challenge(
        f"ending-{number}", f"{len(held[0])} against {len(held[1])}, {state.left} and {state.right} open",
        f"{who} may play a second tile: find the only choice that wins the round." if second
        else f"{who} is to play: find the only move that wins the round.",
        state.seats, judge, continuation=lambda after, _rng: best_move(after), idea=idea_text(state, puzzle.solution),
        opponent=_OPPONENT, hint=f"{other} holds {listed}. Few pips win a blocked round.",
    )  # fmt: skip


def idea_text(state: State, solution: PlaceTile | Pass) -> str:
    """Describe why a move wins where all others do not: a property that it alone has, if any, and how it wins."""
    seat = state.to_play
    assert seat is not None
    who, other = NAMES[seat], NAMES[1 - seat]
    after = position_after(state, solution)
    end = f"Then {who} goes out first, whatever {other} plays."
    if after.is_blocked():
        end = ""
    elif move_values(state, blocks_count=False)[solution] < 1.0:
        end = f"{other} can keep {who} from going out, but only by a block that leaves {who} fewer pips."
    key = idea(state, solution)
    text = (
        "" if key is None else _IDEAS[key][1].format(who=who, other=other, number=_held_number(after), end=after.right)
    )
    return f"{text} {end}".strip()


def idea(state: State, solution: PlaceTile | Pass) -> str | None:
    """Name of the first property of a move that no other move has; None where there is none."""
    others = [move for move in move_values(state) if not is_mirror_image(state, move, solution)]
    for name, (has_property, _) in _IDEAS.items():
        if has_property(state, solution) and not any(has_property(state, move) for move in others):
            return name
    return None


def _held_number(after: Position) -> int:
    """Open number of which the player who has just moved holds all tiles left; -1 where there is none."""
    for number in (after.left, after.right):
        if after.mine & SUIT_MASKS[number] and not after.theirs & SUIT_MASKS[number]:
            return number
    return -1


def _blocks(state: State, move: PlaceTile | Pass) -> bool:
    return position_after(state, move).is_blocked()


def _shuts_out(state: State, move: PlaceTile | Pass) -> bool:
    after = position_after(state, move)
    return not after.is_second and not after.passed().moves() and bool(after.mine)


def _holds_number(state: State, move: PlaceTile | Pass) -> bool:
    return _held_number(position_after(state, move)) >= 0


def _is_stop(_state: State, move: PlaceTile | Pass) -> bool:
    return isinstance(move, Pass)


def _is_double(state: State, move: PlaceTile | Pass) -> bool:
    return state.phase == "tile" and isinstance(move, PlaceTile) and move.tile.is_double


def _closes_ends(state: State, move: PlaceTile | Pass) -> bool:
    after = position_after(state, move)
    return after.left == after.right


def _keeps_doubles(_state: State, move: PlaceTile | Pass) -> bool:
    return isinstance(move, PlaceTile) and not move.tile.is_double


def _leaves_fewest_answers(state: State, move: PlaceTile | Pass) -> bool:
    counts = {other: _fitting_count(position_after(state, other).passed()) for other in move_values(state)}
    return counts[move] == min(counts.values())


def _keeps_most_answers(state: State, move: PlaceTile | Pass) -> bool:
    counts = {other: _fitting_count(position_after(state, other)) for other in move_values(state)}
    return counts[move] == max(counts.values())


def _fitting_count(after: Position) -> int:
    """Number of tiles of `mine` that fit."""
    return playable_tiles(after.mine, after.left, after.right).bit_count()


def _answers_both_ends(state: State, move: PlaceTile | Pass) -> bool:
    after = position_after(state, move)
    return all(after.mine & SUIT_MASKS[number] for number in (after.left, after.right))


_IDEAS: dict[str, tuple[Callable[[State, PlaceTile | Pass], bool], str]] = {
    "block": (_blocks, "It blocks the line: nobody can play, and {who} has fewer pips."),
    "stop": (_is_stop, "Play no second tile: any gives the round away."),
    "shut out": (_shuts_out, "It shuts {other} out: nothing there fits, and {who} plays again."),
    "hold a number": (_holds_number, "It leaves open a number that only {who} has left: {number}."),
    "same ends": (_closes_ends, "It makes both ends {end}, so that {other} has little that fits."),
    "double": (_is_double, "The double goes now: a second tile may follow it in the same turn."),
    "keep doubles": (_keeps_doubles, "The doubles wait: any played now gives the round away."),
    "fewest answers": (_leaves_fewest_answers, "It leaves {other} the fewest tiles that fit."),
    "most answers": (_keeps_most_answers, "It keeps the most of {who}'s own tiles that fit."),
    "both ends": (_answers_both_ends, "It is the only move after which {who} has something for either end."),
}
"""Properties of moves, the most telling first: predicate of state and move, and text."""
