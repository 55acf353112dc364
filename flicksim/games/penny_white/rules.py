"""The rules of Penny White as pure functions. Ledger ids PW- stand where they are decided.

An end: the white is placed or flicked and centred; pennies are flicked in turn; a penny that knocks an opponent's off
gives him a removal; the end closes when all are flicked or the white is off; the nearest penny scores.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import msgspec

from flicksim.base.codec import Value
from flicksim.base.errors import IllegalAction
from flicksim.base.geometry import Point, distance
from flicksim.base.seeding import Seeds
from flicksim.base.units import degrees, mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import FAR_LINE, START_LINE, WHITE, Options
from flicksim.referee import Choices, FlickRange, Reason, Ruling, Verdict, reading, winners
from flicksim.table.flick import Flick
from flicksim.table.motion import Motion
from flicksim.table.scene import Scene

SEATS = ("Blue", "Red")


class PlaceWhite(Value, tag="place_white", tag_field="do", frozen=True, kw_only=True):
    """Set the white on the centre line with its centre at y [m] (PW-2a)."""

    y: float


class Remove(Value, tag="remove", tag_field="do", frozen=True, kw_only=True):
    """Take an opposing penny off until the end is over, or decline with None (PW-12b)."""

    penny: str | None


class Blocked(Value, tag="blocked", tag_field="do", frozen=True, kw_only=True):
    """Go on where no spot behind the 5 cm line is free (PW-5a is silent; option `blocked_start`)."""


class Disturb(Value, tag="disturb", tag_field="do", frozen=True, kw_only=True):
    """Own up to what should not have happened at a real table: a coin touched, the board turned or knocked."""

    how: Literal["touched", "turned", "knocked"]


Phase = Literal["white", "penny", "remove", "over"]
Action = Flick | PlaceWhite | Remove | Blocked | Disturb


class State(Value, frozen=True, kw_only=True):
    """Where a game stands between two actions.

    Args:
        scene: what lies on the board.
        end: number of the end being played, from 1.
        starter: seat that started it. to_play: seat that acts now; None when the game is over.
        phase: what is due: the white, a penny, a removal, or nothing.
        left: pennies not yet flicked, by seat. removals: how many the seat to act may still take off.
        flicker: seat whose flick led here; it matters while removals are decided.
        failed: openings of this end that failed. scores: by seat.
    """

    options: Options
    scene: Scene
    end: int
    starter: int
    to_play: int | None
    phase: Phase
    left: tuple[int, int]
    removals: int = 0
    flicker: int = 0
    failed: int = 0
    scores: tuple[int, int] = (0, 0)


class PennyRuling(Ruling, frozen=True, kw_only=True):
    """What follows a turn.

    Args:
        phase: what is due next. white: where the white is put [m], None leaves it.
        off: coins that are off the board from now on, until the end is over.
        spent: whether a penny was used up. removals: how many the next seat may take off.
        end: what becomes of the end.
    """

    phase: Phase
    white: Point | None = None
    off: tuple[str, ...] = ()
    spent: str | None = None
    removals: int = 0
    end: Literal["goes_on", "restarts", "closes", "replays"] = "goes_on"


def start(options: Options, seats: int, seeds: Seeds) -> State:
    """The state before the first action; the toss is seeded (PW-E5)."""
    del seats  # always two (PW-E6): the game's card says so
    if options.first == "toss":
        starter = int(seeds.child("toss").generator().integers(2))
    else:
        starter = 0 if options.first == "first" else 1
    return _new_end(
        State(
            options=options, scene=Scene(surface=kit.board(options)), end=1, starter=starter, to_play=starter,
            phase="white", left=(options.pennies, options.pennies),
        ),
        end=1,
        starter=starter,
    )  # fmt: skip


def _new_end(state: State, *, end: int, starter: int, failed: int = 0) -> State:
    """An empty board, the white in the starter's hand (PW-1, PW-4a)."""
    options = state.options
    return msgspec.structs.replace(
        state, scene=Scene(surface=state.scene.surface), end=end, starter=starter, to_play=starter, phase="white",
        left=(options.pennies, options.pennies), removals=0, failed=failed,
    )  # fmt: skip


