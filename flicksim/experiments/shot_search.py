"""Search for the shot that most probably reaches a goal under execution noise.

Many shots are drawn (by the bot of the game, aimed in closed form, at random within the useful ranges) and executed
exactly once; the nearest to the goal are the candidates. They are compared under execution noise by successive
elimination with common random numbers, new ones are proposed near the good ones by kernel regression, and the
probabilities returned are estimated with new random numbers (`flicksim.ai.evaluate`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import nan, pi
from typing import Any

import msgspec
import numpy as np

from flicksim import ai
from flicksim.core.arrays import Array
from flicksim.core.counting import count_of
from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.core.limits import MAX_SEED
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.core.type_aliases import Action, View
from flicksim.core.units import deg2rad, format_azimuth
from flicksim.core.validation import check_int, check_type, short_repr
from flicksim.engine import DiscBatchResult, Flicks, Settings, Squidges, WinkBatchResult, simulate, simulate_batch
from flicksim.experiments.aiming import resolve_aim
from flicksim.experiments.experiment import MAX_SHOTS
from flicksim.experiments.measure import CompiledMeasure, Shot, ShotBatch
from flicksim.experiments.shot_goal import Goal, check_compatible
from flicksim.match import GameModel, GameState
from flicksim.referee import FlickRange, Game, LaunchRange, SquidgeRange
from flicksim.scene import Flick, Launch, Piece, PyramidScene, Scene, Squidge, Volley

DEFAULT_SHOTS: Mapping[str, int] = {"flick": 20_000, "squidge": 2_000, "launch": 3_000}
"""Default number of shots of a search, by the kind of shot."""
_SCREENING_FRACTION = 0.25
"""Share of the shots that are drawn and executed once."""
_BOT_CANDIDATES = 24
"""Most candidates of the game's bot among them."""
_AIMED_FLICKS = (-0.03, -0.01, 0.0, 0.01, 0.03, 0.08, 0.2)
"""Distances beyond the target at which flicks are aimed [m]."""
_AIMED_SQUIDGES = tuple(
    (deg2rad(elevation), overshoot)
    for elevation in (35.0, 45.0, 55.0, 65.0, 75.0)
    for overshoot in (-0.02, -0.01, -0.004, 0.0, 0.006)
)
"""Elevations [rad], and distances beyond the target [m], at which squidges are aimed."""
_SPEEDS = (0.2, 4.0)
"""Speeds that are tried where no game gives a range [m/s]."""
_MAX_FOUND = 50
"""Most shots that a search returns."""
_NO_MISS = 1.0
"""Distance from the goal taken for a shot that was invalid, or whose piece is gone [m]."""


