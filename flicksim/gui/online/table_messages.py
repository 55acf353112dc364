"""Messages of an online match: what its people say, who comes and goes, and what becomes of the connection."""

import re
from collections import Counter
from time import monotonic

from flicksim import net
from flicksim.gui.toolkit.translation import Untranslated
from flicksim.net import protocol

MESSAGE_TIME = 60.0
"""Time for which a message stays [s]."""
_LOST_TEXT = "The connection is lost, and tried again. The game is kept."
_TAKEN_PATTERN = re.compile(r"(?:(every seat)|seat (\d+)) is taken, or not for people\b.*")
_ERROR_PATTERN = re.compile(r"(there can be no connection to .* \(\w+): .*\)")


class TableMessages:
    """Last messages at a table: what a person has said, and one of the table, which replaces the one before."""

    def __init__(self, seat_names: tuple[str, ...]) -> None:
        self._seat_names = seat_names
        self.lines: dict[tuple[str, str], float] = {}
        """Name of who says it, or nothing, and a text; with the time at which it was told [s]."""
        self._was_lost = False
        self._watchers: Counter[str] | None = None

    def tell(self, text: str, name: str = "") -> None:
        """Add a message, of which two are kept, in place of the same; one of the table replaces the one before."""
        if not name:
            self._drop_notice()
        self.lines.pop((name, text), None)
        self.lines = dict([*self.lines.items(), ((name, text), monotonic())][-2:])

    def _drop_notice(self) -> None:
        """Drop the message of the table."""
        self.lines = {line: time for line, time in self.lines.items() if line[0]}

    def drop_old(self) -> None:
        """Drop the messages whose time is over."""
        self.lines = {line: time for line, time in self.lines.items() if monotonic() < time + MESSAGE_TIME}

    def take_event(self, event: net.Event) -> None:
        """Turn an event of the client into a message."""
        match event:
            case net.ConnectionChanged(status="lost"):
                self._was_lost = True
            case net.ConnectionChanged(status="joined") if self._was_lost:
                self._was_lost = False
                self.tell("The connection is back.")
            case net.ConnectionChanged(status="ended"):
                self.tell("The table is closed to this window.")
            case protocol.Said(name=name, seat=seat, phrase=phrase):
                seat_name = "a spectator" if seat is None else self._seat_names[seat]
                self.tell(protocol.PHRASES.get(phrase, phrase), Untranslated(name) or seat_name)
            case protocol.Proposal():
                self._drop_notice()  # on the proposal before
            case protocol.Settled(what=what, agreed=agreed, withdrawn=withdrawn):
                done = "It was taken back." if what == "undo" else "Another game begins."
                left = "What was asked was withdrawn." if withdrawn else "There was no agreement; it stays as it is."
                self.tell(done if agreed else left)
            case protocol.Refused(message=message, about=about) if about != "act":
                self.tell(f"{message[:1].upper()}{message[1:]}.")
            case protocol.Differs(name=name, turn=turn):
                self.tell(f"Turn {turn} has another result at this player's machine.", Untranslated(name))

    def take_watchers(self, watchers: tuple[str, ...]) -> None:
        """Tell of spectators who come and go."""
        now = Counter(watchers)
        before, self._watchers = now if self._watchers is None else self._watchers, now
        for changed, text in ((now - before, "looks on."), (before - now, "looks on no longer.")):
            for name in changed:
                self.tell(text if name else f"A spectator {text}", Untranslated(name))


def player_reason(reason: str) -> str:
    """Convert the reason of a client for players: seats count from 1, without shell options and texts of libraries."""
    if (hit := _TAKEN_PATTERN.fullmatch(reason)) is not None:
        return f"{hit[1] or f'seat {int(hit[2]) + 1}'} is taken, or not for people; you can look on"
    return _ERROR_PATTERN.sub(r"\1)", reason)


def plain_reason(reason: str) -> str:
    """Reason that a client tells, as a sentence for players."""
    reason = player_reason(reason)
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


def connection_text(client: net.Client) -> str:
    """Sentence on a connection that is lost or has ended; empty while it is up."""
    if client.status == "ended":
        return f"You are no longer at the table: {player_reason(client.reason or 'the connection has ended')}."
    return "" if client.status == "joined" else _LOST_TEXT
