"""Delay of the bots' flicks while the map of a position is awaited and looked at."""

from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.position_analysis import PositionAnalysis

_MAX_WAIT, _VIEWING_TIME = 15.0, 1.5
"""Longest time that bots wait for the map of a position, and time for which it is shown [s]."""


class BotDelay:
    """Delay of the bots' flicks until the map of the position is complete and has been shown, for a limited time."""

    def __init__(self) -> None:
        self._bot_wait_time = self._map_view_time = 0.0
        """Time since a bot has aimed, and since the map of the position is complete [s]."""

    def update(self, controller: MatchController, analysis: PositionAnalysis | None, dt: float) -> None:
        """Hold or release the bots; analysis: of the position, None where it is not shown."""
        if analysis is None or not (analysis.is_map_visible and controller.phase == "think"):
            self._bot_wait_time, self._map_view_time, controller.is_bot_delayed = 0.0, 0.0, False
            return
        if not controller.is_paused:
            self._bot_wait_time += dt if controller.bot_action is not None else 0.0
            self._map_view_time += dt if analysis.is_complete else 0.0
        controller.is_bot_delayed = self._bot_wait_time < _MAX_WAIT and self._map_view_time < _VIEWING_TIME
