"""Legal actions of Penny White, and the errors for illegal ones; rule ids PW- stand where they apply."""

import msgspec

from flicksim.core.errors import IllegalAction
from flicksim.core.geometry import Point, distance
from flicksim.core.units import deg2rad, mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import WHITE
from flicksim.games.penny_white.state import SEATS, Blocked, Disturb, PlaceWhite, Remove, State, penny_id
from flicksim.referee import FlickRange, LegalActions, SelfReport
from flicksim.scene import Flick


def next_coin(state: State) -> str | None:
    """Id of the coin to flick now; None if there is none."""
    if state.phase == "white" and not _white_is_placed(state):
        return WHITE
    if state.phase == "penny" and state.to_play is not None:
        return penny_id(state.to_play, state.options.pennies - state.left[state.to_play] + 1)
    return None


def _white_is_placed(state: State) -> bool:
    """Return True if the white is placed rather than flicked now (PW-2a, PW-10c)."""
    cap = state.options.restart_cap
    return state.options.jack_mode == "beginner" or (cap is not None and state.failed >= cap)


def legal_actions(state: State) -> LegalActions:
    """Legal actions of the seat to play, and what may be self-reported."""
    return msgspec.structs.replace(_prompt(state), self_reports=_self_reports(state))


def _self_reports(state: State) -> tuple[SelfReport, ...]:
    """Self-reports available after the last flick (PW-13d, PW-14a, PW-14b)."""
    reports = []
    if state.former is not None:
        reports.append(
            SelfReport(
                text="In the last flick another coin was touched than the one flicked.",
                action=Disturb(how="touched"),
                seat=state.former.to_play,
            )
        )
    if state.to_play is not None:
        reports += [
            SelfReport(text=text, action=action, seat=state.to_play)
            for text, action in (
                ("A coin was touched before the flick.", Disturb(how="touched", aiming=True)),
                ("The board was turned.", Disturb(how="turned")),
                ("The board was knocked.", Disturb(how="knocked")),
            )
        ]
    return tuple(reports)


def _prompt(state: State) -> LegalActions:
    options = state.options
    match state.phase:
        case "over":
            return LegalActions(prompt="The game is over.")
        case "remove":
            assert state.to_play is not None
            who = SEATS[1 - state.to_play]
            names = removable(state)
            prompt = f"{SEATS[state.to_play]}: take one of {who}'s pennies off, or decline."
            return LegalActions(prompt=prompt, actions=(*(Remove(penny=name) for name in names), Remove(penny=None)))
        case "white" if _white_is_placed(state):
            spots = tuple(PlaceWhite(y=y) for y in kit.white_y_choices(options))
            return LegalActions(prompt=f"{_player_name(state)}: place the white on the centre line.", actions=spots)
    name = next_coin(state)
    assert name is not None
    if find_free_start(state) is None:
        prompt = f"{_player_name(state)}: no spot behind the 5 cm line is free; go on without."
        return LegalActions(prompt=prompt, actions=(Blocked(),))
    # full strength for the board's length; friction decides what is enough
    flick_range = FlickRange(
        piece=name, start=kit.start_zone(options), azimuth=(deg2rad(60.0), deg2rad(120.0)), speed=(0.3, 3.0)
    )
    task = "flick the white past the 45 cm line" if name == WHITE else "flick a penny from behind the 5 cm line"
    return LegalActions(prompt=f"{_player_name(state)}: {task}.", flicks=(flick_range,))


def _player_name(state: State) -> str:
    return SEATS[state.to_play or 0]


def removable(state: State) -> tuple[str, ...]:
    """Pennies of the seat that flicked that may be removed now (PW-12b)."""
    names = [piece.id for piece in state.scene.pieces if piece.owner == state.flicker]
    if state.options.removal_scope == "any":
        left = state.left[state.flicker]
        names += [penny_id(state.flicker, state.options.pennies - left + 1)] if left else []
    return tuple(names)


