"""The questions to a finished shot: ready questions by name, or any function."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from math import isfinite, nan
from typing import Any, Literal, Self, get_type_hints

import numpy as np
import numpy.typing as npt

from flicksim.base.codec import Word
from flicksim.base.errors import BadInput, BadQuestion
from flicksim.base.geometry import Point, distance
from flicksim.base.kinds import Action, Plain, State
from flicksim.lab.worths import worth_of_shot
from flicksim.physics import Flicks, Settled, SettledMats, Squidges
from flicksim.physics.batch import GONE, RESTS, SUPPORTS
from flicksim.players import grade
from flicksim.referee import Game, Verdict, reading
from flicksim.table import (
    Fell,
    Hit,
    Landed,
    Landing,
    Launch,
    Motion,
    Piece,
    Pyramid,
    PyramidScene,
    Scene,
    Squidge,
    Touched,
    overlap,
    upper,
)

Array = npt.NDArray[Any]
Kind = Literal["share", "number", "text"]
"""Content of a column: 0 or 1, a number, words."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One shot, as a measure sees it.

    Args:
        meant, made: the flick as meant and as the hand made it.
        motion: what it did, a Landing when it was a launch.
        game: whose rules judge it; None where there is only a scene.
        state: the position it was played from, in a game.
    """

    meant: Action
    made: Action
    motion: Motion | Landing
    game: Game | None = field(default=None, repr=False)
    state: State = field(default=None, repr=False)

    @property
    def piece(self) -> str:
        """Id of the piece flicked."""
        return str(self.made.piece)

    @cached_property
    def verdict(self) -> Verdict:
        """The ruling on it."""
        assert self.game is not None
        found: Verdict = self.game.rules.judge(self.state, self.made, self.motion)
        return found

    @cached_property
    def after(self) -> State:
        """The state the game goes on from."""
        assert self.game is not None
        return self.game.rules.advance(self.state, self.motion, self.verdict)

    def rests(self, name: str) -> Piece | Pyramid | None:
        """A piece as it rests, None once it is off."""
        return next((piece for piece in self.motion.after.pieces if piece.id == name), None)

    def began(self, name: str) -> Point:
        """Place of a piece before the shot, of a missile where it was held [m]."""
        if isinstance(self.made, Launch) and name == self.made.piece:
            return self.made.hold
        return self.motion.before.piece(name).at


@dataclass(frozen=True, slots=True, kw_only=True)
class Shots:
    """Many shots at once, as a measure sees them.

    Args:
        piece: id of the piece flicked. made: the flicks as the hand made them. began: places before. [S, N, 3]
        settled: what came of them.
    """

    piece: str
    made: Flicks | Squidges
    began: Array
    settled: Settled | SettledMats

    def rests(self, name: str) -> Array:
        """Place of a piece at rest, NaN once it is off [m]. [S, 2]"""
        column = self.settled.column(name)
        at = self.settled.places[:, column, :2].copy()
        at[self.settled.fate[:, column] != RESTS] = np.nan
        return at


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A ready question.

    Args:
        says: what it tells. title: the same over a column, with {0} for the first word that follows, {1} the second.
        kind: of its answer. columns: endings of several answers; "" for one.
        words: names of the words that follow: "piece?" may be left out and is then the piece flicked.
        ask: the answer, from a shot and those words.
        many: the same from many shots, a column each; None where they are asked one by one.
        winks: the same from many squidges, where `many` is none; own: only of the wink squidged.
        soon: whether it can be told of the wink squidged as soon as it is sure that it is potted or not.
        unit: of a number. needs_game: whether only a game can answer. on: the tables it makes sense on.
    """

    says: str
    title: str
    kind: Kind
    words: tuple[str, ...]
    ask: Callable[..., Any]
    unit: str = ""
    many: Callable[..., tuple[Array, ...]] | None = None
    winks: Callable[..., tuple[Array, ...]] | None = None
    own: bool = False
    soon: bool = False
    columns: tuple[str, ...] = ("",)
    needs_game: bool = False
    on: Literal["flat", "pyramids", "any"] = "any"


