"""Grades of execution noise of the people at the window."""

from flicksim.ai import GRADES
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.hints import set_execution_noise
from flicksim.match import Match


class NoiseGrades:
    """Grades of execution noise by seat, applied to a match.

    Args:
        match: of the people. default: grade of seats without one of their own.
    """

    def __init__(self, match: Match, default: str) -> None:
        self._match = match
        self._own = match_text.noise_grades(match)
        self.by_seat = dict.fromkeys(range(len(match.players)), default) | self._own
        self._apply()

    def _apply(self) -> None:
        if self._match.game.uses_physics:
            for seat, name in self.by_seat.items():
                set_execution_noise(self._match, name, seat)

    @property
    def _acting_seat(self) -> int:
        """Seat whose grade is shown: the person's to play, or the first."""
        humans = [seat for seat, player in enumerate(self._match.players) if player is None]
        return self._match.to_play if self._match.to_play in humans else next(iter(humans), 0)

    @property
    def current(self) -> str:
        """Grade of the person to play."""
        return self.by_seat[self._acting_seat]

    def cycle(self) -> str:
        """Switch to the next grade, for the person to play if people have their own, else for all. Return it."""
        names = tuple(GRADES)
        grade = names[(names.index(self.current) + 1) % len(names)] if self.current in names else names[0]
        self.by_seat |= dict.fromkeys([self._acting_seat] if self._own else self.by_seat, grade)
        self._apply()
        return grade
