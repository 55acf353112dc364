"""Resolution and validation of an experiment: names looked up, templates built, extreme values checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args, get_type_hints

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise, parse_grade
from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.serialization import from_builtins, to_builtins
from flicksim.core.type_aliases import JsonValue, State
from flicksim.engine import Settings, simulate
from flicksim.experiments.aiming import AIM_FIELDS
from flicksim.experiments.experiment import Experiment
from flicksim.experiments.game_position import set_up_position
from flicksim.experiments.old_words import draw_order
from flicksim.experiments.parameter_spec import Level, ParameterSpec, ParameterValue
from flicksim.experiments.placeholders import Placeholder, Template, fill
from flicksim.experiments.result_columns import Axis
from flicksim.match import load_scene_by_name
from flicksim.referee import Game
from flicksim.scene import Launch, Pairing, Piece, PyramidScene, Scene, Volley

ACTION_KINDS: dict[str, JsonValue] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(get_type_hints(simulate)["flick"]) if kind is not Volley
}
"""Kinds of flicks that can be simulated singly, by their tag."""


class ResolvedExperiment:
    """An experiment with its names resolved and its values validated.

    Attributes:
        game, state: what is played, and the state to flick from; None where only a scene is given.
        scene: the table as given. kind: of the flick. piece: id of what is flicked. aims: true where `to` is aimed at.
        slots: everything given, with places kept for what varies. axes: what varies.

    Raises:
        InvalidInput: something in it cannot be; says what, and what would be right.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.axes: list[Axis] = []
        self.game: Game | None = None
        self.state: State = None
        if experiment.game is not None:
            self.game, self.state = set_up_position(experiment.game)
            self.scene: Scene | PyramidScene = self.state.scene
        elif isinstance(experiment.scene, str):
            self.scene = load_scene_by_name(experiment.scene)
        else:
            scene = experiment.scene or experiment.pyramids
            assert scene is not None
            self.scene = scene.validated()
        self.template = self._resolve()
        self._validate()

    @property
    def typical_values(self) -> list[Level]:
        """Typical value of every axis."""
        return [axis.spec.typical for axis in self.axes]

    def noise(self, name: str) -> ExecutionNoise:
        """Execution noise of that name.

        Raises:
            InvalidInput: there is none; lists those there are.
        """
        if name == "steady":
            return NO_NOISE
        own = self.experiment.hands.get(name)
        if own is not None:
            return own
        try:
            return GRADES[name] if name in GRADES else GRADES[parse_grade(str(name))]
        except InvalidOption:
            known = ", ".join(["steady", *GRADES, *self.experiment.hands])
            raise InvalidInput(f"hand: no hand {name!r}; there are {known}") from None

    # -- looking up -------------------------------------------------------------------------------------------------

    def _resolve(self) -> dict[str, JsonValue]:
        """Build the template of the experiment, and its axes."""
        experiment = self.experiment
        given = dict(experiment.flick_fields)
        word = given.pop("do", "flick")
        if not isinstance(word, str) or word not in ACTION_KINDS:
            raise InvalidInput(f"flick.do: no kind of flick {word!r}; there are {', '.join(ACTION_KINDS)}")
        self.kind = ACTION_KINDS[word]
        flat = isinstance(self.scene, Scene)
        if flat == (self.kind is Launch):
            here = "flat pieces are flicked or squidged" if flat else "pyramids are launched"
            raise InvalidInput(f"flick.do {word!r} does not go with this table: {here}")
        _check_keys("flick", given, (*self.kind.__struct_fields__, *AIM_FIELDS))
        self.is_aimed = "target" in given
        if self.is_aimed and self.kind is Launch:
            raise InvalidInput("a launch cannot be aimed by 'target'; give its own fields")
        if self.is_aimed and (extra := {"speed", "azimuth"} & given.keys()):
            raise InvalidInput(
                f"flick.target finds speed and azimuth by itself; leave out {' and '.join(sorted(extra))}"
            )
        if not self.is_aimed and (extra := given.keys() & set(AIM_FIELDS)):
            raise InvalidInput(f"flick.{min(extra)} goes with flick.target, which is not there")
        if "piece" not in given:
            given["piece"] = self._sole_piece()
        if not isinstance(given["piece"], str):
            raise InvalidInput("flick.piece: one piece is flicked in all shots; put others in experiments of their own")
        self.piece = given["piece"]
        for name in experiment.pieces:
            self.scene.piece(name)
            _check_keys(f"pieces.{name}", experiment.pieces[name], self.scene.piece(name).__struct_fields__)
        _check_keys("settings", experiment.settings, Settings.__struct_fields__[1:])
        materials = self._materials()
        for pair, fields in experiment.pairings.items():
            two = pair.split("|")
            if len(two) != 2 or sorted(two) != two:
                raise InvalidInput(f"pairings {pair!r} must be two materials in order, as 'bronze|wood'")
            if strange := [name for name in two if name not in materials]:
                raise InvalidInput(f"pairings {pair!r}: no material {strange[0]!r}; there are {', '.join(materials)}")
            _check_keys(f"pairings.{pair}", fields, ("friction", "restitution", "yield_speed"))
        return {
            "hand": self._placeholder(("hand",), experiment.hand),
            "flick": {name: self._placeholder(("flick", name), given[name]) for name in sorted(given, key=draw_order)},
            "pieces": self._nested("pieces", experiment.pieces),
            "settings": {
                name: self._placeholder(("settings", name), experiment.settings[name])
                for name in sorted(experiment.settings, key=draw_order)
            },
            "pairings": self._nested("pairings", experiment.pairings),
        }

    def _materials(self) -> list[str]:
        """Materials known here: those of the default pairings, and those of the scene and the experiment."""
        found = {name for pair in Settings().pairings.pairs for name in pair.split("|")}
        found.add(self.scene.surface.material)
        found |= {piece.material for piece in self.scene.pieces if isinstance(piece, Piece)}
        for fields in self.experiment.pieces.values():
            match fields.get("material"):
                case ParameterSpec(levels=levels):
                    found |= set(map(str, levels or ()))
                case str(name):
                    found.add(name)
        return sorted(found)

    def _nested(self, group: str, given: Mapping[str, Mapping[str, ParameterValue]]) -> dict[str, dict[str, Template]]:
        return {
            one: {name: self._placeholder((group, one, name), value) for name, value in fields.items()}
            for one, fields in given.items()
        }

    def _placeholder(self, path: tuple[str, ...], value: JsonValue) -> Template:
        """Return the value, or register a varying one as an axis and return its placeholder."""
        if isinstance(value, tuple):
            return tuple(self._placeholder((*path, part), one) for part, one in zip(("x", "y"), value, strict=True))
        if not isinstance(value, ParameterSpec):
            return value
        self.axes.append(Axis(path=path, spec=value))
        return Placeholder(len(self.axes) - 1)

    def _sole_piece(self) -> str:
        """Id of the piece to flick, where the rules leave no choice."""
        may = (
            {span.piece for span in self.game.rules.legal_actions(self.state).flicks}
            if self.game is not None
            else set()
        )
        if len(may) != 1:
            raise InvalidInput("flick.piece is missing: say which piece is flicked")
        return str(may.pop())

    # -- checking ---------------------------------------------------------------------------------------------------

    def edge_cases(self) -> Iterator[tuple[Axis, Level, list[Level]]]:
        """Yield every extreme value with its axis and the values of a shot that is typical otherwise."""
        typical = self.typical_values
        for index, axis in enumerate(self.axes):
            for edge in axis.spec.extremes:
                yield axis, edge, [*typical[:index], edge, *typical[index + 1 :]]

    def _validate(self) -> None:
        """Validate the typical shot, and one at every extreme value."""
        typical = self.typical_values
        self._validate_values(typical)
        for axis, edge, values in self.edge_cases():
            try:
                self._validate_values(values)
            except InvalidInput as wrong:
                shown = f"{edge:g}" if isinstance(edge, float) else repr(edge)
                cure = "; narrow it, or add truncate = [low, high]" if axis.spec.normal is not None else ""
                raise InvalidInput(f"{axis.spec} can give {shown}: {wrong}{cure}") from None

    def _validate_values(self, values: list[Level]) -> None:
        """Build the shot of these values, as strictly as from a file."""
        flick = fill(self.template["flick"], values)
        for word in set(AIM_FIELDS) - {"target"}:
            if not isinstance(flick.get(word, 0.0), int | float):
                raise InvalidInput(f"flick.{word} {flick[word]!r} must be a number")
        fields = {name: value for name, value in flick.items() if name not in AIM_FIELDS}
        if self.is_aimed:
            to = flick["target"]
            if not isinstance(to, str | tuple) or any(isinstance(part, str) for part in to if isinstance(to, tuple)):
                raise InvalidInput(f"flick.target {to!r} must be a piece, 'pot', or a point [x, y]")
            fields |= {"speed": 1.0, "azimuth": 0.0}
        from_builtins({"do": str(self.kind.__struct_config__.tag), **fields}, self.kind, name="flick")
        self.noise(fill(self.template["hand"], values))
        for name, fields in fill(self.template["pieces"], values).items():
            piece = self.scene.piece(name)
            from_builtins({**to_builtins(piece), **fields}, type(piece), name=f"pieces.{name}")
        from_builtins(fill(self.template["settings"], values), Settings, name="settings")
        for pair, fields in fill(self.template["pairings"], values).items():
            house = Settings().pairings.pairs.get(pair) or Pairing(friction=0.0)
            from_builtins({**to_builtins(house), **fields}, Pairing, name=f"pairings.{pair}")


def _check_keys(path: str, keys: Iterable[str], allowed: Iterable[str]) -> None:
    for name in keys:
        if name not in allowed:
            raise InvalidInput(f"{path}: unknown key {name!r}; there are {', '.join(allowed)}")
