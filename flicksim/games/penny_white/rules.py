"""Rules of Penny White as pure functions; rule ids PW- stand where they apply.

An end: the white is placed or flicked and centred; pennies are flicked in turn; a penny that knocks an opponent's off
gives him a removal; the end closes when all are flicked or the white is off; the nearest penny scores.
"""

from fractions import Fraction
from typing import Literal

import msgspec

from flicksim.core.geometry import Point
from flicksim.core.random_streams import RandomStreams
from flicksim.core.type_aliases import Unchecked
from flicksim.core.units import mm, to_mm
from flicksim.games.penny_white import equipment as kit
from flicksim.games.penny_white.equipment import FAR_LINE, START_LINE, WHITE, Options
from flicksim.games.penny_white.legal_actions import check_action as check_action
from flicksim.games.penny_white.legal_actions import default_start, next_coin, removable
from flicksim.games.penny_white.legal_actions import legal_actions as legal_actions
from flicksim.games.penny_white.state import SEATS, Blocked, Disturb, Phase, PlaceWhite, Remove, State
from flicksim.referee import Progress, Reason, Ruling, Verdict, common_rules, queries, top_scorers
from flicksim.scene import Flick, Scene, Trajectory

Points = tuple[int, int]


leaders, scores, to_play, view = common_rules.leaders, common_rules.scores, common_rules.to_play, common_rules.view


class PennyRuling(Ruling, frozen=True, kw_only=True):
    """Ruling on a turn.

    Args:
        phase: action due next. white: new position of the white [m]; None leaves it.
        off: coins off the board until the end is over.
        spent: penny used up, if any. removals: number of pennies the next seat may take off.
        end: whether the end goes on. undone: whether the state before the last flick is restored, but for the points.
    """

    phase: Phase
    white: Point | None = None
    off: tuple[str, ...] = ()
    spent: str | None = None
    removals: int = 0
    end: Literal["goes_on", "restarts", "closes", "replays"] = "goes_on"
    undone: bool = False


def initial_state(options: Options, seats: int, streams: RandomStreams) -> State:
    """State before the first action; the toss is seeded (PW-E5)."""
    del seats  # always two (PW-E6), see `GAME`
    if options.first == "toss":
        starter = int(streams.spawn("toss").generator().integers(2))
    else:
        starter = 0 if options.first == "first" else 1
    return State(
        options=options, scene=Scene(surface=kit.board(options)), end=1, starter=starter, to_play=starter,
        phase="white", left=(options.pennies, options.pennies),
    )  # fmt: skip


def _new_end(state: State, *, end: int, starter: int, failed: int = 0) -> State:
    """Start an end: an empty board, the white in the starter's hand (PW-1, PW-4a)."""
    options = state.options
    return msgspec.structs.replace(
        state, scene=Scene(surface=state.scene.surface), end=end, starter=starter, to_play=starter, phase="white",
        left=(options.pennies, options.pennies), removals=0, failed=failed,
    )  # fmt: skip


def progress(state: State) -> Progress:
    """Number of the end being played, and the pennies in hand."""
    ends = state.options.ends
    return Progress(part_name="End", number=state.end, total=ends, scored_by_part=True, pieces_left=state.left)


def simulation_setup(state: State, action: object) -> tuple[Scene, Flick] | None:
    """Scene and flick to simulate for an action; None if nothing moves."""
    if not isinstance(action, Flick):
        return None
    owner = None if action.piece == WHITE else state.to_play
    spot = action.start or default_start(state)
    return state.scene.with_piece(kit.coin(state.options, action.piece, owner, spot)), action


def judge(state: State, action: object, result: Trajectory | None) -> Verdict:
    """Adjudicate an action and its simulation result."""
    match action:
        case PlaceWhite(y=y):
            return _verdict(
                [Reason("PW-2a", f"The white is placed at {to_mm(y):.0f} mm, midway between the sides.")],
                next=state.to_play, phase="penny", white=(kit.board_width(state.options) / 2.0, y),
            )  # fmt: skip
        case Remove(penny=penny):
            return _judge_removal(state, penny)
        case Blocked():
            return _judge_blocked(state)
        case Disturb():
            return _judge_disturbance(state, action)
    assert result is not None
    assert isinstance(action, Flick)
    return _judge_opening(state, result) if action.piece == WHITE else _judge_penny(state, result)


