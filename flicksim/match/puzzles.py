"""Puzzle mining: positions from bot games with one clearly best flick."""

from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from math import sqrt

import numpy as np

from flicksim.ai import GRADES, ExecutionNoise, best_candidates, z_score
from flicksim.core.arrays import Floats
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, to_builtins
from flicksim.core.type_aliases import Action, JsonValue, State, View
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.match import Turn
from flicksim.match.match_factory import open_match
from flicksim.match.purpose import is_similar_action
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.match.series import game_seed
from flicksim.referee import Game
from flicksim.scene import Flick, Launch, Squidge

MARGIN = 0.06
"""Least lead of a solution's win probability over the best dissimilar action [1]."""
_MIN_CHANCE = 0.2
"""Least win probability of a solution [1]."""
_LAST_TURNS = 6
"""Number of last turns of a game that are examined; earlier flicks hardly ever end it."""
_END_TRIES = 4
"""Rollouts of one candidate that show whether a flick ends the game."""
_CANDIDATES, _STRIDE, _SCREENING_TRIES, _SCREENED = 40, 3, 3, 16
"""Number of candidates, stride of those tried first, rollouts of each, and number of the best that are kept."""
_SEARCH_FRACTION, _SEARCH_RESULTS = 1.5, 64
"""Shots of the candidate search, as a multiple of the game's default, and its number of results."""
_FINALISTS, TRIES = 8, 16
"""Number of distinct actions compared, and base number of rollouts of each."""
VERIFY_FACTOR = 100
"""Factor on the rollouts by which a puzzle is verified."""
_TRY_FACTORS = (1, 3, 10, 30, VERIFY_FACTOR)
"""Factors on the rollouts of successive stages, with seeds of their own; a failed stage rejects the position."""
_ACCEPT_SIGMAS, _REJECT_SIGMAS = 3.0, 5.0
"""Standard errors by which a solution must lead, and by which an action behind is eliminated."""
_MIN_DECIDED = 0.75
"""Least share of rollouts that end the game, so that win probabilities are counted and not estimated."""
_FOLLOW_UP_TURNS = 8
"""Number of turns that a rollout continues with the default action."""


class Puzzle(Value, frozen=True, kw_only=True):
    """Position with a goal and its solution.

    Args:
        game, edition: rules. options: all of them, by name. state: of the game. seat: to play.
        hand: grade of the execution noise of every player. goal: in a sentence.
        solution: flick. chance: win probability of it. rival: of the best dissimilar action.
        tries: number of rollouts of each.
        game_seed, turn: source of the position.
    """

    game: str
    edition: int
    options: dict[str, JsonValue]
    state: dict[str, JsonValue]
    seat: int
    hand: str
    goal: str
    solution: dict[str, JsonValue]
    chance: float
    rival: float
    tries: int
    game_seed: int
    turn: int


def check_flicking_game(game: Game) -> None:
    """Check that a game is one of flicks, without hidden cards.

    Raises:
        InvalidOption: it is not.
    """
    if not game.uses_physics:
        raise InvalidOption(f"nothing is flicked in {game.title}; puzzles are found in games of flicks")


def mine_puzzles(game: Game, options: Value, hand: str, seed: int) -> Iterator[Puzzle | None]:
    """Mine puzzles from games between bots of a grade; yields each puzzle, and None after each game.

    Only positions in which a flick ends the game qualify: there win probabilities are counted.

    Raises:
        InvalidOption: it is not a game of flicks.
    """
    check_flicking_game(game)
    model = GameRolloutModel(game, PhysicsSimulator(), max_turns=_FOLLOW_UP_TURNS)
    seats = min(max(2, game.seats[0]), game.seats[1])
    for number in count(1):
        match_seed = game_seed(seed, number)
        match = open_match(game, options, [f"bot:{hand}/beginner"] * seats, match_seed)
        for turn in list(match.run())[-_LAST_TURNS:]:
            state = _settled_state(game, turn)
            puzzle = _find_puzzle(game, model, turn, state, hand, match_seed) if state is not None else None
            if puzzle is not None:
                yield puzzle
        yield None


def _settled_state(game: Game, turn: Turn) -> State:
    """State before a turn with all pieces landed; None where another seat is then to play.

    The bot of a game without turns has `wait_for_landings`, which returns the action of waiting.
    """
    wait = getattr(game.bot, "wait_for_landings", lambda _state: None)(turn.before)
    if wait is None:
        return turn.before
    setup = game.rules.simulation_setup(turn.before, wait)
    result = PhysicsSimulator().simulate(*setup) if setup is not None else None
    state = game.rules.next_state(turn.before, result, game.rules.judge(turn.before, wait, result))
    return state if game.rules.to_play(state) == turn.seat else None