def check_action(state: State, action: object) -> None:
    """Check that the rules allow the action now.

    Raises:
        IllegalAction: they do not; with the rule id.
    """
    if isinstance(action, Disturb) and (
        state.phase != "over" or any(action == report.action for report in _self_reports(state))
    ):
        return
    if state.phase == "over":
        raise IllegalAction("PW-9a", "the game is over; nothing more is played")
    if isinstance(action, Blocked):
        if next_coin(state) is None or find_free_start(state) is not None:
            raise IllegalAction("PW-5a", "a spot behind the 5 cm line is free; the penny is flicked from there")
        return
    match state.phase:
        case "remove":
            _check_removal(state, action)
        case "white" if _white_is_placed(state):
            if isinstance(action, Flick):
                raise IllegalAction("PW-1", f"{action.piece!r} may not be flicked before the white is placed")
            _check_placing(state, action)
        case _:
            _check_flick(state, action)


def _check_removal(state: State, action: object) -> None:
    if not isinstance(action, Remove):
        raise IllegalAction("PW-12b", "first decide which opposing penny comes off, or decline")
    if action.penny is not None and action.penny not in removable(state):
        raise IllegalAction("PW-12b", f"{action.penny!r} may not be taken off; choose {_join_names(removable(state))}")


def _check_placing(state: State, action: object) -> None:
    low, high = kit.white_y_range(state.options)
    if not isinstance(action, PlaceWhite):
        raise IllegalAction("PW-2a", "the end begins with the white being placed")
    if not low - 1e-9 <= action.y <= high + 1e-9:
        raise IllegalAction(
            "PW-2a", f"the white at y = {to_mm(action.y):g} mm must lie at {to_mm(low):g} to {to_mm(high):g} mm"
        )


def _check_flick(state: State, action: object) -> None:
    name = next_coin(state)
    assert name is not None
    if not isinstance(action, Flick):
        raise IllegalAction("PW-6a" if state.phase == "penny" else "PW-3a", f"{name!r} is to be flicked now")
    if action.piece != name:
        if state.phase == "white":
            raise IllegalAction("PW-1", f"{action.piece!r} may not be flicked before the white is set")
        raise IllegalAction("PW-5b", f"{action.piece!r} may not be flicked; it is the turn of {name!r}")
    spot = action.start or default_start(state)
    if not kit.is_legal_start(state.options, spot):
        where_text = (
            "wholly on the board and behind"
            if kit.must_lie_wholly_on_board(state.options)
            else "on the board wholly behind"
        )
        raise IllegalAction(
            "PW-5a", f"the start at ({to_mm(spot[0]):g}, {to_mm(spot[1]):g}) mm is not {where_text} the 5 cm line"
        )
    for other in state.scene.pieces:
        if distance(spot, other.position) < other.radius + kit.radius(state.options) - 1e-9:
            raise IllegalAction(
                "PW-5a", f"the start at ({to_mm(spot[0]):g}, {to_mm(spot[1]):g}) mm lies on {other.id!r}"
            )


def _join_names(names: tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names) or "none: decline"


def default_start(state: State) -> Point:
    """Free start behind the 5 cm line nearest to the middle [m] (PW-5a)."""
    return find_free_start(state) or kit.start_spot(state.options)


def find_free_start(state: State) -> Point | None:
    """Free start as `default_start`; None if coins that stopped short leave none."""
    x0, y0 = kit.start_spot(state.options)
    diameter = 2.0 * kit.radius(state.options)
    (left, near), _, (right, far), _ = kit.start_zone(state.options)

    def is_free(x: float, y: float) -> bool:
        return kit.is_legal_start(state.options, (x, y)) and all(
            distance((x, y), piece.position) >= diameter for piece in state.scene.pieces
        )

    for k in range(200):
        x = x0 + (k + 1) // 2 * mm(2.0) * (1 if k % 2 else -1)
        if is_free(x, y0):
            return (round(x, 9), y0)
    if all(piece.y - piece.radius >= mm(50.0) for piece in state.scene.pieces):
        return None
    rows, columns = int((far - near) / mm(1.0)) + 1, int((right - left) / mm(2.0)) + 1
    for row in range(rows):
        for column in range(columns):
            spot = (round(left + column * mm(2.0), 9), round(far - row * mm(1.0), 9))
            if is_free(*spot):
                return spot
    return None
