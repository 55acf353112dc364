"""View of a Tinkle round in counts by kind, for the heuristic and for rollouts: suits and copies do not matter."""

from dataclasses import dataclass

from flicksim.games.tinkle import deck
from flicksim.games.tinkle.action_generation import missing_contract
from flicksim.games.tinkle.contracts import CONTRACTS, GroupPlan, opening_groups, wild_capacity
from flicksim.games.tinkle.deck import DISCARD, HANDS, TOKENS, WILD
from flicksim.games.tinkle.melds import cards_put_this_turn, meets_opening
from flicksim.games.tinkle.state import State

DRAW, TINKLE, MELD, LAY, DISCARD_CARD, KEEP = range(6)
Step = tuple[int, int, int, int]
"""Encoded action: type, then its arguments (tokens; rank, naturals, wilds; group, kind; kind), padded by zeros."""


@dataclass(frozen=True, slots=True)
class GroupView:
    """Group on the table.

    Args:
        rank: of its naturals. wild_capacity: number of wilds it can take. owner: seat that melded it.
        seat_capacity: number of wilds each seat may lay off on it, by its own lay-offs; -1 for the owner.
    """

    rank: int
    wild_capacity: int
    owner: int
    seat_capacity: tuple[int, ...]


class RoundView:
    """Round as the seat to play sees it.

    Attributes:
        hand: number of cards of each kind in its hand. discard: kinds of the discards, the top last.
        contract: sizes of the groups to open with. missing: those that the seat still lacks this turn.
        ranks_used: ranks of the groups of the contract melded this turn; 0 for a complete contract.
        groups: groups on the table. old_groups: number of groups from before this turn.
    """

    def __init__(self, state: State) -> None:
        seat, turn, options = state.to_play, state.turn, state.options
        assert seat is not None
        scope = turn if options.layoff_scope == "per_turn" else None
        self.state, self.seat, self.opened = state, seat, state.opened[seat]
        self.hand = deck.count_kinds(state.zones.cards(HANDS[seat]))
        self.discard = [deck.kind(card) for card in state.zones.cards(DISCARD)]
        self.tokens = state.zones.purses[TOKENS[seat]]
        self.groups = [
            GroupView(
                group.rank or 3,
                wild_capacity(*group.naturals_and_wilds()),
                group.owner,
                tuple(
                    -1 if at == group.owner else wild_capacity(*group.naturals_and_wilds(at, scope))
                    for at in range(state.seats)
                ),
            )
            for group in state.groups
        ]
        self.old_groups = sum(group.melded_turn != turn for group in state.groups)
        self.contract = CONTRACTS[state.round - 1]
        self.missing: tuple[int, ...] = () if self.opened else self.contract
        self.ranks_used: tuple[int, ...] = ()
        if not self.opened and cards_put_this_turn(state.groups, turn):
            missing = missing_contract(state, seat)
            is_complete = missing is None or meets_opening(state.groups, seat, turn, state.round, options)
            self.missing, ranks = ((), ()) if is_complete or missing is None else missing
            self.ranks_used = ranks or (0,)

    def opening_groups(self) -> GroupPlan | None:
        """Opening groups with the fewest wilds; None if the hand cannot open."""
        return opening_groups(self.hand, self.missing, self.state.options.same_rank_groups, self.ranks_used)

    def lay_off_steps(self) -> list[Step]:
        """Lay-offs of single cards (TK-7b, TK-7c, TK-10a)."""
        exact = self.state.options.contract_size == "exactly" and not self.opened
        # no lay-off on an exact contract in the opening turn
        groups = list(enumerate(self.groups[: self.old_groups] if exact else self.groups))
        steps: list[Step] = [(LAY, index, group.rank, 0) for index, group in groups if self.hand[group.rank]]
        if self.hand[WILD]:
            steps += [
                (LAY, index, WILD, 0)
                for index, group in groups
                if group.wild_capacity > 0 and (group.owner == self.seat or group.seat_capacity[self.seat] > 0)
            ]
        return steps
