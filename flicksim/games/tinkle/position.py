"""Position notation of Tinkle, and position editing.

All hands are open; cards that are nowhere are the stock, in an order that the seed gives. The jar follows from the
tokens, and who has melded the contract from the groups; of finished rounds only the points are kept.
"""

import collections
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flicksim.cards import Card, Zone, Zones, shuffle
from flicksim.core.errors import InvalidOption
from flicksim.core.limits import SeedInt, Text, Title
from flicksim.core.paths import assets_dir
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.games.tinkle import deck, melds
from flicksim.games.tinkle.deck import DISCARD, HANDS, JAR, NAMES, ROUNDS, STARTING_TOKENS, STOCK, TOKENS, WILD, Options
from flicksim.games.tinkle.legal_actions import turn_end_problem
from flicksim.games.tinkle.state import State
from flicksim.referee import CardZone, Counter, UnruledPositions

_MIN_SEATS = 3
_Seat = Annotated[int, Meta(ge=0, lt=len(NAMES))]
_Pile = Annotated[tuple[Card, ...], Meta(max_length=1000)]
_BySeat = Meta(max_length=len(NAMES))


class CardGroup(Value, frozen=True, kw_only=True, omit_defaults=True):
    """Group on the table.

    Args:
        owner: seat that melded it. cards: in the order they were put down.
        by: seat that put down each card; if omitted, the owner.
        new: number of the last cards that were put down in this turn, and may be taken back.
        number: number for people; if omitted, its place in the list, from 1.
    """

    owner: _Seat
    cards: _Pile
    by: Annotated[tuple[_Seat, ...], Meta(max_length=1000)] = ()
    new: Annotated[int, Meta(ge=0, le=1000)] = 0
    number: Annotated[int, Meta(ge=0, le=1000)] = 0

    def __post_init__(self) -> None:
        if set(self.by) == {self.owner} and len(self.by) == len(self.cards):
            msgspec.structs.force_setattr(self, "by", ())

    @property
    def seats(self) -> tuple[int, ...]:
        """Seat that put down each card."""
        return self.by or (self.owner,) * len(self.cards)

    def to_group(self, number: int, turn: int, *, new: bool = True) -> melds.Group:
        """Convert to a group of the state, with or without the cards of this turn; earlier turns are 0."""
        old = len(self.cards) - self.new
        puts = [
            melds.PlacedCard(card=card, by=seat, turn=turn if place >= old else 0)
            for place, (card, seat) in enumerate(zip(self.cards, self.seats, strict=True))
            if new or place < old
        ]
        return melds.Group(number=self.number or number, owner=self.owner, puts=tuple(puts))


