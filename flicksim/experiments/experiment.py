"""Definition of an experiment: a serialisable value, read strictly from TOML or JSON."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from flicksim.ai import ExecutionNoise
from flicksim.core import serialization
from flicksim.core.atomic_files import is_folder
from flicksim.core.errors import InvalidExperiment, InvalidFile, InvalidInput, InvalidOption, NameNotFound
from flicksim.core.limits import MAX_NUMBER, Text, Title, truncate_middle
from flicksim.core.paths import assets_dir
from flicksim.core.serialization import RenamedFields, Value
from flicksim.core.type_aliases import JsonValue
from flicksim.core.validation import short_repr
from flicksim.experiments import old_words
from flicksim.experiments.measure import Measure, Shot
from flicksim.experiments.parameter_spec import Level, ParameterValue
from flicksim.games import load
from flicksim.match import load_scene_by_name, read_record, require_untampered
from flicksim.scene import Flick, Launch, PyramidScene, Scene, Squidge, samples

_SAMPLES = ", ".join(samples.all_sample_names())
MAX_SHOTS = 10**9
"""Most shots of an experiment."""


class GamePosition(Value, metaclass=RenamedFields, frozen=True, kw_only=True, omit_defaults=True):
    """Position of a game from which the seat to play flicks; the rules of the game judge the shots.

    Args:
        name: of the game. options: of the game. seats: number of seats, by default the fewest.
        seed: of the game's random streams.
        position: initial position in the game's notation; in a file, the name of a shipped one or a path.
        actions: actions played from there.
        record, turn: in a file only: a recorded game and its turn, instead of all the others.
    """

    old_keywords: ClassVar[dict[str, str]] = old_words.GAME_KEYS
    argument_error: ClassVar[type[Exception]] = InvalidExperiment

    name: str
    options: dict[str, JsonValue] = msgspec.field(default_factory=dict)
    seats: int | None = None
    seed: int = 1
    position: dict[str, JsonValue] | str | None = None
    actions: tuple[dict[str, JsonValue], ...] = ()
    record: str | None = None
    turn: int | None = None


class ReferenceValue(Value, metaclass=RenamedFields, frozen=True, kw_only=True, omit_defaults=True):
    """A known value from elsewhere, drawn beside the results.

    Args:
        label: name and source. measure: column of the results. parameters: values of the varying parameters.
        value: reference value. low, high: its interval.
    """

    old_keywords: ClassVar[dict[str, str]] = old_words.REFERENCE_KEYS
    argument_error: ClassVar[type[Exception]] = InvalidExperiment

    label: Text
    measure: str
    parameters: dict[str, Level]
    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise InvalidExperiment(
                f"reference {self.label!r}: value {self.value!r} must lie in low {self.low!r} to {self.high!r}"
            )


FlickFields = dict[str, ParameterValue | tuple[ParameterValue, ParameterValue]]
"""A flick by its fields, of which any may vary."""

if TYPE_CHECKING:
    FlickLike = FlickFields | Flick | Squidge | Launch
    Measures = tuple[Measure | str | Callable[[Shot], Any], ...]
else:  # the types in files
    FlickLike = FlickFields
    Measures = tuple[Measure, ...]


_PLAIN_FIELDS = {
    "title": Title, "description": Text, "shots": int, "seed": int, "settings": dict[str, Any],
    "pieces": dict[str, Any], "pairings": dict[str, Any],
}  # fmt: skip
"""Types of the fields that are checked in Python as in a file."""


class Experiment(Value, metaclass=RenamedFields, frozen=True, kw_only=True, omit_defaults=True):
    """An experiment: a shot, its varying parameters, and what is measured. SI units.

    Args:
        title: one line. description: a few sentences.
        scene: a table of any kind: written out, the name of a sample or of a shipped position, or in a file the path of
            one. pyramids: the same for a table with pyramids.
        game: a position of a game instead.
        flick: its fields by name, `do` its kind; with `target` instead of speed and azimuth it is aimed (see `aiming`).
            In Python a Flick, a Squidge or a Launch too.
        hand: "steady", a grade, or one of `hands`. hands: more of them by name.
        pieces: places of pieces that differ from the scene's, by id and field.
        settings: physics settings that differ from the defaults. pairings: the same by "bronze|wood" and field.
        measure: measures of every shot; a tuple, even of one.
        shots: number of shots, spread evenly over all grid cells. seed: of all random streams.
        references: known values from elsewhere.

    Raises:
        InvalidExperiment: it is inconsistent; the message says what would be right.
    """

    old_keywords: ClassVar[dict[str, str]] = old_words.EXPERIMENT_KEYS
    argument_error: ClassVar[type[Exception]] = InvalidExperiment

    title: Title
    description: Text = ""
    scene: Scene | str | None = None
    pyramids: PyramidScene | None = None
    game: GamePosition | None = None
    flick: FlickLike
    hand: ParameterValue = "steady"
    hands: dict[str, ExecutionNoise] = msgspec.field(default_factory=dict)
    pieces: dict[str, dict[str, ParameterValue]] = msgspec.field(default_factory=dict)
    settings: dict[str, ParameterValue] = msgspec.field(default_factory=dict)
    pairings: dict[str, dict[str, ParameterValue]] = msgspec.field(default_factory=dict)
    measure: Measures
    shots: int = 1000
    seed: int = 1
    references: tuple[ReferenceValue, ...] = ()

    def __post_init__(self) -> None:
        for name, kind in _PLAIN_FIELDS.items():
            try:
                msgspec.convert(getattr(self, name), kind)
            except msgspec.ValidationError as error:
                found = short_repr(getattr(self, name))
                raise InvalidExperiment(
                    f"{name} cannot be {found}: {serialization.plain_message(str(error))}"
                ) from None
        _check_fields_by_name(pieces=self.pieces, pairings=self.pairings)
        msgspec.structs.force_setattr(self, "flick", _flick_fields(self.flick))
        msgspec.structs.force_setattr(self, "settings", old_words.rename_keys(self.settings, old_words.SETTING_KEYS))
        if isinstance(self.measure, str) or not isinstance(self.measure, Sequence):
            shown = "('duration',)" if not isinstance(self.measure, str) else f"({self.measure!r},)"
            raise InvalidExperiment(f"measure cannot be {short_repr(self.measure)} alone; give a tuple, as {shown}")
        measures = tuple(_to_measure(one) for one in self.measure)
        msgspec.structs.force_setattr(self, "measure", measures)
        if isinstance(self.scene, PyramidScene) and self.pyramids is None:
            msgspec.structs.force_setattr(self, "pyramids", self.scene)
            msgspec.structs.force_setattr(self, "scene", None)
        if sum(one is not None for one in (self.scene, self.pyramids, self.game)) != 1:
            raise InvalidExperiment("an experiment needs one of scene, pyramids and game")
        if not measures:
            raise InvalidExperiment("an experiment needs at least one measure")
        if len(set(measures)) < len(measures):
            raise InvalidExperiment(f"measure {[str(one) for one in measures]!r} has duplicates")
        if not 1 <= self.shots <= MAX_SHOTS:
            raise InvalidExperiment(f"shots {self.shots!r} must lie in 1 to {MAX_SHOTS}")
        if not 0 <= self.seed < 2**53:
            raise InvalidExperiment(f"seed {self.seed!r} must lie in 0 to {2**53 - 1}")
        for group in ("flick", "pieces", "settings", "pairings"):
            for where, number in _iter_numbers(group, getattr(self, group)):
                if not -MAX_NUMBER <= number <= MAX_NUMBER:
                    found = truncate_middle(repr(number), 60)
                    raise InvalidExperiment(f"{where} {found} must be finite, from {-MAX_NUMBER:g} to {MAX_NUMBER:g}")
        if "steady" in self.hands:
            raise InvalidExperiment("hands.steady: 'steady' is the name of no execution noise; choose another")

    @property
    def flick_fields(self) -> FlickFields:
        """Fields of the flick."""
        return _flick_fields(self.flick)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Measures of every shot."""
        return tuple(_to_measure(one) for one in self.measure)


