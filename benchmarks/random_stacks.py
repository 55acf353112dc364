"""Trial of winks laid on others by hand: none lies in another or in the mat, none off what it is said to lie on, and no
scene of theirs is refused; counted is also of how many the middle is not carried by what they touch.

`python -m benchmarks.random_stacks [--piles N] [--leaners N] [--seed S] [--jobs J] [--only NUMBER]`. Piles of two to
five winks are laid one on another anywhere; leaners are winks that leaned on the pot over two others and are laid flat
by the rules (TW-7i).
"""

from collections.abc import Callable, Sequence
from math import cos, inf, pi, sin

import numpy as np

from benchmarks import command_line
from benchmarks.random_mats import edge_points, mutual_penetration
from benchmarks.trial_report import TrialReport
from flicksim.core.arrays import Floats
from flicksim.core.errors import InvalidScene
from flicksim.core.random_streams import RandomStreams
from flicksim.core.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.equipment import Options
from flicksim.games.tiddlywinks.position import Position, WinkPlacement, start_state
from flicksim.scene import Piece, Scene, place_piece
from flicksim.scene.resting_pose import upper_normal

_NEAR = 5e-5
"""Depth in another and gap to a support that are allowed [m]."""
_ANGLES = np.linspace(0.0, 2.0 * pi, 720, endpoint=False)
"""Angles at which edges are looked at [rad]."""
_TIPPING_TOLERANCE = 3e-4
"""Distance in plan of a middle from what carries it that is no tipping [m]: points within `_MIN_DISTANCE` of one
another spread so far along faces that are nearly parallel."""


def make_pile(rng: np.random.Generator) -> Scene:
    """Two to five winks, each laid so that it is likely to lie on others."""
    options, pieces = Options(), list[Piece]()
    for name in rng.permutation(np.array(kit.WINKS))[: int(rng.integers(2, 6))].tolist():
        wink, at = kit.wink(options, name), (0.4, 0.2)
        if pieces:
            on = pieces[int(rng.integers(len(pieces)))]
            distance, azimuth = float(rng.uniform(0.0, 1.1)) * (on.radius + wink.radius), float(rng.uniform(-pi, pi))
            at = (on.x + distance * cos(azimuth), on.y + distance * sin(azimuth))
        pieces.append(place_piece(pieces, wink, at))
    return Scene(surface=kit.mat_surface(options), pieces=tuple(pieces))


def make_leaner(rng: np.random.Generator) -> Scene:
    """Two winks on the mat by the pot and one that leaned over them, laid flat by the rules; all in the order in which
    they came to lie."""
    options = Options(pot_base_diameter_mm=float(rng.choice([38.1, 42.0, 47.625])))
    names, pot = rng.permutation(np.array(kit.WINKS))[:3].tolist(), kit.pot(options)
    azimuth = float(rng.uniform(-pi, pi))
    winks = []
    for name in names[:2]:
        wink, aside = kit.wink(options, name), azimuth + float(rng.uniform(-0.5, 0.5))
        distance = pot.outer_radius(wink.thickness) + wink.radius + mm(float(rng.uniform(0.0, 10.0)))
        winks.append(WinkPlacement(wink=name, at=(to_mm(distance * cos(aside)), to_mm(distance * sin(aside)))))
    wink, tilt = kit.wink(options, names[2]), 0.8
    low = wink.radius * sin(tilt) + wink.thickness / 2.0 * cos(tilt)
    distance = pot.outer_radius(low) + wink.radius * cos(tilt) + wink.thickness / 2.0 * sin(tilt)
    winks.append(WinkPlacement(
        wink=names[2], at=(to_mm(distance * cos(azimuth)), to_mm(distance * sin(azimuth))), where="leaning",
        tilt=np.degrees(tilt), lean=float(np.degrees(azimuth)),
    ))  # fmt: skip
    state, _ = start_state(Position(title="a leaner", winks=tuple(winks), options=options))
    return Scene(surface=state.scene.surface, pieces=tuple(state.scene.piece(name) for name in names))


