"""Playback toolbar: buttons, time slider and clock of what is shown; the same buttons in a match."""

from collections.abc import Callable

import pygame

from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view.playback import FRAME_STEP, PlaybackClock, rate_text
from flicksim.gui.toolkit import Canvas, palette, place_in_grid
from flicksim.gui.toolkit.widgets import Button, Slider, Widget


class PlaybackToolbar:
    """Toolbar that plays, seeks and steps a playback, and changes its speed.

    Args:
        go_to: shows the next item (1) or the previous one (-1). noun: name of an item.
    """

    def __init__(self, go_to: Callable[[int], None], noun: str) -> None:
        self.clock: PlaybackClock | None = None
        self.rate = 0
        self.slider = Slider("Time", self._seek)
        self.play = Button("Play", self.toggle_play, key="Space", is_primary=True)
        self.slow = Button("Slower", self.cycle_rate, key="S")
        self.previous = Button(f"{noun.capitalize()} back", lambda: go_to(-1), key="Left")
        self.next = Button(f"Next {noun}", lambda: go_to(1), key="Right")

    @property
    def widgets(self) -> list[Widget]:
        """Widgets in the order of the keyboard focus."""
        return [self.previous, self.next, self.play, self.slow, self.slider]

    @property
    def is_at_start(self) -> bool:
        """True while nothing is played, or the playback is paused at its start."""
        return self.clock is None or (self.clock.is_paused and self.clock.time == 0.0)

    def show(self, clock: PlaybackClock | None, *, at_end: bool) -> None:
        """Show a playback, paused at its start or end; None for nothing to play."""
        self.clock = clock
        if clock is not None:
            clock.time, clock.is_paused = clock.duration if at_end else 0.0, True

    def toggle_play(self) -> None:
        """Play, from the start if the end is reached; or pause."""
        if self.clock is None:
            return
        if self.clock.is_finished:
            self.clock.time, self.clock.is_paused = 0.0, False
        else:
            self.clock.is_paused = not self.clock.is_paused

    def cycle_rate(self) -> None:
        """Switch to the next speed, also of later playbacks."""
        if self.clock is not None:
            self.clock.cycle_rate()
            self.rate = self.clock.rate

    def _seek(self, fraction: float) -> None:
        if self.clock is not None:
            self.clock.seek(fraction)

    def update(self, dt: float, on_advance: Callable[[float, float], None]) -> None:
        """Advance the playback; `on_advance` is called with the interval of its time [s]."""
        clock = self.clock
        if clock is not None:
            start = clock.time
            clock.advance(dt)
            on_advance(start, clock.time)
            clock.is_paused = clock.is_paused or clock.is_finished
            self.slider.position = clock.progress
            self.slider.step = min(0.25, FRAME_STEP * 3 / max(clock.duration, FRAME_STEP))
        self.play.label = "Play" if clock is None or clock.is_paused else "Pause"
        for widget in (self.play, self.slow, self.slider):
            widget.enabled = clock is not None

    def layout(self, area: pygame.Rect, scale: float) -> int:
        """Place slider and buttons at the bottom of an area. Return the height they take [pixels]."""
        pad, gap, height = round(14 * scale), round(6 * scale), round(36 * scale)
        inner = area.inflate(-2 * pad, -2 * pad)
        y = place_in_grid((self.previous, self.play, self.slow, self.next), inner, height, gap, 4, at_bottom=True).y
        left, width = inner.x + round(10 * scale), inner.w - round(20 * scale)
        self.slider.rect = pygame.Rect(left, y - round(30 * scale), width, round(24 * scale))
        return height + 2 * pad + round(50 * scale)

    def draw_time(self, canvas: Canvas) -> None:
        """Draw the time and the speed over the slider."""
        clock, rect = self.clock, self.slider.rect
        if clock is not None:
            text = f"{min(clock.time, clock.motion_duration):.2f} of {clock.motion_duration:.2f} s"
            canvas.text(text, rect.topleft, 14, bold=True, anchor="bottomleft")
            canvas.text(rate_text(clock.rate), rect.topright, 13, palette.MUTED_TEXT, anchor="bottomright")


def playback_buttons(controller: Callable[[], MatchController]) -> dict[str, Button]:
    """Buttons for what is shown in a match, by name."""
    return {
        "back": Button("Back", lambda: controller().step(-1), key=","),
        "step": Button("Step", lambda: controller().step(1), key="."),
        "slow": Button("Slower", lambda: controller().cycle_rate(), key="S"),
        "skip": Button("Skip", lambda: controller().skip_playback(), key="F"),
    }