def _iter_numbers(path: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield every number of a nested value with its path."""
    if isinstance(value, int | float):
        yield path, value
    elif isinstance(value, Mapping | tuple):
        for name, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _iter_numbers(f"{path}.{name}", part)


def _check_fields_by_name(pieces: JsonValue, pairings: JsonValue) -> None:
    """Check that fields of pieces and pairings are given by name; a decoder would not say of which one they are not."""
    for group, named, example in (("pieces", pieces, {"x": 0.1}), ("pairings", pairings, {"friction": 0.2})):
        for name, fields in named.items() if isinstance(named, Mapping) else ():
            if not isinstance(fields, Mapping):
                shown = short_repr(fields)
                raise InvalidExperiment(f"{group}: {name!r} cannot be {shown}; give its fields by name, as {example}")


def _flick_fields(flick: FlickLike) -> FlickFields:
    if isinstance(flick, Flick | Squidge | Launch):
        fields = {name: value for name, value in serialization.to_builtins(flick).items() if value is not None}
        return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    if not isinstance(flick, dict):
        raise InvalidExperiment(
            f"flick cannot be {short_repr(flick)}; give its fields by name, or a Flick, a Squidge or a Launch"
        )
    return old_words.rename_keys(flick, old_words.AIM_KEYS)


def _to_measure(measure: Measure | str | Callable[[Shot], object]) -> Measure:
    if isinstance(measure, Measure):
        return measure
    return Measure.parse(measure) if isinstance(measure, str) else Measure.from_function(measure)


def experiment_names() -> tuple[str, ...]:
    """Names of the shipped experiments."""
    return tuple(sorted(path.stem for path in (assets_dir() / "experiments").glob("*.toml")))


def read_experiment(path: Path | str, *, on_old_words: Callable[[Path], None] = lambda _: None) -> Experiment:
    """Read an experiment from a TOML or JSON file, or a shipped one by name; files it refers to are resolved.

    Args:
        on_old_words: called with the path of a file that uses names of release 0.1.0.

    Raises:
        InvalidFile: it, or a file it refers to, cannot be read.
        InvalidInput: it is no valid experiment; quotes the value.
    """
    path = Path(path)
    if is_folder(path) and str(path) not in experiment_names():
        raise InvalidFile(
            f"{str(path)!r} is a folder; name a .toml file, or a shipped experiment: {', '.join(experiment_names())}"
        )
    if not path.suffix and not path.is_file():
        if str(path) not in experiment_names():
            raise InvalidOption(
                f"no experiment {str(path)!r}; shipped ones are {', '.join(experiment_names())}, or name a .toml file"
            )
        path = assets_dir() / "experiments" / f"{path}.toml"
    document = _read_plain(path)
    try:
        plain = old_words.rename_experiment(document)
        _check_fields_by_name(plain.get("pieces"), plain.get("pairings"))
    except InvalidExperiment as error:
        raise InvalidInput(f"{path}: {error}") from None
    fields = Experiment.__struct_fields__
    for key in plain:
        if key not in fields:
            raise InvalidInput(f"{path}: unknown key {key!r}; an experiment has {', '.join(fields)}")
    experiment = serialization.from_builtins(_resolve_scene(plain, path), Experiment, name=str(path))
    if experiment.game is not None:
        experiment = msgspec.structs.replace(experiment, game=_resolve_position(experiment.game, path))
    if old_words.has_old_words(document):
        on_old_words(path)
    return experiment


def _resolve_scene(plain: Mapping[str, JsonValue], path: Path) -> Mapping[str, JsonValue]:
    """Replace the name of a scene file by the scene; the name of a sample stays."""
    fields = dict(plain)
    if isinstance(fields.get("pyramids"), str) and "scene" not in fields:
        fields["scene"] = fields.pop("pyramids")
    scene_name = fields.get("scene")
    if isinstance(scene_name, dict) and scene_name.get("scene") == "pyramids":
        fields["pyramids"] = fields.pop("scene")
    if not isinstance(scene_name, str) or scene_name in samples.sample_names():
        return fields
    try:
        scene = load_scene_by_name(scene_name, path.parent)
    except NameNotFound as error:
        reason = str(error)
        if not scene_name.startswith("sample:"):
            reason = f"no scene {scene_name!r}; name a file or a sample: {_SAMPLES}"
        raise InvalidInput(f"{path}: {reason}") from None
    if (name := scene_name.removeprefix("sample:")) in samples.sample_names():
        fields["scene"] = name
    else:
        del fields["scene"]
        fields["pyramids" if isinstance(scene, PyramidScene) else "scene"] = serialization.to_builtins(scene)
    return fields


def _read_plain(path: Path) -> Mapping[str, JsonValue]:
    text = serialization.read_document(path)
    if path.suffix == ".json":
        return serialization.from_json(text, dict, name=str(path))
    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} is no TOML: {serialization.plain_message(str(error))}") from None
    except RecursionError:
        raise InvalidInput(f"{path} cannot be read: it is nested too deep") from None


def _resolve_position(game_position: GamePosition, path: Path) -> GamePosition:
    """Replace the files that a game position refers to by their contents."""
    if isinstance(game_position.position, str):
        file, notation = path.parent / game_position.position, load(game_position.name).positions
        if file.is_file():
            position = serialization.from_json(serialization.read_document(file), dict, name=str(file))
        elif notation is not None:
            position = serialization.to_builtins(notation.load_builtin(game_position.position))
        else:
            raise InvalidInput(f"{path}: no position {game_position.position!r}; name a file")
        game_position = msgspec.structs.replace(game_position, position=position)
    if game_position.record is None:
        if game_position.turn is not None:
            raise InvalidInput(f"{path}: turn {game_position.turn} needs a record; name it too")
        return game_position
    record = require_untampered(read_record(path.parent / game_position.record))
    if record.header.game != game_position.name:
        raise InvalidFile(f"{game_position.record!r} is a game of {record.header.game}, not {game_position.name!r}")
    turn = len(record.turns) if game_position.turn is None else game_position.turn
    if not 0 <= turn <= len(record.turns):
        raise InvalidInput(
            f"{path}: turn {turn} of {game_position.record!r} does not exist; it has {len(record.turns)}"
        )
    return GamePosition(
        name=game_position.name,
        options=record.header.options,
        seats=len(record.header.seats),
        seed=record.header.seed,
        position=record.header.position,
        actions=tuple(line.made for line in record.turns[:turn]),
    )
