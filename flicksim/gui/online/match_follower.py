"""Follower of the host of an online match: what the host tells is shown, turn by turn."""

from collections.abc import Callable

from flicksim import net
from flicksim.gui.match.match_screen import MatchScreen
from flicksim.net import protocol


class MatchFollower:
    """Follower of the host of a match.

    Args:
        match: as the client knows it. tell: tells the players something.
    """

    def __init__(self, match: net.RemoteMatch, tell: Callable[[str], None]) -> None:
        self._match, self._tell = match, tell
        self._shown_state = (match.opening, match.turn_count)
        self._is_restarted = False

    def apply_incoming(self, screen: MatchScreen) -> None:
        """Apply the next message that changes the match, where its screen does not wait for it."""
        match, controller, item = self._match, screen.controller, self._match.incoming
        if controller.is_playing_turn:
            return
        is_new_state = item is not None and not isinstance(item, protocol.TurnPlayed)
        if is_new_state:
            if isinstance(item, protocol.Over) and (item.forfeit is None or controller.phase in ("show", "hold")):
                if item.forfeit is None:
                    match.apply_incoming()
                return
            controller.cancel()
            match.apply_incoming()
        elif item is not None and controller.phase in ("choose", "over"):
            controller.follow_host()
        opening, count = self._shown_state
        went_back = match.opening is not opening or match.turn_count < count
        if is_new_state or went_back or match.turn_count > count:
            self._is_restarted = False
        self._shown_state = (match.opening, match.turn_count)
        may_restart = match.is_own_turn or not self._is_restarted  # others' turns: once, as the cause may last
        is_stuck = controller.phase == "stuck" and match.forfeit is None and may_restart
        if is_new_state or went_back or is_stuck:
            self._is_restarted = is_stuck
            screen.show_match_anew()
        if match.differences:
            number = match.differences.pop()
            self._tell(f"Turn {number} had another result here; the host's is shown.")