def to_play(state: State) -> int | None:
    """Seat that acts now; None when the game is over."""
    return state.to_play


def scores(state: State) -> tuple[Fraction, ...]:
    """Points by seat."""
    return tuple(Fraction(points) for points in state.scores)


def winning(state: State) -> tuple[int, ...]:
    """Seats that win or share the win as it stands (PW-9b)."""
    return winners(state.scores)


def view(state: State, seat: int) -> State:
    """What a seat may see: everything lies open."""
    del seat
    return state


def in_hand(state: State) -> str | None:
    """Id of the coin to be flicked now, None when none is."""
    if state.phase == "white" and not _white_is_placed(state):
        return WHITE
    if state.phase == "penny" and state.to_play is not None:
        return penny_id(state.to_play, state.options.pennies - state.left[state.to_play] + 1)
    return None


def penny_id(seat: int, number: int) -> str:
    """Name of a seat's n-th penny: "blue-1"."""
    return f"{SEATS[seat].lower()}-{number}"


def _white_is_placed(state: State) -> bool:
    """Whether the white is placed rather than flicked now (PW-2a, PW-10c)."""
    cap = state.options.restart_cap
    return state.options.jack_mode == "beginner" or (cap is not None and state.failed >= cap)


def choices(state: State) -> Choices:
    """What is allowed now."""
    options = state.options
    match state.phase:
        case "over":
            return Choices(says="The game is over.")
        case "remove":
            assert state.to_play is not None
            who = SEATS[1 - state.to_play]
            names = _removable(state)
            says = f"{SEATS[state.to_play]}: take one of {who}'s pennies off, or decline."
            return Choices(says=says, actions=(*(Remove(penny=name) for name in names), Remove(penny=None)))
        case "white" if _white_is_placed(state):
            spots = tuple(PlaceWhite(y=y) for y in kit.white_spots(options))
            return Choices(says=f"{_who(state)}: place the white on the centre line.", actions=spots)
    name = in_hand(state)
    assert name is not None
    if free_start(state) is None:
        says = f"{_who(state)}: no spot behind the 5 cm line is free; go on without."
        return Choices(says=says, actions=(Blocked(),))
    # full strength for the board's length; friction decides what is enough
    span = FlickRange(
        piece=name, start=kit.start_zone(options), azimuth=(degrees(60.0), degrees(120.0)), speed=(0.3, 3.0)
    )
    what = "flick the white past the 45 cm line" if name == WHITE else "flick a penny from behind the 5 cm line"
    return Choices(says=f"{_who(state)}: {what}.", flicks=(span,))


def _who(state: State) -> str:
    return SEATS[state.to_play or 0]


def _removable(state: State) -> tuple[str, ...]:
    """Pennies of the one who flicked that may be taken off now (PW-12b)."""
    names = [p.id for p in state.scene.pieces if p.owner == state.flicker]
    if state.options.removal_scope == "any":
        left = state.left[state.flicker]
        names += [penny_id(state.flicker, state.options.pennies - left + 1)] if left else []
    return tuple(names)


def check(state: State, action: Any) -> None:
    """Whether the rules allow this now.

    Raises:
        IllegalAction: they do not; carries the ledger id.
    """
    if state.phase == "over":
        raise IllegalAction("PW-9a", "the game is over; nothing more is played")
    if isinstance(action, Disturb):
        return
    if isinstance(action, Blocked):
        if in_hand(state) is None or free_start(state) is not None:
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


def _check_removal(state: State, action: Any) -> None:
    if not isinstance(action, Remove):
        raise IllegalAction("PW-12b", "first decide which opposing penny comes off, or decline")
    if action.penny is not None and action.penny not in _removable(state):
        raise IllegalAction("PW-12b", f"{action.penny!r} may not be taken off; choose {_listed(_removable(state))}")


