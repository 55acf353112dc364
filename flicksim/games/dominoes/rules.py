"""Rules of Tiddly-Wink dominoes as pure functions; rule ids DO- stand where they apply.

A round: tiles are dealt, the largest double leads (or the boneyard does), tiles are put to the open ends in turn, a
double allows a second one, and the round closes when somebody has no tile left or nobody can play.
"""

from fractions import Fraction

import msgspec

from flicksim.cards import TILES, Pass, PlaceTile, Step, Tile, TransferCards, TransferResult, TurnUp, Zones, tile_mask
from flicksim.core.random_streams import RandomStreams
from flicksim.games.dominoes import bitboard, deck
from flicksim.games.dominoes.deck import BONEYARD, CHIPS, HANDS, LAYOUT, NAMES, POOL, Options
from flicksim.games.dominoes.legal_actions import check_action as check_action
from flicksim.games.dominoes.legal_actions import has_half, lead_rule
from flicksim.games.dominoes.state import How, Phase, Round, State, hand_bits, open_ends_text
from flicksim.referee import LegalActions, Progress, Reason, Ruling, Verdict, common_rules, top_scorers

SEATS = NAMES
Action = PlaceTile | Pass | TurnUp


leaders, scores, to_play = common_rules.leaders, common_rules.scores, common_rules.to_play
view = common_rules.view_of_zones


class DominoRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on a turn.

    Args:
        phase: action due next. left, right: the open ends. lacks: numbers the seat is known not to hold.
        closed: the round, if it is finished. takes: chips each seat takes out of the pool.
    """

    phase: Phase
    left: int
    right: int
    lacks: tuple[int, ...] = ()
    closed: Round | None = None
    takes: tuple[int, ...] = ()


def initial_state(options: Options, seats: int, streams: RandomStreams) -> State:
    """State before the first action; the first dealer and every deal are seeded (DO-X4).

    Raises:
        InvalidOption: the number of seats does not fit the options.
    """
    deck.check_seats_and_options(options, seats)
    dealer = int(streams.spawn("dealer").generator().integers(seats))
    blank = State(
        options=options, seats=seats, round=0, dealer=dealer, to_play=None, phase="over", zones=Zones(piles={}),
        scores=(0,) * seats, seeds=streams,
    )  # fmt: skip
    return _deal(blank, dealer)


def _deal(state: State, dealer: int) -> State:
    """Deal and stake the next round; the largest double leads, or the boneyard does (DO-A9, DO-A11, DO-B8)."""
    assert state.seeds is not None
    number, seats, options = state.round + 1, state.seats, state.options
    zones = deck.deal_round(options, seats, dealer, state.seeds.spawn("deal", number), dict(state.zones.purses))
    first = bitboard.first_leader([tile_mask(zones.cards(HANDS[seat])) for seat in range(seats)])
    if first is None:
        first = dealer if options.after_draw == "dealer" else (dealer + 1) % seats
        phase: Phase = "turn_up"
    else:
        phase = "lead"
    return msgspec.structs.replace(
        state,
        round=number,
        dealer=dealer,
        to_play=first,
        phase=phase,
        zones=zones,
        left=bitboard.NO_END,
        right=bitboard.NO_END,
        led=None,
        lacks=((),) * seats,
        passes=0,
    )


def progress(state: State) -> Progress:
    """Number of the round being played."""
    return Progress(part_name="Round", number=state.round, total=state.options.rounds)


def legal_actions(state: State) -> LegalActions:
    """Legal actions of the seat to play."""
    seat = state.to_play
    if seat is None:
        return LegalActions(prompt="The game is over.")
    who, mine = NAMES[seat], hand_bits(state, seat)
    match state.phase:
        case "turn_up":
            return LegalActions(prompt=f"{who}: nobody has a double; turn up the lead.", actions=(TurnUp(),))
        case "lead":
            tile = TILES[bitboard.largest_double(mine)]
            return LegalActions(prompt=f"{who}: lead your {tile}, the largest double.", actions=(PlaceTile(tile=tile),))
    ends = open_ends_text(state)
    legal: list[Action] = [
        bitboard.to_action(move, state.left) for move in bitboard.legal_moves(mine, state.left, state.right)
    ]
    if state.phase == "second":
        return LegalActions(prompt=f"{who}: a second tile on {ends}, or pass.", actions=(*legal, Pass()))
    if not legal or not state.options.must_play:
        legal.append(Pass())
    prompt = f"{who}: nothing fits {ends}; pass." if legal == [Pass()] else f"{who}: a tile on {ends}."
    return LegalActions(prompt=prompt, actions=tuple(legal))


def _resolve_end(state: State, action: PlaceTile) -> int:
    if action.end is not None:
        return bitboard.LEFT if action.end == "left" else bitboard.RIGHT
    return bitboard.RIGHT if state.phase == "lead" or has_half(action.tile, state.right) else bitboard.LEFT


def simulation_setup(state: State, action: object) -> tuple[Zones[Tile], tuple[Step, ...]] | None:
    """Card moves of an action to simulate; None if nothing moves."""
    assert state.to_play is not None
    match action:
        case PlaceTile(tile=tile):
            under = _resolve_end(state, action) == bitboard.LEFT
            return state.zones, (TransferCards(source=HANDS[state.to_play], target=LAYOUT, cards=(tile,), under=under),)
        case TurnUp():
            return state.zones, (TransferCards(source=BONEYARD, target=LAYOUT, top=1),)
    return None


def judge(state: State, action: object, result: TransferResult[Tile] | None) -> Verdict:
    """Adjudicate an action and its simulation result."""
    match action:
        case Pass():
            return _judge_pass(state)
        case TurnUp():
            assert result is not None
            tile = result.after.cards(LAYOUT)[0]
            reasons = [
                Reason("DO-A11", f"Nobody has a double: {tile} is turned up from the boneyard."),
                Reason("DO-A12", f"Its higher end, {tile.high}, is the lead."),
            ]
            assert state.to_play is not None
            return _continue_round(state, result.after, reasons, state.to_play, bitboard.NO_END, tile.high)
    assert result is not None
    assert isinstance(action, PlaceTile)
    return _judge_lay(state, action, result)


def _judge_pass(state: State) -> Verdict:
    seat = state.to_play
    assert seat is not None
    one_arm = deck.american(state.options)
    if state.phase == "second":
        rule = "DO-A18" if one_arm else "DO-B11"
        reasons = [Reason(rule, f"{NAMES[seat]} plays no second tile.")]
        return _continue_round(state, state.zones, reasons, (seat + 1) % state.seats, state.left, state.right)
    rule = "DO-A14" if one_arm else "DO-B10"
    reasons = [Reason(rule, f"{NAMES[seat]} passes on {open_ends_text(state)}.")]
    if state.passes + 1 == state.seats:  # only where one may pass while able (DO-X1)
        reasons.append(Reason("DO-X1", "Everybody has passed: the round is blocked."))
        return _close_round(state, state.zones, reasons, "block", (), state.left, state.right)
    lacks: tuple[int, ...] = ()
    if state.options.must_play:
        lacks = (state.right,) if state.left in (bitboard.NO_END, state.right) else (state.left, state.right)
    return _continue_round(state, state.zones, reasons, (seat + 1) % state.seats, state.left, state.right, lacks=lacks)


def _judge_lay(state: State, action: PlaceTile, result: TransferResult[Tile]) -> Verdict:
    seat, tile = state.to_play, action.tile
    assert seat is not None
    one_arm = deck.american(state.options)
    left, right = state.left, state.right
    if state.phase == "lead":
        left, right = bitboard.NO_END if one_arm else tile.high, tile.high
        rule = lead_rule(state)
        reasons = [Reason(rule, f"{NAMES[seat]} leads {tile}, the largest double.")]
    elif _resolve_end(state, action) == bitboard.LEFT:
        left = tile.pips - left
        reasons = [Reason("DO-B9", f"{NAMES[seat]} plays {tile} on the left; {left} is open there.")]
    else:
        right = tile.pips - right
        end_text = "" if one_arm else " on the right"
        rule = "DO-A13" if one_arm else "DO-B9"
        reasons = [Reason(rule, f"{NAMES[seat]} plays {tile}{end_text}; {right} is open.")]
    if not result.after.cards(HANDS[seat]):
        reasons.append(Reason("DO-A15" if one_arm else "DO-B12", f"{NAMES[seat]} dominoes."))
        return _close_round(state, result.after, reasons, "domino", (seat,), left, right)
    may_add = state.phase != "second" or state.options.chain_doubles
    if bitboard.IS_DOUBLE[tile.index] and may_add:
        rule = "DO-A18" if one_arm else "DO-B11"
        reasons.append(Reason(rule, f"{tile} is a double: {NAMES[seat]} may play a second tile."))
        return _continue_round(state, result.after, reasons, seat, left, right, phase="second")
    return _continue_round(state, result.after, reasons, (seat + 1) % state.seats, left, right)


def _continue_round(
    state: State, zones: Zones[Tile], reasons: list[Reason], seat: int, left: int, right: int, *,
    phase: Phase = "tile", lacks: tuple[int, ...] = (),
) -> Verdict:  # fmt: skip
    """Advance to the next seat, or close the round if nobody can play (DO-A10, DO-A16, DO-B10)."""
    if not any(bitboard.playable_tiles(tile_mask(zones.cards(HANDS[at])), left, right) for at in range(state.seats)):
        rule = "DO-A16" if deck.american(state.options) else "DO-B13"
        reasons.append(Reason(rule, "Nobody can play: the round is blocked."))
        return _close_round(state, zones, reasons, "block", (), left, right)
    ruling = DominoRuling(
        points=(Fraction(0),) * state.seats, next=seat, phase=phase, left=left, right=right, lacks=lacks
    )
    return Verdict(reasons=tuple(reasons), ruling=ruling)


def _close_round(
    state: State, zones: Zones[Tile], reasons: list[Reason], how: How, won: tuple[int, ...], left: int, right: int
) -> Verdict:
    """Close the round, and the game if it is over (DO-A15, DO-A16, DO-A19, DO-A20, DO-B12, DO-B13)."""
    options = state.options
    one_arm = deck.american(options)
    hands = [tile_mask(zones.cards(HANDS[seat])) for seat in range(state.seats)]
    pips_left = tuple(bitboard.pip_count(mine) for mine in hands)
    if how == "block":
        won = bitboard.block_winners(hands, options.tie)
        rule = "DO-A20" if one_arm else "DO-B13"
        pips_text = ", ".join(f"{NAMES[seat]} {count}" for seat, count in enumerate(pips_left))
        reasons.append(Reason(rule, f"Pips left: {pips_text}."))
        if pips_left.count(min(pips_left)) > 1:
            reasons.append(Reason("DO-X3", f"The fewest pips are tied: {_join_names(won)} the round."))
    staked = deck.stake(options)
    takes: tuple[int, ...] = (0,) * state.seats
    points = tuple(int(seat in won) for seat in range(state.seats))
    if staked:
        pool = zones.purses[POOL]
        takes = bitboard.pool_shares(pool, (staked,) * state.seats, won, options.tie)
        points = tuple(take - staked for take in takes)
        rule = "DO-A19" if how == "domino" else "DO-A20" if one_arm else "DO-B12"
        remainder = f"; {pool - sum(takes)} stay in it" if pool > sum(takes) else ""
        payouts = ", ".join(f"{NAMES[seat]} takes {take}" for seat, take in enumerate(takes) if take) or "none is taken"
        reasons.append(Reason(rule, f"From the pool of {pool}, {payouts}{remainder}."))
    else:
        reasons.append(Reason("DO-B12" if how == "domino" else "DO-B13", f"{_join_names(won)} the round."))
    closed = Round(how=how, won=won, pips=pips_left, points=points)
    over = state.round >= options.rounds
    dealer = (state.dealer + 1) % state.seats
    following = None if over else _deal(state, dealer).to_play
    if over:
        totals = [before + gained for before, gained in zip(state.scores, points, strict=True)]
        best = _join_names(top_scorers(totals))
        played = "The one agreed round is" if options.rounds == 1 else f"All {options.rounds} rounds are"
        reasons.append(Reason("DO-X4", f"{played} played: {best} with {max(totals)}."))
    else:
        reasons.append(Reason("DO-X4", f"Round {state.round + 1} is dealt by {NAMES[dealer]}."))
    ruling = DominoRuling(
        points=tuple(map(Fraction, points)), next=following, phase="over" if over else "lead", left=left,
        right=right, closed=closed, takes=takes,
    )  # fmt: skip
    return Verdict(reasons=tuple(reasons), ruling=ruling)


def _join_names(seats: tuple[int, ...]) -> str:
    names = " and ".join(NAMES[seat] for seat in seats)
    return f"{names or 'nobody'} {'win' if len(seats) > 1 else 'wins'}"


def next_state(state: State, result: TransferResult[Tile] | None, verdict: Verdict) -> State:
    """Apply a verdict to a state."""
    ruling, seat = verdict.ruling, state.to_play
    assert isinstance(ruling, DominoRuling)
    assert seat is not None
    zones = result.after if result is not None else state.zones
    closed = ruling.closed
    if closed is not None:
        return _start_next_round(state, zones, ruling, closed)
    lacks = state.lacks
    if ruling.lacks:
        mine = tuple(sorted({*lacks[seat], *ruling.lacks}))
        lacks = (*lacks[:seat], mine, *lacks[seat + 1 :])
    led = state.led or (zones.cards(LAYOUT)[0] if result is not None else None)
    passed = result is None and state.phase == "tile"
    return msgspec.structs.replace(
        state, to_play=ruling.next, phase=ruling.phase, zones=zones, left=ruling.left, right=ruling.right, led=led,
        lacks=lacks, passes=state.passes + 1 if passed else 0 if result is not None else state.passes,
    )  # fmt: skip


def _start_next_round(state: State, zones: Zones[Tile], ruling: DominoRuling, closed: Round) -> State:
    purses = dict(zones.purses)
    for seat, take in enumerate(ruling.takes):
        purses[CHIPS[seat]] = purses.get(CHIPS[seat], 0) + take
        purses[POOL] -= take
    after = msgspec.structs.replace(
        state, zones=Zones(piles=zones.piles, purses=purses), sheet=(*state.sheet, closed), left=ruling.left,
        right=ruling.right, to_play=None, phase="over",
        scores=tuple(before + gained for before, gained in zip(state.scores, closed.points, strict=True)),
    )  # fmt: skip
    return after if ruling.next is None else _deal(after, (state.dealer + 1) % state.seats)
