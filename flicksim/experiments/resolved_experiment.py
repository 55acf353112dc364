"""Resolution of an experiment: names looked up, position set up, template built, extremes checked; its scenes, settings
and intended actions by the values of its axes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Any, TypeAlias, get_args, get_type_hints

import msgspec

from flicksim.ai import GRADES, NOISE_LEVELS, ExecutionNoise, parse_grade
from flicksim.core.errors import DidNotSettle, IllegalAction, InvalidAction, InvalidInput, InvalidOption, InvalidScene
from flicksim.core.serialization import from_builtins, to_builtins
from flicksim.core.type_aliases import Action, InitialState, JsonValue, Position, State
from flicksim.engine import Settings, simulate
from flicksim.experiments.aiming import AIM_FIELDS, resolve_aim
from flicksim.experiments.experiment import Experiment, GamePosition
from flicksim.experiments.parameter_spec import Level, ParameterSpec
from flicksim.experiments.result_columns import AXIS_GROUPS, Axis, replace_axes
from flicksim.games import load
from flicksim.match import Match, Seat, load_scene_by_name, open_match
from flicksim.referee import Game, check_seat_count, parse_options
from flicksim.scene import Launch, Pairing, Pairings, PyramidScene, Scene, Volley

SHOT_ERRORS = (DidNotSettle, InvalidScene, InvalidAction, IllegalAction, ValueError)
"""Errors of a single shot; the run continues."""
Template: TypeAlias = Any
"""Nested values with a `Placeholder` for each varying parameter."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Placeholder for the value of an axis, by its index."""

    index: int


def fill(template: Template, values: Sequence[Level]) -> Template:
    """Fill the placeholders of a template with values."""
    if isinstance(template, Placeholder):
        return values[template.index]
    if isinstance(template, dict):
        return {name: fill(slot, values) for name, slot in template.items()}
    if isinstance(template, tuple):
        return tuple(fill(slot, values) for slot in template)
    return template


def set_up_position(game_position: GamePosition) -> tuple[Game, State]:
    """Set up the position: the game and its state."""
    game = load(game_position.name)
    if not game.uses_physics:
        raise InvalidInput(f"nothing is flicked in {game.title}; an experiment needs a flicking game")
    if Launch in get_args(game.action):
        raise InvalidInput(f"{game.title} has volleys; for a single launch give a scene by `pyramids` instead")
    seats = game.seats[0] if game_position.seats is None else game_position.seats
    check_seat_count(game, seats)
    options = game_position.options
    position: Position = None
    if game_position.position is not None:
        if game.positions is None:
            raise InvalidInput(f"{game.title} has no notation for positions; give the actions from the start instead")
        notation = game.positions
        position = (
            notation.load_builtin(game_position.position)
            if isinstance(game_position.position, str)
            else from_builtins(game_position.position, notation.Position, name="game.position")
        )
        options = {**to_builtins(position.options), **options}
    people = [Seat(kind="human")] * seats
    match: Match = open_match(game, parse_options(game, options), people, game_position.seed, position=position)
    for number, plain in enumerate(game_position.actions, 1):
        action = from_builtins(plain, game.action, name=f"game.actions {number}")
        match.play(action, made=action)
    if match.is_over:
        raise InvalidInput(
            f"{game.title}: the game is over after {len(game_position.actions)} actions; nothing can be flicked"
        )
    return game, match.state


ACTION_KINDS: dict[str, JsonValue] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(get_type_hints(simulate)["flick"]) if kind is not Volley
}
"""Kinds of flicks that can be simulated singly, by their tag."""


