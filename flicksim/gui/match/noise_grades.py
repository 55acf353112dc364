"""Grades of execution noise of the seats of a match."""

from flicksim.ai import GRADES
from flicksim.gui.app import MatchSession
from flicksim.gui.table_view import execution_noise_of, match_text

_DEMO_GRADE = "club"
"""Grade of execution noise in challenges and lessons for people without noise."""


def _default_grade(session: MatchSession, preferred: str) -> str:
    """Grade of seats without one of their own: the preferred one, online that of the host."""
    if session.bar is not None:
        return "steady"
    return _DEMO_GRADE if session.activity_card is not None and preferred == "steady" else preferred


class NoiseGrades:
    """Grades of execution noise by seat, applied to a match.

    Args:
        session: of the match. preferred: grade of seats without one of their own; online it is that of the host.
    """

    def __init__(self, session: MatchSession, preferred: str) -> None:
        self._match = session.match
        self._own = match_text.noise_grades(self._match)
        self.by_seat = dict.fromkeys(range(len(self._match.players)), _default_grade(session, preferred)) | self._own
        self._apply()

    def _apply(self) -> None:
        if self._match.game.uses_physics:
            for seat, name in self.by_seat.items():
                self._match.set_noise(execution_noise_of(name), seat)

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