def _check_placing(state: State, action: Any) -> None:
    low, high = kit.white_span(state.options)
    if not isinstance(action, PlaceWhite):
        raise IllegalAction("PW-2a", "the end begins with the white being placed")
    if not low - 1e-9 <= action.y <= high + 1e-9:
        raise IllegalAction(
            "PW-2a", f"the white at y = {to_mm(action.y):g} mm must lie at {to_mm(low):g} to {to_mm(high):g} mm"
        )


def _check_flick(state: State, action: Any) -> None:
    name = in_hand(state)
    assert name is not None
    if not isinstance(action, Flick):
        raise IllegalAction("PW-6a" if state.phase == "penny" else "PW-3a", f"{name!r} is to be flicked now")
    if action.piece != name:
        if state.phase == "white":
            raise IllegalAction("PW-1", f"{action.piece!r} may not be flicked before the white is set")
        raise IllegalAction("PW-5b", f"{action.piece!r} may not be flicked; it is the turn of {name!r}")
    spot = action.start or default_start(state)
    zone = kit.start_zone(state.options)
    if not all(low - 1e-9 <= at <= high + 1e-9 for at, low, high in zip(spot, zone[0], zone[2], strict=True)):
        raise IllegalAction(
            "PW-5a",
            f"the start at ({to_mm(spot[0]):g}, {to_mm(spot[1]):g}) mm is not on the board wholly behind the 5 cm line",
        )
    for other in state.scene.pieces:
        if distance(spot, other.at) < other.radius + kit.radius(state.options) - 1e-9:
            raise IllegalAction(
                "PW-5a", f"the start at ({to_mm(spot[0]):g}, {to_mm(spot[1]):g}) mm lies on {other.id!r}"
            )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names) or "none: decline"


def default_start(state: State) -> Point:
    """A free spot behind the 5 cm line, as near the middle as coins lying there allow [m] (PW-5a)."""
    return free_start(state) or kit.start_spot(state.options)


def free_start(state: State) -> Point | None:
    """The same, or None when coins that stopped short leave none."""
    x0, y0 = kit.start_spot(state.options)
    need = 2.0 * kit.radius(state.options)
    (left, near), _, (right, far), _ = kit.start_zone(state.options)

    def free(x: float, y: float) -> bool:
        inside = left - 1e-9 <= x <= right + 1e-9 and near - 1e-9 <= y <= far + 1e-9
        return inside and all(distance((x, y), p.at) >= need for p in state.scene.pieces)

    for k in range(200):
        x = x0 + (k + 1) // 2 * mm(2.0) * (1 if k % 2 else -1)
        if free(x, y0):
            return (round(x, 9), y0)
    if all(p.y - p.radius >= mm(50.0) for p in state.scene.pieces):
        return None
    rows, columns = int((far - near) / mm(1.0)) + 1, int((right - left) / mm(2.0)) + 1
    for row in range(rows):
        for column in range(columns):
            spot = (round(left + column * mm(2.0), 9), round(far - row * mm(1.0), 9))
            if free(*spot):
                return spot
    return None


def stage(state: State, action: Any) -> tuple[Scene, Flick] | None:
    """The table as it stands when this is done, and what moves it; None when nothing moves."""
    if not isinstance(action, Flick):
        return None
    owner = None if action.piece == WHITE else state.to_play
    spot = action.start or default_start(state)
    return state.scene.with_piece(kit.coin(state.options, action.piece, owner, spot)), action


def judge(state: State, action: Any, account: Motion | None) -> Verdict:
    """The ruling on an action and what came of it."""
    match action:
        case PlaceWhite(y=y):
            return _verdict(
                [Reason(rule="PW-2a", says=f"The white is placed at {to_mm(y):.0f} mm, midway between the sides.")],
                next=state.to_play, phase="penny", white=(kit.width(state.options) / 2.0, y),
            )  # fmt: skip
        case Remove(penny=penny):
            return _judge_removal(state, penny)
        case Blocked():
            return _judge_blocked(state)
        case Disturb(how=how):
            return _judge_disturbance(state, how)
    assert account is not None
    return _judge_opening(state, account) if action.piece == WHITE else _judge_penny(state, account)


