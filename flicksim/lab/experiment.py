"""An experiment: a question to many shots, as a value that can be written down, read strictly, and told apart."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from flicksim.base.asked import shown
from flicksim.base.bounds import NUMBER, Title, Words, bounded
from flicksim.base.codec import Value, from_json, from_plain, read_notation, to_plain
from flicksim.base.errors import BadFile, BadInput, BadOption, BadQuestion, NoSuchName
from flicksim.base.kinds import Plain
from flicksim.base.places import assets
from flicksim.games import load
from flicksim.lab.measure import Measure, Shot
from flicksim.lab.spread import Level, Quantity
from flicksim.play import must_be_whole, read_record, scene_named
from flicksim.players import Hand
from flicksim.table import Flick, Launch, PyramidScene, Scene, Squidge, samples

_SAMPLES = ", ".join(samples.all_names())
MOST = 10**9
"""No experiment asks for more shots."""


class Standing(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position of a game, from which the seat to play flicks and in which the rules judge.

    Args:
        name: of the game. options: its switches. seats: how many sit down, the fewest unless said.
        seed: of the game's own chance, as the toss.
        position: one as the game's own notation writes it, to begin with; in a file, a shipped one's name or a path.
        played: actions from there, as they were made.
        record, turn: in a file only: a recorded game and its turn, in place of all the others.
    """

    name: str
    options: dict[str, Plain] = msgspec.field(default_factory=dict)
    seats: int | None = None
    seed: int = 1
    position: dict[str, Plain] | str | None = None
    played: tuple[dict[str, Plain], ...] = ()
    record: str | None = None
    turn: int | None = None


class Mark(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A figure from elsewhere, to be drawn beside the results.

    Args:
        says: what it is, with its source. measure: which column it speaks of. at: for which values of the parameters.
        value: its number. low, high: its interval.
    """

    says: Words
    measure: str
    at: dict[str, Level]
    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise BadQuestion(f"mark {self.says!r}: value {self.value!r} must lie in low {self.low!r} to {self.high!r}")


Fields = dict[str, Quantity | tuple[Quantity, Quantity]]
"""A flick by its fields, of which any may vary."""

if TYPE_CHECKING:
    Flicked = Fields | Flick | Squidge | Launch
    Measures = tuple[Measure | str | Callable[[Shot], Any], ...]
else:  # what is written is read as fields and measures, and what is given in Python becomes some
    Flicked = Fields
    Measures = tuple[Measure, ...]


class Experiment(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A question put to many shots. All in SI units.

    Args:
        title: what is asked. about: a few sentences more.
        scene: a table of any kind: written out, the name of a sample or of a shipped position, or in a file the path of
            one. pyramids: the same for a table with pyramids.
        game: a position of a game instead.
        flick: its fields by name, `do` its kind; with `to` instead of speed and azimuth it is aimed (see `lab.aim`).
            In Python a Flick, a Squidge or a Launch too.
        hand: "steady", a grade, or one of `hands`. hands: more of them by name.
        pieces: places of pieces that differ from the scene's, by id and field.
        settings: physics that differs from the house's, by name. pairings: the same by "bronze|wood" and field.
        measure: what is asked of every shot; a tuple, even of one.
        shots: how many, dealt out evenly over all grids. seed: all chance comes from it.
        marks: what is known from elsewhere.

    Raises:
        BadQuestion: it asks nothing, or what cannot be; says what would be right.
    """

    title: Title
    about: Words = ""
    scene: Scene | str | None = None
    pyramids: PyramidScene | None = None
    game: Standing | None = None
    flick: Flicked
    hand: Quantity = "steady"
    hands: dict[str, Hand] = msgspec.field(default_factory=dict)
    pieces: dict[str, dict[str, Quantity]] = msgspec.field(default_factory=dict)
    settings: dict[str, Quantity] = msgspec.field(default_factory=dict)
    pairings: dict[str, dict[str, Quantity]] = msgspec.field(default_factory=dict)
    measure: Measures
    shots: int = 1000
    seed: int = 1
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "flick", _fields(self.flick))
        if isinstance(self.measure, str):
            raise BadQuestion(f"measure cannot be {shown(self.measure)} alone; give a tuple, as ({self.measure!r},)")
        ready = tuple(_measure(one) for one in self.measure)
        msgspec.structs.force_setattr(self, "measure", ready)
        if isinstance(self.scene, PyramidScene) and self.pyramids is None:
            msgspec.structs.force_setattr(self, "pyramids", self.scene)
            msgspec.structs.force_setattr(self, "scene", None)
        if sum(one is not None for one in (self.scene, self.pyramids, self.game)) != 1:
            raise BadQuestion("an experiment needs one of scene, pyramids and game")
        if not ready:
            raise BadQuestion("an experiment without a measure asks nothing; say what to measure")
        if len(set(ready)) < len(ready):
            raise BadQuestion(f"measure {[str(one) for one in ready]!r} has one twice")
        if not 1 <= self.shots <= MOST:
            raise BadQuestion(f"shots {self.shots!r} must lie in 1 to {MOST}")
        if not 0 <= self.seed < 2**53:
            raise BadQuestion(f"seed {self.seed!r} must lie in 0 to {2**53 - 1}")
        for group in ("flick", "pieces", "settings", "pairings"):
            for where, number in _numbers(group, getattr(self, group)):
                if not -NUMBER <= number <= NUMBER:
                    found = bounded(repr(number), 60)
                    raise BadQuestion(f"{where} {found} must be finite, from {-NUMBER:g} to {NUMBER:g}")
        if "steady" in self.hands:
            raise BadQuestion("hands.steady: 'steady' does what is meant; call a hand of your own otherwise")

    @property
    def fields(self) -> Fields:
        """The flick by its fields, whatever it was given as."""
        return _fields(self.flick)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, whatever they were given as."""
        return tuple(_measure(one) for one in self.measure)


def _numbers(where: str, given: object) -> Iterator[tuple[str, float]]:
    """Every number that stands by itself, and where."""
    if isinstance(given, int | float):
        yield where, given
    elif isinstance(given, Mapping | tuple):
        for name, part in given.items() if isinstance(given, Mapping) else enumerate(given):
            yield from _numbers(f"{where}.{name}", part)


def _fields(given: Flicked) -> Fields:
    if isinstance(given, Flick | Squidge | Launch):
        said = {name: value for name, value in to_plain(given).items() if value is not None}
        return {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    if not isinstance(given, dict):
        raise BadQuestion(f"flick cannot be {shown(given)}; give its fields by name, or a Flick, a Squidge or a Launch")
    return given


def _measure(given: Measure | str | Callable[[Shot], object]) -> Measure:
    if isinstance(given, Measure):
        return given
    return Measure.read(given) if isinstance(given, str) else Measure.of(given)


def names() -> tuple[str, ...]:
    """The ready-made experiments."""
    return tuple(sorted(path.stem for path in (assets() / "experiments").glob("*.toml")))


def read_experiment(path: Path | str) -> Experiment:
    """An experiment from a TOML or JSON file, or a ready-made one by its name. What it refers to is read into it.

    Raises:
        BadFile: it, or a file it refers to, cannot be read.
        BadInput: it is no experiment; quotes what is wrong.
    """
    path = Path(path)
    if path.is_dir() and str(path) not in names():
        raise BadFile(f"{str(path)!r} is a folder; name a .toml file, or a ready experiment: {', '.join(names())}")
    if not path.suffix and not path.is_file():
        if str(path) not in names():
            raise BadOption(f"no experiment {str(path)!r}; ready ones are {', '.join(names())}, or name a .toml file")
        path = assets() / "experiments" / f"{path}.toml"
    plain = _plain(path)
    known = Experiment.__struct_fields__
    for key in plain:
        if key not in known:
            raise BadInput(f"{path}: unknown key {key!r}; an experiment has {', '.join(known)}")
    found = from_plain(_with_table(plain, path), Experiment, name=str(path))
    if found.game is not None:
        found = msgspec.structs.replace(found, game=_found(found.game, path))
    return found


def _with_table(plain: Mapping[str, Plain], path: Path) -> Mapping[str, Plain]:
    """The same with the table it names read into it; a sample's name stays, for it says as much."""
    given = dict(plain)
    if isinstance(given.get("pyramids"), str) and "scene" not in given:
        given["scene"] = given.pop("pyramids")
    table = given.get("scene")
    if isinstance(table, dict) and table.get("scene") == "pyramids":
        given["pyramids"] = given.pop("scene")
    if not isinstance(table, str) or table in samples.names():
        return given
    try:
        found = scene_named(table, path.parent)
    except NoSuchName as wrong:
        told = str(wrong) if table.startswith("sample:") else f"no scene {table!r}; name a file or a sample: {_SAMPLES}"
        raise BadInput(f"{path}: {told}") from None
    if (name := table.removeprefix("sample:")) in samples.names():
        given["scene"] = name
    else:
        del given["scene"]
        given["pyramids" if isinstance(found, PyramidScene) else "scene"] = to_plain(found)
    return given


