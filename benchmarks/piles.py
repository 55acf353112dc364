"""Trial of winks laid on others by hand: none lies in another or in the mat, none off what it is said to lie on, and no
scene of theirs is refused; counted is also of how many the middle is not carried by what they touch.

`python -m benchmarks.piles [--piles N] [--leaners N] [--seed S] [--jobs J] [--only NUMBER]`. Piles of two to five winks
are laid one on another anywhere; leaners are winks that leaned on the pot over two others and are laid flat by the
rules (TW-7i).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import cos, hypot, inf, pi, sin

import numpy as np
import numpy.typing as npt

from benchmarks.mats import edge_points, sunk
from benchmarks.tally import Tally, parser, shared
from flicksim.base.errors import BadScene
from flicksim.base.seeding import Seeds
from flicksim.base.units import mm, to_mm
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.options import Options
from flicksim.games.tiddlywinks.position import Lying, Position, begin
from flicksim.physics.squidge import normal_of
from flicksim.table import Piece, Scene, lay

Array = npt.NDArray[np.float64]

_NEAR = 5e-5
"""Depth in another and gap to a support that are allowed [m]."""
_AROUND = np.linspace(0.0, 2.0 * pi, 720, endpoint=False)
"""Angles at which edges are looked at [rad]."""
_ASIDE = 3e-4
"""Distance in plan of a middle from what carries it that is no tipping [m]: points within `_NEAR` of one another spread
so far along faces that are nearly parallel."""


def pile(rng: np.random.Generator) -> Scene:
    """Two to five winks, each laid so that it is likely to lie on others."""
    options, pieces = Options(), list[Piece]()
    for name in rng.permutation(np.array(kit.WINKS))[: int(rng.integers(2, 6))].tolist():
        wink, at = kit.wink(options, name), (0.4, 0.2)
        if pieces:
            on = pieces[int(rng.integers(len(pieces)))]
            far, way = float(rng.uniform(0.0, 1.1)) * (on.radius + wink.radius), float(rng.uniform(-pi, pi))
            at = (on.x + far * cos(way), on.y + far * sin(way))
        pieces.append(lay(pieces, wink, at))
    return Scene(surface=kit.mat(options), pieces=tuple(pieces))


def leaner(rng: np.random.Generator) -> Scene:
    """Two winks on the mat by the pot and one that leaned over them, laid flat by the rules; all in the order in which
    they came to lie."""
    options = Options(pot_base_diameter_mm=float(rng.choice([38.1, 42.0, 47.625])))
    names, pot = rng.permutation(np.array(kit.WINKS))[:3].tolist(), kit.pot(options)
    way = float(rng.uniform(-pi, pi))
    winks = []
    for name in names[:2]:
        wink, aside = kit.wink(options, name), way + float(rng.uniform(-0.5, 0.5))
        far = pot.outer(wink.thickness) + wink.radius + mm(float(rng.uniform(0.0, 10.0)))
        winks.append(Lying(wink=name, at=(to_mm(far * cos(aside)), to_mm(far * sin(aside)))))
    wink, tilt = kit.wink(options, names[2]), 0.8
    low = wink.radius * sin(tilt) + wink.thickness / 2.0 * cos(tilt)
    far = pot.outer(low) + wink.radius * cos(tilt) + wink.thickness / 2.0 * sin(tilt)
    winks.append(Lying(
        wink=names[2], at=(to_mm(far * cos(way)), to_mm(far * sin(way))), where="leaning", tilt=np.degrees(tilt),
        lean=float(np.degrees(way)),
    ))  # fmt: skip
    state, _ = begin(Position(title="a leaner", winks=tuple(winks), options=options))
    return Scene(surface=state.scene.surface, pieces=tuple(state.scene.piece(name) for name in names))


KINDS: dict[str, Callable[[np.random.Generator], Scene]] = {"piles": pile, "leaners": leaner}


def inside(piece: Piece, others: Sequence[Piece]) -> float:
    """Greatest depth of a wink in others, or of them in it, or of it in the mat [m]."""
    return max([-float(edge_points(piece)[:, 2].min()), *(max(_sunk(piece, b), _sunk(b, piece)) for b in others)])


def _sunk(a: Piece, b: Piece) -> float:
    reach = hypot(a.radius, a.thickness) + hypot(b.radius, b.thickness)
    return sunk(a, b, _AROUND) if hypot(a.x - b.x, a.y - b.y, a.height - b.height) < reach else 0.0


def off(piece: Piece, others: Sequence[Piece]) -> float:
    """Greatest gap between a wink and one that it is said to lie on, or the mat where it is said to lie on none [m]."""
    gaps = [min(_gap(piece, b).min(), _gap(b, piece).min()) for b in others if b.id in piece.lies_on]
    return float(max(gaps)) if gaps else float(edge_points(piece)[:, 2].min())


def _gap(a: Piece, b: Piece) -> Array:
    """Distances of the edge points of one wink from the other [m]."""
    points, n = edge_points(a, _AROUND) - np.array([b.x, b.y, b.height]), np.array(normal_of(b))
    along = points @ n
    out = np.sqrt(np.maximum(0.0, np.sum(points * points, axis=1) - along**2)) - b.radius
    gaps: Array = np.hypot(np.maximum(0.0, out), np.maximum(0.0, np.abs(along) - b.thickness / 2.0))
    return gaps


def tipping(piece: Piece, others: Sequence[Piece]) -> float:
    """Distance in plan from a wink's middle to the hull of the points at which it touches the mat and others [m]."""
    own = edge_points(piece, _AROUND)
    carrying = [own[own[:, 2] < _NEAR]]
    for other in others:
        theirs = edge_points(other, _AROUND)
        carrying += [own[_gap(piece, other) < _NEAR], theirs[_gap(other, piece) < _NEAR]]
    x, y = (np.concatenate(carrying)[:, :2] - (piece.x, piece.y)).T
    if not len(x):
        return inf
    ways = np.stack([np.cos(_AROUND), np.sin(_AROUND)])
    return max(0.0, -float((x[:, None] * ways[0] + y[:, None] * ways[1]).max(axis=0).min()))


