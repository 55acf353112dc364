"""Playback rate as text."""

from flicksim.engine import simulate
from flicksim.gui.table_view import Playback
from flicksim.scene import samples


def test_the_rate_text_names_slow_motion_only_during_it() -> None:
    shown = Playback(simulate(*samples.sample("draw")), close_call=(0.2, 0.4))
    assert shown.rate_text == "true speed"
    shown.advance(0.3)
    assert shown.is_slowed
    assert shown.rate_text == "close: slowly"
    shown.skip()
    assert shown.rate_text == "true speed"
