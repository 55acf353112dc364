"""Legality of moves at dominoes, with the rule that forbids an illegal one; hidden hands are not used."""

from flicksim.cards import TILES, Pass, PlaceTile, Tile, TurnUp
from flicksim.core.errors import IllegalAction
from flicksim.games.dominoes import deck
from flicksim.games.dominoes.bitboard import largest_double, playable_tiles
from flicksim.games.dominoes.deck import HANDS, NAMES
from flicksim.games.dominoes.state import State, hand_bits, open_ends_text


def check_action(state: State, action: object) -> None:
    """Check that the rules allow the action now.

    Raises:
        IllegalAction: they do not; with the rule id.
    """
    seat, phase = state.to_play, state.phase
    if seat is None:
        raise IllegalAction("DO-X4", "the game is over; nothing more is played")
    if phase == "turn_up":
        if not isinstance(action, TurnUp):
            raise IllegalAction("DO-A11", f"{action} may not be played: nobody has a double, the boneyard leads")
        return
    if isinstance(action, Pass):
        _check_pass(state, seat)
    elif isinstance(action, PlaceTile):
        _check_lay(state, seat, action)
    elif isinstance(action, TurnUp):
        raise IllegalAction("DO-A7", "the boneyard is out of the round; nothing is turned up now")
    else:
        raise IllegalAction("DO-0a", f"{action!r} is not a move of this game")


def _check_pass(state: State, seat: int) -> None:
    if state.phase == "lead":
        raise IllegalAction(lead_rule(state), f"{NAMES[seat]} has the largest double and must lead it")
    if state.phase == "tile" and state.options.must_play:
        playable = playable_tiles(hand_bits(state, seat), state.left, state.right)
        if playable:
            raise IllegalAction(
                "DO-X1", f"pass is not allowed: {TILES[playable.bit_length() - 1]} fits {open_ends_text(state)}"
            )


def _check_lay(state: State, seat: int, action: PlaceTile) -> None:
    tile, one_arm = action.tile, deck.american(state.options)
    if tile not in state.zones.cards(HANDS[seat]):
        raise IllegalAction("DO-A1" if one_arm else "DO-B1", f"{NAMES[seat]} does not hold {tile}")
    if action.end is not None and (one_arm or state.phase == "lead"):
        if one_arm:
            raise IllegalAction("DO-A2", f"{action}: the line has one arm; leave {action.end!r} out")
        raise IllegalAction("DO-B8", f"{action}: the lead has no end; leave {action.end!r} out")
    if state.phase == "lead":
        best = TILES[largest_double(hand_bits(state, seat))]
        if tile is not best:
            raise IllegalAction(lead_rule(state), f"{tile} may not lead; {NAMES[seat]} must lead {best}")
        return
    row = "DO-A13" if one_arm else "DO-B10"
    on_left, on_right = has_half(tile, state.left), has_half(tile, state.right)
    if not (on_left or on_right):
        raise IllegalAction(row, f"{tile} does not fit {open_ends_text(state)}")
    if action.end is None and on_left and on_right:
        raise IllegalAction("DO-B9", f"{tile} fits both ends; say '{tile} left' or '{tile} right'")
    if action.end is not None and not (on_left if action.end == "left" else on_right):
        number = state.left if action.end == "left" else state.right
        raise IllegalAction(row, f"{tile} does not fit {number} at the {action.end} end")


def has_half(tile: Tile, number: int) -> bool:
    return number in (tile.high, tile.low)


def lead_rule(state: State) -> str:
    return "DO-A9" if deck.american(state.options) else "DO-B8"
