"""The cards of Tinkle: how many packs, what a card counts, how a round is dealt and cut, and every switch."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from flicksim.base.errors import BadOption
from flicksim.base.seeding import Seeds
from flicksim.cards import Card, Zone, Zones, deal, hand, packs, purse, shuffled
from flicksim.referee import Switches, says

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal")
HANDS = tuple(hand(seat) for seat in range(len(NAMES)))
TOKENS = tuple(purse("tokens", seat) for seat in range(len(NAMES)))
STOCK, DISCARD, JAR = "stock", "discard", "jar"

ROUNDS = 8
HAND = 13
"""Cards dealt to every seat (TK-4e)."""
PURSE = 10
"""Tokens given to every seat (TK-3d)."""
EXTRA = 3
"""Stock cards that come with every token (TK-8e)."""

WILD = 0
"""The kind of all wild cards; the kind of any other card is its rank."""
POINTS = (50, 20, 0, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10)
"""Points of a card by kind (TK-14c to TK-14f)."""


class Options(Switches, frozen=True, kw_only=True):
    """Every switch of Tinkle."""

    max_players: Annotated[Annotated[int, Meta(ge=3, le=8)], says("most players (TK-3a)")] = 8
    jokers: Annotated[
        Literal["2_per_pack", "players_minus_1"] | Annotated[int, Meta(ge=0, le=12)],
        says("jokers in the cards: two a pack, one less than players, or so many (TK-3b)"),
    ] = "2_per_pack"
    packs: Annotated[
        Literal["auto"] | Annotated[int, Meta(ge=1, le=6)],
        says("packs; auto takes two, or three for five and more (TK-3c)"),
    ] = "auto"
    tokens_per: Annotated[
        Literal["game", "round"], says("ten tokens for the whole game, or for every round (TK-3d)")
    ] = "game"
    no_meld: Annotated[
        Literal["actual", "flat65"], says("who melds nothing loses what he holds, or 65 flat (TK-3g)")
    ] = "actual"
    cut_bonus: Annotated[bool, says("a dealer who cuts just what is needed gains 100 or 50 (TK-4f, TK-4g)")] = True
    cut: Annotated[
        Annotated[int, Meta(ge=1, le=400)] | None,
        says("cards every dealer cuts; none draws a cut by the seed (TK-4f)"),
    ] = None
    single_card: Annotated[
        Literal["keep", "must_lay"], says("a last card may be kept, or only one that fits nowhere (TK-5e)")
    ] = "keep"
    contract_size: Annotated[
        Literal["at_least", "exactly"],
        says("contract groups have at least, or exactly, their size at the end of the turn that opens (TK-6a)"),
    ] = "at_least"
    same_rank_groups: Annotated[bool, says("both contract groups may be of one rank (TK-6b)")] = True
    layoff_scope: Annotated[
        Literal["cumulative", "per_turn"],
        says("more naturals than wilds in all one has laid off on another's group, or in each turn's (TK-7c)"),
    ] = "cumulative"
    max_tinkle: Annotated[
        Annotated[int, Meta(ge=1, le=10)] | None, says("most tokens at once; none: as many as there are (TK-8f)")
    ] = None
    later_melds: Annotated[bool, says("further groups may be melded in later turns too (TK-9b)")] = True
    new_pack_jokers: Annotated[
        bool, says("a new pack brought in has its two jokers, where the others have any (TK-13d)")
    ] = True
    tie: Annotated[
        Literal["joint", "last_round"], says("level totals win jointly, or the last round's score decides (TK-14g)")
    ] = "joint"
    max_turns: Annotated[
        Annotated[int, Meta(ge=5, le=1000)] | None,
        says("turns each after which a round that nobody can finish is counted as it stands; none: no end (TK-12a)"),
    ] = 100


def kind(card: Card) -> int:
    """Its rank, or `WILD` for jokers and twos (TK-7a)."""
    return WILD if card.rank in (0, 2) else card.rank


def points(card: Card) -> int:
    """Points of a card on the table or against one in hand (TK-14c to TK-14f)."""
    return POINTS[kind(card)]


def count(cards: tuple[Card, ...]) -> list[int]:
    """The number of cards of each kind."""
    found = [0] * 14
    for card in cards:
        found[kind(card)] += 1
    return found


def pack(options: Options, seats: int) -> tuple[Card, ...]:
    """All cards of a round, in order (TK-3b, TK-3c)."""
    number = options.packs if options.packs != "auto" else 2 if seats < 5 else 3
    jokers = options.jokers
    if jokers == "2_per_pack":
        return packs(number, 2 * number)
    return packs(number, seats - 1 if jokers == "players_minus_1" else jokers)


def new_pack(options: Options) -> tuple[Card, ...]:
    """The pack that is brought in when no card is left: as the others (TK-13d)."""
    return packs(1, 2 if options.new_pack_jokers and options.jokers != 0 else 0)


def check_table(options: Options, seats: int) -> None:
    """See that so many can play this.

    Raises:
        BadOption: they cannot; says why.
    """
    if seats > options.max_players:
        raise BadOption(f"max_players={options.max_players} keeps {seats} players from the table (TK-3a)")
    need, have = HAND * seats + 1, len(pack(options, seats))
    if have < need:
        raise BadOption(f"packs={options.packs} gives {have} cards; {seats} players need {need} (TK-3c)")


def opening(options: Options, seats: int, dealer: int, seeds: Seeds, purses: dict[str, int]) -> Zones[Card]:
    """A round dealt from the dealer's left, one card up, the rest as stock (TK-4d, TK-4e, TK-4h, TK-4i)."""
    hands, rest = deal(shuffled(pack(options, seats), seeds), seats, HAND, (dealer + 1) % seats)
    piles = {
        HANDS[seat]: Zone(owner=seat, sees="owner", cards=tuple(sorted(cards))) for seat, cards in enumerate(hands)
    }
    piles[STOCK] = Zone(sees="nobody", cards=rest[:-1])
    piles[DISCARD] = Zone(cards=rest[-1:])
    return Zones(piles=piles, purses=purses)


def cut(options: Options, seats: int, seeds: Seeds) -> int:
    """The number of cards the dealer cuts: the caller's figure, or an honest try with a seeded error (TK-4f)."""
    if options.cut is not None:
        if options.cut > len(pack(options, seats)):
            raise BadOption(f"cut={options.cut} is more than the {len(pack(options, seats))} cards there are (TK-4f)")
        return options.cut
    aim = HAND * seats + 1
    # people cut within about a tenth of what they aim at; one try in ten to fifteen is exact
    return max(1, min(len(pack(options, seats)), round(seeds.generator().normal(aim, 0.08 * aim))))


def cut_bonus(options: Options, seats: int, cards: int) -> int:
    """100 for a packet of all hands and the upcard, 50 for one that lacks just the upcard (TK-4f, TK-4g)."""
    if not options.cut_bonus:
        return 0
    return {HAND * seats + 1: 100, HAND * seats: 50}.get(cards, 0)