def _verdict(
    reasons: list[Reason], *, next: int | None, phase: Phase, points: Points = (0, 0), **more: Unchecked
) -> Verdict:
    gained = tuple(Fraction(gain) for gain in points)
    return Verdict(reasons=tuple(reasons), ruling=PennyRuling(points=gained, next=next, phase=phase, **more))


def _points_to(seat: int, points: int = 1) -> Points:
    return (points, 0) if seat == 0 else (0, points)


def _off(state: State, trajectory: Trajectory) -> tuple[str, ...]:
    """Ids of coins that are off after a flick (PW-X3)."""
    off = queries.pieces_off_surface(trajectory)
    if state.options.off_rule == "overhang":
        off += queries.overhanging_pieces(trajectory.after)
    return off


def _judge_opening(state: State, trajectory: Trajectory) -> Verdict:
    player, other = state.starter, 1 - state.starter
    options = state.options
    if WHITE in _off(state, trajectory):
        reason = Reason("PW-10b", f"The white left the board: a point to {SEATS[other]}, the end starts again.")
    else:
        white = trajectory.after.piece(WHITE)
        beyond = white.y - white.radius - mm(450.0)
        has_passed = (
            beyond > queries.LENGTH_TOLERANCE
            if options.line_touch == "not_over"
            else beyond >= -queries.LENGTH_TOLERANCE
        )
        if has_passed:
            reasons = [
                Reason("PW-3b", f"The white is wholly past the {FAR_LINE}."),
                Reason("PW-3c", "It is moved sideways to midway between the side edges."),
                Reason("PW-4b", f"{SEATS[player]} goes on with his first penny."),
            ]
            return _verdict(reasons, next=player, phase="penny", white=(kit.board_width(options) / 2.0, white.y))
        reason = Reason(
            "PW-10a",
            f"The white is not wholly past the {FAR_LINE}: a point to {SEATS[other]}, the end starts again.",
        )
    restart = Reason("PW-10d", f"It stays end {state.end}, and {SEATS[player]} starts it again.")
    return _verdict([reason, restart], next=player, phase="white", points=_points_to(other), end="restarts")


def _judge_penny(state: State, trajectory: Trajectory) -> Verdict:
    player = state.to_play
    assert player is not None
    other = 1 - player
    options = state.options
    knocked_off = _off(state, trajectory)
    off = list(knocked_off)
    reasons: list[Reason] = []
    if WHITE in knocked_off:
        reasons.append(Reason("PW-7a", f"The white was knocked off: {SEATS[player]} loses the end."))
        reasons.append(Reason("PW-7b", f"{SEATS[other]} gets one point; where the pennies lie does not count."))
        return _close_end(state, reasons, _points_to(other), off=tuple(off), spent=trajectory.flick.piece)
    owners = {piece.id: piece.owner for piece in trajectory.before.pieces}
    own_off = [name for name in knocked_off if owners[name] == player]
    reasons += [
        Reason("PW-12a", f"{_display_name(name)} is off and stays off until the end is over.") for name in own_off
    ]
    if options.short_penny == "removed":
        short = [
            piece.id
            for piece in trajectory.after.pieces
            if piece.id == trajectory.flick.piece and piece.y - piece.radius <= mm(50.0) + queries.LENGTH_TOLERANCE
        ]
        reasons += [
            Reason("PW-X1", f"{_display_name(name)} did not pass the {START_LINE} and is taken off.") for name in short
        ]
        off += [name for name in short if name not in off]
    opposing_off = [name for name in knocked_off if owners[name] == other]
    for name in opposing_off:
        reasons.append(Reason("PW-12c", f"{_display_name(name)} was knocked off and stays off until the end is over."))
    removals = len(opposing_off) if options.removals_per_coin else min(1, len(opposing_off))
    left = _use_penny(state.left, player)
    table = trajectory.after.without(*off)
    removable_count = sum(piece.owner == player for piece in table.pieces)
    if options.removal_scope == "any":
        removable_count += left[player]
    removals = min(removals, removable_count)
    if not reasons:
        reasons.append(Reason("PW-5b", f"{SEATS[player]} has flicked a penny."))
    if removals:
        pennies = "a penny" if removals == 1 else f"{removals} pennies"
        reasons.append(Reason("PW-12b", f"{SEATS[other]} may take {pennies} of {SEATS[player]} off."))
        return _verdict(
            reasons, next=other, phase="remove", off=tuple(off), spent=trajectory.flick.piece, removals=removals
        )
    return _continue_end(state, reasons, table, left, player, off=tuple(off), spent=trajectory.flick.piece)


