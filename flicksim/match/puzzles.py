"""Puzzle mining: positions from bot games with one clearly best flick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, zip_longest
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from flicksim.ai import GRADES, ExecutionNoise, best_candidates
from flicksim.core.errors import FlicksimError, InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value, to_builtins
from flicksim.core.type_aliases import Action, JsonValue, State, View
from flicksim.match.action_similarity import is_similar_action
from flicksim.match.game_model import PhysicsSimulator
from flicksim.match.match import Turn
from flicksim.match.match_factory import open_match
from flicksim.match.rollout_model import GameRolloutModel
from flicksim.match.series import game_seed
from flicksim.referee import Game
from flicksim.scene import Flick, Launch, Squidge

Floats = npt.NDArray[np.float64]

MARGIN = 0.06
"""A solution wins so much oftener than the best that is not like it [1], at least."""
_MIN_CHANCE = 0.2
"""And wins so often itself, at least: nobody likes to try for ever."""
_LAST_TURNS = 6
"""So many of a game's last turns are looked at: before them hardly a flick ends it."""
_END_TRIES = 4
"""Tries of one plan that tell whether a flick ends the game at all."""
_CANDIDATES, _STRIDE, _SCREENING_TRIES, _SCREENED = 40, 3, 3, 16
"""Plans, every so manieth of which is tried first; tries of each; and the best of them that are looked at."""
_SEARCH_FRACTION, _SEARCH_RESULTS = 1.5, 64
"""Shots by which the analyst looks for flicks, over the game's usual number, and so many that it finds."""
_FINALISTS, TRIES = 8, 16
"""Ideas that are tried in earnest, and so many tries of each."""
VERIFY_FACTOR = 100
"""Factor of tries by which a puzzle is checked: it is kept if as many times more of them say the same."""
_TRY_FACTORS = (1, 3, 10, 30, VERIFY_FACTOR)
"""Factors of tries, one after another, with luck of their own: what is no puzzle by few is not tried by many."""
_ACCEPT_SIGMAS, _REJECT_SIGMAS = 3.0, 5.0
"""Standard errors by which a solution is ahead of its rivals, and by which a rival is not asked again."""
_MIN_DECIDED = 0.75
"""Share of the tries that must end the game: their chance is counted and not guessed."""
_FOLLOW_UP_TURNS = 8
"""Turns that who has the last one plays on by what is natural: what is handed back is flicked again."""


