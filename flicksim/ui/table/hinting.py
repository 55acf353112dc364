"""The action a club player would choose here, and where one's own hand would land trying it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

import numpy as np
import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, Staged, State
from flicksim.drawing import Camera
from flicksim.physics import Settings, SettledLaunches, settle_many
from flicksim.physics.batch import RESTS
from flicksim.physics.batch.launches import LEANS, ON_SIDE, UPRIGHT
from flicksim.play import THOUGHT, Background, Match, TableStage, parse_seat, player_of
from flicksim.players import GRADES, STEADY, Hand
from flicksim.table import Launch, Pyramid
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.palette import Colour
from flicksim.ui.kit.surface_cache import picture

_GRADE = "club"
_SHOTS, _AT_ONCE, _LONGEST = 500, 10, 3.0
"""So many shots make a cloud, settled so many at once; where many pieces take part, those of so long [s]."""


def lend(match: Match, name: str, seat: int | None = None) -> None:
    """Give the people of a match, or the one at a seat, a hand of that grade: an aim by numbers alone would never
    miss."""
    match.lend(own(name), seat)


def own(name: str) -> Hand:
    """The hand of that name; one that does just what is aimed is for study."""
    return GRADES.get(name, STEADY)


def hands(name: str) -> str:
    """Words for whose hand that is."""
    return (
        "nobody: it does just what you aim"
        if name == "steady"
        else f"{'an' if name[0] in 'aeiou' else 'a'} {name} player"
    )


Shot = tuple[Staged, Action]
"""Scene that is settled, and the action done to it."""


def hint(
    match: Match, seat: int, ready: Callable[[], None] = lambda: None, *, state: State = None
) -> Background[Action]:
    """The action a club player would choose for a seat, thought out beside the window; the match is left as it is.

    Args:
        ready: called there first; may wait. state: in which the seat is to play; as the match stands without.
    """
    state = match.state if state is None else state
    stage = TableStage(THOUGHT) if type(match.stage) is TableStage else match.stage
    player = player_of(match.game, stage, [parse_seat(f"bot:{_GRADE}")] * len(match.scores), seat)
    assert player is not None, "a bot sits down anywhere"
    rng = np.random.Generator(np.random.PCG64(len(match.turns)))
    view, choices = match.rules.view(state, seat), match.rules.choices(state)

    def think() -> Action:
        ready()
        return player.choose(view, choices, rng)

    return Background(think)


class Cloud:
    """Cloud of the ends of shots that were meant alike, found many at once beside the window.

    Args:
        match: as it stands. action: the shot meant. hand: name of the grade that makes it.
        ready: called there first; may wait.
    """

    def __init__(self, match: Match, action: Action, hand: str, ready: Callable[[], None] = lambda: None) -> None:
        self.hand = hand if hand in GRADES else _GRADE
        self.ends: list[Point | None] = []
        self.gone = False
        state, rules, maker = match.state, match.rules, GRADES[self.hand]
        physics = getattr(match.stage, "settings", None)
        rng = np.random.Generator(np.random.PCG64(len(match.turns)))

        def staged(made: Action) -> Shot | None:
            return (state.scene, made) if isinstance(made, Launch) else rules.stage(state, made)

        def shoot() -> None:
            ready()
            end = monotonic() + _LONGEST
            while len(self.ends) < _SHOTS and monotonic() < end and not self.gone:
                made = [staged(maker.make(action, rng)) for _ in range(_AT_ONCE)]
                self.ends += ends_of([one for one in made if one is not None], physics)

        self.job = Background(shoot)

    def leave(self) -> None:
        """Nobody looks at it any more."""
        self.gone = True

    @property
    def says(self) -> str:
        """The cloud in words; nothing before the first shot has come to rest."""
        if not self.ends:
            return ""
        off = sum(end is None for end in self.ends)
        words = f"Dots: where {len(self.ends)} such shots of {hands(self.hand)} come to rest"
        return f"{words}; {off} leave the table." if off else f"{words}."

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """A dot for each, the brighter the more lie there; all edges lie under all dots."""
        r = max(2, canvas.px(2.4))
        at = [camera.to_screen(end) for end in tuple(self.ends) if end is not None]
        for colour, alpha, wide in ((palette.INK, 100, r + 1), (palette.LUCK, 150, r)):
            dot = _dot(wide, colour, alpha)
            canvas.surface.fblits([(dot, (round(x) - wide, round(y) - wide)) for x, y in at])


@picture
def _dot(r: int, colour: Colour, alpha: int) -> pygame.Surface:
    """A dot one can see through, that far from its middle to its rim [pixels]; alpha 0 to 255."""
    sheet = pygame.Surface((2 * r + 1, 2 * r + 1), pygame.SRCALPHA)
    pygame.draw.aacircle(sheet, (*colour, alpha), (r, r), r)
    return sheet


def ends_of(shots: Sequence[Shot], settings: Settings | None) -> Iterator[Point | None]:
    """Places of what was flicked at the end of each of these shots; None off the table, nothing for one that fails."""
    if not shots:
        return
    scenes, flicks = zip(*shots, strict=True)
    many = settle_many(scenes, flicks, settings, failed="mark")
    if isinstance(many, SettledLaunches):
        yield from _landed(many, shots)
        return
    for shot, flick in enumerate(flicks):
        if not many.failed[shot]:
            column = many.column(flick.piece)
            x, y = many.places[shot, column, :2].tolist()
            yield (x, y) if many.fate[shot, column] == RESTS else None


def _landed(many: SettledLaunches, shots: Sequence[Shot]) -> Iterator[Point | None]:
    for shot, (scene, launch) in enumerate(shots):
        if many.failed[shot]:
            continue
        if many.fate[shot, -1] not in (UPRIGHT, ON_SIDE, LEANS):
            yield None
            continue
        (x, y, z), (tilt, heading, roll) = many.places[shot, -1].tolist(), many.attitudes[shot, -1].tolist()
        missile = Pyramid(id=launch.piece, size=launch.size, shape=scene.kit.shape(launch.size), owner=launch.owner,
                          x=x, y=y, z=z, tilt=tilt, heading=heading, roll=roll)  # fmt: skip
        yield missile.centre[:2]
