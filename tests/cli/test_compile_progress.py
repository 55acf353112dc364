"""Compile progress on stderr: a progress bar on a terminal, else one line."""

import io

import pytest
from rich.console import Console

from flicksim.cli import compile_progress, formatting
from flicksim.cli.compile_progress import BarReporter, LineReporter
from flicksim.match import CompileProgress


def progress_part(done: int, *, of: int = 75, over: bool = False) -> CompileProgress:
    return CompileProgress("the simulation of winks", done, of, over)


LINE = "Compiling the simulation of winks, once; this takes a while."


def test_one_line_after_a_delay_however_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    shown = LineReporter()
    shown.report(0.0)
    for at, done in ((1.0, 0), (1.5, 1)):
        shown.update(progress_part(done))
        shown.report(at)
    assert capsys.readouterr().err == ""
    for at, done in ((2.5, 3), (3.0, 4), (9.0, 20), (12.6, 30), (13.0, 31)):
        shown.update(progress_part(done))
        shown.report(at)
    shown.update(progress_part(75, over=True))
    shown.report(70.0)
    assert capsys.readouterr().err.splitlines() == [LINE]


def test_short_compilations_print_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    shown = LineReporter()
    for begun in (0.0, 300.0):
        compile_in(shown, begun, begun + 0.5, done=1, of=1)
    assert capsys.readouterr().err == ""


def compile_in(shown: LineReporter, begun: float, over: float, *, done: int, of: int) -> None:
    """One part, looked at each half second."""
    shown.update(progress_part(done - 1, of=of))
    for half in range(int(2.0 * (over - begun))):
        shown.report(begun + half / 2.0)
    shown.update(progress_part(done, of=of, over=True))
    shown.report(over)


@pytest.mark.parametrize("lasts", [0.5, 3.0], ids=["nothing said of the first", "told of the first"])
def test_later_compilation_is_announced_only_if_no_other_was(capsys: pytest.CaptureFixture[str], lasts: float) -> None:
    shown = LineReporter()
    compile_in(shown, 0.0, lasts, done=1, of=2)
    assert shown.has_reported == (lasts > 1.0)
    shown.update(CompileProgress("the bots' search", 0, 3, False))
    compile_in(shown, 300.0, 303.0, done=2, of=2)
    assert capsys.readouterr().err.splitlines() == [LINE]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Console:
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    for module in (compile_progress, formatting):
        monkeypatch.setattr(module, "err", console)
    return console


def seen(terminal: Console) -> str:
    assert isinstance(terminal.file, io.StringIO)
    return terminal.file.getvalue()


def test_terminal_adds_a_line_to_the_active_bar(terminal: Console) -> None:
    shown = BarReporter()
    with formatting.progress_bar("game") as bar:
        bar.add_task("Tiddlywinks", total=2)
        shown.update(progress_part(12))
        bar.refresh()
        assert [task.description for task in bar.tasks] == ["Tiddlywinks", "Compiling the simulation of winks"]
        line = next(line for line in reversed(seen(terminal).splitlines()) if "Compiling" in line)
        assert "12/75 parts" in line
        assert "12/75 parts" in line[:80], "it fits into 80 letters"
        shown.update(progress_part(75, over=True))
        assert [task.visible for task in bar.tasks] == [True, False]
    shown.close()
    assert formatting.ProgressBar.active == []


def test_terminal_without_a_bar_shows_a_transient_one(terminal: Console) -> None:
    shown = BarReporter()
    shown.update(progress_part(12))
    assert len(formatting.ProgressBar.active) == 1
    shown.update(progress_part(16, over=True))
    assert formatting.ProgressBar.active == []
    assert "16/75 parts" in seen(terminal)
    shown.update(progress_part(16))
    shown.close()
    assert formatting.ProgressBar.active == []


@pytest.mark.usefixtures("terminal")
def test_second_compilation_of_a_label_is_counted_anew() -> None:
    shown = BarReporter()
    with formatting.progress_bar("game") as bar:
        shown.update(progress_part(0, of=1))
        shown.update(progress_part(1, of=1, over=True))
        shown.update(progress_part(1, of=2))
        assert not bar.tasks[0].finished
        assert (bar.tasks[0].completed, bar.tasks[0].total, bar.tasks[0].visible) == (1, 2, True)