def _use_penny(left: tuple[int, int], seat: int) -> tuple[int, int]:
    return (left[0] - 1, left[1]) if seat == 0 else (left[0], left[1] - 1)


def _display_name(name: str) -> str:
    """ "blue-2" as people say it: "Blue penny 2"."""
    colour, _, number = name.partition("-")
    return f"{colour.title()} penny {number}" if number else "The white"


def _judge_removal(state: State, penny: str | None) -> Verdict:
    assert state.to_play is not None
    chooser = SEATS[state.to_play]
    if penny is None:
        reasons = [Reason("PW-12b", f"{chooser} declines to take a penny off.")]
    else:
        reasons = [Reason("PW-12b", f"{chooser} takes {_display_name(penny)} off until the end is over.")]
    off = () if penny is None else (penny,)
    removals_left = state.removals - 1
    after = msgspec.structs.replace(state, scene=state.scene.without(*off), left=_after_removal(state, penny))
    if removals_left and penny is not None and removable(after):
        return _verdict(reasons, next=state.to_play, phase="remove", off=off, removals=removals_left)
    return _continue_end(state, reasons, after.scene, after.left, state.flicker, off=off)


def _after_removal(state: State, penny: str | None) -> tuple[int, int]:
    """Pennies left to flick after a removal; only one still in hand counts down (removal_scope any)."""
    if penny is None or state.scene.has(penny):
        return state.left
    return _use_penny(state.left, state.flicker)


def _judge_blocked(state: State) -> Verdict:
    """Judge a full start area, on which the rules are silent: the penny is lost, or the coins in it go."""
    player = state.to_play
    assert player is not None
    if state.options.blocked_start == "lift":
        short = tuple(piece.id for piece in state.scene.pieces if piece.y - piece.radius < mm(50.0))
        text = f"No spot behind the {START_LINE} is free: {', '.join(map(_display_name, short))} are lifted."
        return _verdict([Reason("PW-5a", text)], next=player, phase=state.phase, off=short)
    name = next_coin(state)
    assert name is not None
    reasons = [Reason("PW-5a", f"No spot behind the {START_LINE} is free: {_display_name(name)} is not flicked.")]
    return _continue_end(state, reasons, state.scene, _use_penny(state.left, player), player, spent=name)


def _judge_disturbance(state: State, action: Disturb) -> Verdict:
    """Apply a self-report: restore the position; the seat that reported plays again (PW-13d, PW-14a, PW-14b).

    A coin touched in the last flick undoes that flick and all it led to.
    """
    undone = action.how == "touched" and not action.aiming and state.former is not None
    restored = state.former if undone and state.former is not None else state
    player = restored.to_play
    assert player is not None
    if action.how == "touched":
        rule, event_text, point = "PW-13d", "A coin that was not flicked was touched", state.options.foul == "point"
    else:
        event_text = "The board was turned" if action.how == "turned" else "The board was knocked"
        rule, point = "PW-14a" if action.how == "turned" else "PW-14b", state.options.disturb == "point"
    penalty = _points_to(1 - player) if point else (0, 0)
    points = (restored.scores[0] - state.scores[0] + penalty[0], restored.scores[1] - state.scores[1] + penalty[1])
    outcome_text = (
        f"a point to {SEATS[1 - player]}, and {SEATS[player]} plays again" if point else f"{SEATS[player]} plays again"
    )
    reason = Reason(rule, f"{event_text}: everything is put back and {outcome_text}.")
    return _verdict(
        [reason], next=player, phase=restored.phase, points=points, removals=restored.removals, undone=undone
    )


def _continue_end(
    state: State, reasons: list[Reason], table: Scene, left: tuple[int, int], flicked: int, **more: Unchecked
) -> Verdict:
    """Continue after a penny: the next penny, or the count of the end."""
    if sum(left):
        next_seat = 1 - flicked if left[1 - flicked] else flicked
        return _verdict(reasons, next=next_seat, phase="penny", **more)
    reasons = [*reasons, Reason("PW-6a", "All pennies have been flicked.")]
    points, count_reasons = count_end(table)
    reasons += count_reasons
    if not any(points) and state.options.tie == "replay":
        reasons.append(Reason("PW-8a", f"End {state.end} is played again."))
        return _verdict(reasons, next=state.starter, phase="white", end="replays", **more)
    return _close_end(state, reasons, points, **more)


