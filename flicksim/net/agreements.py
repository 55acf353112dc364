"""Agreements of the people at a table: take-backs and another game need the consent of all."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from flicksim.core.errors import FlicksimError, InvalidInput
from flicksim.match import Match
from flicksim.net import protocol
from flicksim.net.chair import Chair


class Agreements:
    """Proposals of a table, of which one is open at a time; it is carried out once nobody's answer is due.

    Args:
        chairs: of the table. tell: sends a message to everybody.
        carry_out: does what all have agreed to, and settles the proposal (`settle`).
    """

    def __init__(
        self, chairs: Sequence[Chair], tell: Callable[[protocol.Message], None],
        carry_out: Callable[[protocol.Proposal], Awaitable[None]],
    ) -> None:  # fmt: skip
        self._chairs, self._tell, self._carry_out = chairs, tell, carry_out
        self.open: protocol.Proposal | None = None
        """Proposal that is open."""

    async def propose(self, chair: Chair, message: protocol.Propose, match: Match) -> None:
        """Open a proposal in place of the one before; without others at the table it is carried out at once.

        To propose what is proposed is to agree, so that people who press the same button at once do not wait.

        Raises:
            InvalidInput: the match has nothing to take back, or is not over. FlicksimError: it cannot be carried out.
        """
        turns = message.turns
        if message.what == "rematch" and not match.is_over:
            raise InvalidInput("another game begins when this one is over")
        if message.what == "undo":
            last = [k for k, turn in enumerate(match.turns) if turn.seat in chair.seats]
            if turns is None and not last:
                raise InvalidInput("there is nothing to take back: you have played no turn yet")
            turns = last[-1] if turns is None else turns
            if not 0 <= turns < len(match.turns):
                raise InvalidInput(f"there is nothing to take back to turn {turns}; {len(match.turns)} are played")
        proposal = self.open
        if proposal is not None and (proposal.what, proposal.turns) == (message.what, turns):
            await self._count_agreed(proposal, chair)
            return
        self.settle(agreed=False)
        others = tuple(other.seats[0] for other in self._chairs if other.token_digest and other is not chair)
        await self._ask(protocol.Proposal(what=message.what, seat=chair.seats[0], turns=turns, waiting=others))

    async def answer(self, chair: Chair, message: protocol.Answer) -> None:
        """Take the answer of a chair to the open proposal; its own seat can withdraw it.

        Raises:
            InvalidInput: none is open, or its own seat agrees. FlicksimError: it cannot be carried out.
        """
        proposal = self.open
        if proposal is None:
            raise InvalidInput("no proposal is open")
        if chair.seats[0] == proposal.seat and message.agree:
            raise InvalidInput("the others answer a proposal; its own seat can only withdraw it")
        if message.agree:
            await self._count_agreed(proposal, chair)
        else:
            self.settle(agreed=False, withdrawn=chair.seats[0] == proposal.seat)

    def join(self, chair: Chair) -> None:
        """Ask whoever has just sat down at a chair for an answer to the open proposal too, if any."""
        if self.open is not None:
            self.open = msgspec.structs.replace(self.open, waiting=(*self.open.waiting, chair.seats[0]))
            self._tell(self.open)

    async def leave(self, chair: Chair) -> None:
        """Withdraw the open proposal of a chair that is left, or wait no longer for its answer."""
        proposal = self.open
        if proposal is not None and proposal.seat in chair.seats:
            self.settle(agreed=False, withdrawn=True)
        elif proposal is not None:
            await self._count_agreed(proposal, chair)

    def settle(self, *, agreed: bool, withdrawn: bool = False) -> None:
        """End the open proposal, if any: all agreed, or it was refused, withdrawn or overtaken."""
        if self.open is not None:
            what, self.open = self.open.what, None
            self._tell(protocol.Settled(what=what, agreed=agreed, withdrawn=withdrawn))

    async def _count_agreed(self, proposal: protocol.Proposal, chair: Chair) -> None:
        waiting = tuple(seat for seat in proposal.waiting if seat not in chair.seats)
        await self._ask(msgspec.structs.replace(proposal, waiting=waiting))

    async def _ask(self, proposal: protocol.Proposal) -> None:
        """Tell a proposal to those who have not answered, or carry it out; one that fails is settled too."""
        self.open = proposal
        if proposal.waiting:
            self._tell(proposal)
            return
        try:
            await self._carry_out(proposal)
        except FlicksimError:
            self.settle(agreed=False)
            raise
