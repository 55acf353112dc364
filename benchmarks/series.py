"""Whole games of Ice Tiddly Winks between random seats, on all kinds of tables, with and without pieces in the stashes.

`python -m benchmarks.series [--games N] [--seed S] [--jobs J] [--only K]`. After every turn all pieces are counted,
what bears a piece is measured, and the table is asked whether the next launch would refuse it; at the end of a game all
that rests is woken, and must lie still.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from time import process_time
from typing import Any

from benchmarks.tally import Tally, parser, shared, within
from flicksim import games
from flicksim.base.units import degrees, to_degrees
from flicksim.physics import Settings
from flicksim.physics.space.world import World
from flicksim.play import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.table.pyramid_scene import TOUCH, PyramidScene
from flicksim.table.solid import depth

_SEATS = 6
TABLES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "small": ("table_mm=500,500", "start_line_mm=120"),
    "round": ("table=round",),
    "long": ("table_mm=450,1500", "start_line_mm=100"),
}
"""Tables by name: options."""
_LIMIT = 600.0
"""No game takes longer to compute [s]."""
_FACE = degrees(1.0)
"""So little off a face is on it [rad]."""
_STILL = 1e-4
"""Largest move of what is woken without a flick [m]."""


def kinds() -> list[tuple[str, tuple[str, ...]]]:
    """Every kind of game: its name and its options."""
    return [
        (f"{name}{', stashes stand' if bodies else ''}", (*options, f"stash_bodies={'true' if bodies else 'false'}"))
        for name, options in TABLES.items()
        for bodies in (False, True)
    ]


def trial(count: int, seed: int, jobs: int = 1) -> Tally:
    """So many games, of each kind in turn."""
    return shared(partial(tries_of, seed), range(count), jobs)


def tries_of(seed: int, numbers: Sequence[int]) -> Tally:
    """The games of these numbers."""
    found = Tally()
    for number in numbers:
        _one(seed, number, found)
    return found


def _one(seed: int, number: int, found: Tally) -> None:
    name, options = kinds()[number % len(kinds())]
    again = f"python -m benchmarks.series --seed {seed} --only {number}"
    game = games.load("ice")
    match = open_match(game, parse_options(game, options), [parse_seat("random")] * _SEATS, 1000 * seed + number)
    begun, turn = process_time(), 0
    played = _pieces(match)
    try:
        with within(_LIMIT):
            for done in match.run():
                turn += 1
                for wrong in _wrong(match, played):
                    found.find(name, f"turn {turn} of game {number}: {wrong}", again)
                    return
                del done
            for wrong in unquiet(match.state.scene):
                found.find(name, f"after game {number}: {wrong}", again)
    except Exception as broken:  # whatever it is, it must not be
        found.find(name, f"turn {turn + 1} of game {number}: {type(broken).__name__}: {broken}", again)
    finally:
        found.count(name, "games")
        found.count(name, "turns", turn)
        found.count(name, "supports", sum(len(piece.bearings) for piece in match.state.scene.pieces))
        found.most(name, "most s", round(process_time() - begun))


def _pieces(match: Match) -> list[str]:
    """Every piece there is: on the table, in hands, in the air, on launchers."""
    state: Any = match.state
    there = [piece.id for piece in state.scene.pieces]
    aloft = [launch.piece for launch in state.aloft]
    return sorted({*there, *aloft, *(name for hand in state.hands for name in hand)})


def _wrong(match: Match, played: Sequence[str]) -> Iterator[str]:
    scene: PyramidScene = match.state.scene
    yield from scene.problems()
    if _pieces(match) != list(played):
        lost = set(played).symmetric_difference(_pieces(match))
        yield f"{', '.join(sorted(lost))} is gone, or came from nowhere"
    for piece in scene.pieces:
        for one in piece.bearings:
            if abs(one.gap) > TOUCH:
                yield f"{piece.id} is borne by {one.on} across {1e3 * one.gap:.3f} mm"
        off = min(piece.tilt, max(abs(piece.tilt - piece.shape.lying), abs(piece.roll)))
        if not piece.rests_on and off > _FACE and piece.lowest > -TOUCH:
            yield f"{piece.id} leans by {to_degrees(piece.tilt):.1f} degrees on nothing"
        for on in piece.rests_on:
            if abs(gap := depth(piece, scene.piece(on))) > TOUCH:
                yield f"{piece.id} rests on {on} {1e3 * gap:.3f} mm away"


def unquiet(scene: PyramidScene) -> Iterator[str]:
    """Pieces that move on a table at rest when all on it is woken."""
    settings, material = Settings(), scene.kit.material
    pairs = settings.pairings.of(material, scene.surface.material), settings.pairings.of(material, material)
    world = World(scene.pieces, scene.surface.outline, *pairs, settings.gravity)
    for piece in scene.pieces:
        world.wake(piece.id)
    world.run()
    now = {piece.id: piece for piece in world.pieces()}
    for piece in scene.pieces:
        if piece.id not in now:
            yield f"{piece.id} falls off the table by itself"
            continue
        moved = max(abs(a - b) for a, b in zip(now[piece.id].centre, piece.centre, strict=True))
        if moved > _STILL:
            yield f"{piece.id} moves {1e3 * moved:.2f} mm by itself"


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("series", __doc__, games=500).parse_args(words)
    found = tries_of(given.seed, [given.only]) if given.only is not None else trial(given.games, given.seed, given.jobs)
    return found.show(f"Games of six random seats, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
