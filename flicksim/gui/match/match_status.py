"""Texts of a match screen: what is waited for, whose turn it is, and which keys are of use now."""

from collections.abc import Iterable

from flicksim.gui.app import MatchSession
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import match_text
from flicksim.gui.table_view.effects import Effects
from flicksim.gui.toolkit import palette
from flicksim.match import BotWarmup, Match
from flicksim.referee import Game


def bot_wait_text(match: Match, warmup: BotWarmup | None) -> str:
    """Text shown while the bot to play waits for the compiler; empty otherwise."""
    player = None if match.to_play is None else match.players[match.to_play]
    return warmup.short_message if warmup is not None and warmup.is_needed_by(player, match.state) else ""


def wait_text(controller: MatchController, match: Match, warmup: BotWarmup | None) -> str:
    """Short text of the computation waited for; empty without one."""
    seat = match.to_play
    if controller.is_paused or controller.bot_action is not None:
        return ""
    if controller.phase == "think" and seat is not None:
        if preparing := bot_wait_text(match, warmup):
            return preparing
        is_remote = seat in controller.remote_people
        return controller.absence_text or ("" if is_remote else f"{match_text.seat_text(match, seat)} is thinking")
    return "The shot is worked out" if controller.phase == "settle" and match.game.uses_physics else ""


class TurnAnnouncer:
    """Announces every new turn of a match once, by a banner over the table."""

    def __init__(self, session: MatchSession) -> None:
        self._match, self._is_activity = session.match, session.activity_card is not None
        self.announced: object = None
        """Seat and stage announced last."""

    def announce(self, effects: Effects, *, with_others: bool) -> None:
        """Announce the present turn, unless it was announced; with_others: also those of others than people here."""
        match, seat = self._match, self._match.to_play
        stage = match_text.stage_text(match.game, match.state)
        if seat is None or self.announced == (seat, stage):
            return
        self.announced = (seat, stage)
        name, is_human = match_text.seat_text(match, seat), match.players[seat] is None
        if not (is_human or with_others):
            return
        is_alone = self._is_activity or sum(player is None for player in match.players) == 1
        details = [] if is_human and not is_alone else [name if is_human else match_text.player_text(match, seat)]
        details += [stage] if stage else []
        text = ("Your turn" if is_alone else f"{name}: your turn") if is_human else name
        effects.show_turn_banner(text, "  ·  ".join(details), palette.seat_key(seat, match.game.seat_names))


def phase_keys(controller: MatchController, game: Game, choices: Iterable[str], *, is_activity: bool) -> list[str]:
    """Keys of the present phase; choices: those of the seat to act. is_activity: a challenge or lesson."""
    if controller.is_paused:
        return ["Paused: P goes on"]
    if controller.is_waiting:
        return ["Space goes on"]
    match controller.phase:
        case "choose":
            return list(choices)
        case "show":
            is_held = controller.playback_clock is not None and controller.playback_clock.is_paused
            return ["P goes on" if is_held else "P pauses", "S slower", ". , step", "F to the end"]
        case "over" if game.uses_physics and not is_activity:
            return ["Space: the result"]
        case "hold":
            return ["P pauses"]
        case "think" | "settle":
            return ["Wait a moment"]
    return []
