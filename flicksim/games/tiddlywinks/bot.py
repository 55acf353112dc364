"""The shots worth a thought in tiddlywinks, and how good a position is; a search in the physics does the rest."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import msgspec
import numpy as np

from flicksim.base.geometry import half_turn
from flicksim.games.tiddlywinks import allowed
from flicksim.games.tiddlywinks.outlook import COMPILED, guesses, play_out, plays_on, rehearse
from flicksim.games.tiddlywinks.plans import plans
from flicksim.games.tiddlywinks.state import Action, Decide, State
from flicksim.games.tiddlywinks.style import STYLES_BY_NAME, USUAL, Style
from flicksim.games.tiddlywinks.worth import gone, worth
from flicksim.players import Depth
from flicksim.table import MAX_SPEED, Squidge

__all__ = [
    "COMPILED",
    "DEPTHS",
    "PLAIN",
    "SHOTS",
    "STYLES",
    "THOUGHTS",
    "candidates",
    "gone",
    "guesses",
    "imagined",
    "play_out",
    "plays_on",
    "rehearse",
    "styled",
    "value",
]

THOUGHTS: Mapping[str, tuple[int, int, int]] = {"beginner": (5, 2, 1)}
"""Depth of thought by grade: shots tried as meant, those tried again with its own hand, and tries of each.

A wink takes ten times as long to settle as a coin, so fewer are tried than on a board.
"""
DEPTHS: Mapping[str, Depth] = {
    "club": Depth(shots=0, plans=5, wider=0, trust=6),
    "expert": Depth(shots=0, plans=16, wider=0, trust=6),
    "world": Depth(shots=50, plans=16, wider=0, least=3, trust=6),
}
"""Depth of thought of the others: club players and experts go by tables and by games played on in the head (`guesses`),
experts with more ideas; world class settles shots too, and plays the game on in the head after each."""
PLAIN: Mapping[str, Depth] = dict.fromkeys(("club", "expert", "world"), Depth(shots=0, plans=8, wider=0))
"""The same where nothing is compiled: a shot takes a third of a second there, so they do what is most natural."""
_PATIENCE = 1200.0
"""After so long [s], or once time is up, a foul shot is left as it lies: no two bots play one again for ever."""
SHOTS = 600
"""Shots settled for a position, where nobody says how many: five seconds' or ten."""
STYLES = tuple(STYLES_BY_NAME)
"""Ways of playing a seat may ask for, the usual one first."""


class Bot:
    """Candidates and values in a style."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def candidates(self, state: State, rng: np.random.Generator, count: int) -> list[Action]:
        """Up to `count` actions worth a thought, the most promising first; the last ones are varied at random."""
        choices = allowed.choices(state)
        if state.phase == "foul" and (state.book.laps is not None or state.book.clock > _PATIENCE):
            return [Decide(replay=False)]
        if not choices.flicks:
            return list(choices.actions)
        thought_of = [plan.shot for plan in plans(state, self._style)]
        own = max(1, count - count // 4)
        found = list[Action](thought_of[:own])
        while thought_of and len(found) < count:
            found.append(_varied(thought_of[int(rng.integers(min(own, len(thought_of))))], rng))
        return [*found, *choices.actions]

    def imagined(self, state: State) -> State:
        """The state as a search plays on it."""
        return imagined(state)

    def value(self, state: State, seat: int) -> float:
        """Points the pair of a seat is ahead by, or may expect to be."""
        return worth(state, seat, self._style)


def imagined(state: State) -> State:
    """The state as a search plays on it: without the potted winks, which rattle again at every further one."""
    potted = state.book.potted
    return msgspec.structs.replace(state, scene=state.scene.without(*potted)) if potted else state


def styled(style: str) -> Bot:
    """The bot that plays in a style."""
    return Bot(STYLES_BY_NAME[style])


_USUAL = styled(USUAL)
candidates = _USUAL.candidates
value = _USUAL.value


def _varied(shot: Squidge, rng: np.random.Generator) -> Squidge:
    """A shot a little other than meant: harder or softer, beside, steeper or flatter."""
    push, turn, rise = (float(x) for x in rng.normal(0.0, (0.03, 0.02, 0.07)))
    return msgspec.structs.replace(
        shot,
        speed=min(MAX_SPEED, shot.speed * (1.0 + push)),
        azimuth=half_turn(shot.azimuth + turn),
        elevation=min(pi / 2.1, max(0.1, shot.elevation + rise)),
    )
