"""Thread in which the bots and programs of a table choose their actions, one at a time."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from flicksim.core.type_aliases import Action
from flicksim.match import BackgroundTask, Match
from flicksim.net.hosted_game import HostedGame


class BotThread:
    """Chooses actions of bots and programs in a thread, for one event loop.

    Args:
        choose: chooses the action of the player to move. on_idle: called in the loop once no choice is awaited any
            more, wanted or not.
    """

    def __init__(self, choose: Callable[[Match], Action], on_idle: Callable[[], None]) -> None:
        self._choose, self._on_idle = choose, on_idle
        self.asked_game: HostedGame | None = None
        """Game whose bot thinks, wanted or not: a player is asked by one thread at a time."""
        self._is_thought = asyncio.Event()
        """Set once the bot has chosen, or its choice is unwanted."""

    def dismiss(self) -> None:
        """Wait no longer for a bot that still thinks."""
        self._is_thought.set()

    async def choose(self, hosted: HostedGame) -> BackgroundTask[Action] | None:
        """Choose the action of a bot or program; None, without waiting for it, once it is unwanted."""
        loop, is_thought, match = asyncio.get_running_loop(), asyncio.Event(), hosted.match_for_player()

        def work() -> Action:
            try:
                return self._choose(match)
            finally:
                with suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._on_thought, hosted, is_thought)

        self.asked_game, self._is_thought = hosted, is_thought
        thinking = BackgroundTask(work)
        try:
            await is_thought.wait()
        finally:
            thinking.cancel()
        return None if self.asked_game is hosted else thinking

    def _on_thought(self, hosted: HostedGame, is_thought: asyncio.Event) -> None:
        if self.asked_game is hosted:
            self.asked_game = None
        is_thought.set()
        self._on_idle()