class Position(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: note on what is instructive in it.
        hands: cards of each seat. groups: on the table. discards: from the bottom to the top.
        to_play: seat to act next, from 0. phase: a draw is due, or it was made.
        tokens: of each seat; if omitted, ten each. known: cards that each seat is known to hold.
        scores: points of finished rounds by seat; if omitted, 0. round: number of the round. turn: number of the turn
            within it. dealer: seat that dealt it. cut: cards that the dealer cut.
        added_packs: packs brought in when no card was left. seed: of stock and later deals. options: of the game.
    """

    title: Title
    look: Text = ""
    hands: Annotated[tuple[_Pile, ...], _BySeat]
    groups: Annotated[tuple[CardGroup, ...], Meta(max_length=200)] = ()
    discards: _Pile
    to_play: _Seat = 0
    phase: Literal["draw", "play"] = "draw"
    tokens: Annotated[tuple[Annotated[int, Meta(ge=0, le=80)], ...], _BySeat] = ()
    known: Annotated[tuple[_Pile, ...], _BySeat] = ()
    scores: Annotated[tuple[Annotated[int, Meta(ge=-100_000, le=100_000)], ...], _BySeat] = ()
    round: Annotated[int, Meta(ge=1, le=ROUNDS)] = 1
    turn: Annotated[int, Meta(ge=1, le=8000)] = 1
    dealer: _Seat = 0
    cut: Annotated[int, Meta(ge=0, le=400)] = 0
    added_packs: Annotated[int, Meta(ge=0, le=10)] = 0
    seed: SeedInt = 1
    options: Options = Options()

    def __post_init__(self) -> None:
        # one way of writing each position
        replaced = {
            "hands": tuple(tuple(sorted(hand)) for hand in self.hands),
            "known": tuple(tuple(sorted(cards)) for cards in self.known) if any(self.known) else (),
            "tokens": () if self.tokens == (STARTING_TOKENS,) * self.seats else self.tokens,
            "scores": self.scores if any(self.scores) else (),
        }
        for name, value in replaced.items():
            msgspec.structs.force_setattr(self, name, value)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.hands)

    def problems(self) -> list[str]:
        """List the problems of the position, one sentence each; empty if it can be played from."""
        return (
            _table_problems(self)
            or [*_card_problems(self), *_group_problems(self)]
            or [*_contract_problems(self), *_turn_problems(self)]
        )


def _table_problems(position: Position) -> list[str]:
    """Problems of seats, options, tokens and turns."""
    seats, options = position.seats, position.options
    if seats < _MIN_SEATS:
        return [f"there are {seats} hands; the game is for three and more players (TK-3a)"]
    try:
        deck.check_seats_and_options(options, seats)
    except InvalidOption as error:
        return [str(error)]
    named = [("to_play", position.to_play), ("dealer", position.dealer)]
    named += [(f"the owner of group {k}", group.owner) for k, group in enumerate(position.groups, 1)]
    named += [(f"'by' of group {k}", seat) for k, group in enumerate(position.groups, 1) for seat in group.by]
    problems = [f"{name} is seat {seat}; with {seats} hands seats are 0 to {seats - 1}"
                for name, seat in named if seat >= seats]  # fmt: skip
    by_seat = {"tokens": position.tokens, "known": position.known, "scores": position.scores}
    problems += [f"{name} are of {len(values)} seats; there are {seats} hands"
                 for name, values in by_seat.items() if values and len(values) != seats]  # fmt: skip
    if sum(position.tokens) > STARTING_TOKENS * seats:
        problems.append(
            f"the tokens come to {sum(position.tokens)}; {seats} players were given {STARTING_TOKENS} each (TK-3d)"
        )
    if options.max_turns is not None and position.turn > options.max_turns * seats:
        problems.append(f"turn {position.turn} is after {options.max_turns} turns each: the round is over (TK-12a)")
    return problems


def _all_cards(position: Position) -> collections.Counter[Card]:
    """Cards of the round, packs brought in included."""
    return collections.Counter(
        deck.pack(position.options, position.seats) + deck.new_pack(position.options) * position.added_packs
    )


def _placed_cards(position: Position) -> collections.Counter[Card]:
    piles = (*position.hands, position.discards, *(group.cards for group in position.groups))
    return collections.Counter(card for pile in piles for card in pile)


def _stock(position: Position) -> tuple[Card, ...]:
    """Cards that are nowhere else, in order."""
    return tuple(sorted((_all_cards(position) - _placed_cards(position)).elements()))


def _card_problems(position: Position) -> list[str]:
    """Problems of the cards: too many of a face, a hand that is empty, known cards that are not held."""
    every = _all_cards(position)
    problems = [f"{card} is in {count} places; of {every[card]} in the game (TK-3b)"
                for card, count in sorted(_placed_cards(position).items()) if count > every[card]]  # fmt: skip
    problems += [
        f"{NAMES[seat]} has no card left: the round is over (TK-14a)"
        for seat, hand in enumerate(position.hands)
        if not hand and (seat, "play") != (position.to_play, position.phase)
    ]
    for seat, known in enumerate(position.known):
        missing = collections.Counter(known) - collections.Counter(position.hands[seat])
        problems += [f"{NAMES[seat]} is known to hold {card}, and does not (TK-8d)" for card in sorted(missing)]
    return problems


def _group_problems(position: Position) -> list[str]:
    """Problems of the groups, each by itself."""
    problems, numbers = list[str](), [group.number or k for k, group in enumerate(position.groups, 1)]
    if len(set(numbers)) < len(numbers):
        problems.append("two groups have the same number")
    for number, group in zip(numbers, position.groups, strict=True):
        name = f"group {number} ({' '.join(map(str, group.cards))})"
        old = len(group.cards) - group.new
        if len({deck.kind(card) for card in group.cards} - {WILD}) > 1:
            problems.append(f"{name} has more than one rank; a group has one (TK-2a)")
        if not group.cards or old < 0 or len(group.seats) != len(group.cards):
            problems.append(f"{name}: 'by' names a seat for each card, and 'new' counts its last cards")
            continue
        if group.seats[0] != group.owner:
            problems.append(f"{name} belongs to whoever put down its first card (TK-9b)")
        if group.new and position.phase == "draw":
            problems.append(f"{name} has cards put down in this turn; they are put down after the draw (TK-8b)")
        elif {*group.seats[old:]} - {position.to_play}:
            problems.append(f"{name} has cards of this turn that are not {NAMES[position.to_play]}'s (TK-2b)")
        if not old:
            continue
        settled = group.to_group(number, 1, new=False)
        if old < melds.MIN_GROUP_SIZE:
            problems.append(f"{name} is too small; a group has at least {melds.MIN_GROUP_SIZE} cards (TK-9b)")
        elif not melds.has_natural_majority(*settled.naturals_and_wilds()):
            problems.append(f"{name} needs more natural cards than wild ones (TK-7b)")
        problems += [f"{name}: {NAMES[seat]} laid off at least as many wild cards as natural ones (TK-7c)"
                     for seat in sorted({*group.seats[:old]} - {group.owner})
                     if not melds.has_natural_majority(*settled.naturals_and_wilds(seat))]  # fmt: skip
    return problems


def _contract_problems(position: Position) -> list[str]:
    """Problems of the contract: a seat that has put down cards in an earlier turn has melded it."""
    settled = [group.to_group(k, 1, new=False) for k, group in enumerate(position.groups, 1)]
    settled = [group for group in settled if group.puts]
    contract, rule = melds.CONTRACTS[position.round - 1], "TK-6" + "abcdefgh"[position.round - 1]
    wanted = f"{'a group' if len(contract) == 1 else 'two groups'} of {contract[0]}"
    problems = []
    for seat in sorted({put.by for group in settled for put in group.puts}):
        own = [group for group in settled if group.owner == seat]
        ranks = [group.rank or WILD for group in own if len(group.puts) >= contract[0]]
        if not own:
            problems.append(f"{NAMES[seat]} has laid cards off and melded no contract (TK-10b)")
        elif len(ranks if position.options.same_rank_groups else set(ranks)) < len(contract):
            problems.append(
                f"{NAMES[seat]} has melded without the contract of round {position.round}, {wanted} ({rule})"
            )
    return problems


def _turn_problems(position: Position) -> list[str]:
    """Problems of the turn: the seat to play has gone out."""
    if position.hands[position.to_play] or turn_end_problem(_make_state(position)):
        return []
    return [f"{NAMES[position.to_play]} has no card left: the round is over (TK-5d)"]


def _make_state(position: Position) -> State:
    seats, options, seeds = position.seats, position.options, RandomStreams(seed=position.seed)
    groups = tuple(group.to_group(k, position.turn) for k, group in enumerate(position.groups, 1))
    piles = {HANDS[seat]: Zone(owner=seat, sees="owner", cards=hand) for seat, hand in enumerate(position.hands)}
    piles[STOCK] = Zone(sees="nobody", cards=shuffle(_stock(position), seeds.spawn("stock")))
    piles[DISCARD] = Zone(cards=position.discards)
    piles |= {melds.group_zone(group.number): Zone(cards=tuple(put.card for put in group.puts)) for group in groups}
    tokens = position.tokens or (STARTING_TOKENS,) * seats
    purses = {TOKENS[seat]: count for seat, count in enumerate(tokens)}
    purses[JAR] = STARTING_TOKENS * seats - sum(tokens)
    opened = {group.owner for group in position.groups if len(group.cards) > group.new}
    return State(
        options=options, seats=seats, round=position.round, dealer=position.dealer, to_play=position.to_play,
        phase=position.phase, zones=Zones(piles=piles, purses=purses), turn=position.turn, groups=groups,
        opened=tuple(seat in opened for seat in range(seats)), known=position.known or ((),) * seats, cut=position.cut,
        scores=position.scores or (0,) * seats, seeds=seeds,
    )  # fmt: skip


def from_state(state: State, title: str) -> Position:
    """Position of a state.

    Raises:
        InvalidOption: the game is over, or hands are hidden.
    """
    if state.to_play is None or state.phase == "over":
        raise InvalidOption("the game is over; a position is written down while somebody is to play")
    zones, options, seats = state.zones, state.options, range(state.seats)
    if zones.has_hidden:
        raise InvalidOption("hands are hidden; a position is written down where all are seen")
    added = len(zones.all_cards()) - len(deck.pack(options, state.seats))
    return Position(
        title=title, hands=tuple(zones.cards(HANDS[seat]) for seat in seats), discards=zones.cards(DISCARD),
        groups=tuple(_from_group(group, k, state.turn) for k, group in enumerate(state.groups, 1)),
        to_play=state.to_play, phase=state.phase, tokens=tuple(zones.purses[TOKENS[seat]] for seat in seats),
        known=state.known, scores=state.scores, round=state.round, turn=state.turn, dealer=state.dealer, cut=state.cut,
        added_packs=added // len(deck.new_pack(options)), seed=1 if state.seeds is None else state.seeds.root_seed(),
        options=options,
    )  # fmt: skip


def _from_group(group: melds.Group, place: int, turn: int) -> CardGroup:
    return CardGroup(
        owner=group.owner, cards=tuple(put.card for put in group.puts), by=tuple(put.by for put in group.puts),
        new=sum(put.turn == turn for put in group.puts), number=0 if group.number == place else group.number,
    )  # fmt: skip


load, builtin_names, load_builtin, to_state, start_state, ruling_reasons = UnruledPositions(
    Position, "Tinkle", assets_dir() / "positions" / "tinkle", _make_state
).functions

# -- position editor ---------------------------------------------------------------------------------------------------

_NEW_GROUP = melds.group_zone(0)
_PHASES: tuple[Literal["draw", "play"], ...] = ("draw", "play")


def empty_position() -> Position:
    """Initial position of the editor."""
    return msgspec.structs.replace(load_builtin("keep_the_king"), title="Study", look="")


def zones(position: Position) -> tuple[CardZone, ...]:
    """Hands, discards, groups, a place for a new group, and stock."""
    hands = (CardZone(name=HANDS[seat], label=NAMES[seat], cards=hand, seat=seat)
             for seat, hand in enumerate(position.hands))  # fmt: skip
    groups = (CardZone(name=melds.group_zone(k), label=f"group {k}", cards=group.cards, seat=group.owner)
              for k, group in enumerate(position.groups, 1))  # fmt: skip
    return (
        *hands,
        CardZone(name=DISCARD, label="discards", cards=position.discards),
        *groups,
        CardZone(name=_NEW_GROUP, label="new group", cards=()),
        CardZone(name=STOCK, label="stock", cards=_stock(position), is_rest=True),
    )


def move_card(position: Position, card: Card, source: str, target: str, index: int) -> Position:
    """Move a card between hands, discards, groups and stock; on a group it is of the seat whose hand it comes from."""
    piles = {HANDS[seat]: list(hand) for seat, hand in enumerate(position.hands)}
    piles[DISCARD] = list(position.discards)
    groups = {melds.group_zone(k): _puts(group) for k, group in enumerate(position.groups, 1)} | {_NEW_GROUP: []}
    put = (card, HANDS.index(source) if source in HANDS else position.to_play, False)
    if source in piles:
        piles[source].remove(card)
    elif source in groups:
        put = next(put for put in reversed(groups[source]) if put[0] is card)
        groups[source].remove(put)
    if target in piles:
        piles[target].insert(index, card)
    elif target in groups:
        groups[target].insert(index, put)
    hands = tuple(tuple(piles[HANDS[seat]]) for seat in range(position.seats))
    known = tuple(
        tuple((collections.Counter(cards) & collections.Counter(hand)).elements())
        for cards, hand in zip(position.known, hands, strict=False)
    )
    new_group = groups.pop(_NEW_GROUP)
    return msgspec.structs.replace(
        position, hands=hands, discards=tuple(piles[DISCARD]), known=known,
        groups=tuple(_from_puts(puts) for puts in (*groups.values(), new_group) if puts),
    )  # fmt: skip


_Put = tuple[Card, int, bool]
"""Card of a group, who put it down, and whether that was in this turn."""


def _puts(group: CardGroup) -> list[_Put]:
    old = len(group.cards) - group.new
    return [(card, seat, k >= old) for k, (card, seat) in enumerate(zip(group.cards, group.seats, strict=False))]


def _from_puts(puts: list[_Put]) -> CardGroup:
    """Group of these cards, those of this turn last; it belongs to whoever put down the first."""
    puts = sorted(puts, key=lambda put: put[2])
    return CardGroup(
        owner=puts[0][1], cards=tuple(put[0] for put in puts), by=tuple(put[1] for put in puts),
        new=sum(put[2] for put in puts),
    )  # fmt: skip


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the seat to play; the cards put down in this turn are then of an earlier one."""
    groups = tuple(msgspec.structs.replace(group, new=0) for group in position.groups)
    return msgspec.structs.replace(position, to_play=seat, groups=groups)


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor: seats, round, what is due, and tokens."""
    tokens = position.tokens or (STARTING_TOKENS,) * position.seats
    most = STARTING_TOKENS * position.seats
    return (
        Counter(name="seats", label="Seats", value=position.seats, low=_MIN_SEATS, high=len(NAMES)),
        Counter(name="round", label="Round", value=position.round, low=1, high=ROUNDS),
        Counter(name="phase", label="Due", value=_PHASES.index(position.phase), low=0, high=1,
                words=("to draw", "drawn")),
        *(Counter(name=f"tokens-{seat}", label=f"{NAMES[seat]}, tokens", value=count, low=0, high=most)
          for seat, count in enumerate(tokens)),
    )  # fmt: skip


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters; seats are added, or removed with their cards."""
    tokens = list(position.tokens or (STARTING_TOKENS,) * position.seats)
    match name:
        case "seats":
            more = value - position.seats
            groups = ([put for put in _puts(group) if put[1] < value] for group in position.groups)
            return msgspec.structs.replace(
                position, hands=(*position.hands[:value], *((),) * more), known=(),
                groups=tuple(_from_puts(puts) for puts in groups if puts),
                tokens=(*tokens[:value], *(STARTING_TOKENS,) * more),
                scores=(*position.scores[:value], *(0,) * more) if position.scores else (),
                to_play=min(position.to_play, value - 1), dealer=min(position.dealer, value - 1),
            )  # fmt: skip
        case "round":
            return msgspec.structs.replace(position, round=value)
        case "phase":
            return msgspec.structs.replace(with_current_seat(position, position.to_play), phase=_PHASES[value])
    tokens[int(name.removeprefix("tokens-"))] = value
    return msgspec.structs.replace(position, tokens=tuple(tokens))
