"""Ice matches on an invisible window, with several people at one keyboard."""

import msgspec

from flicksim.gui import MatchRecorder
from flicksim.gui.app import App
from flicksim.gui.game_views.ice.ice_screen import IceScreen
from flicksim.match import PYRAMID_WARMUP, Match
from flicksim.scene import LaunchTrajectory, VolleyTrajectory
from tests.matches import new_match

from .conftest import Driver, match_screen


def ice_match(*seats: str, left: int = 14) -> Match:
    """A game of pyramids; everybody has only so many missiles, the small ones first."""
    PYRAMID_WARMUP.wait()  # else time would stand still at first
    match = new_match("ice", *seats, seed=5)
    match.opening = msgspec.structs.replace(match.opening, hands=tuple(hand[:left] for hand in match.opening.hands))
    return match


def landings(match: Match) -> list[LaunchTrajectory]:
    """Launches of a match that have come down, in the order of landing."""
    results = (turn.result for turn in match.turns if isinstance(turn.result, VolleyTrajectory))
    return [trajectory for result in results for trajectory in result.trajectories]


class IceDriver(Driver):
    """Several people at one keyboard.

    Args:
        match: to play. recorder: of its turns.
    """

    def __init__(self, app: App, match: Match, recorder: MatchRecorder | None = None) -> None:
        super().__init__(app)
        screen = match_screen(app, match, recorder, None, owns_recorder=True)
        assert isinstance(screen, IceScreen)
        self.ice_screen = screen
        app.replace_all(screen)
        self.frames(2)

    def start(self) -> IceScreen:
        """Everybody at the window holds what they have loaded; until the clock runs."""
        for seat in self.ice_screen.people:
            self.ice_screen.launch(seat)
        controller = self.ice_screen.controller
        self.until(lambda: controller.rules_state.started and controller.time >= 0.0, 0.1)
        return self.ice_screen

    def wait_for_landings(self, count: int) -> None:
        """Until so many missiles have been seen to come to rest."""
        self.until(lambda: len(self.ice_screen.controller.launch_log) >= count, 0.1)


def started_match(
    app: App, *seats: str, recorder: MatchRecorder | None = None, left: int = 14
) -> tuple[IceDriver, IceScreen]:
    """A game of pyramids on the screen, whose clock runs (see `ice_match`)."""
    driver = IceDriver(app, ice_match(*seats, left=left), recorder)
    return driver, driver.start()
