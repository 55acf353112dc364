"""Requests to own up during a match: when a self-report is possible, and when it may open."""

from flicksim.gui.app import MatchSession
from flicksim.gui.match.match_controller import MatchController


class SelfReportRequests:
    """Requested self-report of a match: it opens as soon as nothing is being simulated or shown."""

    def __init__(self, session: MatchSession) -> None:
        self._session, self._is_pending = session, False
        self._cache: tuple[object, bool] = (None, False)
        """State, and whether a self-report is possible there."""

    @property
    def are_possible(self) -> bool:
        """True if there is something to own up to now."""
        match = self._session.match
        if self._session.activity_card is not None:
            return False
        if self._cache[0] is not match.state:
            self._cache = (match.state, bool(match.self_reports))
        return self._cache[1]

    def request(self, controller: MatchController) -> str:
        """Request a self-report, for which the game is held. Return a notice; empty for none."""
        self._is_pending = controller.is_held = self.are_possible
        return "" if self._is_pending else "There is nothing to own up to now."

    def is_due(self, controller: MatchController) -> bool:
        """True once, when the requested self-report may open."""
        if not (self._is_pending and controller.can_self_report):
            return False
        self._is_pending = controller.is_held = False
        return self.are_possible