def trial(counts: dict[str, int], seed: int, jobs: int = 1) -> Tally:
    """So many of each kind."""
    whole = Tally()
    for kind, count in counts.items():
        whole.add(shared(partial(tries_of, kind, seed), range(count), jobs))
    return whole


def tries_of(kind: str, seed: int, numbers: Sequence[int]) -> Tally:
    """Those of one kind of these numbers."""
    found = Tally()
    for number in numbers:
        again = f"python -m benchmarks.piles --seed {seed} --only {number}"
        try:
            scene = KINDS[kind](Seeds(seed=seed).child("piles", kind, number).generator())
        except BadScene:  # the two on the mat lie in one another
            continue
        found.count(kind, "tried")
        pieces, problems = scene.pieces, scene.problems()
        for k, piece in enumerate(pieces):
            if not (piece.lies_on or piece.tilt):
                continue
            found.count(kind, "laid on others")
            for what, size in (("inside", inside(piece, pieces[:k])), ("off", off(piece, pieces[:k]))):
                found.most(kind, f"most {what}, um", round(1e6 * size))
                found.count(kind, f"{what} by more than {1e6 * _NEAR:.0f} um", int(size > _NEAR))
                if size > _NEAR:
                    problems.append(f"{piece.id} is {1e3 * size:.3f} mm {what}")
            found.count(kind, "not balanced", int(tipping(piece, pieces[:k]) > _ASIDE))
        for problem in problems:
            found.find(kind, f"{number}: {problem}", again)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    given = parser("piles", __doc__, piles=2000, leaners=1000).parse_args(words)
    if given.only is None:
        found = trial({"piles": given.piles, "leaners": given.leaners}, given.seed, given.jobs)
    else:
        found = Tally()
        for kind in KINDS:
            found.add(tries_of(kind, given.seed, [given.only]))
    return found.show(f"Winks laid on others, seed {given.seed}")


if __name__ == "__main__":
    raise SystemExit(main())
