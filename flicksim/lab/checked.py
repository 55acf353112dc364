"""An experiment with everything in it looked up and checked: nothing given is unknown, and nothing is impossible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args, get_type_hints

from flicksim.base.codec import from_plain, to_plain
from flicksim.base.errors import BadInput, BadOption
from flicksim.base.kinds import Plain, State
from flicksim.lab.aim import WORDS
from flicksim.lab.column import Axis
from flicksim.lab.experiment import Experiment
from flicksim.lab.slots import From, Slots, filled
from flicksim.lab.spread import Level, Quantity, Spread
from flicksim.lab.standing import set_up
from flicksim.physics import Settings, settle
from flicksim.play import scene_named
from flicksim.players import GRADES, STEADY, Hand, grade
from flicksim.referee import Game
from flicksim.table import Launch, Pairing, Piece, PyramidScene, Scene, Volley

KINDS: dict[str, Plain] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(get_type_hints(settle)["flick"]) if kind is not Volley
}
"""Every kind of flick the physics settles one of, by the word it is written with."""


class Checked:
    """An experiment looked up.

    Attributes:
        game, state: what is played, and the state to flick from; None where only a scene is given.
        scene: the table as given. kind: of the flick. piece: id of what is flicked. aims: true where `to` is aimed at.
        slots: everything given, with places kept for what varies. axes: what varies.

    Raises:
        BadInput: something in it cannot be; says what, and what would be right.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.axes: list[Axis] = []
        self.game: Game | None = None
        self.state: State = None
        if experiment.game is not None:
            self.game, self.state = set_up(experiment.game)
            self.scene: Scene | PyramidScene = self.state.scene
        elif isinstance(experiment.scene, str):
            self.scene = scene_named(experiment.scene)
        else:
            scene = experiment.scene or experiment.pyramids
            assert scene is not None
            self.scene = scene.checked()
        self.slots = self._look_up()
        self._check()

    @property
    def typical(self) -> list[Level]:
        """A value of every axis, from its middle."""
        return [axis.spread.typical for axis in self.axes]

    def hand(self, name: str) -> Hand:
        """The hand of that name.

        Raises:
            BadInput: there is none; lists those there are.
        """
        if name == "steady":
            return STEADY
        own = self.experiment.hands.get(name)
        if own is not None:
            return own
        try:
            return GRADES[name] if name in GRADES else GRADES[grade(str(name))]
        except BadOption:
            known = ", ".join(["steady", *GRADES, *self.experiment.hands])
            raise BadInput(f"hand: no hand {name!r}; there are {known}") from None

    # -- looking up -------------------------------------------------------------------------------------------------

    def _look_up(self) -> dict[str, Plain]:
        """Everything given, with places kept for what varies."""
        asked = self.experiment
        given = dict(asked.fields)
        word = given.pop("do", "flick")
        if not isinstance(word, str) or word not in KINDS:
            raise BadInput(f"flick.do: no kind of flick {word!r}; there are {', '.join(KINDS)}")
        self.kind = KINDS[word]
        flat = isinstance(self.scene, Scene)
        if flat == (self.kind is Launch):
            here = "flat pieces are flicked or squidged" if flat else "pyramids are launched"
            raise BadInput(f"flick.do {word!r} does not go with this table: {here}")
        _known("flick", given, (*self.kind.__struct_fields__, *WORDS))
        self.aims = "to" in given
        if self.aims and self.kind is Launch:
            raise BadInput("a launch cannot be aimed by 'to'; give its own fields")
        if self.aims and (extra := {"speed", "azimuth"} & given.keys()):
            raise BadInput(f"flick.to finds speed and azimuth by itself; leave out {' and '.join(sorted(extra))}")
        if not self.aims and (extra := given.keys() & set(WORDS)):
            raise BadInput(f"flick.{min(extra)} goes with flick.to, which is not there")
        if "piece" not in given:
            given["piece"] = self._only_piece()
        if not isinstance(given["piece"], str):
            raise BadInput("flick.piece: one piece is flicked in all shots; put others in experiments of their own")
        self.piece = given["piece"]
        for name in asked.pieces:
            self.scene.piece(name)
            _known(f"pieces.{name}", asked.pieces[name], self.scene.piece(name).__struct_fields__)
        _known("settings", asked.settings, [n for n in Settings.__struct_fields__ if n != "pairings"])
        materials = self._materials()
        for pair, fields in asked.pairings.items():
            two = pair.split("|")
            if len(two) != 2 or sorted(two) != two:
                raise BadInput(f"pairings {pair!r} must be two materials in order, as 'bronze|wood'")
            if strange := [name for name in two if name not in materials]:
                raise BadInput(f"pairings {pair!r}: no material {strange[0]!r}; there are {', '.join(materials)}")
            _known(f"pairings.{pair}", fields, ("friction", "restitution", "yield_speed"))
        return {
            "hand": self._slot(("hand",), asked.hand),
            "flick": {name: self._slot(("flick", name), value) for name, value in given.items()},
            "pieces": self._nested("pieces", asked.pieces),
            "settings": {name: self._slot(("settings", name), value) for name, value in asked.settings.items()},
            "pairings": self._nested("pairings", asked.pairings),
        }

    def _materials(self) -> list[str]:
        """The materials of pieces and surfaces here: what the house knows, and what the file brings along."""
        found = {name for pair in Settings().pairings.pairs for name in pair.split("|")}
        found.add(self.scene.surface.material)
        found |= {piece.material for piece in self.scene.pieces if isinstance(piece, Piece)}
        for fields in self.experiment.pieces.values():
            match fields.get("material"):
                case Spread(levels=levels):
                    found |= set(map(str, levels or ()))
                case str(name):
                    found.add(name)
        return sorted(found)

    def _nested(self, group: str, given: Mapping[str, Mapping[str, Quantity]]) -> dict[str, dict[str, Slots]]:
        return {
            one: {name: self._slot((group, one, name), value) for name, value in fields.items()}
            for one, fields in given.items()
        }

    def _slot(self, path: tuple[str, ...], value: Plain) -> Slots:
        """A value as it is, or a place for what varies, noted as an axis."""
        if isinstance(value, tuple):
            return tuple(self._slot((*path, part), one) for part, one in zip(("x", "y"), value, strict=True))
        if not isinstance(value, Spread):
            return value
        self.axes.append(Axis(path=path, spread=value))
        return From(len(self.axes) - 1)

    def _only_piece(self) -> str:
        """The piece to flick where the rules leave no choice."""
        may = {span.piece for span in self.game.rules.choices(self.state).flicks} if self.game is not None else set()
        if len(may) != 1:
            raise BadInput("flick.piece is missing: say which piece is flicked")
        return str(may.pop())

    # -- checking ---------------------------------------------------------------------------------------------------

    def edges(self) -> Iterator[tuple[Axis, Level, list[Level]]]:
        """Every edge of what varies, and a shot that is typical but for it."""
        usual = self.typical
        for index, axis in enumerate(self.axes):
            for edge in axis.spread.extremes:
                yield axis, edge, [*usual[:index], edge, *usual[index + 1 :]]

    def _check(self) -> None:
        """Nothing given is impossible: not as it stands, nor at any edge of what varies."""
        usual = self.typical
        self._strict(usual)
        for axis, edge, values in self.edges():
            try:
                self._strict(values)
            except BadInput as wrong:
                shown = f"{edge:g}" if isinstance(edge, float) else repr(edge)
                cure = "; narrow it, or add within = [low, high]" if axis.spread.normal is not None else ""
                raise BadInput(f"{axis.spread} can give {shown}: {wrong}{cure}") from None

    def _strict(self, values: list[Level]) -> None:
        """Everything built once, as strictly as it would be read from a file."""
        flick = filled(self.slots["flick"], values)
        for word in set(WORDS) - {"to"}:
            if not isinstance(flick.get(word, 0.0), int | float):
                raise BadInput(f"flick.{word} {flick[word]!r} must be a number")
        fields = {name: value for name, value in flick.items() if name not in WORDS}
        if self.aims:
            to = flick["to"]
            if not isinstance(to, str | tuple) or any(isinstance(part, str) for part in to if isinstance(to, tuple)):
                raise BadInput(f"flick.to {to!r} must be a piece, 'pot', or a point [x, y]")
            fields |= {"speed": 1.0, "azimuth": 0.0}
        from_plain({"do": str(self.kind.__struct_config__.tag), **fields}, self.kind, name="flick")
        self.hand(filled(self.slots["hand"], values))
        for name, fields in filled(self.slots["pieces"], values).items():
            piece = self.scene.piece(name)
            from_plain({**to_plain(piece), **fields}, type(piece), name=f"pieces.{name}")
        from_plain(filled(self.slots["settings"], values), Settings, name="settings")
        for pair, fields in filled(self.slots["pairings"], values).items():
            house = Settings().pairings.pairs.get(pair) or Pairing(friction=0.0)
            from_plain({**to_plain(house), **fields}, Pairing, name=f"pairings.{pair}")


def _known(where: str, given: Mapping[str, Plain], known: Iterable[str]) -> None:
    for name in given:
        if name not in known:
            raise BadInput(f"{where}: unknown key {name!r}; there are {', '.join(known)}")