def _verdict(reasons: list[Reason], *, next: int | None, phase: Phase, points: Points = (0, 0), **more: Any) -> Verdict:
    gained = tuple(Fraction(gain) for gain in points)
    return Verdict(reasons=tuple(reasons), ruling=PennyRuling(points=gained, next=next, phase=phase, **more))


Points = tuple[int, int]


def _to(seat: int, points: int = 1) -> Points:
    return (points, 0) if seat == 0 else (0, points)


def _off(state: State, motion: Motion) -> tuple[str, ...]:
    """Coins that are off after this flick (PW-X3)."""
    gone = reading.left(motion)
    if state.options.off_rule == "overhang":
        gone += reading.overhanging(motion.after)
    return gone


def _judge_opening(state: State, motion: Motion) -> Verdict:
    player, other = state.starter, 1 - state.starter
    options = state.options
    if WHITE in _off(state, motion):
        why = Reason(rule="PW-10b", says=f"The white left the board: a point to {SEATS[other]}, the end starts again.")
    else:
        white = motion.after.piece(WHITE)
        past = white.y - white.radius - mm(450.0)
        over = past > reading.EPS if options.line_touch == "not_over" else past >= -reading.EPS
        if over:
            reasons = [
                Reason(rule="PW-3b", says=f"The white is wholly past the {FAR_LINE}."),
                Reason(rule="PW-3c", says="It is moved sideways to midway between the side edges."),
                Reason(rule="PW-4b", says=f"{SEATS[player]} goes on with his first penny."),
            ]
            return _verdict(reasons, next=player, phase="penny", white=(kit.width(options) / 2.0, white.y))
        why = Reason(
            rule="PW-10a",
            says=f"The white is not wholly past the {FAR_LINE}: a point to {SEATS[other]}, the end starts again.",
        )
    again = Reason(rule="PW-10d", says=f"It stays end {state.end}, and {SEATS[player]} starts it again.")
    return _verdict([why, again], next=player, phase="white", points=_to(other), end="restarts")


def _judge_penny(state: State, motion: Motion) -> Verdict:
    player = state.to_play
    assert player is not None
    other = 1 - player
    options = state.options
    gone = _off(state, motion)
    off = list(gone)
    reasons: list[Reason] = []
    if WHITE in gone:
        reasons.append(Reason(rule="PW-7a", says=f"The white was knocked off: {SEATS[player]} loses the end."))
        reasons.append(
            Reason(rule="PW-7b", says=f"{SEATS[other]} gets one point; where the pennies lie does not count.")
        )
        return _close(state, reasons, _to(other), off=tuple(off), spent=motion.flick.piece)
    owners = {p.id: p.owner for p in motion.before.pieces}
    mine = [name for name in gone if owners[name] == player]
    reasons += [Reason(rule="PW-12a", says=f"{_called(n)} is off and stays off until the end is over.") for n in mine]
    if options.short_penny == "removed":
        short = [
            p.id for p in motion.after.pieces if p.id == motion.flick.piece and p.y - p.radius <= mm(50.0) + reading.EPS
        ]
        reasons += [
            Reason(rule="PW-X1", says=f"{_called(n)} did not pass the {START_LINE} and is taken off.") for n in short
        ]
        off += [name for name in short if name not in off]
    lost = [name for name in gone if owners[name] == other]
    for name in lost:
        reasons.append(
            Reason(rule="PW-12c", says=f"{_called(name)} was knocked off and stays off until the end is over.")
        )
    due = len(lost) if options.removals_per_coin else min(1, len(lost))
    left = _spend(state.left, player)
    table = motion.after.without(*off)
    within_reach = sum(p.owner == player for p in table.pieces)
    if options.removal_scope == "any":
        within_reach += left[player]
    due = min(due, within_reach)
    if not reasons:
        reasons.append(Reason(rule="PW-5b", says=f"{SEATS[player]} has flicked a penny."))
    if due:
        pennies = "a penny" if due == 1 else f"{due} pennies"
        reasons.append(Reason(rule="PW-12b", says=f"{SEATS[other]} may take {pennies} of {SEATS[player]} off."))
        return _verdict(reasons, next=other, phase="remove", off=tuple(off), spent=motion.flick.piece, removals=due)
    return _go_on(state, reasons, table, left, player, off=tuple(off), spent=motion.flick.piece)