class FoundShot(Value, frozen=True, kw_only=True):
    """Shot with the probability that it reaches a goal.

    Args:
        goal: in words. action: the intended shot. probability: that it reaches the goal when it is executed with noise.
        low, high: its 95 % interval (Wilson). tries: number of executions it is estimated from.
        shots: number of shots simulated by the search. others: the next best shots, in order.
    """

    goal: str
    action: Action
    probability: float
    low: float
    high: float
    tries: int
    shots: int
    others: "tuple[FoundShot, ...]" = ()

    def __repr__(self) -> str:
        interval = f"{self.low:.3f} to {self.high:.3f}, {count_of(self.tries, 'try', 'tries')}"
        shot = f"{self.action.piece} {self.action.speed:.3f} m/s, {format_azimuth(self.action.azimuth)} degrees"
        return f"<{shot}: {self.goal!r} with probability {self.probability:.3f} ({interval})>"


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a search, with the best shots so far, whose probabilities are biased upwards."""

    def __init__(self, found: FoundShot) -> None:
        super().__init__()
        self.found = found


def find_shot(
    start: GameState | Scene | PyramidScene,
    goal: str | Callable[[Shot], object] | Goal | Sequence[Goal],
    noise: str | ai.ExecutionNoise = "club",
    *,
    piece: str | None = None,
    initial: Flick | Squidge | Launch | Sequence[Flick | Squidge | Launch] = (),
    shots: int | None = None,
    top: int = 3,
    seed: int = 1,
    threads: int = 1,
) -> FoundShot:
    """Find the shot that most probably reaches a goal, and how probably, under execution noise.

    Shots are drawn, executed exactly once, and the nearest to the goal compared under noise by successive elimination
    with common random numbers; new ones are proposed near the good ones by kernel regression; the probability is
    estimated with new random numbers.

    >>> from flicksim import load_scene
    >>> find_shot(load_scene("draw"), "distance white < 0.03", piece="a", shots=4000)
    <a 1.427 m/s, 90.2 degrees: 'distance white < 0.03' with probability 0.512 (0.454 to 0.570, 285 tries)>

    Args:
        start: state of a game, whose rules say which pieces may be flicked; or a scene.
        goal: a measure of the shot that is true ("potted", "squops green-1", "upright", "off_surface red-1"), or a
            number within a limit ("distance white < 0.03", "distance_to 0.15 0.6 < 0.02", "rest_position_y white >
            0.46"), in SI units, or several joined by "and"; or a function of the finished shot
            (`flicksim.experiments.Shot`); or goals that are all to be reached.
        noise: execution noise: a grade, "steady", or the noise itself. piece: to be flicked; by default any in a
            game, and the only one of a scene.
        initial: shots to begin with, of which illegal ones and those of other pieces are left out; a scene of pyramids
            needs one, which says where the launcher is held.
        shots: simulated at most, by default 20,000 flicks, 2,000 squidges or 3,000 launches. top: number of shots
            returned, the best and `others`. seed: of all random numbers; the same finds the same shot. threads: of
            batches of flicks or squidges; the result does not depend on it.

    Raises:
        InvalidOption: there are too few shots; says how many are enough.
        SearchInterrupted: Ctrl-C; it holds the best shots so far.
        InvalidInput: nothing may be flicked, goals exclude each other, or an argument is not what it should be.
    """
    check_type(start, (GameState, Scene, PyramidScene), "start", "it is a state of a game (new_game) or a scene")
    goals = _parse_goals(goal)
    check_compatible(goals)
    if piece is not None:
        check_type(piece, str, "piece", "it is the name of a piece")
    first = tuple(initial) if isinstance(initial, Sequence) else (initial,)
    for one in first:
        check_type(one, (Flick, Squidge, Launch), "initial", "each is a Flick, a Squidge or a Launch")
    if shots is not None:
        check_int(shots, "shots", 1, MAX_SHOTS)
    check_int(top, "top", 1, _MAX_FOUND)
    check_int(seed, "seed", 0, MAX_SEED)
    check_int(threads, "threads", 1, 1024)
    hand = ai.noise_named(noise)
    streams, model = RandomStreams(seed=seed), _GoalModel(start, piece, first, goals, threads)
    if sensible := [span for span in model.ranges if not any(one.is_distance_from_itself(span.piece) for one in goals)]:
        model.ranges = sensible
    budget = shots or DEFAULT_SHOTS[str(model.ranges[0].__struct_config__.tag)]
    model.screening = screened = max(1, int(_SCREENING_FRACTION * budget))
    search_seed = streams.spawn("find").derived_seed() % 2**62
    text = " and ".join(part.text for part in goals)
    try:
        evaluation = ai.evaluate(model, hand, model.view, 0, search_seed, budget - screened, top=top)
    except ai.TooFewShots as error:
        raise ai.TooFewShots(budget, int(error.required / (1.0 - _SCREENING_FRACTION)) + 1) from None
    except ai.EvaluationInterrupted as interrupted:
        if interrupted.evaluation is None:
            raise
        raise SearchInterrupted(_found_shot(text, interrupted.evaluation, model.screened)) from None
    return _found_shot(text, evaluation, model.screened)


def _found_shot(goal: str, evaluation: ai.Evaluation, screened: int) -> FoundShot:
    """Best shot of an evaluation, with the next best ones.

    Args:
        goal: in words. screened: number of shots simulated before the evaluation.
    """
    best, *others = (
        FoundShot(
            goal=goal, action=one.action, probability=one.value.win_probability, low=one.value.low,
            high=one.value.high, tries=one.value.tries, shots=evaluation.shots + screened,
        )
        for one in evaluation.best
    )  # fmt: skip
    return msgspec.structs.replace(best, others=tuple(others))


def _parse_goals(goal: str | Callable[[Shot], object] | Goal | Sequence[Goal]) -> tuple[Goal, ...]:
    if isinstance(goal, Goal):
        return (goal,)
    if isinstance(goal, str):
        return Goal.parse_all(goal)
    if isinstance(goal, Sequence):
        return tuple(check_type(one, Goal, "goal", "each is a Goal") for one in goal)
    if not callable(goal):
        raise InvalidInput(
            f"goal cannot be {short_repr(goal)}; it is a measure, as 'potted' or 'distance white < 0.03', or a function"
        )
    return (Goal(text=ai.player_name(goal), measure=goal),)


def _range_on(
    scene: Scene | PyramidScene, piece: str, initial: Sequence[Flick | Squidge | Launch]
) -> FlickRange | SquidgeRange | LaunchRange:
    """Useful range of the shots of a piece on a scene without a game."""
    if isinstance(scene, PyramidScene):
        launch = next((shot for shot in initial if isinstance(shot, Launch) and shot.piece == piece), None)
        if launch is None:
            raise InvalidInput(f"give a launch of {piece!r} to begin with: it says where the launcher is held")
        return LaunchRange(
            piece=piece, azimuth=(launch.azimuth - 0.3, launch.azimuth + 0.3), speed=(1.0, 6.0), size=launch.size,
            start=(launch.hold,), height=(0.002, 0.006), slant=(deg2rad(46.0), deg2rad(84.0)), hold=launch.hold,
            lift=launch.lift,
        )  # fmt: skip
    scene.piece(piece)
    if scene.surface.pot is None:
        return FlickRange(piece=piece, azimuth=(-pi, pi), speed=_SPEEDS)
    return SquidgeRange(
        piece=piece, azimuth=(-pi, pi), speed=_SPEEDS, elevation=(deg2rad(15.0), deg2rad(80.0)), tumble=(0.0, 100.0)
    )


def _pose(scene: Scene | PyramidScene, name: str) -> tuple[float, float, float]:
    """Position and angle of a piece; NaN if it is absent."""
    piece = scene.piece(name) if scene.has(name) else None
    return (piece.x, piece.y, piece.angle) if isinstance(piece, Piece) else (nan, nan, nan)


class _GoalModel(ai.RolloutModel):
    """Rollout model of a goal, in a state of a game or on a scene alone: a try wins when it reaches the goal, and its
    points are minus the distance from it [m], which ranks shots that all miss.

    Args:
        start, piece, initial, threads: as for `find_shot`. goals: all to be reached.

    Attributes:
        view: state or scene. game: whose rules rule on the shots; None on a scene, and where its shots are volleys.
        ranges: pieces that may be flicked, with the useful ranges.
        screening: number of shots to be drawn and executed once. screened: number of shots simulated so.
    """

    def __init__(
        self, start: GameState | Scene | PyramidScene, piece: str | None,
        initial: Sequence[Flick | Squidge | Launch], goals: Sequence[Goal], threads: int,
    ) -> None:  # fmt: skip
        self._initial, self._goals, self._threads = initial, goals, threads
        self._measures: dict[tuple[str, type, bool], tuple[list[CompiledMeasure], dict[int, CompiledMeasure]]] = {}
        self.screening = self.screened = 0
        self._rules = start.game.rules if isinstance(start, GameState) else None
        self.game: Game | None = None
        self._bot: GameModel | None = None
        self.view: View = start
        self._lifted: dict[tuple[str, ...], PyramidScene] = {}
        if isinstance(start, GameState):
            self.view, choices = start.state, start.legal_actions()
            self._bot = GameModel(start.game)
            self.game = None if any(isinstance(span, LaunchRange) for span in choices.flicks) else start.game
            self.ranges = [span for span in choices.flicks if piece in (None, span.piece)]
            if not self.ranges:
                what = "nothing may" if piece is None else f"{piece!r} may not"
                raise InvalidInput(f"{what} be flicked now: {choices.prompt.rstrip('.')}")
        else:
            names = [piece] if piece is not None else [shot.piece for shot in initial]
            if not names and isinstance(start, PyramidScene):
                raise InvalidInput("give a launch to begin with: it says where the launcher is held")
            if not names and len(names := [one.id for one in start.pieces]) != 1:
                there = ", ".join(names) or "none"
                raise InvalidInput(f"which piece is flicked? give piece= or a shot to begin with; there are {there}")
            self.ranges = [_range_on(start, name, initial) for name in dict.fromkeys(names)]

    def scene_before(self, action: Action) -> Scene | PyramidScene:
        """Scene in which an action is simulated, with its piece where it starts.

        Raises:
            FlicksimError: the rules do not allow the action, or other missiles are in flight.
        """
        if self._rules is None:
            scene: Scene | PyramidScene = self.view
            return scene
        self._rules.check_action(self.view, action)
        setup = self._rules.simulation_setup(self.view, action)
        assert setup is not None
        scene, shot = setup
        if isinstance(shot, Volley) and isinstance(scene, PyramidScene):
            if len(shot.launches) > 1:
                raise InvalidInput("other missiles are in flight; a shot is found when they have come down")
            if shot.lift not in self._lifted:
                self._lifted[shot.lift] = simulate(scene, Volley(launches=(), lift=shot.lift)).after
            return self._lifted[shot.lift]
        return scene

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """The drawn shots that come nearest to the goal when executed exactly, the nearest first."""
        spans = self.ranges
        pieces = {span.piece for span in spans}
        initial = dict.fromkeys(one for one in self._initial if one.piece in pieces and self._is_allowed(one))
        others = filter(self._is_allowed, [*self._bot_shots(view, rng), *self._aimed_shots()])
        drawn = list(dict.fromkeys([*initial, *others]))[: self.screening]
        while len(drawn) < self.screening:
            action = ai.sample_flick(spans[int(rng.integers(len(spans)))], rng)
            if self._is_allowed(action):
                drawn.append(action)
            else:
                self.screening -= 1
        reached, miss = self._try(drawn, shape=True)
        self.screened = len(drawn)
        first = range(min(len(initial), len(drawn)))
        order = [*first, *(k for k in np.lexsort((miss, ~reached)).tolist() if k not in first)]
        return [drawn[k] for k in order[:count]]

    def _bot_shots(self, view: View, rng: np.random.Generator) -> Iterator[Action]:
        """Candidates of the game's bot that are flicks of the pieces in question."""
        bot, pieces = self._bot, {span.piece for span in self.ranges}
        for action in bot.candidates(view, rng, _BOT_CANDIDATES) if bot is not None else ():
            if isinstance(action, Flick | Squidge | Launch) and action.piece in pieces:
                yield action

    def _aimed_shots(self) -> Iterator[Action]:
        """Shots aimed in closed form at what the goal names, or else at any piece."""
        for span in self.ranges:
            if isinstance(span, LaunchRange):
                continue
            kind = Squidge if isinstance(span, SquidgeRange) else Flick
            aims = [{"overshoot": overshoot} for overshoot in _AIMED_FLICKS]
            if kind is Squidge:
                aims = [{"elevation": elevation, "overshoot": overshoot} for elevation, overshoot in _AIMED_SQUIDGES]
            fields: dict[str, Any] = {"piece": span.piece}
            if span.start:
                middle = np.mean(span.start, axis=0)
                fields["start"] = (float(middle[0]), float(middle[1]))
            probe = kind(speed=1.0, azimuth=0.0, **fields)
            if not self._is_allowed(probe):
                continue
            scene = self.scene_before(probe)
            assert isinstance(scene, Scene)
            for target in [target for goal in self._goals for target in goal.targets(scene, span.piece)]:
                for aim in aims if target != span.piece else ():
                    with suppress(FlicksimError, ValueError):  # nothing to aim at, or out of reach
                        yield kind(**resolve_aim(scene, kind, {**fields, "target": target, **aim}, Settings()))

    def _is_allowed(self, action: Action) -> bool:
        try:
            self.scene_before(action)
        except InvalidInput:
            raise
        except FlicksimError:
            return False
        return True

    def check(self, view: View, action: Action) -> None:
        """Raise IllegalAction if the rules do not allow the action."""
        del view
        self.scene_before(action)

    def is_similar(self, view: View, first: Action, second: Action, noise: ai.ExecutionNoise) -> bool:
        """Return True if two shots differ by less than the noise."""
        del view
        return ai.within_execution_noise(first, second, noise)

    def rollout(
        self, view: View, seat: int, candidates: Sequence[Action], noise: ai.ExecutionNoise, rollouts: int, seed: int,
        *, exact: bool = False,
    ) -> ai.RolloutOutcomes:  # fmt: skip
        """Execute each candidate `rollouts` times with common random numbers."""
        del view, seat
        hand = ai.NO_NOISE if exact else noise
        made = [
            hand.execute(candidate, np.random.Generator(np.random.PCG64([seed, k])))
            for candidate in candidates
            for k in range(rollouts)
        ]
        reached, miss = self._try(made, shape=False)
        shape = (len(candidates), rollouts)
        return ai.RolloutOutcomes(
            win_probability=reached.astype(float).reshape(shape), point_margin=-miss.reshape(shape),
            executed=np.array([(one.speed, one.azimuth) for one in made]).reshape(*shape, 2), shots=len(made),
        )  # fmt: skip

    def _try(self, made: Sequence[Action], *, shape: bool) -> tuple[Array, Array]:
        """Simulate executed shots; return for each if it reaches the goal, and its distance from it. [S], [S]

        Args:
            shape: whether the distance is measured even if the shot then has to be simulated longer.
        """
        reached, miss = np.zeros(len(made), np.bool_), np.zeros(len(made))
        groups: dict[tuple[str, type], list[int]] = {}
        for row, action in enumerate(made):
            groups.setdefault((action.piece, type(action)), []).append(row)
        for (piece, _), rows in groups.items():
            actions = [made[row] for row in rows]
            of_goals, of_distances = self._measures_of(piece, actions[0], shape=shape)
            columns = self._measure(piece, actions, [*of_goals, *of_distances.values()])
            distances = dict(zip(of_distances, (values[0] for values in columns[len(of_goals) :]), strict=True))
            reached[rows] = True
            for part, (goal, values) in enumerate(zip(self._goals, columns, strict=False)):
                is_reached = goal.reached(values)
                distance = np.nan_to_num(distances.get(part, goal.miss(values)), nan=_NO_MISS)
                miss[rows] += np.where(is_reached, 0.0, distance)
                reached[rows] &= is_reached
        return reached, miss

    def _measures_of(
        self, piece: str, action: Action, *, shape: bool
    ) -> tuple[list[CompiledMeasure], dict[int, CompiledMeasure]]:
        """Measures of the goals, and of the distances from those of which there is one, by the number of the goal."""
        key = (piece, type(action), shape)
        if key not in self._measures:
            scene, kind, game = self.scene_before(action), type(action), self.game
            of_goals = [goal.compile(scene, piece, game, kind) for goal in self._goals]
            of_distances: dict[int, CompiledMeasure] = {}
            for part, goal in enumerate(self._goals):
                shaping = goal.shaping_measure(scene)
                if shaping is not None and (shape or not all(measure.known_at_verdict for measure in of_goals)):
                    of_distances[part] = shaping.compile(scene, piece, game, kind)
            self._measures[key] = of_goals, of_distances
        return self._measures[key]

    def _measure(
        self, piece: str, actions: Sequence[Action], measures: Sequence[CompiledMeasure]
    ) -> list[tuple[Array, ...]]:
        """Simulate shots of one piece and measure them: the columns of each measure; NaN of failed shots."""
        starts = [getattr(action, "start", None) for action in actions]
        by_start = {start: self.scene_before(actions[starts.index(start)]) for start in dict.fromkeys(starts)}
        scenes = [by_start[start] for start in starts]
        if isinstance(actions[0], Launch) or any(measure.evaluate_batch is None for measure in measures):
            return self._measure_singly(scenes, actions, measures)
        is_decided = isinstance(actions[0], Squidge) and all(measure.known_at_verdict for measure in measures)
        simulate_shots: Callable[..., DiscBatchResult | WinkBatchResult] = simulate_batch
        result = simulate_shots(
            scenes if len(by_start) > 1 else scenes[0], actions, threads=self._threads, on_error="mark",
            until="decided" if is_decided else "rest",
        )  # fmt: skip
        poses = {start: [_pose(scene, name) for name in result.ids] for start, scene in by_start.items()}
        columns = Squidges if isinstance(actions[0], Squidge) else Flicks
        batch = ShotBatch(
            piece=piece, made=columns.from_actions(actions), initial_positions=np.array([poses[s] for s in starts]),
            result=result,
        )  # fmt: skip
        failed = result.error != ""
        return [
            tuple(np.where(failed, np.nan, values.astype(float)) for values in measure.evaluate_batch(batch))
            for measure in measures
            if measure.evaluate_batch is not None
        ]

    def _measure_singly(
        self, scenes: Sequence[Scene | PyramidScene], actions: Sequence[Action], measures: Sequence[CompiledMeasure]
    ) -> list[tuple[Array, ...]]:
        """Simulate shots one by one and measure them."""
        rows: list[list[Array]] = []
        for scene, action in zip(scenes, actions, strict=True):
            ai.stop_if_cancelled()
            try:
                motion = simulate(scene, action)
            except FlicksimError:
                rows.append([np.full(len(measure.columns), np.nan) for measure in measures])
                continue
            shot = Shot(
                meant=action, made=action, motion=motion, game=self.game, state=None if self.game is None else self.view
            )
            rows.append([np.array(measure.values(shot), dtype=float) for measure in measures])
        return [tuple(np.array([row[k] for row in rows]).T) for k in range(len(measures))]