def _find_puzzle(game: Game, model: GameRolloutModel, turn: Turn, state: State, hand: str, seed: int) -> Puzzle | None:
    """Return the puzzle of the position before a turn, if it qualifies."""
    view = game.rules.view(state, turn.seat)
    candidates = [
        action for action in model.top_candidates(view, _CANDIDATES) if isinstance(action, Flick | Squidge | Launch)
    ]
    stream = RandomStreams(seed=seed).spawn("puzzle", turn.number)

    def try_actions(actions: Sequence[Action], tries: int, part: str) -> Floats:
        part_seed = stream.spawn(part).derived_seed() % 2**62
        return model.rollout(view, turn.seat, actions, GRADES[hand], tries, part_seed).win_probability

    if len(candidates) < 2 or not _ends_game(game, model, view, turn.seat, candidates[::_STRIDE]):
        return None
    if not _is_decided(try_actions(candidates[:1], _END_TRIES, "ends")):
        return None
    first = _won_outright(try_actions(candidates[::_STRIDE], _SCREENING_TRIES, "sifted")).mean(axis=1)
    if first.max() - first.min() < MARGIN:
        return None
    screened = _won_outright(try_actions(candidates, _SCREENING_TRIES, "sifted")).mean(axis=1)
    ranked = [candidates[k] for k in np.argsort(-screened, kind="stable")[:_SCREENED]]
    ranked = [*_found_actions(model, view, turn.seat, hand, stream), *ranked]
    distinct = _distinct_actions(ranked, [model.target_of(view, action) for action in ranked], GRADES[hand])
    wins = np.zeros((1, 0))
    for factor in _TRY_FACTORS:
        if len(distinct) < 2:
            return None
        outcomes = try_actions(distinct, factor * TRIES, f"times-{factor}")
        wins = _won_outright(outcomes)
        order = np.argsort(-wins.mean(axis=1), kind="stable")  # the best first
        distinct, wins = [distinct[k] for k in order], wins[order]
        if not (_is_decided(outcomes) and wins[0].mean() >= _MIN_CHANCE and _may_reach_margin(wins)):
            return None
        if factor < VERIFY_FACTOR:
            distinct = [
                action for k, action in enumerate(distinct) if k <= 1 or z_score(wins[0] - wins[k]) < _REJECT_SIGMAS
            ]
    if not _clearly_best(wins[0], wins[1:]):
        return None
    chance, rival = float(wins[0].mean()), float(wins[1:].mean(axis=1).max())
    name, lead = game.seat_names[turn.seat], 100.0 * (chance - rival)
    return Puzzle(
        game=game.name, edition=game.rules_version, options=to_builtins(turn.before.options), state=to_builtins(state),
        seat=turn.seat, hand=hand, goal=f"{name} to play: one idea wins {lead:.0f} games in 100 more than any other.",
        solution=to_builtins(distinct[0]), chance=chance, rival=rival, tries=VERIFY_FACTOR * TRIES, game_seed=seed,
        turn=turn.number,
    )  # fmt: skip


def _found_actions(
    model: GameRolloutModel, view: View, seat: int, hand: str, stream: RandomStreams
) -> list[Flick | Squidge | Launch]:
    """Return the best flicks of two searches, in turn.

    The bot's own candidates seldom include the best flick, or all that come close.
    """
    searches = [
        best_candidates(
            model, GRADES[hand], view, seat, stream.spawn(part).derived_seed() % 2**62,
            round(_SEARCH_FRACTION * model.default_shots), _SEARCH_RESULTS,
        )
        for part in ("ideas", "other ideas")
    ]  # fmt: skip
    found = (action for pair in zip_longest(*searches) for action in pair)
    return [action for action in found if isinstance(action, Flick | Squidge | Launch)]


def _ends_game(game: Game, model: GameRolloutModel, view: View, seat: int, actions: Sequence[Action]) -> bool:
    """Return True if more of these flicks end the game than pass the turn to another seat."""
    states = model.states_after([(view, action) for action in actions])
    next_seats = [game.rules.to_play(state) for state in states if not isinstance(state, FlicksimError)]
    return next_seats.count(None) > sum(following not in (None, seat) for following in next_seats)


def _is_decided(chance: Floats) -> bool:
    """Return True if enough rollouts ended the game."""
    return bool(np.isin(chance, (0.0, 0.5, 1.0)).mean() >= _MIN_DECIDED)


def _won_outright(chance: Floats) -> Floats:
    """Win probability of each rollout: a draw is not a win, and one that ends with an extra shot due is no defeat."""
    return np.where(chance == 0.5, 0.0, chance)


def _distinct_actions(actions: Sequence[Action], targets: Sequence[str | None], noise: ExecutionNoise) -> list[Action]:
    """Return the first actions of which no two are similar.

    Args:
        targets: of each action, where known (`target_of`); actions with the same target are similar.
    """
    distinct: list[tuple[Action, str | None]] = []
    for action, target in zip(actions, targets, strict=True):
        if len(distinct) < _FINALISTS and not any(
            is_similar_action(action, other, noise, (target, other_target)) for other, other_target in distinct
        ):
            distinct.append((action, target))
    return [action for action, _ in distinct]


def _may_reach_margin(chance: Floats) -> bool:
    """Return True if the lead of the first action may be the margin, within one standard error."""
    gain = chance[0] - chance[1]
    return float(gain.mean()) + (float(gain.std(ddof=1)) / sqrt(len(gain)) if len(gain) > TRIES else 0.0) >= MARGIN


def _clearly_best(best: Floats, rivals: Floats) -> bool:
    """Return True if it leads all rivals by the margin, beyond sampling error."""
    gains = [best - rival for rival in rivals]
    return bool(gains) and all(gain.mean() >= MARGIN and z_score(gain) >= _ACCEPT_SIGMAS for gain in gains)
