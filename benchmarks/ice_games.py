"""Consistency test of whole games of Ice Tiddly Winks between random players, on several kinds of tables.

`python -m benchmarks.ice_games [--games N] [--seed S] [--jobs J] [--only K]`. After every turn the pieces are counted,
the supports of every piece are measured and the scene is validated. At the end of a game every resting piece is woken
and must not move.
"""

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any

from benchmarks import command_line
from benchmarks.trial_report import TrialReport, time_limit
from flicksim import games
from flicksim.core.units import deg2rad, to_degrees
from flicksim.engine import Settings
from flicksim.engine.pyramid_launch import make_world
from flicksim.match import Match, open_match, parse_seat
from flicksim.referee import parse_options
from flicksim.scene.pyramid_penetration import penetration_depth
from flicksim.scene.pyramid_scene import TOUCH_TOLERANCE, PyramidScene

_SEATS = 6
TABLES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "small": ("table_mm=500,500", "start_line_mm=120"),
    "round": ("table=round",),
    "long": ("table_mm=450,1500", "start_line_mm=100"),
}
"""Options of each kind of table."""
_LIMIT = 600.0
"""Processor time limit per game [s]."""
_FACE_TOLERANCE = deg2rad(1.0)
"""Largest tilt at which a piece counts as resting on a face [rad]."""
_REST_TOLERANCE = 1e-4
"""Largest displacement of a woken piece at rest [m]."""


def game_kinds() -> list[tuple[str, tuple[str, ...]]]:
    """Name and options of every kind of game."""
    return [
        (name + ", pieces in stashes" * bodies, (*options, f"stash_bodies={str(bodies).lower()}"))
        for name, options in TABLES.items()
        for bodies in (False, True)
    ]


def run_trials(seed: int, numbers: Sequence[int]) -> TrialReport:
    """Play the games of these numbers."""
    report = TrialReport()
    for number in numbers:
        _run_one(seed, number, report)
    return report


def _run_one(seed: int, number: int, report: TrialReport) -> None:
    name, options = game_kinds()[number % len(game_kinds())]
    again = f"python -m benchmarks.ice_games --seed {seed} --only {number}"
    game = games.load("ice")
    match = open_match(game, parse_options(game, options), [parse_seat("random")] * _SEATS, 1000 * seed + number)
    start, turn = process_time(), 0
    pieces = _pieces(match)
    try:
        with time_limit(_LIMIT):
            for _ in match.run():
                turn += 1
                for problem in _problems(match, pieces):
                    report.find(name, f"turn {turn} of game {number}: {problem}", again)
                    return
            for problem in moves_when_woken(match.state.scene):
                report.find(name, f"after game {number}: {problem}", again)
    except Exception as error:  # any exception is a finding
        report.find(name, f"turn {turn + 1} of game {number}: {type(error).__name__}: {error}", again)
    finally:
        report.count(name, "games")
        report.count(name, "turns", turn)
        report.count(name, "supports", sum(len(piece.bearings) for piece in match.state.scene.pieces))
        report.most(name, "most s", round(process_time() - start))


def _pieces(match: Match) -> list[str]:
    """Ids of all pieces: on the table, in hands, in the air, on launchers."""
    state: Any = match.state
    there = [piece.id for piece in state.scene.pieces]
    aloft = [launch.piece for launch in state.aloft]
    return sorted({*there, *aloft, *(name for hand in state.hands for name in hand)})


def _problems(match: Match, pieces: Sequence[str]) -> Iterator[str]:
    scene: PyramidScene = match.state.scene
    yield from scene.problems()
    if _pieces(match) != list(pieces):
        changed = set(pieces).symmetric_difference(_pieces(match))
        yield f"{', '.join(sorted(changed))} is missing or was added"
    for piece in scene.pieces:
        for contact in piece.bearings:
            if abs(contact.gap) > TOUCH_TOLERANCE:
                yield f"{piece.id} rests on {contact.on} across {1e3 * contact.gap:.3f} mm"
        tilt = min(piece.tilt, max(abs(piece.tilt - piece.shape.lying_tilt), abs(piece.roll)))
        if not piece.rests_on and tilt > _FACE_TOLERANCE and piece.lowest > -TOUCH_TOLERANCE:
            yield f"{piece.id} leans by {to_degrees(piece.tilt):.1f} degrees on nothing"
        for on in piece.rests_on:
            if abs(gap := penetration_depth(piece, scene.piece(on))) > TOUCH_TOLERANCE:
                yield f"{piece.id} rests on {on} {1e3 * gap:.3f} mm away"


def moves_when_woken(scene: PyramidScene) -> Iterator[str]:
    """Describe every piece that moves when all pieces of a scene at rest are woken."""
    world = make_world(scene, scene.pieces, Settings(), 0.0)
    for piece in scene.pieces:
        world.wake(piece.id)
    world.run()
    now = {piece.id: piece for piece in world.pieces()}
    for piece in scene.pieces:
        if piece.id not in now:
            yield f"{piece.id} falls off the table by itself"
            continue
        moved = max(abs(a - b) for a, b in zip(now[piece.id].centre_of_mass, piece.centre_of_mass, strict=True))
        if moved > _REST_TOLERANCE:
            yield f"{piece.id} moves {1e3 * moved:.2f} mm by itself"


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    return command_line.run_trials("ice_games", __doc__, argv, "Games of six random players", run_trials, games=500)


if __name__ == "__main__":
    raise SystemExit(main())
