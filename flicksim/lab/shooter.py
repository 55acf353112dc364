"""An experiment made ready: everything in it looked up and checked, then shot after shot by its index alone.

What a shot is depends on the experiment and its index, on nothing else: not on who shoots it, when, or after which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from math import inf
from time import perf_counter
from typing import get_args, get_type_hints

import msgspec
import numpy as np

from flicksim.base.bounds import NAME, TITLE, bounded
from flicksim.base.codec import from_plain, to_plain
from flicksim.base.errors import BadFlick, BadInput, BadOption, BadScene, FlicksimError, IllegalAction, Unsettled
from flicksim.base.kinds import Action, Plain, Staged, State
from flicksim.base.seeding import Seeds
from flicksim.lab import columns
from flicksim.lab.aim import WORDS, aimed
from flicksim.lab.column import Axis, Column, varied
from flicksim.lab.experiment import Experiment
from flicksim.lab.mat_columns import MatColumns
from flicksim.lab.measure import Answer, Gauge, Shot, told
from flicksim.lab.slots import From, Slots, filled
from flicksim.lab.spread import Level, Quantity, Spread
from flicksim.lab.standing import set_up
from flicksim.physics import Settings, settle
from flicksim.play import scene_named
from flicksim.players import GRADES, Hand, grade
from flicksim.players.hand import STEADY
from flicksim.referee import Game
from flicksim.table import Launch, Pairing, Piece, PyramidScene, Scene, Squidge, Volley

KINDS: dict[str, Plain] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(get_type_hints(settle)["flick"]) if kind is not Volley
}
"""Every kind of flick the physics settles one of, by the word it is written with."""

MANY = 4096
"""Shots made at once, at most."""
_HEARD = 20
"""Shots made one by one before Ctrl-C is heard."""
_FEW = 100
"""Shots by which it is measured how long one takes among many."""
_TRIALS = 8
_FAILS = (Unsettled, BadScene, BadFlick, IllegalAction, ValueError)
"""What may go wrong with one shot without the others being the worse for it."""


class Shooter:
    """An experiment made ready.

    Attributes:
        columns: of the rows it makes. axes: what varies. cells: how many there are of the crossed grids.
        scene: the table before a typical shot. piece: id of what is flicked.
        one_by_one: why shots are made one by one; "" where many are made at once.

    Args:
        trust: run functions that it names as measures (see `Measure`).

    Raises:
        BadInput: something in it cannot be; says what, and what would be right.
    """

    def __init__(self, experiment: Experiment, *, trust: bool = False) -> None:
        self.experiment = experiment
        self._seeds = Seeds(seed=experiment.seed)
        self.axes: list[Axis] = []
        self.game: Game | None = None
        self._state: State = None
        if experiment.game is not None:
            self.game, self._state = set_up(experiment.game)
            self._scene: Scene | PyramidScene = self._state.scene
        elif isinstance(experiment.scene, str):
            self._scene = scene_named(experiment.scene)
        else:
            scene = experiment.scene or experiment.pyramids
            assert scene is not None
            self._scene = scene.checked()
        self._slots = self._look_up()
        self._grids = [axis.spread.levels or () for axis in self.axes]
        self.cells = 1
        for levels in self._grids:
            self.cells *= max(1, len(levels))
        self._check()
        self._moves = any(axis.path[0] == "pieces" for axis in self.axes)
        self._physical = self._physical_slots()
        # a player reckons with what is fixed, and with the house's numbers for what varies
        self._nominal = self._physics(tuple(one for one in self._physical if not isinstance(one[1], From)))
        self._settings = lru_cache(maxsize=256)(self._physics)
        self._laid = self._lay(self._typical())
        if self.game is not None and experiment.pieces:
            self._state = msgspec.structs.replace(self._state, scene=self._laid)
        self.scene = self._staged()
        self.gauges: tuple[Gauge, ...] = tuple(
            measure.ready(self.scene, self.piece, self.game, self._kind, trust=trust) for measure in experiment.measure
        )
        self.columns = self._columns()
        self.one_by_one = columns.why_not(self._kind, self.axes, self.scene, self.gauges) or self._why_asked()
        self._many = None if self.one_by_one else self._in_columns()

    # -- looking up -------------------------------------------------------------------------------------------------

    def _look_up(self) -> dict[str, Plain]:
        """Everything given, with places kept for what varies."""
        asked = self.experiment
        given = dict(asked.flick)
        word = given.pop("do", "flick")
        if not isinstance(word, str) or word not in KINDS:
            raise BadInput(f"flick.do: no kind of flick {word!r}; there are {', '.join(KINDS)}")
        self._kind = KINDS[word]
        flat = isinstance(self._scene, Scene)
        if flat == (self._kind is Launch):
            here = "flat pieces are flicked or squidged" if flat else "pyramids are launched"
            raise BadInput(f"flick.do {word!r} does not go with this table: {here}")
        _known("flick", given, (*self._kind.__struct_fields__, *WORDS))
        self._aims = "to" in given
        if self._aims and self._kind is Launch:
            raise BadInput("a launch cannot be aimed by 'to'; give its own fields")
        if self._aims and (extra := {"speed", "azimuth"} & given.keys()):
            raise BadInput(f"flick.to finds speed and azimuth by itself; leave out {' and '.join(sorted(extra))}")
        if not self._aims and (extra := given.keys() & set(WORDS)):
            raise BadInput(f"flick.{min(extra)} goes with flick.to, which is not there")
        if "piece" not in given:
            given["piece"] = self._only_piece()
        if not isinstance(given["piece"], str):
            raise BadInput("flick.piece: one piece is flicked in all shots; put others in experiments of their own")
        self.piece = given["piece"]
        for name in asked.pieces:
            self._scene.piece(name)
            _known(f"pieces.{name}", asked.pieces[name], self._scene.piece(name).__struct_fields__)
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
        found.add(self._scene.surface.material)
        found |= {piece.material for piece in self._scene.pieces if isinstance(piece, Piece)}
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
        may = {span.piece for span in self.game.rules.choices(self._state).flicks} if self.game is not None else set()
        if len(may) != 1:
            raise BadInput("flick.piece is missing: say which piece is flicked")
        return str(may.pop())

    def _columns(self) -> tuple[Column, ...]:
        found = [Column(name="shot", kind="number", role="index", title="shot")]
        found += varied(self.axes)
        for gauge in self.gauges:
            for name in gauge.columns:
                title = bounded(gauge.title, TITLE)
                found.append(Column(name=name, kind=gauge.kind, role="answer", title=title, unit=gauge.unit))
        found.append(Column(name="failed", kind="text", role="failed", title="why it failed"))
        names = [column.name for column in found]
        if "" in names:
            raise BadInput("a column of the results would have no name; call what varies by a letter at least")
        if long := [name for name in names if len(name) > NAME]:
            shown = bounded(repr(long[0]), 60)
            raise BadInput(f"a column would have a name of {len(long[0])} letters, {shown}; the most is {NAME}")
        if twice := [name for name in names if names.count(name) > 1]:
            raise BadInput(f"two columns of the results would be called {twice[0]!r}; call or measure one otherwise")
        for mark in self.experiment.marks:
            if missing := [name for name in (mark.measure, *mark.at) if name not in names]:
                raise BadInput(f"mark {mark.says!r}: no column {missing[0]!r}; there are {', '.join(names)}")
        return tuple(found)

    # -- checking ---------------------------------------------------------------------------------------------------

    def _typical(self) -> list[Level]:
        return [axis.spread.typical for axis in self.axes]

    def _edges(self) -> Iterator[tuple[Axis, Level, list[Level]]]:
        """Every edge of what varies, and a shot that is typical but for it."""
        usual = self._typical()
        for index, axis in enumerate(self.axes):
            for edge in axis.spread.extremes:
                yield axis, edge, [*usual[:index], edge, *usual[index + 1 :]]

    def _check(self) -> None:
        """Nothing given is impossible: not as it stands, nor at any edge of what varies."""
        usual = self._typical()
        self._strict(usual)
        for axis, edge, values in self._edges():
            try:
                self._strict(values)
            except BadInput as wrong:
                shown = f"{edge:g}" if isinstance(edge, float) else repr(edge)
                cure = "; narrow it, or add within = [low, high]" if axis.spread.normal is not None else ""
                raise BadInput(f"{axis.spread} can give {shown}: {wrong}{cure}") from None

    def _strict(self, values: list[Level]) -> None:
        """Everything built once, as strictly as it would be read from a file."""
        flick = filled(self._slots["flick"], values)
        for word in set(WORDS) - {"to"}:
            if not isinstance(flick.get(word, 0.0), int | float):
                raise BadInput(f"flick.{word} {flick[word]!r} must be a number")
        fields = {name: value for name, value in flick.items() if name not in WORDS}
        if self._aims:
            to = flick["to"]
            if not isinstance(to, str | tuple) or any(isinstance(part, str) for part in to if isinstance(to, tuple)):
                raise BadInput(f"flick.to {to!r} must be a piece, 'pot', or a point [x, y]")
            fields |= {"speed": 1.0, "azimuth": 0.0}
        from_plain({"do": str(self._kind.__struct_config__.tag), **fields}, self._kind, name="flick")
        self._hand(filled(self._slots["hand"], values))
        for name, fields in filled(self._slots["pieces"], values).items():
            piece = self._scene.piece(name)
            from_plain({**to_plain(piece), **fields}, type(piece), name=f"pieces.{name}")
        from_plain(filled(self._slots["settings"], values), Settings, name="settings")
        for pair, fields in filled(self._slots["pairings"], values).items():
            house = Settings().pairings.pairs.get(pair) or Pairing(friction=0.0)
            from_plain({**to_plain(house), **fields}, Pairing, name=f"pairings.{pair}")

    def tried(self) -> float:
        """Seconds the fastest of a few first shots takes.

        Raises:
            BadInput: none of them can be made; says why not.
        """
        best, why = inf, ""
        for index in range(min(_TRIALS, self.experiment.shots)):
            begin = perf_counter()
            row = self.row(index)
            best = min(best, perf_counter() - begin)
            if row[-1] is None:
                return min(best, self._again(index)) if self._many is None else self._each()
            why = why or str(row[-1])
        raise BadInput(f"none of the first shots can be made: {why}")

    def _each(self) -> float:
        """Seconds a shot takes among many."""
        count = min(_FEW, self.experiment.shots)
        for _ in range(2):  # the first time compiles
            begin = perf_counter()
            for _ in self.rows(0, count):
                pass
        return (perf_counter() - begin) / count

    def _again(self, index: int) -> float:
        """Seconds of a shot once everything is warm."""
        spent = []
        for _ in range(3):
            begin = perf_counter()
            self.row(index)
            spent.append(perf_counter() - begin)
        return min(spent)

    def _why_asked(self) -> str:
        """Why the rules are asked about every shot; "" where there are none, or one answer serves all.

        What the rules allow, and the table they have laid, hang on what is flicked and from where, not on how hard or
        which way; so one table serves all shots from one place.
        """
        if self.game is None:
            return ""
        fixed = all(axis.path[0] != "pieces" and axis.path[:2] != ("flick", "start") for axis in self.axes)
        if fixed:
            with suppress(*_FAILS):
                for values in (self._typical(), *(values for _, _, values in self._edges())):
                    self.game.rules.check(self._state, self._meant(self._laid, self._state, values))
                return ""
        return "the rules of a game are asked shot by shot"

    def _in_columns(self) -> columns.Together:
        shared = (self._slots, self.axes, self.cells, self._seeds, self.piece, self.gauges, self._hand)
        laid: Staged = self._laid if self.game is None else self.scene
        if self._kind is Squidge:
            lay = self._lay if self.game is None else lambda _: laid
            return MatColumns(*shared, lay=lay, physics=self._set)
        fixed = tuple(one for one in self._physical if not isinstance(one[1], From))
        return columns.Columns(*shared, scene=laid, settings=self._physics(fixed), nominal=self._nominal)

    def _set(self, values: list[Level]) -> Settings:
        """The physics that these values give."""
        return self._settings(tuple((path, filled(slot, values)) for path, slot in self._physical))

    # -- shooting ---------------------------------------------------------------------------------------------------

    def rows(self, first: int, last: int) -> Iterator[tuple[Answer, ...]]:
        """The shots from one index to before another."""
        return chain.from_iterable(self.some(first, last))

    def some(self, first: int, last: int) -> Iterator[list[tuple[Answer, ...]]]:
        """The same by some at a time, as many as can be made at once; between them Ctrl-C is heard."""
        most = _HEARD if self._many is None else min(MANY, self._many.most)
        for at in range(first, last, most):
            end = min(at + most, last)
            if self._many is None:
                yield [self.row(index) for index in range(at, end)]
            else:
                yield self._many.rows(at, end, self.row)

    def row(self, index: int) -> tuple[Answer, ...]:
        """One shot: its index, what varied, what was measured, and why it failed, if it did."""
        rng = self._seeds.child("shot", index).generator()
        values = self._drawn(index, rng)
        shown = [value if isinstance(value, str) else value + 0.0 for value in values]
        try:
            shot = self._shoot(values, rng)
            answers: list[Answer] = []
            for gauge in self.gauges:
                try:
                    answers += gauge.answers(shot)
                except FlicksimError:
                    raise
                except (Exception, SystemExit) as wrong:
                    raise BadInput(f"measure {gauge.name!r} failed on shot {index}: {told(wrong)}") from wrong
            return (index, *shown, *answers, None)
        except _FAILS as wrong:
            return (index, *shown, *[None] * (len(self.columns) - len(shown) - 2), str(wrong))

    def _drawn(self, index: int, rng: np.random.Generator) -> list[Level]:
        cell, values = index % self.cells, list[Level]()
        for axis, levels in zip(self.axes, self._grids, strict=True):
            if levels:
                cell, at = divmod(cell, len(levels))
                values.append(levels[at])
            else:
                values.append(axis.spread.draw(rng))
        return values

    def _shoot(self, values: list[Level], rng: np.random.Generator) -> Shot:
        scene = self._lay(values) if self._moves else self._laid
        settings = self._set(values)
        state = self._state
        if self._moves and state is not None:
            state = msgspec.structs.replace(state, scene=scene)
        meant = self._meant(scene, state, values)
        made = self._hand(filled(self._slots["hand"], values)).make(meant, rng)
        if self.game is None:
            return Shot(meant=meant, made=made, motion=settle(scene, made, settings))
        self.game.rules.check(state, meant)
        staged = self.game.rules.stage(state, made)
        assert staged is not None
        motion = settle(*staged, settings)
        return Shot(meant=meant, made=made, motion=motion, game=self.game, state=state)

    def _meant(self, scene: Scene | PyramidScene, state: State, values: list[Level]) -> Action:
        """The flick that these values mean."""
        fields = filled(self._slots["flick"], values)
        if self._aims:
            table = scene if self.game is None else self._put_on(self.game, state, fields)
            assert isinstance(table, Scene)
            fields = aimed(table, self._kind, fields, self._nominal)
        return self._kind(**fields)

    def _put_on(self, game: Game, state: State, fields: Mapping[str, Plain]) -> Scene | PyramidScene:
        """The table with the piece on it that is to be flicked, wherever it waited before."""
        provisional = {name: value for name, value in fields.items() if name not in WORDS}
        staged = game.rules.stage(state, self._kind(**provisional, speed=1.0, azimuth=0.0))
        if staged is None:
            raise BadInput(f"{game.title} settles no {self._kind.__name__.lower()}")
        scene: Scene | PyramidScene = staged[0]
        return scene

    def _staged(self) -> Scene | PyramidScene:
        if self.game is None:
            if self._kind is not Launch:  # a missile is in the hand
                self._laid.piece(self.piece)
            laid: Scene | PyramidScene = self._laid
            return laid
        fields = filled(self._slots["flick"], self._typical())
        bare = {name: value for name, value in fields.items() if name not in ("speed", "azimuth")}
        return self._put_on(self.game, self._state, bare)

    def _lay(self, values: list[Level]) -> Staged:
        """The scene with pieces where these values put them."""
        scene: Staged = self._scene
        for name, fields in filled(self._slots["pieces"], values).items():
            scene = scene.with_piece(msgspec.structs.replace(scene.piece(name), **fields))
        return scene

    def _physical_slots(self) -> list[tuple[tuple[str, str], Slots]]:
        """The differences from the house's physics: a pair of materials, or "", and the name of what is set."""
        return [
            *((("", name), slot) for name, slot in self._slots["settings"].items()),
            *(((pair, name), slot) for pair, slots in self._slots["pairings"].items() for name, slot in slots.items()),
        ]

    def _physics(self, given: tuple[tuple[tuple[str, str], Slots], ...]) -> Settings:
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

    def _hand(self, name: str) -> Hand:
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


def _known(where: str, given: Mapping[str, Plain], known: Iterable[str]) -> None:
    for name in given:
        if name not in known:
            raise BadInput(f"{where}: unknown key {name!r}; there are {', '.join(known)}")
