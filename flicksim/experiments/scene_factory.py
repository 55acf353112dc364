"""Scenes, settings and intended actions of an experiment's shots, from the values of its axes."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

import msgspec

from flicksim.core.errors import DidNotSettle, IllegalAction, InvalidAction, InvalidInput, InvalidScene
from flicksim.core.type_aliases import Action, InitialState, JsonValue, State
from flicksim.engine import Settings
from flicksim.experiments.aiming import AIM_FIELDS, resolve_aim
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.resolved_experiment import Placeholder, ResolvedExperiment, Template, fill
from flicksim.referee import Game
from flicksim.scene import Launch, Pairing, PyramidScene, Scene

SHOT_ERRORS = (DidNotSettle, InvalidScene, InvalidAction, IllegalAction, ValueError)
"""Errors of a single shot; the run continues."""


class SceneFactory:
    """Factory of the scenes and settings of an experiment.

    Attributes:
        pieces_vary: True if fields of pieces vary. typical_scene: scene of a typical shot.
        state: of the game, with that scene; None without a game.
        nominal_settings: physics without what varies, assumed for aiming.
    """

    def __init__(self, resolved: ResolvedExperiment) -> None:
        self._resolved = resolved
        self.pieces_vary = any(axis.path[0] == "pieces" for axis in resolved.axes)
        physics = (("", resolved.template["settings"]), *resolved.template["pairings"].items())
        self._physics_fields = [((pair, name), slot) for pair, slots in physics for name, slot in slots.items()]
        """Differences from the default physics: pair of materials, or "", and field; with their templates."""
        self.nominal_settings = _make_settings(
            tuple(one for one in self._physics_fields if not isinstance(one[1], Placeholder))
        )
        self._settings = lru_cache(maxsize=256)(_make_settings)
        self.typical_scene = self.make_scene(resolved.typical_values)
        self.state = resolved.state
        if resolved.game is not None and resolved.experiment.pieces:
            self.state = msgspec.structs.replace(resolved.state, scene=self.typical_scene)

    def settings(self, values: list[Level]) -> Settings:
        """Settings for these values."""
        return self._settings(tuple((path, fill(slot, values)) for path, slot in self._physics_fields))

    def make_scene(self, values: list[Level]) -> InitialState:
        """Scene for these values."""
        scene: InitialState = self._resolved.scene
        for name, fields in fill(self._resolved.template["pieces"], values).items():
            scene = scene.with_piece(msgspec.structs.replace(scene.piece(name), **fields))
        return scene

    def with_flicked_piece(self, game: Game, state: State, fields: Mapping[str, JsonValue]) -> Scene | PyramidScene:
        """Scene with the piece to be flicked on it."""
        provisional = {name: value for name, value in fields.items() if name not in AIM_FIELDS}
        setup = game.rules.simulation_setup(state, self._resolved.kind(**provisional, speed=1.0, azimuth=0.0))
        if setup is None:
            raise InvalidInput(f"{game.title} has no {self._resolved.kind.__name__.lower()}")
        scene: Scene | PyramidScene = setup[0]
        return scene

    def typical_setup(self) -> Scene | PyramidScene:
        """Scene of a typical shot, with the flicked piece on it."""
        resolved = self._resolved
        if resolved.game is None:
            if resolved.kind is not Launch:  # a missile is not in the scene
                self.typical_scene.piece(resolved.piece)
            scene: Scene | PyramidScene = self.typical_scene
            return scene
        fields = fill(resolved.template["flick"], resolved.typical_values)
        without_speed = {name: value for name, value in fields.items() if name not in ("speed", "azimuth")}
        return self.with_flicked_piece(resolved.game, self.state, without_speed)

    def intended_action(self, scene: Scene | PyramidScene, state: State, values: list[Level]) -> Action:
        """Intended action for these values."""
        fields = fill(self._resolved.template["flick"], values)
        if self._resolved.is_aimed:
            aim_scene = (
                scene if self._resolved.game is None else self.with_flicked_piece(self._resolved.game, state, fields)
            )
            assert isinstance(aim_scene, Scene)
            fields = resolve_aim(aim_scene, self._resolved.kind, fields, self.nominal_settings)
        return self._resolved.kind(**fields)

    def why_rules_checked(self) -> str:
        """Reason why the rules must check every shot; "" where there are none, or one check serves all.

        Legality and set-up depend on the piece and its start only, not on speed and azimuth.
        """
        if self._resolved.game is None:
            return ""
        is_start_fixed = all(
            axis.path[0] != "pieces" and axis.path[:2] != ("flick", "start") for axis in self._resolved.axes
        )
        if is_start_fixed:
            with suppress(*SHOT_ERRORS):
                for values in (
                    self._resolved.typical_values,
                    *(values for _, _, values in self._resolved.edge_cases()),
                ):
                    self._resolved.game.rules.check_action(
                        self.state, self.intended_action(self.typical_scene, self.state, values)
                    )
                return ""
        return "the rules of the game are checked shot by shot"


def _make_settings(changes: tuple[tuple[tuple[str, str], Template], ...]) -> Settings:
    """Settings with these differences from the defaults."""
    settings: dict[str, JsonValue] = {}
    pairings = Settings().pairings
    for (pair, name), value in changes:
        if not pair:
            settings[name] = value
        else:
            pairing = pairings.pairs.get(pair) or Pairing(friction=0.0)
            first, second = pair.split("|")
            pairings = pairings.with_pairing(first, second, msgspec.structs.replace(pairing, **{name: value}))
    return Settings(pairings=pairings, **settings)