def _rest(shot: Shot, name: str) -> tuple[float, float]:
    piece = shot.rests(name)
    return (nan, nan) if piece is None else piece.at


def _way(shot: Shot, name: str) -> float:
    piece, (x, y) = shot.rests(name), shot.began(name)
    return nan if piece is None else distance(piece.at, (x, y))


def _gap(shot: Shot, other: str, name: str) -> float:
    a, b = shot.rests(name), shot.rests(other)
    return nan if a is None or b is None else distance(a.at, b.at)


def _potted(shot: Shot, name: str) -> bool:
    piece = shot.rests(name)
    return isinstance(piece, Piece) and piece.support in ("pot", "rim")


def _upright(shot: Shot, name: str) -> bool:
    piece = shot.rests(name)
    return isinstance(piece, Pyramid) and piece.standing


def _covered(shot: Shot, name: str) -> list[str]:
    """The pieces that a piece lies over, by more than rulings can overlook."""
    assert isinstance(shot.motion, Motion)
    return _covered_in(shot.motion.after, name)


def _covered_in(scene: Scene, name: str) -> list[str]:
    """The same in a scene."""
    pieces = scene.pieces
    above = next((piece for piece in pieces if piece.id == name), None)
    if above is None or above.support == "pot":
        return []
    return [
        other.id
        for other in pieces
        if other.id != name
        and other.support != "pot"
        and overlap(above, other) > reading.EPS
        and upper(pieces, above, other).id == name
    ]


def _covers(shot: Shot, other: str = "") -> bool:
    found = _covered(shot, shot.piece)
    return other in found if other else bool(found)


def _touched(shot: Shot, other: str, name: str) -> bool:
    met: set[frozenset[str]] = set()
    for event in shot.motion.events:
        if isinstance(event, Touched):
            met.add(frozenset((event.piece, event.other)))
        elif isinstance(event, Hit):
            met.add(frozenset((event.piece, event.on)))
    return frozenset((name, other)) in met


def _first_landing(shot: Shot, name: str) -> tuple[float, float]:
    return next((e.point for e in shot.motion.events if isinstance(e, Landed | Hit) and e.piece == name), (nan, nan))


def _points(shot: Shot) -> float:
    assert shot.game is not None
    points, seat = shot.verdict.ruling.points, shot.game.rules.to_play(shot.state)
    return float(points[seat]) if points and seat is not None else 0.0


def _worth(shot: Shot, hand: str = "club") -> float:
    assert shot.game is not None
    return worth_of_shot(shot.game, shot.state, shot.made, hand)


def _left(shot: Shot, name: str) -> bool:
    if isinstance(shot.motion, Landing):
        return any(isinstance(event, Fell) and event.piece == name for event in shot.motion.events)
    return name in reading.left(shot.motion)


def _turned(shot: Shot, name: str) -> bool:
    assert isinstance(shot.motion, Motion)
    piece = shot.rests(name)
    return isinstance(piece, Piece) and piece.face != shot.motion.before.piece(name).face


def _rest_of(shots: Shots, name: str) -> tuple[Array, ...]:
    return tuple(shots.rests(name).T)


def _way_of(shots: Shots, name: str) -> tuple[Array, ...]:
    dx, dy = (shots.rests(name) - shots.began[:, shots.settled.column(name), :2]).T
    return (np.sqrt(dx * dx + dy * dy),)


def _gap_of(shots: Shots, other: str, name: str) -> tuple[Array, ...]:
    dx, dy = (shots.rests(name) - shots.rests(other)).T
    return (np.sqrt(dx * dx + dy * dy),)


def _left_of(shots: Shots, name: str) -> tuple[Array, ...]:
    return (shots.settled.fate[:, shots.settled.column(name)] == GONE,)


def _touched_of(shots: Shots, other: str, name: str) -> tuple[Array, ...]:
    return (shots.settled.met[:, shots.settled.column(name), shots.settled.column(other)],)


def _duration_of(shots: Shots) -> tuple[Array, ...]:
    return (shots.settled.duration,)


def _made_of(shots: Shots, name: str) -> tuple[Array, ...]:
    return (getattr(shots.made, name),)


