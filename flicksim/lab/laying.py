"""The table and the physics of an experiment as the values of its axes would have them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

import msgspec

from flicksim.base.errors import BadFlick, BadInput, BadScene, IllegalAction, Unsettled
from flicksim.base.kinds import Action, Plain, Staged, State
from flicksim.lab.aim import WORDS, aimed
from flicksim.lab.checked import Checked
from flicksim.lab.slots import From, Slots, filled
from flicksim.lab.spread import Level
from flicksim.physics import Settings
from flicksim.referee import Game
from flicksim.table import Launch, Pairing, PyramidScene, Scene

FAILS = (Unsettled, BadScene, BadFlick, IllegalAction, ValueError)
"""Errors of one shot that leave the others as good as they are."""


class Laying:
    """An experiment's tables.

    Attributes:
        moves: true where pieces lie otherwise from shot to shot. usual: the scene of a typical shot, as given.
        state: of the game, with the pieces as in that; None without a game.
        fixed: the physics of all that does not vary, and the house's of the rest: a player reckons with it.
    """

    def __init__(self, asked: Checked) -> None:
        self._asked = asked
        self.moves = any(axis.path[0] == "pieces" for axis in asked.axes)
        self._physical = self._physical_slots()
        self.fixed = _physics(tuple(one for one in self._physical if not isinstance(one[1], From)))
        self._settings = lru_cache(maxsize=256)(_physics)
        self.usual = self.lay(asked.typical)
        self.state = asked.state
        if asked.game is not None and asked.experiment.pieces:
            self.state = msgspec.structs.replace(asked.state, scene=self.usual)

    def settings(self, values: list[Level]) -> Settings:
        """The physics that these values give."""
        return self._settings(tuple((path, filled(slot, values)) for path, slot in self._physical))

    def lay(self, values: list[Level]) -> Staged:
        """The scene with pieces where these values put them."""
        scene: Staged = self._asked.scene
        for name, fields in filled(self._asked.slots["pieces"], values).items():
            scene = scene.with_piece(msgspec.structs.replace(scene.piece(name), **fields))
        return scene

    def _physical_slots(self) -> list[tuple[tuple[str, str], Slots]]:
        """The differences from the house's physics: a pair of materials, or "", and the name of what is set."""
        return [
            *((("", name), slot) for name, slot in self._asked.slots["settings"].items()),
            *(
                ((pair, name), slot)
                for pair, slots in self._asked.slots["pairings"].items()
                for name, slot in slots.items()
            ),
        ]

    def put_on(self, game: Game, state: State, fields: Mapping[str, Plain]) -> Scene | PyramidScene:
        """The table with the piece on it that is to be flicked, wherever it waited before."""
        provisional = {name: value for name, value in fields.items() if name not in WORDS}
        staged = game.rules.stage(state, self._asked.kind(**provisional, speed=1.0, azimuth=0.0))
        if staged is None:
            raise BadInput(f"{game.title} settles no {self._asked.kind.__name__.lower()}")
        scene: Scene | PyramidScene = staged[0]
        return scene

    def typical(self) -> Scene | PyramidScene:
        """The table of a typical shot, with the piece on it that is flicked."""
        asked = self._asked
        if asked.game is None:
            if asked.kind is not Launch:  # a missile is in the hand
                self.usual.piece(asked.piece)
            laid: Scene | PyramidScene = self.usual
            return laid
        fields = filled(asked.slots["flick"], asked.typical)
        bare = {name: value for name, value in fields.items() if name not in ("speed", "azimuth")}
        return self.put_on(asked.game, self.state, bare)

    def meant(self, scene: Scene | PyramidScene, state: State, values: list[Level]) -> Action:
        """The flick that these values mean."""
        fields = filled(self._asked.slots["flick"], values)
        if self._asked.aims:
            table = scene if self._asked.game is None else self.put_on(self._asked.game, state, fields)
            assert isinstance(table, Scene)
            fields = aimed(table, self._asked.kind, fields, self.fixed)
        return self._asked.kind(**fields)

    def why_asked(self) -> str:
        """The reason why the rules are asked about every shot; "" where there are none, or one answer serves all.

        What the rules allow, and the table they have laid, hang on what is flicked and from where, not on how hard or
        which way; so one table serves all shots from one place.
        """
        if self._asked.game is None:
            return ""
        fixed = all(axis.path[0] != "pieces" and axis.path[:2] != ("flick", "start") for axis in self._asked.axes)
        if fixed:
            with suppress(*FAILS):
                for values in (self._asked.typical, *(values for _, _, values in self._asked.edges())):
                    self._asked.game.rules.check(self.state, self.meant(self.usual, self.state, values))
                return ""
        return "the rules of a game are asked shot by shot"


def _physics(given: tuple[tuple[tuple[str, str], Slots], ...]) -> Settings:
    """The settings that differ from the house's by these."""
    settings: dict[str, Plain] = {}
    pairings = Settings().pairings
    for (pair, name), value in given:
        if not pair:
            settings[name] = value
        else:
            found = pairings.pairs.get(pair) or Pairing(friction=0.0)
            one, other = pair.split("|")
            pairings = pairings.replacing(one, other, msgspec.structs.replace(found, **{name: value}))
    return Settings(pairings=pairings, **settings)
