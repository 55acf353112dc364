"""Measures of a finished shot: built-in ones by name, or any function; scalar and batch evaluation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from math import isfinite, nan
from typing import Any, Literal, Self, TypeVar, get_type_hints

import numpy as np

from flicksim import scene as scenes
from flicksim.ai import GRADES, parse_grade
from flicksim.core.arrays import Array
from flicksim.core.errors import InvalidExperiment, InvalidInput
from flicksim.core.geometry import Point, distance
from flicksim.core.serialization import StringValue
from flicksim.core.type_aliases import Action, JsonValue, State
from flicksim.engine import DiscBatchResult, Flicks, Squidges, WinkBatchResult
from flicksim.engine.batch import AT_REST, OFF_TABLE, SUPPORTS
from flicksim.experiments.old_words import old_measure, rename_measure
from flicksim.match import GameRolloutModel
from flicksim.referee import Game, Verdict, queries
from flicksim.scene import Flick, Piece, Pyramid, PyramidScene, Scene

ColumnKind = Literal["boolean", "number", "text"]
"""Type of a column: boolean (0 or 1), number, text."""
SceneType = Literal["flat", "pyramids", "any"]
Evaluate = TypeVar("Evaluate", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Shot:
    """A finished shot, the argument of a measure.

    Args:
        meant, made: the intended and the executed action.
        motion: its trajectory.
        game: game whose rules judge it; None if there is only a scene.
        state: state of the game before it.
    """

    meant: Action
    made: Action
    motion: scenes.Trajectory | scenes.LaunchTrajectory
    game: Game | None = field(default=None, repr=False)
    state: State = field(default=None, repr=False)

    @property
    def piece(self) -> str:
        """Id of the piece flicked."""
        return str(self.made.piece)

    @cached_property
    def verdict(self) -> Verdict:
        """Verdict of the rules on the shot."""
        assert self.game is not None
        verdict: Verdict = self.game.rules.judge(self.state, self.made, self.motion)
        return verdict

    @cached_property
    def after(self) -> State:
        """State of the game after the shot."""
        assert self.game is not None
        return self.game.rules.next_state(self.state, self.motion, self.verdict)

    def piece_at_rest(self, name: str) -> Piece | Pyramid | None:
        """A piece at rest; None if it left the surface."""
        return next((piece for piece in self.motion.after.pieces if piece.id == name), None)

    def start_of(self, name: str) -> Point:
        """Position of a piece before the shot; of a missile, where it was held [m]."""
        if isinstance(self.made, scenes.Launch) and name == self.made.piece:
            return self.made.hold
        return self.motion.before.piece(name).position


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotBatch:
    """A batch of finished shots, the argument of a batch measure.

    Args:
        piece: id of the flicked piece. made: the executed flicks. initial_positions: x, y, angle before. [S, N, 3]
        result: result of the simulation.
    """

    piece: str
    made: Flicks | Squidges
    initial_positions: Array
    result: DiscBatchResult | WinkBatchResult

    def is_at_rest(self, name: str) -> Array:
        """Mask of the shots after which a piece rests on the surface. [S]"""
        return np.asarray(self.result.outcome[:, self.result.column(name)] == AT_REST)

    def rest_positions(self, name: str) -> Array:
        """Positions of a piece at rest [m]; NaN if it left the surface. [S, 2]"""
        positions = self.result.positions[:, self.result.column(name), :2]
        return np.where(self.is_at_rest(name)[:, None], positions, np.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinMeasure:
    """A built-in measure.

    Args:
        title: title of its column, with {0} for the first parameter and {1} for the second.
        parameters: names of its arguments; "piece?" is optional, by default the flicked piece.
        evaluate: function of a shot and the arguments; its return type gives kind and columns.
        unit: of a number. needs_game: True if it needs the rules of a game. scene_type: type of scene it applies to.
        known_at_verdict: True if it is known as soon as it is decided whether the squidged wink is potted.
        evaluate_batch: function of a batch and the arguments, returns [S], or [columns, S]; None if there is none.
        squidges_only: True if it is always the same after a flick in the plane. flicked_piece_only: True if batches
            have it for the squidged wink only.
    """

    title: str
    parameters: tuple[str, ...]
    evaluate: Callable[..., Any]
    unit: str = ""
    needs_game: bool = False
    scene_type: SceneType = "any"
    known_at_verdict: bool = False
    evaluate_batch: Callable[..., Array] | None = None
    squidges_only: bool = False
    flicked_piece_only: bool = False

    @property
    def kind(self) -> ColumnKind:
        """Type of its values."""
        returned = self.evaluate.__annotations__["return"]
        return "boolean" if returned == "bool" else "text" if returned == "str" else "number"

    @property
    def columns(self) -> tuple[str, ...]:
        """Suffixes of its columns; "" for a single one."""
        return ("x", "y") if self.evaluate.__annotations__["return"].startswith("tuple") else ("",)


BUILTIN_MEASURES: dict[str, BuiltinMeasure] = {}
"""Built-in measures by name."""


def _builtin(
    title: str, *parameters: str, batch: Callable[..., Array] | None = None, **fields: Any
) -> Callable[[Evaluate], Evaluate]:
    """Decorator: register a function as the built-in measure of its name.

    Args:
        title, parameters, fields: of the `BuiltinMeasure`. batch: its `evaluate_batch`.
    """

    def register(function: Evaluate) -> Evaluate:
        BUILTIN_MEASURES[function.__name__.strip("_")] = BuiltinMeasure(
            title=title, parameters=parameters, evaluate=function, evaluate_batch=batch, **fields
        )
        return function

    return register


def _potted_batch(shots: ShotBatch, name: str) -> Array:
    assert isinstance(shots.result, WinkBatchResult)
    if name == shots.piece:
        return shots.result.potted
    in_pot = np.isin(shots.result.support, [SUPPORTS.index("pot"), SUPPORTS.index("rim")])
    return shots.is_at_rest(name) & in_pot[:, shots.result.column(name)]


@_builtin("{0} potted", "piece?", scene_type="flat", known_at_verdict=True, squidges_only=True, batch=_potted_batch)
def _potted(shot: Shot, name: str) -> bool:
    """True if a wink rests in the pot or on its rim."""
    piece = shot.piece_at_rest(name)
    return isinstance(piece, Piece) and piece.support in ("pot", "rim")


@_builtin("{0} upright", "piece?", scene_type="pyramids")
def _upright(shot: Shot, name: str) -> bool:
    """True if a pyramid stands upright."""
    piece = shot.piece_at_rest(name)
    return isinstance(piece, Pyramid) and piece.is_upright


@_builtin(
    "{0} off the surface",
    "piece?",
    batch=lambda shots, name: shots.result.outcome[:, shots.result.column(name)] == OFF_TABLE,
)
def _off_surface(shot: Shot, name: str) -> bool:
    """True if a piece left the surface."""
    if isinstance(shot.motion, scenes.LaunchTrajectory):
        return any(isinstance(event, scenes.PyramidLeftSurface) and event.piece == name for event in shot.motion.events)
    return name in queries.pieces_off_surface(shot.motion)


def _squops_batch(shots: ShotBatch, other: str = "") -> Array:
    covered = _covered_per_shot(shots, shots.piece)
    return np.array([other in ids if other else bool(ids) for ids in covered], dtype=np.bool_)


@_builtin("squops {0}", "other piece?", scene_type="flat", squidges_only=True, batch=_squops_batch)
def _squops(shot: Shot, other: str = "") -> bool:
    """True if the flicked piece covers another, or that one."""
    covered = _covered_pieces(shot.motion.after, shot.piece)
    return other in covered if other else bool(covered)


@_builtin(
    "squopped by {0}",
    "piece?",
    scene_type="flat",
    squidges_only=True,
    batch=lambda shots, name: np.array([" ".join(ids) for ids in _covered_per_shot(shots, name)], dtype=object),
)
def _squopped(shot: Shot, name: str) -> str:
    """Ids of the pieces that a piece covers."""
    return " ".join(_covered_pieces(shot.motion.after, name))


@_builtin(
    "{1} touched {0}",
    "piece",
    "piece?",
    batch=lambda shots, other, name: shots.result.collided[:, shots.result.column(name), shots.result.column(other)],
)
def _touched(shot: Shot, other: str, name: str) -> bool:
    """True if two pieces collided."""
    contacts: set[frozenset[str]] = set()
    for event in shot.motion.events:
        if isinstance(event, scenes.Collision):
            contacts.add(frozenset((event.piece, event.other)))
        elif isinstance(event, scenes.PyramidCollision):
            contacts.add(frozenset((event.piece, event.on)))
    return frozenset((name, other)) in contacts


@_builtin(
    "{0} upside down",
    "piece?",
    scene_type="flat",
    squidges_only=True,
    batch=lambda shots, name: shots.is_at_rest(name) & (shots.result.normals[:, shots.result.column(name), 2] < 0.0),
)
def _flipped(shot: Shot, name: str) -> bool:
    """True if a wink lies upside down."""
    assert isinstance(shot.motion, scenes.Trajectory)
    piece = shot.piece_at_rest(name)
    return isinstance(piece, Piece) and piece.face != shot.motion.before.piece(name).face


@_builtin("where {0} rests", "piece?", unit="m", batch=lambda shots, name: shots.rest_positions(name).T)
def _rest_position(shot: Shot, name: str) -> tuple[float, float]:
    """Position at rest."""
    piece = shot.piece_at_rest(name)
    return (nan, nan) if piece is None else piece.position


@_builtin(
    "where {0} lands",
    "piece?",
    unit="m",
    squidges_only=True,
    flicked_piece_only=True,
    batch=lambda shots, _: shots.result.landing_point.T,
)
def _landing_point(shot: Shot, name: str) -> tuple[float, float]:
    """Point of the first landing."""
    landings = (e for e in shot.motion.events if isinstance(e, scenes.Landed | scenes.PyramidCollision))
    return next((landing.point for landing in landings if landing.piece == name), (nan, nan))


@_builtin(
    "displacement of {0}",
    "piece?",
    unit="m",
    batch=lambda shots, name: lengths(
        *(shots.rest_positions(name) - shots.initial_positions[:, shots.result.column(name), :2]).T
    ),
)
def _displacement(shot: Shot, name: str) -> float:
    """Distance from the start at rest."""
    piece, (x, y) = shot.piece_at_rest(name), shot.start_of(name)
    return nan if piece is None else distance(piece.position, (x, y))


@_builtin(
    "distance of {1} from {0}",
    "piece",
    "piece?",
    unit="m",
    batch=lambda shots, other, name: lengths(*(shots.rest_positions(name) - shots.rest_positions(other)).T),
)
def _distance(shot: Shot, other: str, name: str) -> float:
    """Distance of the centres of two pieces at rest."""
    a, b = shot.piece_at_rest(name), shot.piece_at_rest(other)
    return nan if a is None or b is None else distance(a.position, b.position)


@_builtin(
    "distance of {2} from ({0}, {1})",
    "x",
    "y",
    "piece?",
    unit="m",
    batch=lambda shots, x, y, name: lengths(*(shots.rest_positions(name) - (float(x), float(y))).T),
)
def _distance_to(shot: Shot, x: str, y: str, name: str) -> float:
    """Distance of a piece at rest from a point."""
    piece = shot.piece_at_rest(name)
    return nan if piece is None else distance(piece.position, (float(x), float(y)))


@_builtin("duration", unit="s", batch=lambda shots: shots.result.duration)
def _duration(shot: Shot) -> float:
    """Time until all is at rest."""
    return shot.motion.duration


@_builtin(
    "executed {0}", "field", known_at_verdict=True, batch=lambda shots, name: np.asarray(getattr(shots.made, name))
)
def _executed(shot: Shot, name: str) -> float:
    """Field of the executed flick."""
    return float(getattr(shot.made, name))


@_builtin("points", needs_game=True)
def _points(shot: Shot) -> float:
    """Points that the ruling gives the player."""
    assert shot.game is not None
    points, seat = shot.verdict.ruling.points, shot.game.rules.to_play(shot.state)
    return float(points[seat]) if points and seat is not None else 0.0


_ROLLOUTS = 160
"""Rollouts after a shot; all shots use common random numbers."""


_rollout_model = lru_cache(maxsize=8)(GameRolloutModel)


@_builtin("chance to win after it", "grade?", needs_game=True)
def _win_chance(shot: Shot, hand: str = "club") -> float:
    """Win probability of the player after the shot, by rollouts of the game's heuristic policy with the execution noise
    of a grade for all players."""
    assert shot.game is not None
    seat = shot.game.rules.to_play(shot.state)
    assert seat is not None
    view = shot.game.rules.view(shot.state, seat)
    model = _rollout_model(shot.game)
    outcomes = model.rollout(view, seat, [shot.made], GRADES[hand], _ROLLOUTS, 0, exact=True)
    return float(outcomes.win_probability.mean())


@_builtin("{0} applies", "rule id", needs_game=True)
def _rule(shot: Shot, rule: str) -> bool:
    """True if the ruling cites a rule."""
    return rule in shot.verdict.rule_ids


def _covered_pieces(scene: Scene | PyramidScene, name: str) -> list[str]:
    """Ids of the pieces that a piece covers in a scene of flat pieces, beyond the tolerance of rulings."""
    assert isinstance(scene, Scene)
    pieces = scene.pieces
    above = next((piece for piece in pieces if piece.id == name), None)
    if above is None or above.support == "pot":
        return []
    return [
        other.id
        for other in pieces
        if other.id != name
        and other.support != "pot"
        and scenes.overlap(above, other) > queries.LENGTH_TOLERANCE
        and scenes.upper_piece(pieces, above, other).id == name
    ]


def _covered_per_shot(shots: ShotBatch, name: str) -> list[list[str]]:
    """Ids of the winks that a wink covers after each shot; empty for failed shots."""
    result = shots.result
    assert isinstance(result, WinkBatchResult)
    if len(result.ids) == 1:
        return [[]] * len(result)
    return [
        [] if failed else _covered_pieces(result.after(shot), name) for shot, failed in enumerate(result.error.tolist())
    ]


def lengths(dx: Array, dy: Array) -> Array:
    """Euclidean lengths, rounded as `geometry.distance` does."""
    return np.asarray(np.sqrt(dx * dx + dy * dy))


class Measure(StringValue):
    """A measure by its text: "potted", "distance white" or "module:function".

    A function takes a `Shot` and returns a number, a bool or a string; its annotation says which.

    Attributes:
        is_trusted: True if the caller passed the function itself, instead of its name.
    """

    __slots__ = ("is_trusted", "text")

    def __init__(self, text: str, *, is_trusted: bool = False) -> None:
        self.text, self.is_trusted = text, is_trusted

    @property
    def is_custom(self) -> bool:
        """True of a user-defined function."""
        return ":" in self.text

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text of a measure.

        Raises:
            InvalidExperiment: there is no such measure; lists those there are.
        """
        text = rename_measure(text)
        name, *arguments = text.split() or [""]
        if _FUNCTION.fullmatch(text):
            return cls(text)
        measure = BUILTIN_MEASURES.get(name)
        if measure is None:
            known = ", ".join(BUILTIN_MEASURES)
            raise InvalidExperiment(f"no measure {text!r}; there are {known}, or module:function for one of your own")
        required = sum(not word.endswith("?") for word in measure.parameters)
        if not required <= len(arguments) <= len(measure.parameters):
            form = " ".join(
                (name, *(f"[{w.rstrip('?').upper()}]" if "?" in w else w.upper() for w in measure.parameters))
            )
            raise InvalidExperiment(f"measure {text!r} must be written {form!r}")
        return cls(" ".join((name, *arguments)))

    @classmethod
    def from_function(cls, function: Callable[[Shot], object]) -> Self:
        """Measure by a user-defined function at the top level of a module, where workers can import it.

        Raises:
            InvalidInput: it is a lambda, or is defined inside another function.
        """
        name = getattr(function, "__qualname__", "")
        if not name.isidentifier():
            raise InvalidInput(f"measure {name or function!r} must be a function of a module: workers find it by name")
        return cls(f"{function.__module__}:{name}", is_trusted=True)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Measure({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns."""
        return self._columns(self.text)

    @property
    def old_columns(self) -> tuple[str, ...]:
        """Names of its columns in results of the last release."""
        return self._columns(old_measure(self.text))

    def _columns(self, text: str) -> tuple[str, ...]:
        if self.is_custom:
            return (column_name(text.partition(":")[2]),)
        name = column_name(text)
        return tuple(f"{name}_{end}" if end else name for end in self._builtin.columns)

    @property
    def kind_and_unit(self) -> tuple[ColumnKind, str] | None:
        """Kind and unit of its columns; None for a user-defined function, whose annotation says so."""
        return None if self.is_custom else (self._builtin.kind, self._builtin.unit)

    @property
    def _builtin(self) -> BuiltinMeasure:
        return BUILTIN_MEASURES[self.text.split()[0]]

    def compile(
        self, scene: Scene | PyramidScene, piece: str, game: Game | None, flick: type, *, trust: bool = False
    ) -> CompiledMeasure:
        """Resolve the measure for shots of a piece in a scene, or in a game.

        Args:
            trust: run functions given by name.

        Raises:
            InvalidInput: it names a piece, field, module or function that does not exist, needs a game, or would run
                an untrusted function.
        """
        if self.is_custom:
            if not (trust or self.is_trusted):
                raise InvalidInput(
                    f"measure {self.text!r} runs code that comes with the experiment, which can do anything you can; "
                    "if you trust it, give --trust (in Python trust=True)"
                )
            return _custom_measure(self.text)
        arguments, measure = self.text.split()[1:], self._builtin
        if problem := self._problem(scene, piece, game, flick):
            raise InvalidInput(f"measure {self.text!r}{problem}")
        if len(arguments) < len(measure.parameters) and measure.parameters[-1] == "piece?":
            arguments.append(piece)
        parameters, evaluate, batch = tuple(arguments), measure.evaluate, measure.evaluate_batch
        is_flicked_piece = not any("piece" in meaning for meaning in measure.parameters) or piece in arguments
        if measure.flicked_piece_only and not is_flicked_piece:
            batch = None
        return CompiledMeasure(
            name=self.text,
            kind=measure.kind,
            unit=measure.unit,
            columns=self.columns,
            title=measure.title.format(*(parameters or ("anything",))),
            evaluate=lambda shot: evaluate(shot, *parameters),
            evaluate_batch=None if batch is None else lambda shots: tuple(np.atleast_2d(batch(shots, *parameters))),
            known_at_verdict=measure.known_at_verdict and is_flicked_piece,
        )

    def _problem(self, scene: Scene | PyramidScene, piece: str, game: Game | None, flick: type) -> str:
        """Reason why a built-in measure has no value here, as the rest of a sentence; "" if it has."""
        arguments, measure = self.text.split()[1:], self._builtin
        scene_type = "flat" if isinstance(scene, Scene) else "pyramids"
        if measure.needs_game and game is None:
            return " needs a game to rule on the shot; here is only a scene"
        if measure.scene_type not in ("any", scene_type):
            return f" is for {_SCENE_TYPE_TEXT[measure.scene_type]}; here are {_SCENE_TYPE_TEXT[scene_type]}"
        for argument, meaning in zip(arguments, measure.parameters, strict=False):
            if problem := _argument_problem(argument, meaning, scene, piece, game, flick):
                return f": {problem}"
        if self.text.startswith("potted") and isinstance(scene, Scene) and scene.surface.pot is None:
            return ": there is no pot here"
        if measure.squidges_only and flick is Flick:
            return " is of squidges; a flick leaves every piece in the plane"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledMeasure:
    """A measure resolved for an experiment: name, title, columns, kind and unit, and its functions.

    `known_at_verdict`: True if it is known as soon as it is decided whether the squidged wink is potted.
    """

    name: str
    title: str
    kind: ColumnKind
    columns: tuple[str, ...]
    evaluate: Callable[[Shot], JsonValue]
    evaluate_batch: Callable[[ShotBatch], tuple[Array, ...]] | None = None
    unit: str = ""
    known_at_verdict: bool = False

    def values(self, shot: Shot) -> tuple[MeasuredValue, ...]:
        """Measure one shot: one value a column, None where there is none.

        Raises:
            InvalidInput: a function returned a value of another type than annotated.
        """
        result = self.evaluate(shot)
        if len(self.columns) == 1:
            return (self._to_stored(result),)
        return tuple(self._to_stored(part) for part in result)

    def _to_stored(self, value: JsonValue) -> MeasuredValue:
        if value is None:
            return None
        try:
            if self.kind == "text" and isinstance(value, str):
                value.encode()  # surrogates cannot be stored
                return value
            if self.kind == "boolean" and float(value) in (0.0, 1.0):
                return int(value)
            if self.kind == "number":
                number = float(value) + 0.0  # no -0.0 in tables
                return number if isfinite(number) else None
        except (TypeError, ValueError):
            pass
        hint = "; annotate its return type: -> bool, float or str" if _FUNCTION.fullmatch(self.name) else ""
        raise InvalidInput(f"measure {self.name!r} returned {value!r}, which is no {_KIND_TEXT[self.kind]}{hint}")


MeasuredValue = float | int | str | None
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_SCENE_TYPE_TEXT = {"flat": "flat pieces", "pyramids": "pyramids"}
_KIND_TEXT = {"boolean": "yes or no", "number": "number", "text": "string"}


def column_name(text: str) -> str:
    """Column name of letters, digits and underscores."""
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def error_text(error: BaseException) -> str:
    """One-line text of an exception of user code."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _argument_problem(
    argument: str, meaning: str, scene: Scene | PyramidScene, piece: str, game: Game | None, flick: type
) -> str:
    """Problem with an argument of a built-in measure; "" if there is none.

    Raises:
        InvalidInput: it is no grade where one is due.
    """
    if "piece" in meaning and argument != piece and not scene.has(argument):
        pieces = ", ".join(dict.fromkeys((*(other_piece.id for other_piece in scene.pieces), piece)))
        return f"no piece {argument!r}; pieces there: {pieces}"
    if meaning in ("x", "y") and not _is_number(argument):
        return f"{meaning} {argument!r} must be a number [m]"
    if meaning == "rule id" and game is not None and argument not in (ids := [row.id for row in game.rulebook]):
        rules = f"`flicksim rules {game.name}` lists its rules, {ids[0]} to {ids[-1]}"
        return f"{game.title} has no rule {argument!r}; {rules}"
    if meaning == "grade?":
        parse_grade(argument)
    if meaning == "field" and argument not in (
        fields := [name for name, kind in get_type_hints(flick).items() if kind is float]
    ):
        return f"this flick has no {argument!r}; it has {', '.join(fields)}"
    return ""


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _custom_measure(text: str) -> CompiledMeasure:
    """Import a user-defined measure; its return annotation gives the kind of its column."""
    module, _, name = text.partition(":")
    try:
        imported = import_module(module)
    except (Exception, SystemExit) as error:  # user code may raise anything when it is imported
        raise InvalidInput(f"measure {text!r}: module {module!r} cannot be imported: {error_text(error)}") from None
    function = getattr(imported, name, None)
    if function is None:
        path = getattr(imported, "__file__", None) or "built in"
        raise InvalidInput(f"measure {text!r}: module {module!r} ({path}) has no function {name!r}")
    if not callable(function):
        raise InvalidInput(f"measure {text!r} is no function")
    try:
        return_type = get_type_hints(function).get("return")
    except (NameError, TypeError):
        return_type = None
    kind: ColumnKind = "boolean" if return_type is bool else "text" if return_type is str else "number"
    return CompiledMeasure(
        name=text, title=name.replace("_", " "), kind=kind, columns=(column_name(name),), evaluate=function
    )