def _potted_of(shots: Shots, name: str) -> tuple[Array, ...]:
    assert isinstance(shots.settled, SettledMats)
    if name == shots.piece:
        return (shots.settled.potted,)
    column = shots.settled.column(name)
    in_or_on = [SUPPORTS.index("pot"), SUPPORTS.index("rim")]
    rests = shots.settled.fate[:, column] == RESTS
    return (rests & np.isin(shots.settled.support[:, column], in_or_on),)


def _turned_of(shots: Shots, name: str) -> tuple[Array, ...]:
    assert isinstance(shots.settled, SettledMats)
    column = shots.settled.column(name)
    rests = shots.settled.fate[:, column] == RESTS
    return (rests & (shots.settled.normals[:, column, 2] < 0.0),)


def _landing_of(shots: Shots, _name: str) -> tuple[Array, ...]:
    assert isinstance(shots.settled, SettledMats)
    return tuple(shots.settled.landing.T)


def _all_covered(shots: Shots, name: str) -> list[list[str]]:
    """The winks that a wink lies over after each shot; nothing where it failed."""
    settled = shots.settled
    assert isinstance(settled, SettledMats)
    if len(settled.ids) == 1:
        return [[]] * len(settled)
    return [
        [] if failed else _covered_in(settled.after(shot), name) for shot, failed in enumerate(settled.failed.tolist())
    ]


def _covers_of(shots: Shots, other: str = "") -> tuple[Array, ...]:
    found = _all_covered(shots, shots.piece)
    return (np.array([other in one if other else bool(one) for one in found], dtype=np.bool_),)


def _covered_of(shots: Shots, name: str) -> tuple[Array, ...]:
    return (np.array([" ".join(one) for one in _all_covered(shots, name)], dtype=object),)


QUESTIONS: dict[str, Question] = {
    "potted": Question(
        says="whether it rests in the pot or on its rim", title="{0} potted",
        kind="share", words=("piece?",), ask=_potted, winks=_potted_of, soon=True, on="flat",
    ),
    "upright": Question(
        says="whether a pyramid stands upright", title="{0} upright",
        kind="share", words=("piece?",), ask=_upright, on="pyramids",
    ),
    "off": Question(
        says="whether it left the surface", title="{0} off the surface", kind="share", words=("piece?",),
        ask=_left, many=_left_of,
    ),
    "squops": Question(
        says="whether the piece flicked covers another, or that one", title="squops {0}",
        kind="share", words=("other piece?",), ask=_covers, winks=_covers_of, on="flat",
    ),
    "squopped": Question(
        says="which pieces it covers, if any", title="squopped by {0}",
        kind="text", words=("piece?",), ask=lambda shot, name: " ".join(_covered(shot, name)),
        winks=_covered_of, on="flat",
    ),
    "touched": Question(
        says="whether it met that piece", title="{1} touched {0}",
        kind="share", words=("piece", "piece?"), ask=_touched, many=_touched_of,
    ),
    "turned": Question(
        says="whether it lies upside down", title="{0} upside down",
        kind="share", words=("piece?",), ask=_turned, winks=_turned_of, on="flat",
    ),
    "rest": Question(
        says="where it rests", title="where {0} rests",
        kind="number", words=("piece?",), ask=_rest, many=_rest_of, unit="m", columns=("x", "y"),
    ),
    "landing": Question(
        says="where it first came down", title="where {0} lands",
        kind="number", words=("piece?",), ask=_first_landing, winks=_landing_of, own=True, unit="m", columns=("x", "y"),
    ),
    "way": Question(
        says="how far from its start it rests", title="way of {0}",
        kind="number", words=("piece?",), ask=_way, many=_way_of, unit="m",
    ),
    "gap": Question(
        says="distance of its centre from that piece's, at rest", title="distance of {1} from {0}",
        kind="number", words=("piece", "piece?"), ask=_gap, many=_gap_of, unit="m",
    ),
    "duration": Question(
        says="how long all moved", title="duration",
        kind="number", words=(), ask=lambda shot: shot.motion.duration, many=_duration_of, unit="s",
    ),
    "made": Question(
        says="the flick as the hand made it: its speed, azimuth, ...", title="{0} as made",
        kind="number", words=("field",), ask=lambda shot, name: getattr(shot.made, name),
        many=_made_of, soon=True,
    ),
    "points": Question(
        says="points the ruling gives the player", title="points",
        kind="number", words=(), ask=_points, needs_game=True,
    ),
    "worth": Question(
        says="chance to win of the player after it, played on by hands of a grade, club if none is named",
        title="chance to win after it", kind="number", words=("grade?",), ask=_worth, needs_game=True,
    ),
    "rule": Question(
        says="whether the ruling cites that rule", title="{0} applies",
        kind="share", words=("rule id",), ask=lambda shot, rule: rule in shot.verdict.rules, needs_game=True,
    ),
}  # fmt: skip
"""The ready questions by name."""


