"""Subjects of puzzle searches: positions of games as last shots, their candidate shots, and what each wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from benchmarks.puzzle_outcomes import last_turn_wins
from flicksim.ai import GRADES
from flicksim.core.arrays import Floats
from flicksim.core.errors import FlicksimError
from flicksim.core.geometry import wrap_angle
from flicksim.core.type_aliases import Action
from flicksim.core.type_aliases import State as AnyState
from flicksim.engine import Settings
from flicksim.games import ice, load
from flicksim.games.ice.scoring import TableCount
from flicksim.games.ice.table_layout import owner_of, seat_areas, size_of
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.candidate_shots import candidate_shots
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.heuristic_value import DEFAULT_STYLE, STYLES_BY_NAME
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.games.tiddlywinks.state import State
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match
from flicksim.match.game_model import SEARCH_SETTINGS
from flicksim.match.series import game_seed
from flicksim.referee import LaunchRange, Puzzle
from flicksim.scene import MAX_SPEED, SIZES, Launch, Pyramid, Size, Squidge


@dataclass
class Tried:
    """An action, its idea in words, and its wins."""

    action: Action
    wins: Floats
    idea: str = ""

    @property
    def mean(self) -> float:
        """Mean of the wins."""
        return float(self.wins.mean())


class Subject(ABC):
    """Game whose last shots are searched for puzzles.

    Args:
        game: its name. hand: grade of hand of every player. settings: of the model's simulations.

    Attributes:
        margin: least lead of a solution over the best other idea [1]. min_chance: least win probability of it [1].
        first_lead: least lead in the screening [1].
    """

    first_lead: float
    margin: float
    min_chance: float

    def __init__(self, game: str, hand: str, settings: Settings) -> None:
        self._game, self._hand = load(game), hand
        self._model = GameRolloutModel(self._game, PhysicsSimulator(settings))

    @abstractmethod
    def positions(self, seed: int, number: int, unwanted: Set[str]) -> Iterator[tuple[int, int, AnyState]]:
        """Yield positions of one game, each with the seed of the game and the number of the turn.

        Args:
            unwanted: kinds of ideas; positions that these alone may turn are left out.
        """

    @abstractmethod
    def seat(self, state: AnyState) -> int:
        """Seat to play."""

    @abstractmethod
    def candidates(self, state: AnyState) -> list[Action]:
        """Shots that may be worth a try."""

    @abstractmethod
    def perturbed(self, shot: Action, rng: np.random.Generator) -> Action:
        """Return a random perturbation of a shot."""

    @abstractmethod
    def wins(
        self, state: AnyState, actions: Sequence[Action], tries: int, seed: int, *, exact: bool, quick: bool
    ) -> Floats:
        """Wins of trials of each action with execution noise, under common random numbers. [P, tries]

        Args:
            exact: whether the steps are those of games, not of searches. quick: whether what the batch does not rule
                counts as lost.
        """

    @abstractmethod
    def is_solved_by(self, state: AnyState, action: Action) -> bool:
        """Return True if a shot that wins often enough does so by its idea, as the subject tests it."""

    def idea(self, state: AnyState, action: Action) -> str:
        """Purpose of a shot in words; empty where it has none."""
        purpose = self._model.purpose(state, action)
        return purpose.text if purpose is not None else ""

    def kind(self, state: AnyState, action: Action) -> str:
        """Kind of the purpose."""
        purpose = self._model.purpose(state, action)
        return purpose.kind if purpose is not None else ""

    def puzzle(
        self, state: AnyState, source: int, turn: int, best: Tried, rivals: Sequence[Tried], missed: float
    ) -> Puzzle[Any, Any]:
        """Make the puzzle."""
        return Puzzle(
            state=state, seat=self.seat(state), solution=best.action, chance=round(best.mean, 6),
            next_best_chance=round(max((one.mean for one in rivals), default=0.0), 6), tries=len(best.wins),
            game_seed=source, turn=turn, hand=self._hand, missed=round(100.0 * missed),
            idea=self.idea(state, best.action),
        )  # fmt: skip


class TiddlywinksSubject(Subject):
    """Positions as the last turn of a game whose time is up."""

    min_chance, margin, first_lead = 0.25, 0.1, 0.1
    _MOST_SQUOPPED, _TURNS_APART = 6, 2

    def __init__(self, hand: str) -> None:
        super().__init__("tiddlywinks", hand, SEARCH_SETTINGS)
        self._style = STYLES_BY_NAME[DEFAULT_STYLE]

    def positions(self, seed: int, number: int, unwanted: Set[str]) -> Iterator[tuple[int, int, State]]:
        """Yield positions of one game, with any colour to play, that one shot may turn."""
        source = game_seed(seed, number)
        players = [_QuickPlayer("tiddlywinks", (0, 0, 1, 1, 2)) for _ in range(4)]
        for turn in open_match(self._game, Options(time_limit_s=1200.0, rounds=0), players, source).run():
            if turn.number % self._TURNS_APART or self._squopped_count(turn.before) > self._MOST_SQUOPPED:
                continue
            for seat in range(4):
                state = _last_turn(turn.before, seat)
                if state is not None and _may_turn(state, unwanted):
                    yield source, turn.number, state

    @staticmethod
    def _squopped_count(state: State) -> int:
        squops = Squops(state.scene, state.book)
        return sum(map(squops.is_squopped, kit.WINKS))

    def seat(self, state: State) -> int:
        """Seat to play."""
        return state.book.turn

    def candidates(self, state: State) -> list[Action]:
        """Shots of the bots."""
        return [candidate.shot for candidate in candidate_shots(state, self._style)]

    def perturbed(self, shot: Squidge, rng: np.random.Generator) -> Action:
        """Return a random perturbation of a shot."""
        push, turn, rise = rng.normal(0.0, (0.04, 0.03, 0.10))
        return msgspec.structs.replace(
            shot,
            speed=min(MAX_SPEED, shot.speed * (1.0 + float(push))),
            azimuth=float((shot.azimuth + turn + np.pi) % (2 * np.pi) - np.pi),
            elevation=float(min(1.5, max(0.15, shot.elevation + rise))),
        )

    def wins(
        self, state: State, actions: Sequence[Action], tries: int, seed: int, *, exact: bool, quick: bool
    ) -> Floats:
        """Wins of the pair outright."""
        settings = Settings() if exact else SEARCH_SETTINGS
        hand = GRADES[self._hand]
        return last_turn_wins(self._model, state, state.book.turn, actions, hand, tries, seed, settings, quick=quick)

    def is_solved_by(self, state: State, action: Squidge) -> bool:
        """Return True if the shot wins without noise, and not with 0.3 of its speed."""
        return self._wins_exactly(state, action) and not self._wins_exactly(
            state, msgspec.structs.replace(action, speed=0.3 * action.speed)
        )

    def _wins_exactly(self, state: State, action: Squidge) -> bool:
        points, pair = self._end(state, action).book.points, kit.pair_of(state.book.turn)
        return sum(points[pair::2]) > sum(points[1 - pair :: 2])

    def _end(self, state: State, action: Squidge) -> State:
        """State at the end of the game, after a shot without noise and the bot's extra shots."""
        simulator, shot = PhysicsSimulator(), action
        while rules.to_play(state) is not None:
            setup = rules.simulation_setup(state, shot)
            result = simulator.simulate(*setup) if setup is not None else None
            state = rules.next_state(state, result, rules.judge(state, shot, result))
            if rules.to_play(state) is not None:
                shot = self._game.bot.candidates(state, np.random.default_rng(1), 1)[0]
        return state

    def puzzle(
        self, state: State, source: int, turn: int, best: Tried, rivals: Sequence[Tried], missed: float
    ) -> Puzzle[Any, Any]:
        """Make the puzzle, with the points after its solution."""
        puzzle, end = super().puzzle(state, source, turn, best, rivals, missed), self._end(state, best.action)
        points = () if end.book.finished else scoring.time_limit_points(end.options, end.scene, end.book)
        return msgspec.structs.replace(puzzle, points_after=points)


