"""The course of a match in the window: who thinks, what is being settled, what is shown. It never draws or waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, State
from flicksim.play import Background, Match, Turn
from flicksim.players import Hand, stop_if_cancelled
from flicksim.table import Flick, Motion, Scene, Squidge
from flicksim.ui.frame.sitting import Keeper
from flicksim.ui.table.listening import heard
from flicksim.ui.table.moments import close_call
from flicksim.ui.table.painter import Place, scene_of
from flicksim.ui.table.playback import Clock, Playback
from flicksim.ui.table.standing import name

Stage = Literal["choose", "think", "settle", "show", "hold", "over", "stuck"]
AIMING = 0.7
"""Time that a bot is seen to aim [s]."""
_GLANCE = 0.8
"""Time that a decision is left to be read before the game goes on [s]."""
_MOVE = 0.4
"""Time that pieces take that the ruling moves [s]."""
_READ = 2.5
"""Time that a ruling that gave points stays when nobody is there to go on [s]."""


class Course:
    """A match under way.

    Args:
        match: which. keeper: told of turns and undos; None when nobody keeps a record.
        asks: asks the player whose turn it is; called beside the window, may wait.
    """

    def __init__(self, match: Match, keeper: Keeper | None = None, asks: Callable[[Match], Action] = Match.ask) -> None:
        self.match, self._keeper, self._asks = match, keeper, asks
        self.stage: Stage = "choose"
        self.playback: Playback | None = None
        self.turn: Turn | None = None
        self.wrong = ""
        self.unkept = ""
        self.changed: Callable[[], None] = lambda: None
        self.rate = 0
        self.aimed: Action = None
        """The shot a bot is seen to aim just now; None: none."""
        self.pending: Action = None
        """Action that is being settled, or was last."""
        self.calm = False
        """True if what was close is shown no slower than the rest."""
        self.scores_at: dict[int, Point] = {}
        """Places at which each seat's points were drawn last [pixels]."""
        self.at_once = False
        """True if shots are shown at their end without being watched."""
        self.serious = False
        """True if a turn is taken back only when the other seat agrees."""
        self.paused = False
        self.held = False
        """True if nothing new is begun, because somebody has something to say."""
        self.lingers = False
        """True while somebody looks at the position: a bot that has taken aim does not flick yet."""
        self.sound: Callable[[str, float], None] = lambda _name, _loud: None
        self.undone: list[Turn] = []
        """Turns taken back, the first to be done again last."""
        self.job: Background[Action] | None = None
        self._held, self._before = 0.0, 0
        self.begin()

    @property
    def clock(self) -> Clock | None:
        """Clock of whatever is shown."""
        return self.playback

    @property
    def moving(self) -> bool:
        """True while anything on the table is seen to move."""
        if self.paused:
            return False
        if self.stage == "show":
            return self.clock is None or not self.clock.paused
        return self.aimed is not None if self.stage == "think" else self.stage == "hold" and self._held < _GLANCE

    @property
    def humans(self) -> bool:
        """True where anybody sits at the window."""
        return any(player is None for player in self.match.players)

    def begin(self) -> None:
        """Turn to whoever is to act."""
        self.leave()
        self.playback, self.turn, self.aimed = None, None, None
        seat = self.match.to_play
        if seat is None:
            self.stage, self.paused = "over", False
        elif self.match.players[seat] is None:
            self.stage = "choose"
        else:
            self.stage = "think"
            self.job = Background(self._ask)
        self.changed()

    def act(self, action: Action, hand: Hand | None = None) -> bool:
        """Do what the human at the window chose; False, with the reason in `wrong`, when the rules forbid it.

        Args:
            hand: that makes it; that of the seat unless told.
        """
        self.wrong, self.paused = self.objection(action), False
        if self.stage != "choose" or self.wrong:
            return False
        self._settle(action, hand)
        return True

    @property
    def may_own_up(self) -> bool:
        """True while nothing is being settled or shown, so that somebody may say what else happened."""
        return self.stage not in ("settle", "show")

    def see_all(self) -> None:
        """Show what has come about as it lies now."""

    def own_up(self, action: Action) -> bool:
        """Do what somebody at the window owned up to, whoever's turn it is; False when it cannot be."""
        self.wrong, self.paused = self.objection(action), False
        if not self.may_own_up or self.wrong:
            return False
        self.leave()
        self._settle(action)
        return True

    def objection(self, action: Action) -> str:
        """Reason why the rules do not allow it now; empty when they do."""
        try:
            self.match.rules.check(self.match.state, action)
        except FlicksimError as wrong:
            return str(wrong)
        return ""

    def _settle(self, action: Action, hand: Hand | None = None) -> None:
        self.stage, self.pending, self._before = "settle", action, len(self.match.turns)
        self.undone.clear()
        self.job = Background(lambda: self.match.play(action, hand=hand))
        self.changed()

    def _ask(self) -> Action:
        stop_if_cancelled()
        return self._asks(self.match)

    def leave(self) -> None:
        """Nobody waits any more for what is being thought or settled."""
        if self.job is not None:
            self.job.leave()
        self.job = None

    def update(self, dt: float) -> None:
        """Let time go on [s]."""
        if self.paused:
            return
        match self.stage:
            case "think" if self.aimed is not None:
                self._held += dt
                if self._held >= AIMING and not self.lingers:
                    self._settle(self.aimed)
            case "think" | "settle" if self.job is not None and self.job.done:
                job, self.job = self.job, None
                try:
                    came = job.result()
                except FlicksimError as wrong:
                    self.wrong, self.stage = str(wrong), "stuck"
                    lost = self.match.forfeit
                    if lost is not None:
                        self.wrong, self.stage = "", "over"
                        self._tell(lambda keeper: keeper.forfeit(lost))
                    if self.match.to_play is not None and self.match.players[self.match.to_play] is None:
                        self.stage = "choose"
                    self.changed()
                    return
                if self.stage == "think" and isinstance(came, Flick | Squidge) and (self.lingers or not self.at_once):
                    self.aimed, self._held = came, 0.0
                elif self.stage == "think":
                    self._settle(came)
                else:
                    self._show(came)
            case "show" if self.playback is not None:
                self.rate = self.playback.rate
                before = self.playback.t
                self.playback.advance(dt)
                for name, loud in heard(self.playback.motion, before, self.playback.t):
                    self.sound(name, loud)
                if self.playback.done and not self.playback.paused:
                    self.stage, self._held = "hold", 0.0
                    self.changed()
            case "hold":
                self._held += dt
                if not self.waits and self._held >= self._hold_time():
                    self.begin()

    def _show(self, turn: Turn) -> None:
        self.turn, self._held, self.aimed = turn, 0.0, None
        self._tell(lambda keeper: keeper.turn(turn))
        if isinstance(turn.account, Motion):
            close = None if self.calm else close_call(turn.account)
            self.playback, self.stage = Playback(turn.account, self.rate, close), "show"
            if self.at_once:
                self.playback.skip()
        else:
            self.playback, self.stage = None, "hold"
        self.changed()

    def _tell(self, word: Callable[[Keeper], None]) -> None:
        """Tell the keeper; one that cannot write any more is told no further, and the game goes on."""
        if self._keeper is not None:
            try:
                word(self._keeper)
            except FlicksimError as wrong:
                self.unkept, self._keeper = f"No longer recorded: {wrong}", None

    @property
    def scoring(self) -> bool:
        """True while the table is left as it was when points were given, or before it is cleared."""
        return self.stage == "hold" and self._weighty()

    @property
    def waits(self) -> bool:
        """True where the table is left as it is until somebody goes on: when points were given or the board is
        cleared."""
        return self.humans and self.scoring

    def _weighty(self) -> bool:
        turn = self.turn
        if turn is None:
            return False
        return any(turn.verdict.ruling.points) or turn.verdict.ruling.over or self._cleared()

    def _cleared(self) -> bool:
        assert self.turn is not None
        before, after = self._lies(), scene_of(self.turn.after)
        return before is not None and after is not None and bool(before.pieces) and not after.pieces

    def _hold_time(self) -> float:
        if self._weighty():
            return _READ
        if self.playback is None:
            return _GLANCE
        return _MOVE if self._moved() else 0.12

    def go_on(self) -> None:
        """The ruling has been read."""
        if self.stage == "hold":
            self.begin()

    def skip(self) -> None:
        """Show the rest at once."""
        if self.playback is not None:
            self.playback.paused = False
            self.playback.skip()

    # -- taking back ----------------------------------------------------------------------------------------------

    def undo_to(self) -> int | None:
        """The number of turns left after taking back to the last human decision; None when there is none."""
        players, turns = self.match.players, self.match.turns
        if self.stage == "settle":
            return None
        return next((k for k in range(len(turns) - 1, -1, -1) if players[turns[k].seat] is None), None)

    def undo(self, left: int | None = None) -> bool:
        """Take back to the last human decision, or until so many turns are left."""
        left = self.undo_to() if left is None else left
        if left is None or self.stage == "settle":
            return False
        while len(self.match.turns) > left:
            turn = self.match.undo()
            assert turn is not None
            self.undone.append(turn)
        self.wrong = ""
        self._tell(lambda keeper: keeper.undo(left))
        self.begin()
        return True

    def redo(self) -> bool:
        """Do again what was taken back, on to the next human decision."""
        players = self.match.players
        if not self.undone or self.stage == "settle" or self.undone[-1].before is not self.match.state:
            return False
        while self.undone:
            turn = self.undone.pop()
            self.match.redo(turn)
            self._tell(lambda keeper, turn=turn: keeper.turn(turn))  # type: ignore[misc]
            if self.undone and players[self.undone[-1].seat] is None:
                break
        self.wrong = ""
        self.begin()
        return True

    def refusal(self, left: int) -> str:
        """Reason why a bot would not let turns be taken back until so many are left; empty when it agrees."""
        given = [turn for turn in self.match.turns[left:] if any(turn.verdict.ruling.points)]
        return f"points were given on turn {given[0].number}" if given else ""

    # -- what lies there ------------------------------------------------------------------------------------------

    @property
    def last(self) -> Turn | None:
        """The last turn that has been shown whole, or is being held."""
        turns = self.match.turns
        if self.stage == "show":
            return turns[-2] if len(turns) > 1 else None
        return turns[-1] if turns else None

    @property
    def drawn(self) -> float:
        """Draw of a bot's aim as it is seen, 0 to 1."""
        return min(1.0, self._held / (0.6 * AIMING)) if self.stage == "think" else 1.0

    @property
    def shown(self) -> Turn | None:
        """The turn that is being shown or read; None when none is."""
        return self.turn if self.stage in ("show", "hold") else None

    @property
    def quiet(self) -> bool:
        """True while nothing is being settled or shown."""
        return self.stage not in ("settle", "show")

    @property
    def seen(self) -> Sequence[Turn]:
        """The turns that have been shown whole."""
        return self.match.turns if self.quiet else self.match.turns[: self._before]

    @property
    def state(self) -> State:
        """The state people know of: while a turn is being shown, the one before it."""
        return self.turn.before if self.turn is not None and self.stage in ("show", "hold") else self.match.state

    @property
    def scored(self) -> State:
        """The state whose points are shown: once a ruling can be read, its points count."""
        return self.match.state if self.stage == "hold" else self.state

    @property
    def says(self) -> str:
        """A line for what is due."""
        match, seat = self.match, self.match.to_play
        if self.paused:
            return "Paused: P goes on"
        if self.stage == "think" and seat is not None:
            return f"{name(match, seat)} {'takes aim' if self.aimed is not None else 'is thinking'} ..."
        if self.stage == "settle":
            return "The flick is made ..."
        if self.stage == "show" and self.turn is not None:
            return f"{name(match, self.turn.seat)} has flicked."
        if self.waits:
            return "Look at the table, then go on: Space, or a click on the board."
        if self.stage == "stuck":
            return "The game cannot go on."
        if match.forfeit is not None:
            return f"{name(match, match.forfeit.seat)} forfeits: it {match.forfeit.says}."
        return "The game is over." if match.over else match.choices().says

    @property
    def doing(self) -> str:
        """The doing of the seat to act, as it is shown."""
        if self.stage in ("show", "hold"):
            if self.playback is None:
                return "has decided"
            return "has squidged" if isinstance(self.playback.motion.flick, Squidge) else "has flicked"
        if self.paused and self.stage == "think":
            return "to play"
        if self.aimed is not None:
            return "takes aim"
        return "thinking ..." if self.stage == "think" else "to play"

    def _lies(self) -> Scene | None:
        """The scene before the ruling was carried out."""
        assert self.turn is not None
        if isinstance(self.turn.account, Motion):
            return self.turn.account.after
        return scene_of(self.turn.before)

    def _ended(self) -> Scene | None:
        """The scene at the end of the game, before it was cleared."""
        last, now = self.match.turns[-1:], scene_of(self.match.state)
        if last and isinstance(last[0].account, Motion) and now is not None and not now.pieces:
            return last[0].account.after
        return now

    def _moved(self) -> dict[str, Place]:
        """Places to which the ruling moves pieces that had come to rest elsewhere."""
        assert self.turn is not None
        before, after = self._lies(), scene_of(self.turn.after)
        if before is None or after is None:
            return {}
        return {p.id: (p.x, p.y, p.angle) for p in after.pieces if before.has(p.id) and before.piece(p.id).at != p.at}

    def scene(self) -> tuple[Scene | None, dict[str, Place]]:
        """The scene to show when no motion is: pieces, and where those are that the ruling is just moving.

        A board that was cleared with the last ruling is shown as it lay when the game ended.
        """
        if self.stage == "over":
            return self._ended(), {}
        if self.stage != "hold" or self.turn is None:
            return scene_of(self.match.state), {}
        before = self._lies()
        share = min(1.0, self._held / _MOVE)
        share = share * share * (3.0 - 2.0 * share)
        moving: dict[str, Place] = {}
        if before is not None:
            for piece, (x, y, angle) in self._moved().items():
                p = before.piece(piece)
                moving[piece] = (p.x + (x - p.x) * share, p.y + (y - p.y) * share, angle)
        return before, moving