def count_end(table: Scene) -> tuple[Points, list[Reason]]:
    """Points of a finished end by nearness to the white (PW-8a to PW-8d)."""
    distances: tuple[list[float], list[float]] = ([], [])
    for piece in table.pieces:
        if piece.owner is not None:
            distances[piece.owner].append(queries.centre_distance(table, piece.id, WHITE))
    best = tuple(min(own, default=float("inf")) for own in distances)
    if not distances[0] and not distances[1]:
        return (0, 0), [Reason("PW-8a", "No penny is left on the board: nobody scores.")]
    if abs(best[0] - best[1]) <= queries.LENGTH_TOLERANCE:
        return (0, 0), [Reason("PW-8a", "The nearest pennies are level: nobody scores.")]
    winner = 0 if best[0] < best[1] else 1
    points = sum(gap < best[1 - winner] - queries.LENGTH_TOLERANCE for gap in distances[winner])
    rule = "PW-8b" if points == 1 else "PW-8c" if points == 2 else "PW-8d"
    verb_text = "penny lies" if points == 1 else "pennies lie"
    loser = SEATS[1 - winner]
    text = f"{SEATS[winner]} wins the end with {points}: {points} {verb_text} nearer the white than {loser}'s best."
    if not distances[1 - winner]:
        text = f"{SEATS[winner]} wins the end with {points}: {loser} has no penny on the board."
    return _points_to(winner, points), [Reason(rule, text)]


def _close_end(state: State, reasons: list[Reason], points: Points, **more: Unchecked) -> Verdict:
    """Close the end, and the game if it is over (PW-9a, PW-9b)."""
    totals = (state.scores[0] + points[0], state.scores[1] + points[1])
    level = totals[0] == totals[1]
    if state.end < state.options.ends or (level and state.options.game_tie == "extra_end"):
        starter = 1 - state.starter
        if state.end >= state.options.ends:
            reasons = [*reasons, Reason("PW-9b", "Level after the last end: one more is played.")]
        else:
            reasons = [*reasons, Reason("PW-4a", f"{SEATS[starter]} starts end {state.end + 1}.")]
        return _verdict(reasons, next=starter, phase="white", points=points, end="closes", **more)
    ends = state.options.ends
    text = "The one agreed end has been played." if ends == 1 else f"The agreed {ends} ends have been played."
    reasons = [*reasons, Reason("PW-9a", text)]
    if level:
        text = f"The game is drawn, {totals[0]} each."
    else:
        best = top_scorers(totals)[0]
        text = f"{SEATS[best]} wins the game, {totals[best]} to {totals[1 - best]}."
    reasons.append(Reason("PW-9b", text))
    return _verdict(reasons, next=None, phase="over", points=points, end="closes", **more)


def next_state(state: State, result: Trajectory | None, verdict: Verdict) -> State:
    """Apply a verdict to a state."""
    ruling = verdict.ruling
    assert isinstance(ruling, PennyRuling)
    gained = tuple(int(points) for points in ruling.points)
    scores = (state.scores[0] + gained[0], state.scores[1] + gained[1])
    if ruling.undone:
        assert state.former is not None
        return msgspec.structs.replace(state.former, scores=scores)
    former = state.former if result is None else msgspec.structs.replace(state, former=None)
    state = msgspec.structs.replace(state, scores=scores, former=former)
    if ruling.end == "restarts":
        return _new_end(state, end=state.end, starter=state.starter, failed=state.failed + 1)
    if ruling.end == "replays":
        return _new_end(state, end=state.end, starter=state.starter)
    if ruling.end == "closes" and not ruling.is_over:
        return _new_end(state, end=state.end + 1, starter=1 - state.starter)
    scene = (result.after if result is not None else state.scene).without(*ruling.off)
    left = state.left
    flicker = state.flicker
    if result is None:
        for name in ruling.off:  # a penny on the board comes off; one still in hand is used up
            left = _after_removal(state, name)
    if ruling.white is not None:
        white = kit.coin(state.options, WHITE, None, ruling.white)
        scene = scene.with_piece(white)
    if ruling.spent is not None:
        assert state.to_play is not None
        flicker = state.to_play
        left = _use_penny(left, flicker)
    return msgspec.structs.replace(
        state, scene=scene, left=left, flicker=flicker, removals=ruling.removals, phase=ruling.phase,
        to_play=ruling.next,
    )  # fmt: skip
