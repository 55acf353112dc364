"""The table of Tinkle: groups, who put which card down and when, and whether it may stand so."""

from __future__ import annotations

from flicksim.base.codec import Value
from flicksim.cards import Card
from flicksim.games.tinkle.deck import WILD, Options, kind, points
from flicksim.games.tinkle.sets import CONTRACTS, LEAST, contract_met, purer


class Put(Value, frozen=True, kw_only=True):
    """A card on the table: who put it there, in which turn of the round."""

    card: Card
    by: int
    turn: int


class Group(Value, frozen=True, kw_only=True):
    """Cards of one rank with wilds among them.

    Args:
        number: how players call it. owner: who melded it. puts: its cards in order.
    """

    number: int
    owner: int
    puts: tuple[Put, ...]

    @property
    def rank(self) -> int | None:
        """Rank of its naturals; None while it has none."""
        return next((kind(put.card) for put in self.puts if kind(put.card) != WILD), None)

    @property
    def made(self) -> int:
        """Turn in which it was melded."""
        return self.puts[0].turn

    def mix(self, by: int | None = None, turn: int | None = None) -> tuple[int, int]:
        """Naturals and wilds in it, of one seat or one turn where that is said."""
        naturals = wilds = 0
        for put in self.puts:
            if (by is None or put.by == by) and (turn is None or put.turn == turn):
                if kind(put.card) == WILD:
                    wilds += 1
                else:
                    naturals += 1
        return naturals, wilds


Groups = tuple[Group, ...]


def zone_of(number: int) -> str:
    """Name of the zone a group's cards lie in: "group:3"."""
    return f"group:{number}"


def find(groups: Groups, number: int) -> Group | None:
    """The group of that number."""
    return next((group for group in groups if group.number == number), None)


def add(groups: Groups, number: int, cards: tuple[Card, ...], seat: int, turn: int) -> Groups:
    """Cards added to a group, or a new one."""
    puts = tuple(Put(card=card, by=seat, turn=turn) for card in cards)
    group = find(groups, number)
    if group is None:
        return (*groups, Group(number=number, owner=seat, puts=puts))
    more = Group(number=number, owner=group.owner, puts=(*group.puts, *puts))
    return tuple(more if one is group else one for one in groups)


def take(groups: Groups, number: int, card: Card, turn: int) -> Groups:
    """A card of this turn taken out of a group; an empty group is gone (TK-9d)."""
    found = []
    for group in groups:
        puts = group.puts
        if group.number == number:
            at = max(k for k, put in enumerate(puts) if put.card is card and put.turn == turn)
            puts = puts[:at] + puts[at + 1 :]
        if puts:
            found.append(Group(number=group.number, owner=group.owner, puts=puts))
    return tuple(found)


def fresh(groups: Groups, turn: int) -> list[tuple[Group, Card]]:
    """Every card put down this turn and where, once for each face in a group (TK-9d, TK-9f)."""
    found: dict[tuple[int, Card], tuple[Group, Card]] = {}
    for group in groups:
        for put in group.puts:
            if put.turn == turn:
                found[group.number, put.card] = (group, put.card)
    return list(found.values())


def opens(groups: Groups, seat: int, turn: int, round_: int, options: Options) -> bool:
    """True where what a seat has melded this turn contains the round's contract (TK-5b, TK-6d, TK-9a)."""
    made = [
        (group.rank or WILD, len(group.puts))
        for group in groups
        if group.owner == seat and group.made == turn and purer(*group.mix())
    ]
    return contract_met(made, CONTRACTS[round_ - 1], options.contract_size == "exactly", options.same_rank_groups)


def may_add_wild(group: Group, seat: int, turn: int, options: Options) -> bool:
    """True where one more wild of a seat leaves a group as it must be (TK-7b, TK-7c)."""
    naturals, wilds = group.mix()
    if not purer(naturals, wilds + 1):
        return False
    if group.owner == seat:
        return True
    naturals, wilds = group.mix(seat, turn if options.layoff_scope == "per_turn" else None)
    return purer(naturals, wilds + 1)


def trouble(
    groups: Groups, seat: int, turn: int, round_: int, opened: bool, options: Options
) -> tuple[str, str] | None:
    """The reason why a seat may not leave the table so: ledger id and sentence; None when it may."""
    touched = [group for group in groups if any(put.turn == turn for put in group.puts)]
    for group in touched:
        naturals, wilds = group.mix()
        name = f"group {group.number} ({' '.join(str(put.card) for put in group.puts)})"
        if group.made == turn and len(group.puts) < LEAST:
            return "TK-9b", f"{name} has only {len(group.puts)}; a group has at least {LEAST} cards"
        if not purer(naturals, wilds):
            row = "TK-7a" if not naturals else "TK-7b"
            return row, f"{name} has {naturals} natural and {wilds} wild cards; naturals must be more"
        if group.owner != seat:
            scope = turn if options.layoff_scope == "per_turn" else None
            naturals, wilds = group.mix(seat, scope)
            if not purer(naturals, wilds):
                return (
                    "TK-7c",
                    f"your own cards in {name} are {naturals} natural and {wilds} wild; naturals must be more",
                )
    if touched and not opened and not opens(groups, seat, turn, round_, options):
        need = CONTRACTS[round_ - 1]
        row = "TK-6" + "abcdefgh"[round_ - 1]
        what = f"one group of {need[0]}" if len(need) == 1 else f"two groups of {need[0]}"
        exact = " exactly" if options.contract_size == "exactly" else " or more"
        return row, f"what you put down does not contain the contract of round {round_}: {what}{exact}"
    return None


def tabled(groups: Groups, seat: int) -> int:
    """Points a seat has put on the table, on whomever's group (TK-2c, TK-14b)."""
    return sum(points(put.card) for group in groups for put in group.puts if put.by == seat)
