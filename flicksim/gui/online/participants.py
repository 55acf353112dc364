"""Participants of an online match in words: players and spectators with their state, and who is waited for."""

from typing import NamedTuple

from flicksim import net
from flicksim.gui.toolkit import Colour, palette
from flicksim.gui.toolkit.translation import Untranslated, translate
from flicksim.net import protocol


class Participant(NamedTuple):
    """Somebody at the table: seat (None for a spectator), name, state in words, and its colour."""

    seat: int | None
    name: str
    state: str
    colour: Colour


def list_participants(client: net.Client, match: net.RemoteMatch, *, has_turns: bool) -> list[Participant]:
    """Players in the order of their seats, then spectators; without turns all act at once."""
    presence = client.presence
    if presence is None:
        return []
    players: list[Participant] = []
    for seat in presence.seats:
        is_own, is_person = seat.seat in match.seats, seat.player.startswith("human")
        texts = ["you"] if is_own else [] if is_person else [seat.player.replace(":", ", ")]
        lag = client.lag if is_own else seat.lag
        if is_own and client.status != "joined":
            texts.append("connection lost")
        elif not seat.here:
            texts.append("connection lost" if seat.name else "free")
        elif lag is not None:
            texts.append(f"{lag} ms")
        colour = palette.BAD if texts[-1:] == ["connection lost"] else palette.MUTED_TEXT
        if has_turns and seat.seat == presence.to_play:
            texts, colour = ["to play", *texts], palette.BAD if colour == palette.BAD else palette.ACCENT
        name = Untranslated(seat.name) or match.game.seat_names[seat.seat]
        players.append(Participant(seat.seat, name, " · ".join(texts), colour))
    watchers = (Untranslated(name) or "somebody" for name in presence.watchers)
    return [*players, *(Participant(None, name, "looks on", palette.MUTED_TEXT) for name in watchers)]


def name_players(presence: protocol.Presence, match: net.RemoteMatch) -> None:
    """Give the match the names of the people who are there; nothing for the nameless one at this window."""
    match.player_names = {
        seat.seat: seat.name or translate("somebody" if seat.here else "nobody yet")
        for seat in presence.seats
        if seat.player.startswith("human") and (seat.name or seat.seat not in match.seats)
    }


def absence_text(client: net.Client, match: net.RemoteMatch) -> str:
    """Sentence on the seat waited for, where nobody is there, and on what becomes of it; empty otherwise."""
    presence = client.presence
    if presence is None or presence.to_play is None or client.status != "joined":
        return ""
    seat = presence.seats[presence.to_play]
    if seat.here or seat.seat in match.seats:
        return ""
    if not seat.name:
        return f"{match.game.seat_names[seat.seat]}: nobody sits here yet. The game waits."
    is_timed = presence.left is not None and not presence.paused
    return f"{seat.name} is disconnected. {'The clock goes on' if is_timed else 'The game waits'}."
