"""A game as those see it who think ahead: its own rules and its own physics, asked what would be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from flicksim.base.errors import BadFlick, BadOption, BadScene, FlicksimError
from flicksim.base.kinds import Account, Action, Staged, State, View
from flicksim.physics import Settings, settle, settle_many
from flicksim.play.interrupt import safe_point
from flicksim.play.match import Stage
from flicksim.players import stop_if_cancelled
from flicksim.referee import Game
from flicksim.table import Flick, Motion, Scene

THOUGHT = Settings(max_flight=1.5, coarse=3.0)
"""The settings of what is only thought of: nobody watches in his mind how a wink whirls on, and steps are coarse."""


class TableStage:
    """The table wing: flicks settled by physics."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()

    def settle(self, before: Staged, action: Action) -> Account:
        """The finished motion; nothing is half done before it, also in a thought."""
        safe_point()
        return settle(before, action, self.settings)


def settle_each(stage: Stage, shots: Sequence[tuple[Staged, Action]]) -> Iterator[Account]:
    """The account of each of many shots, or the `FlicksimError` for which it cannot be made.

    Flicks on a board are settled all at once, and their tracks know only beginning and end (see `settle_many`); other
    shots one by one, each when it is asked for.
    """
    if isinstance(stage, TableStage) and all(_on_board(*shot) for shot in shots):
        with suppress(BadScene):
            yield from _at_once(stage.settings, shots)
            return
    for before, action in shots:
        try:
            yield stage.settle(before, action)
        except FlicksimError as wrong:
            yield wrong


def _on_board(before: Staged, action: Action) -> bool:
    """Tell whether only what lies flat moves there."""
    return isinstance(action, Flick) and isinstance(before, Scene) and before.surface.pot is None


def _at_once(settings: Settings, shots: Sequence[tuple[Scene, Flick]]) -> list[Motion | FlicksimError]:
    safe_point()
    if not shots:
        return []
    many = settle_many([before for before, _ in shots], [flick for _, flick in shots], settings,
                       events=True, failed="mark")  # fmt: skip
    return [BadFlick(str(why)) if why else many.motion(shot) for shot, why in enumerate(many.failed)]


class GameModel:
    """A game as a search sees it: its own rules and its own physics, asked what would be.

    Args:
        style: one of the styles the game's bot knows; its usual one without.
        thought: grade of thought, for games whose bots know the more by heart the deeper they think (`practised`); all
            there is to know without.
    """

    def __init__(self, game: Game, stage: Stage, style: str = "", thought: str = "") -> None:
        self._rules = game.rules
        self._bot, self._stage = game.bot, stage
        if thought and hasattr(game.bot, "practised"):
            self._bot = game.bot.practised(thought)
        if style:
            styles = getattr(game.bot, "STYLES", ())
            if style not in styles:
                known = f"its bots play {', '.join(styles)}" if styles else "its bots play in one style only"
                raise BadOption(f"{game.title} has no style {style!r}; {known}")
            self._bot = game.bot.styled(style)

    def candidates(self, view: View, rng: np.random.Generator, count: int) -> list[Action]:
        """Actions worth a thought."""
        found: list[Action] = self._bot.candidates(view, rng, count)
        return found

    def imagine(self, view: View, actions: Sequence[Action]) -> Iterator[State]:
        """The state after each of these actions, or why it cannot be done.

        A bot may leave out of it what makes no difference and takes long to settle.
        """
        return self.imagine_each([(view, action) for action in actions])

    def imagine_each(self, turns: Sequence[tuple[View, Action]]) -> Iterator[State]:
        """The state after each of these actions, each in its own view, or why it cannot be done."""
        leave_out = getattr(self._bot, "imagined", lambda view: view)
        lefts: list[State] = []
        staged = []
        for k, (view, action) in enumerate(turns):
            lefts.append(lefts[-1] if k and turns[k - 1][0] is view else leave_out(view))
            staged.append(self._staged(view, lefts[-1], action))
        accounts = settle_each(self._stage, [shot for shot in staged if isinstance(shot, tuple)])
        for (_, action), left, shot in zip(turns, lefts, staged, strict=True):
            stop_if_cancelled()
            account = next(accounts) if isinstance(shot, tuple) else shot
            yield account if isinstance(account, FlicksimError) else self._after(left, action, account)

    def _staged(self, view: View, left: State, action: Action) -> tuple[Staged, Action] | FlicksimError | None:
        try:
            self._rules.check(view, action)
            return self._rules.stage(left, action)
        except FlicksimError as wrong:
            return wrong

    def _after(self, view: View, action: Action, account: Account) -> State:
        try:
            return self._rules.advance(view, account, self._rules.judge(view, action, account))
        except FlicksimError as wrong:
            return wrong

    def value(self, view: View, seat: int) -> float:
        """Worth of a view to a seat."""
        return float(self._bot.value(view, seat))