KINDS: dict[str, Callable[[np.random.Generator], Scene]] = {"piles": make_pile, "leaners": make_leaner}


def penetration_depth(piece: Piece, others: Sequence[Piece]) -> float:
    """Greatest depth of a wink in others, or of them in it, or of it in the mat [m]."""
    return max([-float(edge_points(piece)[:, 2].min()), *(mutual_penetration(piece, b, _ANGLES) for b in others)])


def support_gap(piece: Piece, others: Sequence[Piece]) -> float:
    """Greatest gap between a wink and one that it is said to lie on, or the mat where it is said to lie on none [m]."""
    gaps = [
        min(_edge_distances(piece, b).min(), _edge_distances(b, piece).min()) for b in others if b.id in piece.lies_on
    ]
    return float(max(gaps)) if gaps else float(edge_points(piece)[:, 2].min())


def _edge_distances(a: Piece, b: Piece) -> Floats:
    """Distances of the edge points of one wink from the other [m]."""
    points, n = edge_points(a, _ANGLES) - np.array([b.x, b.y, b.height]), np.array(upper_normal(b))
    along = points @ n
    out = np.sqrt(np.maximum(0.0, np.sum(points * points, axis=1) - along**2)) - b.radius
    gaps: Floats = np.hypot(np.maximum(0.0, out), np.maximum(0.0, np.abs(along) - b.thickness / 2.0))
    return gaps


def tipping_distance(piece: Piece, others: Sequence[Piece]) -> float:
    """Distance in plan from a wink's middle to the hull of the points at which it touches the mat and others [m]."""
    own = edge_points(piece, _ANGLES)
    carrying = [own[own[:, 2] < _NEAR]]
    for other in others:
        theirs = edge_points(other, _ANGLES)
        carrying += [own[_edge_distances(piece, other) < _NEAR], theirs[_edge_distances(other, piece) < _NEAR]]
    x, y = (np.concatenate(carrying)[:, :2] - (piece.x, piece.y)).T
    if not len(x):
        return inf
    azimuths = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)])
    return max(0.0, -float((x[:, None] * azimuths[0] + y[:, None] * azimuths[1]).max(axis=0).min()))


def run_trials(kind: str, seed: int, numbers: Sequence[int]) -> TrialReport:
    """Those of one kind of these numbers."""
    found = TrialReport()
    for number in numbers:
        again = f"python -m benchmarks.random_stacks --seed {seed} --only {number}"
        try:
            scene = KINDS[kind](RandomStreams(seed=seed).spawn("piles", kind, number).generator())
        except InvalidScene:  # the two on the mat lie in one another
            continue
        found.count(kind, "tried")
        pieces, problems = scene.pieces, scene.problems()
        for k, piece in enumerate(pieces):
            if not (piece.lies_on or piece.tilt):
                continue
            found.count(kind, "laid on others")
            for what, size in (
                ("inside", penetration_depth(piece, pieces[:k])),
                ("off", support_gap(piece, pieces[:k])),
            ):
                found.most(kind, f"most {what}, um", round(1e6 * size))
                found.count(kind, f"{what} by more than {1e6 * _NEAR:.0f} um", int(size > _NEAR))
                if size > _NEAR:
                    problems.append(f"{piece.id} is {1e3 * size:.3f} mm {what}")
            found.count(kind, "not balanced", int(tipping_distance(piece, pieces[:k]) > _TIPPING_TOLERANCE))
        for problem in problems:
            found.find(kind, f"{number}: {problem}", again)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    args = command_line.trial_parser("random_stacks", __doc__, piles=2000, leaners=1000).parse_args(argv)
    counts = {"piles": args.piles, "leaners": args.leaners}
    result = command_line.run_kinds(run_trials, counts, args.seed, args.jobs, args.only)
    return result.show(f"Winks laid on others, seed {args.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
