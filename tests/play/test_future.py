"""The word of what is compiled for a game, where it is waited for."""

from __future__ import annotations

import logging
from threading import Event

import pytest

from flicksim.games import load
from flicksim.play import GameFuture, TableStage, future


@pytest.fixture(autouse=True)
def unsaid() -> None:
    """Nothing was said in this process yet."""
    future.speak.cache_clear()


def test_what_is_waited_for_is_said_once_nobody_is_told_part_by_part(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(future, "told", lambda: print)
    future.announce()
    assert caplog.messages == []
    monkeypatch.setattr(future, "told", lambda: None)
    future.announce()
    future.announce()
    assert len(caplog.messages) == 1


def test_a_first_call_that_lasts_says_what_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled function ends only once that was said; the second call says nothing."""
    said: list[str] = []
    heard = Event()

    def warning(words: str) -> None:
        said.append(words)
        heard.set()

    def lasting() -> bool:
        return heard.wait(20.0)

    monkeypatch.setattr(logging.getLogger("flicksim"), "warning", warning)
    monkeypatch.setattr(future, "_LASTS", 0.0)
    monkeypatch.setattr(future, "_COMPILED", {})
    monkeypatch.setattr(future, "compiled", lambda function: lambda: function())
    game = GameFuture(load("dominoes"), TableStage())
    assert game.quick(lasting)()
    assert game.quick(lasting)()
    assert len(said) == 1
    assert "is being compiled" in said[0]