class ResolvedExperiment:
    """An experiment with its names resolved and its values validated.

    Attributes:
        game, state: game and state to flick from, with the typical scene; None if only a scene is given.
        scene: initial scene. kind: type of the action. piece: id of the flicked piece. is_aimed: True with a `target`.
        template: fields of the experiment, with a `Placeholder` for each axis. axes: varying parameters.
        pieces_vary: True if fields of pieces vary. typical_scene: scene of a typical shot.
        nominal_settings: physics without what varies, assumed for aiming.

    Raises:
        InvalidInput: the experiment is invalid; quotes the value and says what would be right.
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
        self.pieces_vary = any(axis.path[0] == "pieces" for axis in self.axes)
        physics = (("", self.template["settings"]), *self.template["pairings"].items())
        self._physics_fields = [((pair, name), slot) for pair, slots in physics for name, slot in slots.items()]
        """Differences from the default physics: pair of materials, or "", and field; with their templates."""
        self.nominal_settings = _make_settings(
            tuple(one for one in self._physics_fields if not isinstance(one[1], Placeholder))
        )
        self._settings = lru_cache(maxsize=256)(_make_settings)
        self.typical_scene = self.make_scene(self.typical_values)
        if self.game is not None and experiment.pieces:
            self.state = msgspec.structs.replace(self.state, scene=self.typical_scene)
        self._check_pairings()

    @property
    def typical_values(self) -> list[Level]:
        """Typical value of every axis."""
        return [axis.spec.typical for axis in self.axes]

    def noise(self, name: str) -> ExecutionNoise:
        """Execution noise of that name.

        Raises:
            InvalidInput: there is no such noise; lists those there are.
        """
        known = {**NOISE_LEVELS, **self.experiment.hands}
        try:
            return known[name] if name in known else GRADES[parse_grade(str(name))]
        except InvalidOption:
            raise InvalidInput(f"hand: no hand {name!r}; there are {', '.join(known)}") from None

    # -- resolution --------------------------------------------------------------------------------------------------

    def _resolve(self) -> dict[str, JsonValue]:
        """Build the template of the experiment, and its axes."""
        experiment = self.experiment
        given = dict(experiment.flick_fields)
        kind_name = given.pop("do", "flick")
        if not isinstance(kind_name, str) or kind_name not in ACTION_KINDS:
            raise InvalidInput(f"flick.do: no kind of flick {kind_name!r}; there are {', '.join(ACTION_KINDS)}")
        self.kind = ACTION_KINDS[kind_name]
        is_flat = isinstance(self.scene, Scene)
        if is_flat == (self.kind is Launch):
            hint = "flat pieces are flicked or squidged" if is_flat else "pyramids are launched"
            raise InvalidInput(f"flick.do {kind_name!r} does not go with this table: {hint}")
        _check_keys("flick", given, (*self.kind.__struct_fields__, *AIM_FIELDS))
        self.is_aimed = "target" in given
        if self.is_aimed and self.kind is Launch:
            raise InvalidInput("a launch cannot be aimed by 'target'; give its own fields")
        if self.is_aimed and (conflicting := {"speed", "azimuth"} & given.keys()):
            raise InvalidInput(
                f"flick.target determines speed and azimuth; leave out {' and '.join(sorted(conflicting))}"
            )
        if not self.is_aimed and (conflicting := given.keys() & set(AIM_FIELDS)):
            raise InvalidInput(f"flick.{min(conflicting)} needs flick.target")
        if "piece" not in given:
            given["piece"] = self._sole_piece()
        if not isinstance(given["piece"], str):
            raise InvalidInput("flick.piece: all shots flick the same piece; use another experiment for another")
        self.piece = given["piece"]
        for name in experiment.pieces:
            self.scene.piece(name)
            _check_keys(f"pieces.{name}", experiment.pieces[name], self.scene.piece(name).__struct_fields__)
        _check_keys("settings", experiment.settings, Settings.__struct_fields__[1:])
        for pair, fields in experiment.pairings.items():
            _check_keys(f"pairings.{pair}", fields, ("friction", "restitution", "yield_speed"))
        groups = {group: getattr(experiment, group) for group in AXIS_GROUPS} | {"flick": given}
        return replace_axes(groups, self._add_axis)

    def _add_axis(self, axis: Axis) -> Placeholder:
        self.axes.append(axis)
        return Placeholder(len(self.axes) - 1)

    def _check_pairings(self) -> None:
        """Raise InvalidInput unless all pairings are of materials that can meet in the scene."""
        scene = self.typical_setup()
        bodies: list[Sequence[Level]] = [(scene.kit.material,)] * 2 if isinstance(scene, PyramidScene) else []
        for piece in scene.pieces if isinstance(scene, Scene) else ():
            material = self.experiment.pieces.get(piece.id, {}).get("material", piece.material)
            bodies.append((material.levels or ()) if isinstance(material, ParameterSpec) else (material,))
        fixed = [surface.material for surface in (scene.surface, scene.surface.pot) if surface is not None]
        meetings = chain(combinations(bodies, 2), product(bodies, [fixed]))
        pairs = {"|".join(sorted(map(str, pair))) for one, other in meetings for pair in product(one, other)}
        if missing := [pair for pair in self.experiment.pairings if pair not in pairs]:
            raise InvalidInput(f"pairings: no {missing[0]!r} in this scene; there are {', '.join(sorted(pairs))}")

    def _sole_piece(self) -> str:
        """Id of the only piece that the rules allow to flick."""
        flicks = () if self.game is None else self.game.rules.legal_actions(self.state).flicks
        movable = {span.piece for span in flicks}
        if len(movable) != 1:
            raise InvalidInput("flick.piece is missing: give the id of the piece to flick")
        return str(movable.pop())

    # -- scenes and shots ----------------------------------------------------------------------------------------------

    def settings(self, values: list[Level]) -> Settings:
        """Settings for these values."""
        return self._settings(tuple((path, fill(slot, values)) for path, slot in self._physics_fields))

    def make_scene(self, values: list[Level]) -> InitialState:
        """Scene for these values."""
        scene: InitialState = self.scene
        for name, fields in fill(self.template["pieces"], values).items():
            scene = scene.with_piece(msgspec.structs.replace(scene.piece(name), **fields))
        return scene

    def with_flicked_piece(self, game: Game, state: State, fields: Mapping[str, JsonValue]) -> Scene | PyramidScene:
        """Scene with the piece to be flicked on it."""
        provisional = {name: value for name, value in fields.items() if name not in AIM_FIELDS}
        setup = game.rules.simulation_setup(state, self.kind(**provisional, speed=1.0, azimuth=0.0))
        if setup is None:
            raise InvalidInput(f"{game.title} has no {self.kind.__name__.lower()}")
        scene: Scene | PyramidScene = setup[0]
        return scene

    def typical_setup(self) -> Scene | PyramidScene:
        """Scene of a typical shot, with the flicked piece on it."""
        if self.game is None:
            if self.kind is not Launch:  # a missile is not in the scene
                self.typical_scene.piece(self.piece)
            scene: Scene | PyramidScene = self.typical_scene
            return scene
        fields = fill(self.template["flick"], self.typical_values)
        without_speed = {name: value for name, value in fields.items() if name not in ("speed", "azimuth")}
        return self.with_flicked_piece(self.game, self.state, without_speed)

    def intended_action(self, scene: Scene | PyramidScene, state: State, values: list[Level]) -> Action:
        """Intended action for these values."""
        fields = fill(self.template["flick"], values)
        if self.is_aimed:
            aim_scene = scene if self.game is None else self.with_flicked_piece(self.game, state, fields)
            assert isinstance(aim_scene, Scene)
            fields = resolve_aim(aim_scene, self.kind, fields, self.nominal_settings)
        return self.kind(**fields)

    def why_rules_checked(self) -> str:
        """Reason why the rules must check every shot; "" where there are none, or one check serves all.

        Legality and set-up depend on the piece and its start only, not on speed and azimuth.
        """
        if self.game is None:
            return ""
        is_start_fixed = all(axis.path[0] != "pieces" and axis.path[:2] != ("flick", "start") for axis in self.axes)
        if is_start_fixed:
            with suppress(*SHOT_ERRORS):
                for values in (
                    self.typical_values,
                    *(values for _, _, values in self.edge_cases()),
                ):
                    self.game.rules.check_action(
                        self.state, self.intended_action(self.typical_scene, self.state, values)
                    )
                return ""
        return "the rules of the game are checked shot by shot"

    # -- validation --------------------------------------------------------------------------------------------------

    def edge_cases(self) -> Iterator[tuple[Axis, Level, list[Level]]]:
        """Yield every extreme value with its axis and the values of an otherwise typical shot."""
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
            except InvalidInput as error:
                shown = f"{edge:g}" if isinstance(edge, float) else repr(edge)
                hint = "; narrow it, or add truncate = [low, high]" if axis.spec.normal is not None else ""
                raise InvalidInput(f"{axis.spec} can give {shown}: {error}{hint}") from None

    def _validate_values(self, values: list[Level]) -> None:
        """Validate the shot of these values as strictly as one from a file."""
        flick = fill(self.template["flick"], values)
        for word in set(AIM_FIELDS) - {"target"}:
            if not isinstance(flick.get(word, 0.0), int | float):
                raise InvalidInput(f"flick.{word} {flick[word]!r} must be a number")
        if self.is_aimed and abs(overshoot := flick.get("overshoot", 0.0)) > (size := self.scene.surface.diameter):
            raise InvalidInput(f"flick.overshoot {overshoot:g} m must lie within {size:.3g} m, the size of this table")
        fields = {name: value for name, value in flick.items() if name not in AIM_FIELDS}
        if self.is_aimed:
            target = flick["target"]
            if not isinstance(target, str | tuple) or any(
                isinstance(part, str) for part in target if isinstance(target, tuple)
            ):
                raise InvalidInput(f"flick.target {target!r} must be a piece, 'pot', or a point [x, y]")
            fields |= {"speed": 1.0, "azimuth": 0.0}
        from_builtins({"do": str(self.kind.__struct_config__.tag), **fields}, self.kind, name="flick")
        self.noise(fill(self.template["hand"], values))
        for name, fields in fill(self.template["pieces"], values).items():
            piece = self.scene.piece(name)
            from_builtins({**to_builtins(piece), **fields}, type(piece), name=f"pieces.{name}")
        from_builtins(fill(self.template["settings"], values), Settings, name="settings")
        for pair, fields in fill(self.template["pairings"], values).items():
            default = Settings().pairings.pairs.get(pair) or Pairing(friction=0.0)
            from_builtins({**to_builtins(default), **fields}, Pairing, name=f"pairings.{pair}")


def _make_settings(changes: tuple[tuple[tuple[str, str], Template], ...]) -> Settings:
    """Settings with these differences from the defaults."""
    settings: dict[str, JsonValue] = {}
    pairings = Settings().pairings
    for (pair, name), value in changes:
        if not pair:
            settings[name] = value
        else:
            pairing = pairings.pairs.get(pair) or Pairing(friction=0.0)
            changed = {pair: msgspec.structs.replace(pairing, **{name: value})}
            pairings = Pairings(pairs={**pairings.pairs, **changed})
    return Settings(pairings=pairings, **settings)


def _check_keys(path: str, keys: Iterable[str], allowed: Iterable[str]) -> None:
    for name in keys:
        if name not in allowed:
            raise InvalidInput(f"{path}: unknown key {name!r}; there are {', '.join(allowed)}")