def _spend(left: tuple[int, int], seat: int) -> tuple[int, int]:
    return (left[0] - 1, left[1]) if seat == 0 else (left[0], left[1] - 1)


def _called(name: str) -> str:
    """ "blue-2" as people say it: "Blue penny 2"."""
    colour, _, number = name.partition("-")
    return f"{colour.title()} penny {number}" if number else "The white"


def _judge_removal(state: State, penny: str | None) -> Verdict:
    assert state.to_play is not None
    chooser = SEATS[state.to_play]
    if penny is None:
        reasons = [Reason(rule="PW-12b", says=f"{chooser} declines to take a penny off.")]
    else:
        reasons = [Reason(rule="PW-12b", says=f"{chooser} takes {_called(penny)} off until the end is over.")]
    off = () if penny is None else (penny,)
    more = state.removals - 1
    after = msgspec.structs.replace(state, scene=state.scene.without(*off), left=_after_removal(state, penny))
    if more and penny is not None and _removable(after):
        return _verdict(reasons, next=state.to_play, phase="remove", off=off, removals=more)
    return _go_on(state, reasons, after.scene, after.left, state.flicker, off=off)


def _after_removal(state: State, penny: str | None) -> tuple[int, int]:
    """Pennies left to flick once this one is taken; only one still in hand counts down (removal_scope any)."""
    if penny is None or state.scene.has(penny):
        return state.left
    return _spend(state.left, state.flicker)


def _judge_blocked(state: State) -> Verdict:
    """Coins that stopped short fill the start area. The rules are silent: the penny is lost, or those coins go."""
    player = state.to_play
    assert player is not None
    if state.options.blocked_start == "lift":
        short = tuple(p.id for p in state.scene.pieces if p.y - p.radius < mm(50.0))
        says = f"No spot behind the {START_LINE} is free: {', '.join(map(_called, short))} are lifted."
        return _verdict([Reason(rule="PW-5a", says=says)], next=player, phase=state.phase, off=short)
    name = in_hand(state)
    assert name is not None
    reasons = [Reason(rule="PW-5a", says=f"No spot behind the {START_LINE} is free: {_called(name)} is not flicked.")]
    return _go_on(state, reasons, state.scene, _spend(state.left, player), player, spent=name)


def _judge_disturbance(state: State, how: str) -> Verdict:
    player = state.to_play
    assert player is not None
    if how == "touched":
        rule, says, point = "PW-13d", "A coin that was not flicked was touched", state.options.foul == "point"
    else:
        rule, says = ("PW-14a", "The board was turned") if how == "turned" else ("PW-14b", "The board was knocked")
        point = state.options.disturb == "point"
    points = _to(1 - player) if point else (0, 0)
    tail = (
        f"a point to {SEATS[1 - player]}, and {SEATS[player]} plays again" if point else f"{SEATS[player]} plays again"
    )
    reason = Reason(rule=rule, says=f"{says}: everything is put back and {tail}.")
    return _verdict([reason], next=player, phase=state.phase, points=points, removals=state.removals)


def _go_on(
    state: State, reasons: list[Reason], table: Scene, left: tuple[int, int], flicked: int, **more: Any
) -> Verdict:
    """After a penny and all it led to: the next penny, or the end is counted."""
    if sum(left):
        following = 1 - flicked if left[1 - flicked] else flicked
        return _verdict(reasons, next=following, phase="penny", **more)
    reasons = [*reasons, Reason(rule="PW-6a", says="All pennies have been flicked.")]
    points, counted = count(table, state.options)
    reasons += counted
    if not any(points) and state.options.tie == "replay":
        reasons.append(Reason(rule="PW-8a", says=f"End {state.end} is played again."))
        return _verdict(reasons, next=state.starter, phase="white", end="replays", **more)
    return _close(state, reasons, points, **more)


