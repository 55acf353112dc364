"""Packs, card points, deals and options of Tinkle."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from flicksim.cards import Card, Zone, Zones, deal, hand_zone, make_decks, purse_name, shuffle
from flicksim.core.errors import InvalidOption
from flicksim.core.random_streams import RandomStreams
from flicksim.referee import GameOptions, load_option_help

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gus", "Hal")
HANDS = tuple(hand_zone(seat) for seat in range(len(NAMES)))
TOKENS = tuple(purse_name("tokens", seat) for seat in range(len(NAMES)))
STOCK, DISCARD, JAR = "stock", "discard", "jar"

ROUNDS = 8
HAND_SIZE = 13
"""Cards dealt to every seat (TK-4e)."""
STARTING_TOKENS = 10
"""Tokens given to every seat (TK-3d)."""
STOCK_CARDS_PER_TOKEN = 3
"""Stock cards that come with every token (TK-8e)."""

WILD = 0
"""Kind of wild cards; the kind of any other card is its rank."""
POINTS = (50, 20, 0, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10)
"""Points of a card by kind (TK-14c to TK-14f)."""


class Options(GameOptions, frozen=True, kw_only=True):
    """Options of Tinkle."""

    HELP: ClassVar[Mapping[str, str]] = load_option_help(Path(__file__).parent)
    max_players: Annotated[int, Meta(ge=3, le=8)] = 8
    jokers: Literal["2_per_pack", "players_minus_1"] | Annotated[int, Meta(ge=0, le=12)] = "2_per_pack"
    packs: Literal["auto"] | Annotated[int, Meta(ge=1, le=6)] = "auto"
    tokens_per: Literal["game", "round"] = "game"
    no_meld: Literal["actual", "flat65"] = "actual"
    cut_bonus: bool = True
    cut: Annotated[int, Meta(ge=1, le=400)] | None = None
    single_card: Literal["keep", "must_lay"] = "keep"
    contract_size: Literal["at_least", "exactly"] = "at_least"
    same_rank_groups: bool = True
    layoff_scope: Literal["cumulative", "per_turn"] = "cumulative"
    max_tinkle: Annotated[int, Meta(ge=1, le=10)] | None = None
    later_melds: bool = True
    new_pack_jokers: bool = True
    tie: Literal["joint", "last_round"] = "joint"
    max_turns: Annotated[int, Meta(ge=5, le=1000)] | None = 100


def kind(card: Card) -> int:
    """Kind of a card: its rank, or `WILD` for jokers and twos (TK-7a)."""
    return WILD if card.rank in (0, 2) else card.rank


def points(card: Card) -> int:
    """Points of a card on the table or against one in hand (TK-14c to TK-14f)."""
    return POINTS[kind(card)]


def count_kinds(cards: tuple[Card, ...]) -> list[int]:
    """Number of cards of each kind."""
    counts = [0] * 14
    for card in cards:
        counts[kind(card)] += 1
    return counts


def pack(options: Options, seats: int) -> tuple[Card, ...]:
    """All cards of a round, in order (TK-3b, TK-3c)."""
    number = options.packs if options.packs != "auto" else 2 if seats < 5 else 3
    jokers = options.jokers
    if jokers == "2_per_pack":
        return make_decks(number, 2 * number)
    return make_decks(number, seats - 1 if jokers == "players_minus_1" else jokers)


def new_pack(options: Options) -> tuple[Card, ...]:
    """Additional pack for when no card is left, like the others (TK-13d)."""
    return make_decks(1, 2 if options.new_pack_jokers and options.jokers != 0 else 0)


def check_seats_and_options(options: Options, seats: int) -> None:
    """Check that the number of seats fits the options.

    Raises:
        InvalidOption: it does not; the message gives the reason.
    """
    if seats > options.max_players:
        raise InvalidOption(f"max_players={options.max_players} keeps {seats} players from the table (TK-3a)")
    need, have = HAND_SIZE * seats + 1, len(pack(options, seats))
    if have < need:
        raise InvalidOption(f"packs={options.packs} gives {have} cards; {seats} players need {need} (TK-3c)")


def deal_round(options: Options, seats: int, dealer: int, seeds: RandomStreams, tokens: dict[str, int]) -> Zones[Card]:
    """Deal a round from the dealer's left, one card up, the rest as stock (TK-4d, TK-4e, TK-4h, TK-4i)."""
    hands, rest = deal(shuffle(pack(options, seats), seeds), seats, HAND_SIZE, (dealer + 1) % seats)
    piles = {
        HANDS[seat]: Zone(owner=seat, sees="owner", cards=tuple(sorted(cards))) for seat, cards in enumerate(hands)
    }
    piles[STOCK] = Zone(sees="nobody", cards=rest[:-1])
    piles[DISCARD] = Zone(cards=rest[-1:])
    return Zones(piles=piles, purses=tokens)


def cut_size(options: Options, seats: int, seeds: RandomStreams) -> int:
    """Number of cards the dealer cuts: the given number, or an estimate with a seeded error (TK-4f)."""
    if options.cut is not None:
        if options.cut > len(pack(options, seats)):
            raise InvalidOption(
                f"cut={options.cut} is more than the {len(pack(options, seats))} cards there are (TK-4f)"
            )
        return options.cut
    mean = HAND_SIZE * seats + 1
    # assumed: people cut with a relative standard deviation of 8 percent; one cut in ten to fifteen is exact
    return max(1, min(len(pack(options, seats)), round(seeds.generator().normal(mean, 0.08 * mean))))


def cut_bonus(options: Options, seats: int, cards: int) -> int:
    """Bonus of a cut: 100 for all hands and the upcard, 50 for one that lacks just the upcard (TK-4f, TK-4g)."""
    if not options.cut_bonus:
        return 0
    return {HAND_SIZE * seats + 1: 100, HAND_SIZE * seats: 50}.get(cards, 0)