class Puzzle(Value, frozen=True, kw_only=True):
    """A position with a goal and its solution.

    Args:
        game, edition: by which rules. options: all of them, by name. state: where it stands. seat: who is to play.
        hand: grade of everybody's. goal: what is to be done, in a sentence.
        solution: the flick. chance: to win whole with it. rival: with the best that is not like it.
        tries: both rest on so many.
        game_seed, turn: out of which game.
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
    """See that something is flicked in a game: of cards nobody knows what the others hold.

    Raises:
        InvalidOption: nothing is.
    """
    if not game.uses_physics:
        raise InvalidOption(f"nothing is flicked in {game.title}; puzzles are found in games of flicks")


def mine_puzzles(game: Game, options: Value, hand: str, seed: int) -> Iterator[Puzzle | None]:
    """Play game after game between bots with these hands; a puzzle, or None after each game.

    Only positions in which a flick ends the game are told of: there chances are counted.

    Raises:
        InvalidOption: nothing is flicked in it.
    """
    check_flicking_game(game)
    future = GameRolloutModel(game, PhysicsSimulator(), max_turns=_FOLLOW_UP_TURNS)
    seats = min(max(2, game.seats[0]), game.seats[1])
    for number in count(1):
        chance = game_seed(seed, number)
        match = open_match(game, options, [f"bot:{hand}/beginner"] * seats, chance)
        for turn in list(match.run())[-_LAST_TURNS:]:
            state = _settled_state(game, turn)
            puzzle = _find_puzzle(game, future, turn, state, hand, chance) if state is not None else None
            if puzzle is not None:
                yield puzzle
        yield None


def _settled_state(game: Game, turn: Turn) -> State:
    """The state before a turn, once all that is in the air there has come down; None where that changes whose it is.

    A bot of a game without turns brings `calmed`: what a seat does that only waits for the others.
    """
    waits = getattr(game.bot, "wait_for_landings", lambda _state: None)(turn.before)
    if waits is None:
        return turn.before
    staged = game.rules.simulation_setup(turn.before, waits)
    account = PhysicsSimulator().simulate(*staged) if staged is not None else None
    state = game.rules.next_state(turn.before, account, game.rules.judge(turn.before, waits, account))
    return state if game.rules.to_play(state) == turn.seat else None


def _find_puzzle(game: Game, model: GameRolloutModel, turn: Turn, state: State, hand: str, seed: int) -> Puzzle | None:
    """The puzzle that a position is, which is that before a turn, if it is one."""
    view = game.rules.view(state, turn.seat)
    plans = [plan for plan in model.top_candidates(view, _CANDIDATES) if isinstance(plan, Flick | Squidge | Launch)]
    stream = RandomStreams(seed=seed).spawn("puzzle", turn.number)

    def try_actions(actions: Sequence[Action], tries: int, part: str) -> Floats:
        luck = stream.spawn(part).derived_seed() % 2**62
        return model.rollout(view, turn.seat, actions, GRADES[hand], tries, luck).win_probability

    if len(plans) < 2 or not _ends_game(game, model, view, turn.seat, plans[::_STRIDE]):
        return None
    if not _is_decided(try_actions(plans[:1], _END_TRIES, "ends")):
        return None
    first = _won_outright(try_actions(plans[::_STRIDE], _SCREENING_TRIES, "sifted")).mean(axis=1)
    if first.max() - first.min() < MARGIN:
        return None
    sifted = _won_outright(try_actions(plans, _SCREENING_TRIES, "sifted")).mean(axis=1)
    ranked = [plans[k] for k in np.argsort(-sifted, kind="stable")[:_SCREENED]]
    # the bot's own plans seldom hold the best flick, or all that rival it
    searches = [
        best_candidates(
            model, GRADES[hand], view, turn.seat, stream.spawn(part).derived_seed() % 2**62,
            round(_SEARCH_FRACTION * model.default_shots), _SEARCH_RESULTS,
        )
        for part in ("ideas", "other ideas")
    ]  # fmt: skip
    ranked = [*(plan for both in zip_longest(*searches) for plan in both if plan is not None), *ranked]
    ranked = [plan for plan in ranked if isinstance(plan, Flick | Squidge | Launch)]
    ideas = _distinct_actions(ranked, [model.target_of(view, plan) for plan in ranked], GRADES[hand])
    checked = np.zeros((1, 0))
    for step in _TRY_FACTORS:
        if len(ideas) < 2:
            return None
        found = try_actions(ideas, step * TRIES, f"times-{step}")
        ideas, checked = _rank(ideas, _won_outright(found))
        if not (_is_decided(found) and checked[0].mean() >= _MIN_CHANCE and _may_reach_margin(checked)):
            return None
        if step < VERIFY_FACTOR:
            ideas = [
                idea for k, idea in enumerate(ideas) if k <= 1 or _sigmas(checked[0] - checked[k]) < _REJECT_SIGMAS
            ]
    if not _clearly_best(checked[0], checked[1:]):
        return None
    chance, rival = float(checked[0].mean()), float(checked[1:].mean(axis=1).max())
    who, more = game.seat_names[turn.seat], 100.0 * (chance - rival)
    return Puzzle(
        game=game.name, edition=game.rules_version, options=to_builtins(turn.before.options), state=to_builtins(state),
        seat=turn.seat, hand=hand, goal=f"{who} to play: one idea wins {more:.0f} games in 100 more than any other.",
        solution=to_builtins(ideas[0]), chance=chance, rival=rival, tries=VERIFY_FACTOR * TRIES, game_seed=seed,
        turn=turn.number,
    )  # fmt: skip


def _ends_game(game: Game, model: GameRolloutModel, view: View, seat: int, actions: Sequence[Action]) -> bool:
    """Tell whether these flicks mostly end the game, and else mostly bring extra shots or a decision alone."""
    found = [
        one for one in model.states_after([(view, plan) for plan in actions]) if not isinstance(one, FlicksimError)
    ]
    due = [game.rules.to_play(one) for one in found]
    return due.count(None) > sum(one not in (None, seat) for one in due)


def _is_decided(chance: Floats) -> bool:
    """Tell whether so many tries ended the game that the chance is counted."""
    return bool(np.isin(chance, (0.0, 0.5, 1.0)).mean() >= _MIN_DECIDED)


def _won_outright(chance: Floats) -> Floats:
    """1 for each try that is won whole, else 0: to come out level is not to win."""
    return np.where(chance == 1.0, 1.0, 0.0)


def _distinct_actions(actions: Sequence[Action], targets: Sequence[str | None], noise: ExecutionNoise) -> list[Action]:
    """The first plans of which none is like another.

    Args:
        targets: at what each is aimed, where the game's bot tells (`target_of`): those at one thing are alike.
    """
    found: list[tuple[Action, str | None]] = []
    for plan, aim in zip(actions, targets, strict=True):
        if len(found) < _FINALISTS and not any(
            is_similar_action(plan, one, noise, (aim, other)) for one, other in found
        ):
            found.append((plan, aim))
    return [plan for plan, _ in found]


def _rank(ideas: Sequence[Action], chance: Floats) -> tuple[list[Action], Floats]:
    """Ideas and the chances of their tries, the best first."""
    order = np.argsort(-chance.mean(axis=1), kind="stable")
    return [ideas[k] for k in order], chance[order]


def _may_reach_margin(chance: Floats) -> bool:
    """Tell whether the first idea is ahead of the next by the margin, as far as luck allows."""
    gain = chance[0] - chance[1]
    return float(gain.mean()) + (float(gain.std(ddof=1)) / sqrt(len(gain)) if len(gain) > TRIES else 0.0) >= MARGIN


def _sigmas(gain: Floats) -> float:
    """Standard errors by which a gain lies above nothing."""
    spread = float(gain.std(ddof=1)) / sqrt(len(gain))
    return float(gain.mean()) / spread if spread > 0.0 else inf if gain.mean() > 0.0 else 0.0


def _clearly_best(best: Floats, rivals: Floats) -> bool:
    """Tell whether it is ahead of all of these, by the margin and beyond luck."""
    gains = [best - rival for rival in rivals]
    return bool(gains) and all(gain.mean() >= MARGIN and _sigmas(gain) >= _ACCEPT_SIGMAS for gain in gains)
