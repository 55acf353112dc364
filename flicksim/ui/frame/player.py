"""The player at this window: name and colour, what they did, and what is written down of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import msgspec

from flicksim.base.errors import FlicksimError
from flicksim.challenges import Posed
from flicksim.people import Best, GameLine, Line, Profile, Store, TryLine, bests, days, streak
from flicksim.referee import Came
from flicksim.ui.kit.places import place


def store() -> Store:
    """The player's files; none are kept where nobody is at the window."""
    folder = place("data")
    return Store(None if folder is None else folder / "player")


class Player:
    """Somebody at the window.

    Args:
        kept: their files. say: tells of what could not be written.
    """

    def __init__(self, kept: Store, say: Callable[[str], None]) -> None:
        self._kept, self._say = kept, say
        self._named: tuple[tuple[int, str], tuple[Line, ...]] = ((-1, ""), ())
        if told := kept.told():
            say(told)

    @property
    def profile(self) -> Profile:
        """Name, colour and what has been seen."""
        return self._kept.profile

    @property
    def name(self) -> str:
        """Their name; empty while nobody has said one."""
        return self.profile.name

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that was done at this machine; what was done before a name was said, under it too."""
        kept, name = self._kept.lines, self.name
        if self._named[0] != (len(kept), name):
            own = (line if line.who else msgspec.structs.replace(line, who=name) for line in kept)
            self._named = ((len(kept), name), tuple(own))
        return self._named[1]

    def bests(self) -> dict[str, Best]:
        """The best at each challenge."""
        return bests(self.lines, self.name)

    def best(self, challenge: str) -> Best | None:
        """The best at a challenge; None where it was never tried."""
        return self.bests().get(challenge)

    def streak(self, today: date) -> int:
        """Daily challenges done, days in a row."""
        return streak(days(self.lines, self.name), today)

    def tried(self, posed: Posed, came: Came, tries: int, stars: int) -> None:
        """Write down what came of a try."""
        challenge = posed.challenge
        self._note(TryLine(
            day=_today(), who=self.name, challenge=posed.name, tried=tries, stars=stars, measure=came.measure,
            unit=challenge.unit, more=challenge.best == "more", daily=None if posed.day is None else str(posed.day),
        ))  # fmt: skip

    def finished(self, game: str, against: str, share: float, pots: tuple[int, int], *, who: str) -> None:
        """Write down a game that somebody played to its end; pots are those tried and made."""
        self._note(
            GameLine(day=_today(), who=who, game=game, against=against, share=share, tried=pots[0], made=pots[1])
        )

    def new_to(self, game: str) -> bool:
        """True where this game has never been begun here."""
        return game not in self.profile.played

    def begun(self, game: str) -> None:
        """Remember that a game was begun."""
        if self.new_to(game):
            self.change(lambda had: msgspec.structs.replace(had, played=(*had.played, game)))

    def taught(self, game: str) -> None:
        """Remember that the lesson of a game was gone through."""
        if game not in self.profile.lessons:
            self.change(lambda had: msgspec.structs.replace(had, lessons=(*had.lessons, game)))

    def change(self, how: Callable[[Profile], Profile]) -> None:
        """Change the profile; says so where it cannot be kept."""
        try:
            self._kept.change(how)
        except FlicksimError as wrong:
            self._say(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.")

    def _note(self, line: Line) -> None:
        try:
            self._kept.note(line)
        except FlicksimError as wrong:
            self._say(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.")


def _today() -> str:
    return date.today().isoformat()
