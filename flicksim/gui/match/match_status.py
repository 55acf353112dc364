"""Texts of a match screen: what is waited for, whose turn it is, and which keys are of use now."""

from collections.abc import Iterable

from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.table_view import match_text
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


def turn_announcement(match: Match, seat: int, stage: str, *, is_alone: bool) -> tuple[str, str]:
    """Words of the banner of a new turn, and what stands under them; is_alone: one person sits there."""
    name, is_human = match_text.seat_text(match, seat), match.players[seat] is None
    details = [] if is_human and not is_alone else [name if is_human else match_text.player_text(match, seat)]
    text = ("Your turn" if is_alone else f"{name}: your turn") if is_human else name
    return text, "  ·  ".join([*details, stage] if stage else details)


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
