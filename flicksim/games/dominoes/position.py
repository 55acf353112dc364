"""Position notation of Tiddly-Wink dominoes, and position editing.

All hands are open; tiles that are nowhere are in the boneyard. The line is written from the left; how each tile lies
follows from its neighbours. Without a line the round is to be led. Chips and pool follow from the points; of finished
rounds only the points are kept.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flicksim.cards import Tile, Zone, Zones, line_halves, shuffle, tile_mask, tile_set
from flicksim.core.errors import InvalidOption
from flicksim.core.limits import SeedInt, Text, Title
from flicksim.core.paths import assets_dir
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import Value
from flicksim.games.dominoes import bitboard, deck
from flicksim.games.dominoes.deck import BONEYARD, CHIPS, HANDS, LAYOUT, NAMES, POOL, Options
from flicksim.games.dominoes.state import State
from flicksim.referee import CardZone, Counter, UnruledPositions

_Seat = Annotated[int, Meta(ge=0, lt=len(NAMES))]
_Hands = Annotated[tuple[Annotated[tuple[Tile, ...], Meta(max_length=100)], ...], Meta(max_length=len(NAMES))]
_Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
_Number = Annotated[int, Meta(ge=0, le=12)]


class Position(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A position.

    Args:
        title: its name. look: note on what is instructive in it.
        hands: tiles of each seat. line: its tiles from the left; empty: to be led by the largest double, or turned up.
        led: the round's first tile; if omitted, the largest double of the line, else its first tile.
        to_play: seat to act next, from 0. phase: a tile is due, or a second tile after a double.
        lacks: numbers that each seat is known not to hold. passes: turns passed in a row.
        scores: points by seat; if omitted, 0. round: number of the round. dealer: seat that dealt it.
        seed: of later deals, and of the boneyard's order. options: options of the game.
    """

    title: Title
    look: Text = ""
    hands: _Hands
    line: Annotated[tuple[Tile, ...], Meta(max_length=100)]
    led: Tile | None = None
    to_play: _Seat = 0
    phase: Literal["tile", "second"] = "tile"
    lacks: tuple[tuple[_Number, ...], ...] = ()
    passes: Annotated[int, Meta(ge=0, lt=len(NAMES))] = 0
    scores: tuple[_Points, ...] = ()
    round: Annotated[int, Meta(ge=1, le=100)] = 1
    dealer: _Seat = 0
    seed: SeedInt = 1
    options: Options = Options()

    def __post_init__(self) -> None:
        # one way of writing each position
        replaced = {
            "hands": tuple(tuple(sorted(hand)) for hand in self.hands),
            "led": None if self.led is _default_lead(self.line) else self.led,
            "lacks": tuple(tuple(sorted(set(numbers))) for numbers in self.lacks) if any(self.lacks) else (),
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
        return _table_problems(self) or [*_tile_problems(self), *_line_problems(self)] or _turn_problems(self)


def _default_lead(line: tuple[Tile, ...]) -> Tile | None:
    doubles = [tile for tile in line if tile.is_double]
    return max(doubles, key=lambda tile: tile.high) if doubles else line[0] if line else None


def _table_problems(position: Position) -> list[str]:
    """Problems of seats, options and points."""
    seats, options = position.seats, position.options
    if seats < 2:
        return [f"there are {seats} hands; the game is for two and more players (DO-0a)"]
    try:
        deck.check_seats_and_options(options, seats)
    except InvalidOption as error:
        return [str(error)]
    problems = [
        f"{name} is seat {seat}; with {seats} hands seats are 0 to {seats - 1}"
        for name, seat in (("to_play", position.to_play), ("dealer", position.dealer))
        if seat >= seats
    ]
    problems += [
        f"{name} are of {len(values)} seats; there are {seats} hands"
        for name, values in (("lacks", position.lacks), ("scores", position.scores))
        if values and len(values) != seats
    ]
    if position.round > options.rounds:
        problems.append(f"round {position.round} is after the last one, {options.rounds} (DO-X4)")
    if position.passes >= seats:
        problems.append(f"{position.passes} turns in a row are passed; {seats} close the round (DO-X1)")
    if not deck.stake(options):
        problems += [f"{NAMES[seat]} has {points} points; rounds won are not below 0 (DO-B12)"
                     for seat, points in enumerate(position.scores) if points < 0]  # fmt: skip
    elif sum(position.scores) > 0:
        rule = "DO-A19" if deck.american(options) else "DO-B12"
        problems.append(
            f"the points come to {sum(position.scores)}; chips one wins others lose, so they come to 0 at most ({rule})"
        )
    return problems


def _tile_problems(position: Position) -> list[str]:
    """Problems of the tiles: in two places, not in the set, too many in a hand, known to lack."""
    seats, options = position.seats, position.options
    american, top = deck.american(options), deck.highest_half(options, seats)
    placed = [tile for pile in (*position.hands, position.line) for tile in pile]
    problems = [f"{tile} is in two places; each tile is there once ({'DO-A1' if american else 'DO-B1'})"
                for tile in sorted(set(placed)) if placed.count(tile) > 1]  # fmt: skip
    problems += [f"{tile} is not in the set, which goes up to {top}-{top} ({'DO-A3' if american else 'DO-B2'})"
                 for tile in sorted(set(placed)) if tile.high > top]  # fmt: skip
    dealt, rule = deck.hand_size(options, seats), "DO-A6" if american else "DO-B4"
    for seat, hand in enumerate(position.hands):
        if len(hand) > dealt:
            problems.append(f"{NAMES[seat]} holds {len(hand)} tiles; with {seats} players {dealt} are dealt ({rule})")
        if not hand:
            problems.append(f"{NAMES[seat]} has no tile left: the round is over ({'DO-A15' if american else 'DO-B12'})")
    for seat, numbers in enumerate(position.lacks):
        problems += [f"{NAMES[seat]} is known to hold no {number}, and holds {tile} (DO-X1)" for number in numbers
                     for tile in position.hands[seat] if number in (tile.high, tile.low)][:1]  # fmt: skip
    return problems


def _line_problems(position: Position) -> list[str]:
    """Problems of the line: tiles that do not match, a lead that cannot have been one."""
    line, american = position.line, deck.american(position.options)
    if not line:
        return [] if position.phase == "tile" and not position.passes else [
            "without a line the round is led first; nobody passes or plays a second tile "
            f"({'DO-A9' if american else 'DO-B8'})"
        ]  # fmt: skip
    halves = line_halves(line)
    for k, tile in enumerate(line[1:], 1):
        if halves[k][0] != (left := halves[k - 1][1]):
            rule = "DO-A13" if american else "DO-B10"
            return [f"{tile} does not match {line[k - 1]} at its left, where {left} is open ({rule})"]
    lead, problems = position.led or _default_lead(line), list[str]()
    if lead not in line:
        problems.append(f"{lead} led the round and is not in the line")
    elif american and lead is not line[0]:
        problems.append(f"{lead} led the round; the line has one arm and begins with its lead (DO-A2)")
    elif american and not lead.is_double and halves[0][1] != lead.high:
        problems.append(f"{lead} was turned up to lead; the line goes on from its higher end (DO-A12)")
    elif not american and not lead.is_double:
        problems.append("the line has no double; the largest one leads the round (DO-B8)")
    if position.phase == "second" and not any(
        tile.is_double for tile in (line[-1:] if american else (line[0], line[-1]))
    ):
        problems.append(
            f"a second tile follows a double; none is at an open end ({'DO-A18' if american else 'DO-B11'})"
        )
    return problems


def _turn_problems(position: Position) -> list[str]:
    """Problems of the turn: the round is to be led by another, or nobody can play."""
    state = _make_state(position)
    masks, american = [tile_mask(hand) for hand in position.hands], deck.american(position.options)
    if position.line:
        if any(bitboard.playable_tiles(mask, state.left, state.right) for mask in masks):
            return []
        return [f"nobody can play: the round is blocked ({'DO-A16' if american else 'DO-B13'})"]
    leader = bitboard.first_leader(masks)
    if leader is None and not american:
        return ["nobody has a double to lead with (DO-B8)"]
    turner = (position.dealer + (position.options.after_draw != "dealer")) % position.seats
    expected = turner if leader is None else leader
    if expected == position.to_play:
        return []
    if leader is None:
        return [f"nobody has a double: {NAMES[expected]} turns the lead up, so to_play is {expected} (DO-A11)"]
    double = max(tile for tile in position.hands[leader] if tile.is_double)
    rule = "DO-A9" if american else "DO-B8"
    return [f"{NAMES[leader]} has the largest double, {double}, and leads, so to_play is {leader} ({rule})"]


def _boneyard(position: Position) -> tuple[Tile, ...]:
    """Tiles of the set that are nowhere else, in order."""
    placed = {tile for pile in (*position.hands, position.line) for tile in pile}
    return tuple(tile for tile in tile_set(deck.highest_half(position.options, position.seats)) if tile not in placed)


def _make_state(position: Position) -> State:
    seats, options, line = position.seats, position.options, position.line
    halves, seeds, rest = line_halves(line), RandomStreams(seed=position.seed), _boneyard(position)
    piles = {HANDS[seat]: Zone(owner=seat, sees="owner", cards=hand) for seat, hand in enumerate(position.hands)}
    piles[BONEYARD] = Zone(sees="nobody", cards=shuffle(rest, seeds.spawn("boneyard")))
    piles[LAYOUT] = Zone(cards=line)
    scores, staked = position.scores or (0,) * seats, deck.stake(options)
    purses = {CHIPS[seat]: points - staked if staked else 0 for seat, points in enumerate(scores)}
    purses[POOL] = -sum(purses.values())
    has_double = any(tile.is_double for hand in position.hands for tile in hand)
    return State(
        options=options, seats=seats, round=position.round, dealer=position.dealer, to_play=position.to_play,
        phase=position.phase if line else "lead" if has_double else "turn_up",
        zones=Zones(piles=piles, purses=purses),
        left=halves[0][0] if halves and not deck.american(options) else bitboard.NO_END,
        right=halves[-1][1] if halves else bitboard.NO_END,
        led=position.led or _default_lead(line), lacks=position.lacks or ((),) * seats, passes=position.passes,
        scores=scores, seeds=seeds,
    )  # fmt: skip


def from_state(state: State, title: str) -> Position:
    """Position of a state.

    Raises:
        InvalidOption: the game is over, or hands are hidden.
    """
    if state.to_play is None:
        raise InvalidOption("the game is over; a position is written down while somebody is to play")
    if state.zones.has_hidden:
        raise InvalidOption("hands are hidden; a position is written down where all are seen")
    phase: Literal["tile", "second"] = "second" if state.phase == "second" else "tile"
    return Position(
        title=title, hands=tuple(state.zones.cards(HANDS[seat]) for seat in range(state.seats)),
        line=state.zones.cards(LAYOUT), led=state.led, to_play=state.to_play, phase=phase, lacks=state.lacks,
        passes=state.passes, scores=state.scores, round=state.round, dealer=state.dealer,
        seed=1 if state.seeds is None else state.seeds.root_seed(), options=state.options,
    )  # fmt: skip


load, builtin_names, load_builtin, to_state, start_state, ruling_reasons = UnruledPositions(
    Position, "Tiddly-Wink dominoes", assets_dir() / "positions" / "dominoes", _make_state
).functions

# -- position editor ---------------------------------------------------------------------------------------------------

_VERSIONS: tuple[Literal["british", "american"], ...] = ("british", "american")
_PHASES: tuple[Literal["tile", "second"], ...] = ("tile", "second")


def empty_position() -> Position:
    """Initial position of the editor."""
    return msgspec.structs.replace(load_builtin("shut_out"), title="Study", look="")


def zones(position: Position) -> tuple[CardZone, ...]:
    """Hands, line and boneyard."""
    hands = (CardZone(name=HANDS[seat], label=NAMES[seat], cards=hand, seat=seat)
             for seat, hand in enumerate(position.hands))  # fmt: skip
    return (
        *hands,
        CardZone(name=LAYOUT, label="line", cards=position.line, halves=line_halves(position.line)),
        CardZone(name=BONEYARD, label="boneyard", cards=_boneyard(position), is_rest=True),
    )


def move_card(position: Position, card: Tile, source: str, target: str, index: int) -> Position:
    """Move a tile between hands, line and boneyard."""
    piles = {HANDS[seat]: list(hand) for seat, hand in enumerate(position.hands)} | {LAYOUT: list(position.line)}
    if source in piles:
        piles[source].remove(card)
    if target in piles:
        piles[target].insert(index, card)
    hands = tuple(tuple(piles[HANDS[seat]]) for seat in range(position.seats))
    lacks = tuple(
        tuple(number for number in numbers if not any(number in (tile.high, tile.low) for tile in hand))
        for numbers, hand in zip(position.lacks, hands, strict=False)
    )
    led = position.led if position.led in piles[LAYOUT] else None
    return msgspec.structs.replace(position, hands=hands, line=tuple(piles[LAYOUT]), lacks=lacks, led=led)


def with_current_seat(position: Position, seat: int) -> Position:
    """Set the seat to play."""
    return msgspec.structs.replace(position, to_play=seat)


def counters(position: Position) -> tuple[Counter, ...]:
    """Counters of the editor: seats, version, the tile that is due, and round."""
    return (
        Counter(name="seats", label="Seats", value=position.seats, low=2, high=max(8, position.seats)),
        Counter(name="round", label="Round", value=position.round, low=1, high=100),
        Counter(name="version", label="Version", value=_VERSIONS.index(position.options.version), low=0, high=1,
                words=_VERSIONS),
        Counter(name="phase", label="Due", value=_PHASES.index(position.phase), low=0, high=1,
                words=("tile", "2nd tile")),
    )  # fmt: skip


def set_counter(position: Position, name: str, value: int) -> Position:
    """Set one of the counters. Another round lengthens the game to it; seats are added, or removed with their tiles."""
    match name:
        case "seats":
            hands = (*position.hands[:value], *((),) * (value - position.seats))
            scores = (*position.scores[:value], *(0,) * (value - position.seats)) if position.scores else ()
            return msgspec.structs.replace(
                position, hands=hands, scores=scores, lacks=(), passes=0, to_play=min(position.to_play, value - 1),
                dealer=min(position.dealer, value - 1),
            )  # fmt: skip
        case "version":
            options = msgspec.structs.replace(position.options, version=_VERSIONS[value])
            return msgspec.structs.replace(position, options=options)
        case "phase":
            return msgspec.structs.replace(position, phase=_PHASES[value])
    options = msgspec.structs.replace(position.options, rounds=max(position.options.rounds, value))
    return msgspec.structs.replace(position, round=value, options=options)
