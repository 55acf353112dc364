"""Playback rate as text."""

from __future__ import annotations

from flicksim.engine import simulate
from flicksim.gui.table_view.playback import Playback
from flicksim.scene import samples


def test_what_is_close_is_said_to_be_shown_slowly_only_while_it_is() -> None:
    shown = Playback(simulate(*samples.sample("draw")), close_call=(0.2, 0.4))
    assert shown.rate_text == "true speed"
    shown.advance(0.3)
    assert shown.is_slowed
    assert shown.rate_text == "close: slowly"
    shown.skip()
    assert shown.rate_text == "true speed"
