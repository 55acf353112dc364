"""Proposals at an online table, to take turns back or play another game: asked, answered, and holding the game up."""

from collections.abc import Sequence
from time import monotonic

from flicksim import net
from flicksim.gui.online.participants import Participant
from flicksim.gui.table_view import match_text
from flicksim.net import protocol

ANSWER_TIME = 10.0
"""Time for which a game without turns is held for the answers to a take-back; the next turn then overtakes it [s]."""
HOLD_INTERVAL = 60.0
"""Time after which the same seat may hold the game again, unless all have agreed before [s]."""


class Proposals:
    """Proposals at a table, of this window and of others."""

    def __init__(self, client: net.Client, match: net.RemoteMatch) -> None:
        self._client, self._match = client, match
        self._hold_starts: dict[int, float] = {}
        """Times of the last take-backs that hold the game, by seat."""

    @property
    def is_own(self) -> bool:
        """True if the open proposal is of this window."""
        proposal = self._client.proposal
        return proposal is not None and proposal.seat in self._match.seats

    @property
    def is_answer_due(self) -> bool:
        """True if somebody at this window has to answer the open proposal."""
        proposal = self._client.proposal
        return proposal is not None and bool(set(proposal.waiting) & set(self._match.seats))

    def propose_undo(self, turn_count: int | None) -> None:
        """Ask the others to take turns back until so many are left; None: the last own one and those after it."""
        if self._match.seats:
            is_played = turn_count is not None and turn_count < len(self._match.turns)
            turns = self._match.turns_before + (turn_count or 0) if is_played else None
            self._client.send(protocol.Propose(what="undo", turns=turns))

    def propose_rematch(self) -> None:
        """Ask the others for another game, or agree to one."""
        proposal = self._client.proposal
        if self.is_answer_due and proposal is not None and proposal.what == "rematch":
            self.answer(True)
        else:
            self._client.send(protocol.Propose(what="rematch"))

    def answer(self, agree: bool) -> None:
        """Agree to the open proposal, decline it, or withdraw one's own; nothing where there is none to answer."""
        if self.is_answer_due or (self.is_own and not agree):
            self._client.send(protocol.Answer(agree=agree))
            self._client.proposal = None  # answered once; the host tells it again where others are asked still

    def is_holding(self) -> bool:
        """Return True if the game is held for a take-back that a turn would overtake."""
        proposal, now = self._client.proposal, monotonic()
        if proposal is None or proposal.what != "undo":
            return False
        start = self._hold_starts.get(proposal.seat, -HOLD_INTERVAL)
        if now >= start + HOLD_INTERVAL:
            self._hold_starts[proposal.seat] = start = now
        return now < start + ANSWER_TIME

    def settle(self, event: protocol.Settled) -> None:
        """Take the end of a proposal; once all have agreed, every seat may hold the game again."""
        if event.agreed:
            self._hold_starts.clear()

    def text(self, participants: Sequence[Participant], *, has_turns: bool) -> str:
        """Sentence on the open proposal, empty without one; without turns they are not told."""
        proposal = self._client.proposal
        if proposal is None:
            return ""
        undone = match_text.undone_text((proposal.turns or 0) + 1, self._match.turn_count, has_turns=has_turns)
        what = "for another game" if proposal.what == "rematch" else f"to take {undone} back"
        if self.is_own:
            return f"You have asked {what}."
        names = {person.seat: person.name for person in participants}
        return f"{names.get(proposal.seat, self._match.game.seat_names[proposal.seat])} asks {what}."
