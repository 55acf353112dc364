"""Progress bars."""

import io

import pytest
from rich.console import Console

from flicksim.cli import formatting


@pytest.mark.parametrize("title", ["Pots", "Sensitivity to friction and restitution: a pot from 18 in"])
def test_a_progress_bar_cuts_its_title_and_no_number(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(width=80, file=io.StringIO())
    monkeypatch.setattr(formatting, "err", console)
    bar = formatting.progress_bar("shot", rate=True)
    now = 0
    bar.get_time = lambda: now
    task = bar.add_task(title, total=10_000_000)
    for now in range(0, 101, 10):
        bar.update(task, completed=now * 99_999)
    console.print(bar.get_renderable())
    (line,) = console.file.getvalue().splitlines()
    assert line.startswith(title[:4])
    assert line.endswith(" 9999900/10000000 shots 99,999 shots/s 0:01:40 0:00:01")


def test_a_progress_bar_is_shown_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_terminal in (True, False):
        console = Console(width=80, file=io.StringIO(), force_terminal=is_terminal)
        monkeypatch.setattr(formatting, "err", console)
        with formatting.progress_bar("game") as bar:
            bar.advance(bar.add_task("Pots", total=1))
        assert bool(console.file.getvalue()) == is_terminal


def test_a_log_of_a_long_run_has_a_line_for_every_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more often than every five seconds, and none at the end, as the answer follows."""
    times = [0.0]
    console = type(formatting.err)(width=20, file=io.StringIO(), get_time=lambda: times[-1])
    monkeypatch.setattr(formatting, "err", console)
    with formatting.progress_bar("game") as bar:
        task = bar.add_task("Pots", total=100)
        for now, completed in ((4.9, 30), (5.0, 31), (60.0, 40), (61.0, 42), (65.0, 60), (70.0, 71), (3605.0, 72)):
            times.append(now)
            bar.update(task, completed=completed)
        bar.advance(task, 10)
        bar.update(task, completed=100)
    assert console.file.getvalue().splitlines() == [
        "Pots: 31 of 100 games after 0:00:05.",
        "Pots: 42 of 100 games after 0:01:01.",
        "Pots: 71 of 100 games after 0:01:10.",
        "Pots: 82 of 100 games after 1:00:05.",
    ]