def count(table: Scene, options: Options) -> tuple[Points, list[Reason]]:
    """Points of a finished end by nearness to the white (PW-8a to PW-8d)."""
    del options
    gaps: tuple[list[float], list[float]] = ([], [])
    for piece in table.pieces:
        if piece.owner is not None:
            gaps[piece.owner].append(reading.gap(table, piece.id, WHITE))
    best = tuple(min(mine, default=float("inf")) for mine in gaps)
    if not gaps[0] and not gaps[1]:
        return (0, 0), [Reason(rule="PW-8a", says="No penny is left on the board: nobody scores.")]
    if abs(best[0] - best[1]) <= reading.EPS:
        return (0, 0), [Reason(rule="PW-8a", says="The nearest pennies are level: nobody scores.")]
    winner = 0 if best[0] < best[1] else 1
    points = sum(gap < best[1 - winner] - reading.EPS for gap in gaps[winner])
    rule = "PW-8b" if points == 1 else "PW-8c" if points == 2 else "PW-8d"
    nearer = "penny lies" if points == 1 else "pennies lie"
    loser = SEATS[1 - winner]
    says = f"{SEATS[winner]} wins the end with {points}: {points} {nearer} nearer the white than {loser}'s best."
    if not gaps[1 - winner]:
        says = f"{SEATS[winner]} wins the end with {points}: {loser} has no penny on the board."
    return _to(winner, points), [Reason(rule=rule, says=says)]


def _close(state: State, reasons: list[Reason], points: Points, **more: Any) -> Verdict:
    """The end is over; so may be the game (PW-9a, PW-9b)."""
    totals = (state.scores[0] + points[0], state.scores[1] + points[1])
    level = totals[0] == totals[1]
    if state.end < state.options.ends or (level and state.options.game_tie == "extra_end"):
        starter = 1 - state.starter
        if state.end >= state.options.ends:
            reasons = [*reasons, Reason(rule="PW-9b", says="Level after the last end: one more is played.")]
        else:
            reasons = [*reasons, Reason(rule="PW-4a", says=f"{SEATS[starter]} starts end {state.end + 1}.")]
        return _verdict(reasons, next=starter, phase="white", points=points, end="closes", **more)
    reasons = [*reasons, Reason(rule="PW-9a", says=_all_played(state.options.ends))]
    if level:
        says = f"The game is drawn, {totals[0]} each."
    else:
        best = winners(totals)[0]
        says = f"{SEATS[best]} wins the game, {totals[best]} to {totals[1 - best]}."
    reasons.append(Reason(rule="PW-9b", says=says))
    return _verdict(reasons, next=None, phase="over", points=points, end="closes", **more)


def _all_played(ends: int) -> str:
    return "The one agreed end has been played." if ends == 1 else f"The agreed {ends} ends have been played."


def advance(state: State, account: Motion | None, verdict: Verdict) -> State:
    """The next state: what the ruling says, done."""
    ruling = verdict.ruling
    assert isinstance(ruling, PennyRuling)
    gained = tuple(int(points) for points in ruling.points)
    state = msgspec.structs.replace(state, scores=(state.scores[0] + gained[0], state.scores[1] + gained[1]))
    if ruling.end == "restarts":
        return _new_end(state, end=state.end, starter=state.starter, failed=state.failed + 1)
    if ruling.end == "replays":
        return _new_end(state, end=state.end, starter=state.starter)
    if ruling.end == "closes" and not ruling.over:
        return _new_end(state, end=state.end + 1, starter=1 - state.starter)
    scene = (account.after if account is not None else state.scene).without(*ruling.off)
    left = state.left
    flicker = state.flicker
    if account is None:
        for name in ruling.off:  # a penny on the board comes off; one still in hand is used up
            left = _after_removal(state, name)
    if ruling.white is not None:
        white = kit.coin(state.options, WHITE, None, ruling.white)
        scene = scene.with_piece(white)
    if ruling.spent is not None:
        assert state.to_play is not None
        flicker = state.to_play
        left = _spend(left, flicker)
    return msgspec.structs.replace(
        state, scene=scene, left=left, flicker=flicker, removals=ruling.removals, phase=ruling.phase,
        to_play=ruling.next,
    )  # fmt: skip
