"""Tests of the thread of a table's bots."""

import asyncio
from threading import Event
from types import SimpleNamespace
from typing import Any

from flicksim.net.bot_thread import BotThread


def test_the_bot_of_a_game_that_is_over_does_not_end_the_wait_for_the_next() -> None:
    """It thinks on after nobody waits for it, and ends while the bot of the next game thinks."""
    may_answer = {name: Event() for name in ("first", "second")}

    def choose(name: Any) -> Any:
        assert may_answer[name].wait(60.0)
        return name

    def game(name: str) -> Any:
        return SimpleNamespace(match_for_player=lambda: name)

    async def play() -> None:
        idle = asyncio.Event()
        bots, first, second = BotThread(choose, idle.set), game("first"), game("second")
        unwanted = asyncio.create_task(bots.choose(first))
        await asyncio.sleep(0)
        bots.dismiss()
        assert await unwanted is None
        wanted = asyncio.create_task(bots.choose(second))
        await asyncio.sleep(0)
        may_answer["first"].set()
        await idle.wait()
        assert bots.asked_game is second
        may_answer["second"].set()
        thinking = await wanted
        assert thinking is not None
        assert thinking.result() == "second"
        assert bots.asked_game is None

    asyncio.run(asyncio.wait_for(play(), 120.0))