class IceSubject(Subject):
    """Positions as the last launch of a game: all other missiles have left it (`knock_off="lost"`)."""

    min_chance, margin, first_lead = 0.15, 0.08, 0.03
    _CANDIDATES, _AIMED, _MIN_PIECES, _PER_GAME = 12, 24, 6, 6
    """Candidates by each grade's known launches, and at each decisive piece; least number of pieces on the table; most
    positions of one game."""
    _IDEA_SAMPLE, _LATER_TRIES = 40, 48
    """Launches that show whether the idea wins; launches by which the chance after one handed back is estimated."""

    def __init__(self, hand: str) -> None:
        super().__init__("ice", hand, Settings())
        self._later: tuple[ice.state.State | None, float] = (None, 0.0)

    def positions(self, seed: int, number: int, unwanted: Set[str]) -> Iterator[tuple[int, int, ice.state.State]]:
        """Yield positions of one game, of any seat and size of missile, in which one launch may turn the game."""
        source = game_seed(seed, number)
        rng = np.random.Generator(np.random.PCG64(source))
        players = [_QuickPlayer("ice", range(3, 8)) for _ in range(2)]
        found = [
            (source, turn.number, state)
            for turn in open_match(self._game, ice.table_layout.Options(knock_off="lost"), players, source).run()
            if len(turn.before.scene.pieces) >= self._MIN_PIECES
            for seat in range(2)
            for size in SIZES
            if (state := _last_launch(turn.before, seat, size)) is not None and self._deficit(state) >= 0
            if (self._decisive(state) if self._deficit(state) > SIZES.index(size) else "stand" not in unwanted)
        ]
        for k in rng.permutation(len(found))[: self._PER_GAME]:
            yield found[k]

    def seat(self, state: ice.state.State) -> int:
        """Seat to play."""
        seat = ice.rules.to_play(state)
        assert seat is not None
        return seat

    def candidates(self, state: ice.state.State) -> list[Action]:
        """Launches of bots of all grades that know any, and at decisive pieces from along the start line."""
        rng = np.random.Generator(np.random.PCG64(0))
        known = [
            action
            for grade in ("club", "expert", "world")
            for action in ice.bot.for_grade(grade).candidates(state, rng, self._CANDIDATES)
        ]
        return known + [self._aimed(state, piece, rng) for piece in self._decisive(state) for _ in range(self._AIMED)]

    def _deficit(self, state: ice.state.State) -> int:
        """Points that the seat to play is behind."""
        seat, points = self.seat(state), ice.rules.provisional_points(state)
        return max(points[:seat] + points[seat + 1 :]) - points[seat]

    def _decisive(self, state: ice.state.State) -> list[Pyramid]:
        """Opposing pieces whose fall turns the game, of those that count double: others rarely fall."""
        count, deficit = TableCount(state), self._deficit(state)
        opposing = [state.scene.piece(name) for name in state.committed if owner_of(name) != self.seat(state)]
        return [piece for piece in opposing if count.points(piece.id) > max(deficit, piece.shape.pips)]

    def _aimed(self, state: ice.state.State, piece: Pyramid, rng: np.random.Generator) -> Launch:
        """Random launch at a piece, from anywhere along the start line."""
        (reach,) = ice.rules.legal_actions(state).flicks
        assert isinstance(reach, LaunchRange)
        (ax, ay), (bx, by) = seat_areas(state.options, state.seats)[self.seat(state)].start_line
        along = float(rng.uniform(-ice.bot.HOLD_RANGE, ice.bot.HOLD_RANGE))
        hold = reach.hold[0] + along * (bx - ax), reach.hold[1] + along * (by - ay)
        return ice.bot.launch_at(msgspec.structs.replace(reach, hold=hold), piece.position, rng)

    def perturbed(self, shot: Launch, rng: np.random.Generator) -> Action:
        """Return a random perturbation of a launch."""
        push, turn, slant, lift = rng.normal(0.0, (0.03, 0.03, 0.02, 0.005))
        return msgspec.structs.replace(
            shot,
            speed=min(6.0, shot.speed * (1.0 + float(push))),
            azimuth=wrap_angle(shot.azimuth + float(turn)),
            slant=min(1.48, max(0.79, shot.slant + float(slant))),
            lift=max(0.05, shot.lift + float(lift)),
        )

    def wins(
        self, state: ice.state.State, actions: Sequence[Action], tries: int, seed: int, *, exact: bool, quick: bool
    ) -> Floats:
        """Wins outright; a launch that is handed back has the win probability of the bot's next one."""
        del exact, quick
        wins = self._outcomes(state, actions, tries, seed)
        return np.where(np.isnan(wins), self._chance_later(state), wins)

    def _outcomes(self, state: ice.state.State, actions: Sequence[Action], tries: int, seed: int) -> Floats:
        """1 for each win, 0 for each defeat or draw, NaN for each launch that is handed back. [P, tries]"""
        noise = GRADES[self._hand]
        executed = [
            noise.execute(action, np.random.Generator(np.random.PCG64([seed, k])))
            for action in actions
            for k in range(tries)
        ]
        found = [
            self._outcome(state, after) for after in self._model.states_after([(state, shot) for shot in executed])
        ]
        return np.array(found).reshape(len(actions), tries)

    @staticmethod
    def _outcome(state: ice.state.State, after: AnyState) -> float:
        if isinstance(after, FlicksimError):
            return 0.0
        if after.final is None:
            return np.nan
        return float(ice.rules.leaders(after) == (ice.rules.to_play(state),))

    def _chance_later(self, state: ice.state.State) -> float:
        """Win probability of the bot's default launches, repeated while they are handed back."""
        if self._later[0] is not state:
            rng = np.random.Generator(np.random.PCG64(1))
            launches = [self._model.candidates(state, rng, 1)[0] for _ in range(self._LATER_TRIES // 4)]
            found = self._outcomes(state, launches, 4, 1)
            self._later = state, float(np.nanmean(found)) if not np.isnan(found).all() else 0.0
        return self._later[1]

    def is_solved_by(self, state: ice.state.State, action: Launch) -> bool:
        """Return True if the launch serves its purpose in over 60 % of the games it wins, of 40 noisy launches."""
        purpose, served = self._model.purpose(state, action), list[bool]()
        for k in range(self._IDEA_SAMPLE):
            shot = GRADES[self._hand].execute(action, np.random.Generator(np.random.PCG64([2, k])))
            setup = ice.rules.simulation_setup(state, shot)
            assert setup is not None
            result = PhysicsSimulator().simulate(*setup)
            after = ice.rules.next_state(state, result, ice.rules.judge(state, shot, result))
            if self._outcome(state, after) == 1.0:
                served.append(purpose is not None and purpose.kind in ice.purpose.purposes_served(state, shot, result))
        return bool(served) and float(np.mean(served)) > 0.6


def _last_launch(before: ice.state.State, seat: int, size: Size) -> ice.state.State | None:
    """Position in which a seat has the last missile, one of a size, and those handed back are picked up.

    None where it has none, or something rests on what is picked up.
    """
    missile = next((name for name in before.hands[seat] if size_of(name) == size), None)
    if missile is None or any(set(piece.rests_on) & set(before.lift) for piece in before.scene.pieces):
        return None
    hands = tuple((missile,) if other == seat else () for other in range(before.seats))
    return msgspec.structs.replace(
        before, scene=before.scene.without(*before.lift), hands=hands, loaded=(None,) * before.seats, former=None,
        lift=(), ready=(before.clock,) * before.seats, aloft=(),
    )  # fmt: skip


class _QuickPlayer:
    """Player of one of the first candidates of the bot, with execution noise.

    Args:
        choices: indices of candidates, each as likely.
    """

    hand = "club"

    def __init__(self, game: str, choices: Sequence[int]) -> None:
        self._bot, self._choices = load(game).bot, choices

    def choose(self, view: AnyState, legal: object, rng: np.random.Generator) -> Action:
        del legal
        found: list[Action] = self._bot.candidates(view, rng, 1 + self._choices[int(rng.integers(len(self._choices)))])
        return found[-1]


def _last_turn(state: State, seat: int) -> State | None:
    """Position as the last turn, of a seat, of a game whose time limit is its clock; None where it cannot be one."""
    book = state.book
    if book.phase != "shot" or book.opener is None or book.extra or book.episode or book.finished or book.missing:
        return None
    if book.turn != book.to_play or book.laps is not None or book.clock < 60.0 or book.protected is not None:
        return None
    options = msgspec.structs.replace(state.options, time_limit_s=book.clock, rounds=0)
    return msgspec.structs.replace(
        state,
        options=options,
        last_shot=None,
        book=msgspec.structs.replace(book, laps=1, opener=seat, turn=seat, to_play=seat),
    )


def _lead(totals: Sequence[int], pair: int) -> float:
    points = scoring.pair_points(scoring.by_place(scoring.rank_by_total((totals[0], totals[1], totals[2], totals[3]))))
    return float(points[pair] - points[1 - pair])


def _may_turn(state: State, unwanted: Set[str]) -> bool:
    """Return True if a single change may turn the game.

    The seat to play does not win if nothing changes, nor by bringing a wink in, and one pot, squop or freed wink may
    win.
    """
    seat = state.book.turn
    pair, totals = kit.pair_of(seat), list(scoring.time_limit_points(state.options, state.scene, state.book))
    if _lead(totals, pair) > 0.0:
        return False
    squops = Squops(state.scene, state.book)

    def wins(*changes: tuple[int, int]) -> bool:
        after = list(totals)
        for changed, by in changes:
            after[changed] += by
        return _lead(after, pair) > 0.0

    if any(wink in state.book.behind for wink in kit.winks_of(seat)) and wins((seat, 1)):
        return False
    can_pot = any(wink not in state.book.behind for wink in squops.playable_winks(seat)) and wins((seat, 2))
    if can_pot and "pot" in unwanted:
        return False
    targets = [
        other
        for other in range(4)
        if kit.pair_of(other) != pair
        and any(state.book.in_play(wink) and not squops.is_squopped(wink) for wink in kit.winks_of(other))
    ]
    freed = {
        kit.seat_of(wink) for wink in kit.WINKS if kit.pair_of(kit.seat_of(wink)) == pair and squops.is_squopped(wink)
    }
    return (
        can_pot
        or any(wins((enemy, by)) for enemy in targets for by in (-1, -2))
        or any(wins((friend, by)) for friend in freed for by in (1, 2))
    )


SUBJECTS: Mapping[str, Callable[[str], Subject]] = {"tiddlywinks": TiddlywinksSubject, "ice": IceSubject}
"""Subjects by the name of the game."""
