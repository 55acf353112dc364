"""Puzzles of dominoes: endings of two in which one move alone wins, whatever the other plays."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from flicksim.cards import Pass, PlaceTile
from flicksim.core.serialization import from_json, read_bytes
from flicksim.games.dominoes.deck import HANDS, NAMES
from flicksim.games.dominoes.endgame import best_move, is_mirror_image, move_values
from flicksim.games.dominoes.purpose import After
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
    after = After(state, solution)
    end = f"Then {who} goes out first, whatever {other} plays."
    if after.is_blocked():
        end = ""
    elif move_values(state, blocks_count=False)[solution] < 1.0:
        end = f"{other} can keep {who} from going out, but only by a block that leaves {who} fewer pips."
    key = idea(state, solution)
    number = after.left if after.is_own(after.left) else after.right
    text = "" if key is None else _IDEAS[key][1].format(who=who, other=other, number=number, end=after.right)
    return f"{text} {end}".strip()


def idea(state: State, solution: PlaceTile | Pass) -> str | None:
    """Name of the first property of a move that no other move has; None where there is none."""
    after = {move: After(state, move) for move in move_values(state)}
    others = [after[move] for move in after if not is_mirror_image(state, move, solution)]
    for name, (has_property, _) in _IDEAS.items():
        if has_property(after[solution], [*after.values()]) and not any(
            has_property(one, [*after.values()]) for one in others
        ):
            return name
    return None


_IDEAS: dict[str, tuple[Callable[[After, Sequence[After]], bool], str]] = {
    "block": (lambda one, _: one.is_blocked(), "It blocks the line: nobody can play, and {who} has fewer pips."),
    "stop": (lambda one, _: one.tile is None, "Play no second tile: any gives the round away."),
    "shut out": (lambda one, _: not one.is_first_double and not one.answers and one.mine > 0,
                 "It shuts {other} out: nothing there fits, and {who} plays again."),
    "hold a number": (lambda one, _: one.is_own(one.left) or one.is_own(one.right),
                      "It leaves open a number that only {who} has left: {number}."),
    "same ends": (lambda one, _: one.left == one.right,
                  "It makes both ends {end}, so that {other} has little that fits."),
    "double": (lambda one, _: one.is_first_double,
               "The double goes now: a second tile may follow it in the same turn."),
    "keep doubles": (lambda one, _: one.tile is not None and not one.is_double,
                     "The doubles wait: any played now gives the round away."),
    "fewest answers": (lambda one, all_: one.answers == min(other.answers for other in all_),
                       "It leaves {other} the fewest tiles that fit."),
    "most answers": (lambda one, all_: one.fitting == max(other.fitting for other in all_),
                     "It keeps the most of {who}'s own tiles that fit."),
    "both ends": (lambda one, _: one.fits_all_ends(),
                  "It is the only move after which {who} has something for either end."),
}  # fmt: skip
"""Properties of moves, the most telling first: predicate of the position after one and after all, and text."""
