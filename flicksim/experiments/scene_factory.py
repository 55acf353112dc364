"""Scenes, settings and intended actions of an experiment's shots, from the values of its axes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

import msgspec

from flicksim.core.errors import DidNotSettle, IllegalAction, InvalidAction, InvalidInput, InvalidScene
from flicksim.core.type_aliases import Action, InitialState, JsonValue, State
from flicksim.engine import Settings
from flicksim.experiments.aiming import AIM_FIELDS, resolve_aim
from flicksim.experiments.parameter_spec import Level
from flicksim.experiments.placeholders import Placeholder, Template, fill
from flicksim.experiments.resolved_experiment import ResolvedExperiment
from flicksim.referee import Game
from flicksim.scene import Launch, Pairing, PyramidScene, Scene

SHOT_ERRORS = (DidNotSettle, InvalidScene, InvalidAction, IllegalAction, ValueError)
"""Errors of a single shot; the others go on."""


class SceneFactory:
    """Factory of the scenes and settings of an experiment.

    Attributes:
        moves: true where pieces lie otherwise from shot to shot. usual: the scene of a typical shot, as given.
        state: of the game, with the pieces as in that; None without a game.
        fixed: the physics of all that does not vary, and the house's of the rest: a player reckons with it.
    """

    def __init__(self, resolved: ResolvedExperiment) -> None:
        self._resolved = resolved
        self.pieces_vary = any(axis.path[0] == "pieces" for axis in resolved.axes)
        self._physics_fields = self._physics_template()
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

    def _physics_template(self) -> list[tuple[tuple[str, str], Template]]:
        """The differences from the house's physics: a pair of materials, or "", and the name of what is set."""
        return [
            *((("", name), slot) for name, slot in self._resolved.template["settings"].items()),
            *(
                ((pair, name), slot)
                for pair, slots in self._resolved.template["pairings"].items()
                for name, slot in slots.items()
            ),
        ]

    def with_flicked_piece(self, game: Game, state: State, fields: Mapping[str, JsonValue]) -> Scene | PyramidScene:
        """Scene with the piece to be flicked on it."""
        provisional = {name: value for name, value in fields.items() if name not in AIM_FIELDS}
        staged = game.rules.simulation_setup(state, self._resolved.kind(**provisional, speed=1.0, azimuth=0.0))
        if staged is None:
            raise InvalidInput(f"{game.title} settles no {self._resolved.kind.__name__.lower()}")
        scene: Scene | PyramidScene = staged[0]
        return scene

    def typical_setup(self) -> Scene | PyramidScene:
        """Scene of a typical shot, with the flicked piece on it."""
        asked = self._resolved
        if asked.game is None:
            if asked.kind is not Launch:  # a missile is in the hand
                self.typical_scene.piece(asked.piece)
            laid: Scene | PyramidScene = self.typical_scene
            return laid
        fields = fill(asked.template["flick"], asked.typical_values)
        bare = {name: value for name, value in fields.items() if name not in ("speed", "azimuth")}
        return self.with_flicked_piece(asked.game, self.state, bare)

    def intended_action(self, scene: Scene | PyramidScene, state: State, values: list[Level]) -> Action:
        """Intended action for these values."""
        fields = fill(self._resolved.template["flick"], values)
        if self._resolved.is_aimed:
            table = (
                scene if self._resolved.game is None else self.with_flicked_piece(self._resolved.game, state, fields)
            )
            assert isinstance(table, Scene)
            fields = resolve_aim(table, self._resolved.kind, fields, self.nominal_settings)
        return self._resolved.kind(**fields)

    def why_rules_checked(self) -> str:
        """Reason why the rules must check every shot; "" where there are none, or one check serves all.

        What the rules allow, and the table they have laid, hang on what is flicked and from where, not on how hard or
        which way; so one table serves all shots from one place.
        """
        if self._resolved.game is None:
            return ""
        fixed = all(axis.path[0] != "pieces" and axis.path[:2] != ("flick", "start") for axis in self._resolved.axes)
        if fixed:
            with suppress(*SHOT_ERRORS):
                for values in (
                    self._resolved.typical_values,
                    *(values for _, _, values in self._resolved.edge_cases()),
                ):
                    self._resolved.game.rules.check_action(
                        self.state, self.intended_action(self.typical_scene, self.state, values)
                    )
                return ""
        return "the rules of a game are asked shot by shot"


def _make_settings(given: tuple[tuple[tuple[str, str], Template], ...]) -> Settings:
    """Settings with these differences from the defaults."""
    settings: dict[str, JsonValue] = {}
    pairings = Settings().pairings
    for (pair, name), value in given:
        if not pair:
            settings[name] = value
        else:
            found = pairings.pairs.get(pair) or Pairing(friction=0.0)
            one, other = pair.split("|")
            pairings = pairings.with_pairing(one, other, msgspec.structs.replace(found, **{name: value}))
    return Settings(pairings=pairings, **settings)
