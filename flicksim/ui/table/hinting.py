"""What a club player would do here, and where one's own hand would land trying it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.play import Match
from flicksim.play.open_match import GameModel
from flicksim.players import GRADES, SearchPlayer
from flicksim.players.hand import STEADY
from flicksim.players.search import THOUGHTS
from flicksim.table import Landing, Launch, Motion
from flicksim.ui.kit import palette
from flicksim.ui.kit.camera import Camera
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.later import Later

_GRADE = "club"
_SHOTS = 40
"""So many shots make a cloud."""
STEADINESS = ("club", "expert", "world", "steady", "beginner")
"""Hands a person at the window may have; "steady" does just what is aimed."""


def lend(match: Match, name: str) -> None:
    """Give the people of a match a hand of that grade: an aim by numbers alone would never miss."""
    match.lend(GRADES.get(name, STEADY))


def hands(name: str) -> str:
    """Whose hand that is, in words."""
    return (
        "nobody: it does just what you aim"
        if name == "steady"
        else f"{'an' if name[0] in 'aeiou' else 'a'} {name} player"
    )


def hint(match: Match, seat: int, ready: Callable[[], None] = lambda: None, *, state: Any = None) -> Later[Any]:
    """The action a club player would choose for a seat, thought out beside the window; the match is left as it is.

    Args:
        ready: called there first; may wait. state: in which the seat is to play; as the match stands without.
    """
    state = match.state if state is None else state
    player = SearchPlayer(GameModel(match.game, match.stage), seat, GRADES[_GRADE], THOUGHTS[_GRADE])
    rng = np.random.Generator(np.random.PCG64(len(match.turns)))
    view, choices = match.rules.view(state, seat), match.rules.choices(state)

    def think() -> Any:
        ready()
        return player.choose(view, choices, rng)

    return Later(think)


class Cloud:
    """Where shots that were meant alike come to rest, found one by one beside the window.

    Args:
        match: as it stands. action: the shot meant. hand: name of the grade that makes it.
    """

    def __init__(self, match: Match, action: Any, hand: str) -> None:
        self.hand = hand if hand in GRADES else _GRADE
        self.ends: list[Point | None] = []
        self._gone = False
        state, rules, stage, maker = match.state, match.rules, match.stage, GRADES[self.hand]
        rng = np.random.Generator(np.random.PCG64(len(match.turns)))

        def shoot() -> None:
            for _ in range(_SHOTS):
                if self._gone:
                    return
                made = maker.make(action, rng)
                try:
                    staged = (state.scene, made) if isinstance(made, Launch) else rules.stage(state, made)
                    account = stage.settle(*staged) if staged is not None else None
                except FlicksimError:
                    continue
                if isinstance(account, Motion):
                    after, piece = account.after, account.flick.piece
                    self.ends.append(after.piece(piece).at if after.has(piece) else None)
                elif isinstance(account, Landing):
                    missile = account.missile
                    self.ends.append(missile.centre[:2] if missile is not None else None)

        self._job = Later(shoot)

    def leave(self) -> None:
        """Nobody looks at it any more."""
        self._gone = True

    @property
    def says(self) -> str:
        """What is seen, in words; nothing before the first shot has come to rest."""
        if not self.ends:
            return ""
        off = sum(end is None for end in self.ends)
        words = f"Dots: where {len(self.ends)} such shots of {hands(self.hand)} come to rest"
        return f"{words}; {off} leave the table." if off else f"{words}."

    def draw(self, canvas: Canvas, camera: Camera) -> None:
        """A dot for each."""
        r = max(2.0, canvas.px(3))
        for end in tuple(self.ends):
            if end is not None:
                at = camera.to_screen(end)
                canvas.disc(at, r + 1.0, palette.INK)
                canvas.disc(at, r, palette.LUCK)
