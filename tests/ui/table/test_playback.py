"""The speed at which a motion is shown, in words."""

from __future__ import annotations

from flicksim.physics import settle
from flicksim.table import samples
from flicksim.ui.table.playback import Playback


def test_what_is_close_is_said_to_be_shown_slowly_only_while_it_is() -> None:
    shown = Playback(settle(*samples.sample("draw")), close=(0.2, 0.4))
    assert shown.pace == "true speed"
    shown.advance(0.3)
    assert shown.slowed
    assert shown.pace == "close: slowly"
    shown.skip()
    assert shown.pace == "true speed"