def _plain(path: Path) -> Mapping[str, Plain]:
    text = read_notation(path)
    if path.suffix == ".json":
        return from_json(text, dict, name=str(path))
    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadInput(f"{path} is no TOML: {str(wrong)[:1].lower()}{str(wrong)[1:]}") from None
    except RecursionError:
        raise BadInput(f"{path} cannot be read: it is nested too deep") from None


def _found(standing: Standing, path: Path) -> Standing:
    """A standing with the files it refers to read into it."""
    if isinstance(standing.position, str):
        file, notation = path.parent / standing.position, load(standing.name).positions
        if file.is_file():
            position = from_json(read_notation(file), dict, name=str(file))
        elif notation is not None:
            position = to_plain(notation.shipped(standing.position))
        else:
            raise BadInput(f"{path}: no position {standing.position!r}; name a file")
        standing = msgspec.structs.replace(standing, position=position)
    if standing.record is None:
        if standing.turn is not None:
            raise BadInput(f"{path}: turn {standing.turn} is one of a record; name the record too")
        return standing
    record = must_be_whole(read_record(path.parent / standing.record))
    if record.header.game != standing.name:
        raise BadFile(f"{standing.record!r} is a game of {record.header.game}, not {standing.name!r}")
    turn = len(record.turns) if standing.turn is None else standing.turn
    if not 0 <= turn <= len(record.turns):
        raise BadInput(f"{path}: turn {turn} of {standing.record!r} is asked for, which has {len(record.turns)}")
    return Standing(
        name=standing.name,
        options=record.header.options,
        seats=len(record.header.seats),
        seed=record.header.seed,
        position=record.header.position,
        played=tuple(line.made for line in record.turns[:turn]),
    )