class Measure(Word):
    """A question put to every shot, written "potted", "gap white" or "module:function".

    A function takes a `Shot` and returns a number, a bool or a string; its annotation says which.

    Attributes:
        handed: whether it was handed over as a function by whoever asks, not read as a name.
    """

    __slots__ = ("handed", "text")

    def __init__(self, text: str, *, handed: bool = False) -> None:
        self.text, self.handed = text, handed

    @property
    def own(self) -> bool:
        """True of a function of somebody's own."""
        return ":" in self.text

    @classmethod
    def read(cls, text: str) -> Self:
        """The measure of that name.

        Raises:
            BadQuestion: there is none; lists those there are.
        """
        name, *given = text.split() or [""]
        if _FUNCTION.fullmatch(text):
            return cls(text)
        question = QUESTIONS.get(name)
        if question is None:
            known = ", ".join(QUESTIONS)
            raise BadQuestion(f"no measure {text!r}; there are {known}, or module:function for one of your own")
        need = sum(not word.endswith("?") for word in question.words)
        if not need <= len(given) <= len(question.words):
            form = " ".join((name, *(f"[{w.rstrip('?').upper()}]" if "?" in w else w.upper() for w in question.words)))
            raise BadQuestion(f"measure {text!r} must be written {form!r}")
        return cls(" ".join((name, *given)))

    @classmethod
    def of(cls, function: Callable[[Shot], object]) -> Self:
        """A function of one's own. It must be a module's own, for workers to find it.

        Raises:
            BadInput: it is a lambda, or stands inside another function.
        """
        name = getattr(function, "__qualname__", "")
        if not name.isidentifier():
            raise BadInput(f"measure {name or function!r} must be a function of a module: workers find it by name")
        return cls(f"{function.__module__}:{name}", handed=True)

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
        """The columns it fills."""
        if self.own:
            return (plain(self.text.partition(":")[2]),)
        called = plain(self.text)
        return tuple(f"{called}_{end}" if end else called for end in self._question.columns)

    @property
    def holds(self) -> tuple[Kind, str] | None:
        """Kind and unit of these; None of a function, which alone says so."""
        return None if self.own else (self._question.kind, self._question.unit)

    @property
    def _question(self) -> Question:
        return QUESTIONS[self.text.split()[0]]

    def ready(
        self, scene: Scene | PyramidScene, piece: str, game: Game | None, flick: type, *, trust: bool = False
    ) -> Gauge:
        """Itself made ready for shots of a piece in a scene, in a game if one rules there.

        Args:
            trust: run functions that were only named.

        Raises:
            BadInput: it names a piece, a field, a module or a function that is not there, needs a game, or would run
                a function that nobody trusts.
        """
        if self.own:
            if not (trust or self.handed):
                raise BadInput(
                    f"measure {self.text!r} runs code that comes with the experiment, which can do anything you can; "
                    "if you trust it, say --trust (trust=True in Python)"
                )
            return _own(self.text)
        given, question = self.text.split()[1:], self._question
        if question.needs_game and game is None:
            raise BadInput(f"measure {self.text!r} needs a game to rule on the shot; here is only a scene")
        here = "flat" if isinstance(scene, Scene) else "pyramids"
        if question.on not in ("any", here):
            raise BadInput(f"measure {self.text!r} is for {_TABLES[question.on]}; here are {_TABLES[here]}")
        for word, meaning in zip(given, question.words, strict=False):
            if "piece" in meaning and word != piece and not scene.has(word):
                there = ", ".join(dict.fromkeys((*(one.id for one in scene.pieces), piece)))
                raise BadInput(f"measure {self.text!r}: no piece {word!r}; pieces there: {there}")
            if meaning == "grade?":
                grade(word)
            if meaning == "field" and word not in (fields := _numbers_of(flick)):
                raise BadInput(f"measure {self.text!r}: this flick has no {word!r}; it has {', '.join(fields)}")
        if len(given) < len(question.words) and question.words[-1] == "piece?":
            given.append(piece)
        words, ask, many = tuple(given), question.ask, question.many
        of_own = not any("piece" in meaning for meaning in question.words) or piece in given
        if many is None and flick is Squidge and (of_own or not question.own):
            many = question.winks
        return Gauge(
            name=self.text,
            kind=question.kind,
            unit=question.unit,
            columns=self.columns,
            title=question.title.format(*(words or ("anything",))),
            ask=lambda shot: ask(shot, *words),
            many=None if many is None else lambda shots: many(shots, *words),
            soon=question.soon and of_own,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A measure made ready: what people call it, columns it fills, what they hold, in which unit.

    `soon`: whether it can be told as soon as it is sure that the wink squidged is potted or not.
    """

    name: str
    title: str
    kind: Kind
    columns: tuple[str, ...]
    ask: Callable[[Shot], Plain]
    many: Callable[[Shots], tuple[Array, ...]] | None = None
    unit: str = ""
    soon: bool = False

    def answers(self, shot: Shot) -> tuple[Answer, ...]:
        """Its answers to a shot, one value a column; None where there is no answer.

        Raises:
            BadInput: a function's answer is not of the kind it promised.
        """
        found = self.ask(shot)
        if len(self.columns) == 1:
            return (self._kept(found),)
        return tuple(self._kept(part) for part in found)

    def _kept(self, value: Plain) -> Answer:
        if value is None:
            return None
        try:
            if self.kind == "text" and isinstance(value, str):
                value.encode()  # what no table can keep
                return value
            if self.kind == "share" and float(value) in (0.0, 1.0):
                return int(value)
            if self.kind == "number":
                number = float(value) + 0.0  # tables know no -0.0
                return number if isfinite(number) else None
        except (TypeError, ValueError):
            pass
        cure = "; its annotation says what it gives: -> bool, float or str" if _FUNCTION.fullmatch(self.name) else ""
        raise BadInput(f"measure {self.name!r} gave {value!r}, which is no {_PROMISED[self.kind]}{cure}")


Answer = float | int | str | None
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_TABLES = {"flat": "flat pieces", "pyramids": "pyramids"}
_PROMISED = {"share": "yes or no", "number": "number", "text": "string"}


def plain(text: str) -> str:
    """A name that needs no quoting in any table."""
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def told(wrong: BaseException) -> str:
    """An error of somebody's own code, in a sentence."""
    return f"{type(wrong).__name__}: {wrong}" if str(wrong) else type(wrong).__name__


def _numbers_of(flick: type) -> list[str]:
    return [name for name, kind in get_type_hints(flick).items() if kind is float]


def _own(text: str) -> Gauge:
    """A function of one's own; its annotation promises what kind of answer it gives."""
    module, _, name = text.partition(":")
    try:
        there = import_module(module)
    except (Exception, SystemExit) as wrong:  # it is somebody's own, and may do anything as it is read
        raise BadInput(f"measure {text!r}: module {module!r} cannot be imported: {told(wrong)}") from None
    found = getattr(there, name, None)
    if found is None:
        where = getattr(there, "__file__", None) or "built in"
        raise BadInput(f"measure {text!r}: module {module!r} ({where}) has no function {name!r}")
    if not callable(found):
        raise BadInput(f"measure {text!r} is no function")
    try:
        promised = get_type_hints(found).get("return")
    except (NameError, TypeError):
        promised = None
    kind: Kind = "share" if promised is bool else "text" if promised is str else "number"
    return Gauge(name=text, title=name.replace("_", " "), kind=kind, columns=(plain(name),), ask=found)
