"""The world seen from above, for one shot after another without a rest: `plan.PlanWorld` as a compiled loop.

The same glides, the same search for meetings, the same happenings in the same order; impacts are solved as pymunk
solves them. What comes out agrees with `settle` to far below a nanometre, short of shots where less than that decides.
"""

from math import asin, cos, inf, sin, sqrt
from typing import Final

import numpy as np

from flicksim.physics.batch import glide
from flicksim.physics.batch.glide import ANGLE, BEGIN, END, FALLS, LENGTH, RADIUS, UX, UY, WIDTH, X, Y
from flicksim.physics.batch.tables import (
    CROSSED,
    LEFT,
    NEVER,
    RESTED,
    SETTLED,
    SKIPPED,
    STRUCK,
    TOO_LONG,
    TOUCHED,
    Board,
    Bools,
    Floats,
    Found,
    Ints,
    Laid,
    Log,
    Struck,
)
from flicksim.physics.flight.jit import bare, compiled
from flicksim.physics.friction import INERTIA
from flicksim.physics.impact import INSTANT, SKIN, SURE
from flicksim.physics.plan import BLINK, CREEP, DEEP, TOGETHER

_SWEEPS: Final = 20_000


@compiled
def shoot(first: int, last: int, board: Board, laid: Laid, struck: Struck, found: Found, log: Log, ends: Ints) -> None:
    """Make the shots from one row to before another.

    Args:
        ends: row of the log after the last event of each shot, counted from the beginning of `log`. [last - first]
    """
    count = laid.radius.shape[1]
    runs = np.zeros((count, WIDTH))
    moving, on = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    rest, meetings = np.zeros((count, 3)), np.full((count, count), inf)
    changed, pairs = np.zeros(count, np.int64), np.zeros((count * (count - 1) // 2 + 1, 2), np.int64)
    speeds, contacts, motion = np.zeros(len(pairs)), np.zeros((len(pairs), 12)), np.zeros((count, 6))
    logged = 0
    for shot in range(first, last):
        ends[shot - first] = logged
        if found.why[shot] == SKIPPED:
            continue
        logged = _one(
            shot, board, laid, struck, found, log, logged,
            runs, moving, on, rest, meetings, changed, pairs, speeds, contacts, motion,
        )  # fmt: skip
        ends[shot - first] = logged


@bare
def _one(
    shot: int, board: Board, laid: Laid, struck: Struck, found: Found, log: Log, logged: int,
    runs: Floats, moving: Bools, on: Bools, rest: Floats, meetings: Floats,
    changed: Ints, pairs: Ints, speeds: Floats, contacts: Floats, motion: Floats,
) -> int:  # fmt: skip
    """Make one shot; the arrays of the last line are scratch."""
    count = runs.shape[0]
    at = min(shot, laid.places.shape[0] - 1)
    kit = min(shot, laid.radius.shape[0] - 1)
    law = min(shot, laid.gentle.shape[0] - 1)
    radius, pull, contact = laid.radius[kit], laid.pull[kit], laid.contact[kit]
    gentle, longest, most = laid.gentle[law], laid.longest[law], laid.most[law]
    for i in range(count):
        moving[i] = False
        on[i] = laid.there[min(shot, laid.there.shape[0] - 1), i]
        found.moved[shot, i] = found.left[shot, i] = False
        for k in range(3):
            rest[i, k] = laid.places[at, i, k]
        for j in range(count):
            meetings[i, j] = inf
    for i in range(count):
        for k in range(count):
            found.met[shot, i, k] = False
        for k in range(found.crossed.shape[2]):
            found.crossed[shot, i, k] = 0
    found.first[shot, 0] = found.first[shot, 1] = -1

    i = struck.piece[shot]
    vx, vy, spin = finger(struck.speed[shot], struck.azimuth[shot], struck.offset[shot], laid.nail[law], radius[i])
    logged = _note(log, logged, STRUCK, i, -1, 0.0, rest[i, 0], rest[i, 1], vx, vy, spin)
    for k in range(3):
        motion[i, k] = rest[i, k]
    send(i, vx, vy, spin, 0.0, motion, runs, moving, board, radius[i], pull[i], contact[i])
    changed[0] = i
    _foresee(1, changed, runs, moving, on, rest, meetings, board, radius, pull, gentle, 0.0)

    time, impacts, why = 0.0, 0, SETTLED
    while True:
        end, meeting, anything = inf, inf, False
        for i in range(count):
            if moving[i]:
                anything = True
                end = min(end, runs[i, END])
                for j in range(i):
                    if meetings[j, i] < meeting:
                        meeting = meetings[j, i]
            else:
                for j in range(i):
                    if moving[j] and meetings[j, i] < meeting:
                        meeting = meetings[j, i]
        if not anything:
            break
        if time > longest or impacts > most:
            why = TOO_LONG
            break
        if end == inf and meeting == inf:
            why = NEVER
            break
        time = min(end, meeting)
        if meeting <= end:
            impacts += 1
            logged = _impact(
                shot, meeting, time, runs, moving, on, rest, meetings, board, laid, kit, law, found, log, logged,
                changed, pairs, speeds, contacts, motion,
            )  # fmt: skip
        else:
            ended = 0
            for i in range(count):
                if moving[i] and runs[i, END] <= time:
                    changed[ended] = i
                    ended += 1
            for k in range(ended):
                i = changed[k]
                _state(i, time, runs, moving, rest, board, motion)
                logged = _crossings(shot, i, motion[i, 0], motion[i, 1], time, runs, board, found, log, logged)
                moving[i] = False
                if runs[i, FALLS] > 0.0:
                    on[i] = False
                    found.left[shot, i] = True
                    logged = _note(
                        log, logged, LEFT, i, -1, time, motion[i, 0], motion[i, 1], motion[i, 3], motion[i, 4], 0.0
                    )
                else:
                    found.moved[shot, i] = True
                    logged = _note(log, logged, RESTED, i, -1, time, motion[i, 0], motion[i, 1], 0.0, 0.0, 0.0)
                for n in range(3):
                    rest[i, n] = motion[i, n]
            _foresee(ended, changed, runs, moving, on, rest, meetings, board, radius, pull, gentle, time)
    for i in range(count):
        for k in range(3):
            found.places[shot, i, k] = rest[i, k]
    found.duration[shot] = time
    found.why[shot] = why
    return logged


@bare
def finger(speed: float, azimuth: float, offset: float, nail: float, radius: float) -> tuple[float, float, float]:
    """Velocity [m/s] and spin [rad/s] of a piece flicked by a nail (see `strike.finger`)."""
    lean = asin(offset)
    normal = cos(lean)
    tangent = max(-nail * normal, min(nail * normal, sin(lean)))
    ux, uy = cos(azimuth), sin(azimuth)
    c, s = cos(lean), sin(lean)
    nx, ny = ux * c + uy * s, uy * c - ux * s
    vx = speed * (normal * nx - tangent * ny)
    vy = speed * (normal * ny + tangent * nx)
    return vx, vy, -speed * tangent / (INERTIA * radius)


@bare
def _note(
    log: Log, logged: int, what: int, who: int, other: int,
    t: float, x: float, y: float, a: float, b: float, c: float,
) -> int:  # fmt: skip
    """Append an event where a log is kept; -1 once it is full."""
    if log.what.shape[0] == 0 or logged < 0:
        return logged
    if logged == log.what.shape[0]:
        return -1
    log.what[logged] = what
    log.who[logged, 0], log.who[logged, 1] = who, other
    log.numbers[logged, 0], log.numbers[logged, 1], log.numbers[logged, 2] = t, x, y
    log.numbers[logged, 3], log.numbers[logged, 4], log.numbers[logged, 5] = a, b, c
    return logged + 1


# -- gliding ----------------------------------------------------------------------------------------------------------


@bare
def _state(i: int, time: float, runs: Floats, moving: Bools, rest: Floats, board: Board, motion: Floats) -> None:
    """Write place, angle, velocity and spin of piece i into its row of `motion`."""
    if not moving[i]:
        for k in range(3):
            motion[i, k] = rest[i, k]
            motion[i, k + 3] = 0.0
        return
    run = runs[i]
    way, speed = glide.slid(run, board, time - run[BEGIN])
    turn, rim = glide.turned(run, board, time - run[BEGIN])
    motion[i, 0], motion[i, 1], motion[i, 2] = run[X] + run[UX] * way, run[Y] + run[UY] * way, run[ANGLE] + turn
    motion[i, 3], motion[i, 4], motion[i, 5] = run[UX] * speed, run[UY] * speed, rim / run[RADIUS]


@bare
def send(
    i: int, vx: float, vy: float, spin: float, time: float, motion: Floats, runs: Floats, moving: Bools, board: Board,
    radius: float, pull: float, contact: int,
) -> None:  # fmt: skip
    """Give piece i a new motion from where its row of `motion` says it is."""
    run = runs[i]
    x, y = motion[i, 0], motion[i, 1]
    speed = sqrt(vx * vx + vy * vy)
    ux, uy = 1.0, 0.0
    if speed > 0.0:
        ux, uy = vx / speed, vy / speed
    glide.set_off(run, board, speed, spin * radius, radius, pull, contact)
    run[BEGIN], run[X], run[Y], run[ANGLE], run[UX], run[UY] = time, x, y, motion[i, 2], ux, uy
    run[END], run[FALLS] = time + run[glide.STOP], 0.0
    edge = inf
    for q in range(board.edges.shape[0]):
        ax, ay = board.edges[q, 0], board.edges[q, 1]
        ex, ey = board.edges[q, 2] - ax, board.edges[q, 3] - ay
        outward = ux * ey - uy * ex
        if outward > 0.0:
            edge = min(edge, ((ax - x) * ey - (ay - y) * ex) / outward)
    edge = max(0.0, edge)
    if edge < run[LENGTH]:
        run[END], run[FALLS] = time + glide.time_at(run, board, edge), 1.0
    moving[i] = True


@bare
def _crossings(
    shot: int, i: int, x: float, y: float, time: float, runs: Floats, board: Board, found: Found, log: Log, logged: int
) -> int:
    """Count and note the lines piece i has crossed on its present run, which ends at x, y."""
    run = runs[i]
    dx, dy = x - run[X], y - run[Y]
    for k in range(board.lines.shape[0]):
        ax, ay = board.lines[k, 0], board.lines[k, 1]
        ex, ey = board.lines[k, 2] - ax, board.lines[k, 3] - ay
        det = dx * ey - dy * ex
        if det == 0.0:
            continue
        fx, fy = ax - run[X], ay - run[Y]
        along, beside = (fx * ey - fy * ex) / det, (fx * dy - fy * dx) / det
        if 0.0 < along <= 1.0 and 0.0 <= beside <= 1.0:
            found.crossed[shot, i, k] += 1
            if log.what.shape[0] > 0:
                when = min(run[BEGIN] + glide.time_at(run, board, along * sqrt(dx * dx + dy * dy)), time)
                forward = 1.0 if ex * run[UY] - ey * run[UX] > 0.0 else 0.0
                logged = _note(
                    log, logged, CROSSED, i, k, when, run[X] + along * dx, run[Y] + along * dy, forward, 0.0, 0.0
                )
    return logged


# -- meeting ----------------------------------------------------------------------------------------------------------


@bare
def _foresee(
    many: int, changed: Ints, runs: Floats, moving: Bools, on: Bools, rest: Floats, meetings: Floats,
    board: Board, radius: Floats, pull: Floats, gentle: float, time: float,
) -> None:  # fmt: skip
    """Work out anew when the first `many` of `changed` meet the others (see `PlanWorld._foresee`)."""
    count = runs.shape[0]
    for k in range(many):
        a = changed[k]
        for b in range(count):
            if b != a:
                meetings[min(a, b), max(a, b)] = inf
    for k in range(many):
        a = changed[k]
        if not on[a]:
            continue
        for b in range(count):
            if b == a or not on[b] or not (moving[a] or moving[b]):
                continue
            if b < a:
                again = False
                for n in range(many):
                    again = again or changed[n] == b
                if again:
                    continue
            if moving[a] and moving[b]:
                when = _meet_moving(runs[a], runs[b], board, radius[a] + radius[b], pull[a] + pull[b], gentle, time)
            elif moving[a]:
                when = meet_resting(runs[a], rest[b, 0], rest[b, 1], board, radius[a] + radius[b], gentle, time)
            else:
                when = meet_resting(runs[b], rest[a, 0], rest[a, 1], board, radius[a] + radius[b], gentle, time)
            meetings[min(a, b), max(a, b)] = when


@bare
def meet_resting(run: Floats, bx: float, by: float, board: Board, apart: float, gentle: float, time: float) -> float:
    """Time at which a gliding piece meets one that rests; inf when it does not."""
    dx, dy = bx - run[X], by - run[Y]
    along, aside = dx * run[UX] + dy * run[UY], dx * run[UY] - dy * run[UX]
    if along <= 0.0 or aside * aside >= apart * apart or along - apart > run[LENGTH]:
        return inf
    for attempt in range(2):
        reach, least = (apart, gentle) if attempt == 0 else (apart - DEEP, CREEP)
        if aside * aside >= reach * reach:
            return inf
        inward = sqrt(reach * reach - aside * aside)
        when = max(glide.time_at(run, board, along - inward), time - run[BEGIN])
        if not when < run[END] - run[BEGIN]:
            return inf
        way, speed = glide.slid(run, board, when)
        if along - way <= 0.0:
            return inf
        if speed * (along - way) / sqrt((along - way) * (along - way) + aside * aside) > least:
            return run[BEGIN] + when
    return inf


@bare
def _meet_moving(ra: Floats, rb: Floats, board: Board, reach: float, slack: float, gentle: float, time: float) -> float:
    """Time at which two gliding pieces meet; inf when they do not (see `PlanWorld._meet_moving`)."""
    if _pass_by(ra, rb, reach) or _pass_by(rb, ra, reach):
        return inf
    last = min(ra[END], rb[END])
    to_go = reach + ra[LENGTH] + rb[LENGTH]
    t = time
    for _ in range(60):
        wa, va = glide.slid(ra, board, t - ra[BEGIN])
        wb, vb = glide.slid(rb, board, t - rb[BEGIN])
        dx = rb[X] + rb[UX] * wb - ra[X] - ra[UX] * wa
        dy = rb[Y] + rb[UY] * wb - ra[Y] - ra[UY] * wa
        d = sqrt(dx * dx + dy * dy)
        if d + wa + wb > to_go:
            return inf
        gap = d - reach
        c = ((ra[UX] * va - rb[UX] * vb) * dx + (ra[UY] * va - rb[UY] * vb) * dy) / d
        if gap <= SKIN:
            if c > gentle or (gap <= -DEEP and c > CREEP):
                return t
            sink = max(gap + DEEP, 0.0)
            if c > 0.0:
                t += max(2.0 * sink / (c + sqrt(c * c + 2.0 * slack * sink)), BLINK)
            elif slack > 0.0:
                t += max(-c / slack, BLINK)
            else:
                return inf
        else:
            root = c * c + 2.0 * slack * gap
            if c > 0.0:
                t += 2.0 * (gap - 0.5 * SKIN) / (c + sqrt(root))
            elif slack > 0.0:
                t += (sqrt(root) - c) / slack
            else:
                return inf
        if t >= last:
            return inf
    return t


@bare
def _pass_by(a: Floats, b: Floats, reach: float) -> bool:
    """Tell that all of b's way lies beside the line of a's, or before or behind all of it, by more than `reach`."""
    dx, dy = b[X] - a[X], b[Y] - a[Y]
    ux, uy, way, length = a[UX], a[UY], b[LENGTH], a[LENGTH]
    ex, ey = dx + b[UX] * way, dy + b[UY] * way
    begin, end = dy * ux - dx * uy, ey * ux - ex * uy
    if (begin > reach and end > reach) or (begin < -reach and end < -reach):
        return True
    begin, end = dx * ux + dy * uy, ex * ux + ey * uy
    return (begin > length + reach and end > length + reach) or (begin < -reach and end < -reach)


# -- impacts ----------------------------------------------------------------------------------------------------------


@bare
def _impact(
    shot: int, meeting: float, time: float, runs: Floats, moving: Bools, on: Bools, rest: Floats, meetings: Floats,
    board: Board, laid: Laid, kit: int, law: int, found: Found, log: Log, logged: int,
    changed: Ints, pairs: Ints, speeds: Floats, contacts: Floats, motion: Floats,
) -> int:  # fmt: skip
    """Resolve at once all pairs due by now, those of them that do touch and close."""
    count = runs.shape[0]
    radius, mass, pull, contact = laid.radius[kit], laid.mass[kit], laid.pull[kit], laid.contact[kit]
    gentle = laid.gentle[law]
    due, hit = 0, 0
    for a in range(count):
        for b in range(a + 1, count):
            if meetings[a, b] > meeting + TOGETHER:
                continue
            for i in (a, b):
                known = False
                for k in range(due):
                    known = known or changed[k] == i
                if not known:
                    changed[due] = i
                    due += 1
                    _state(i, time, runs, moving, rest, board, motion)
            dx, dy = motion[b, 0] - motion[a, 0], motion[b, 1] - motion[a, 1]
            d = sqrt(dx * dx + dy * dy)
            nx, ny = dx / d, dy / d
            speed = (motion[a, 3] - motion[b, 3]) * nx + (motion[a, 4] - motion[b, 4]) * ny
            gap = d - radius[a] - radius[b]
            if (gap <= 2.0 * SKIN and speed > 0.5 * gentle) or (gap <= 0.0 and speed > 0.5 * CREEP):
                pairs[hit, 0], pairs[hit, 1], speeds[hit] = a, b, speed
                hit += 1
                found.met[shot, a, b] = found.met[shot, b, a] = True
                if found.first[shot, 0] < 0:
                    found.first[shot, 0], found.first[shot, 1] = a, b
    _sort(changed, due)
    for k in range(due):
        i = changed[k]
        part = False
        for n in range(hit):
            part = part or pairs[n, 0] == i or pairs[n, 1] == i
        if part and moving[i]:
            logged = _crossings(shot, i, motion[i, 0], motion[i, 1], time, runs, board, found, log, logged)
    for n in range(hit):
        a, b = pairs[n, 0], pairs[n, 1]
        dx, dy = motion[b, 0] - motion[a, 0], motion[b, 1] - motion[a, 1]
        d = sqrt(dx * dx + dy * dy)
        x, y = motion[a, 0] + dx / d * radius[a], motion[a, 1] + dy / d * radius[a]
        logged = _note(log, logged, TOUCHED, a, b, time, x, y, dx / d, dy / d, speeds[n])
    _resolve(
        hit, pairs, speeds, contacts, motion, radius, mass,
        laid.friction[kit], laid.restitution[kit], laid.yields[kit], gentle,
    )  # fmt: skip
    for k in range(due):
        i = changed[k]
        part = False
        for n in range(hit):
            part = part or pairs[n, 0] == i or pairs[n, 1] == i
        if part:
            send(
                i, motion[i, 3], motion[i, 4], motion[i, 5], time, motion, runs, moving, board,
                radius[i], pull[i], contact[i],
            )  # fmt: skip
    _foresee(due, changed, runs, moving, on, rest, meetings, board, radius, pull, gentle, time)
    return logged


@bare
def _sort(numbers: Ints, many: int) -> None:
    """Put the first so many numbers in order."""
    for k in range(1, many):
        value, n = numbers[k], k
        while n > 0 and numbers[n - 1] > value:
            numbers[n] = numbers[n - 1]
            n -= 1
        numbers[n] = value


@bare
def _resolve(
    hit: int, pairs: Ints, speeds: Floats, contacts: Floats, motion: Floats, radius: Floats, mass: Floats,
    friction: Floats, restitution: Floats, yields: Floats, gentle: float,
) -> None:  # fmt: skip
    """Velocities and spins after these pairs have hit at once, written into `motion`.

    As pymunk's space does it in one step of an instant: pieces are moved on for that instant, then the impulses of all
    contacts are found by turns until they no longer change.
    """
    for n in range(hit):
        a, b = pairs[n, 0], pairs[n, 1]
        ax, ay = motion[a, 0] + motion[a, 3] * INSTANT, motion[a, 1] + motion[a, 4] * INSTANT
        bx, by = motion[b, 0] + motion[b, 3] * INSTANT, motion[b, 1] + motion[b, 4] * INSTANT
        dx, dy = bx - ax, by - ay
        d = 1.0 / sqrt(dx * dx + dy * dy)
        nx, ny = dx * d, dy * d
        ra, rb = radius[a] + 2.0 * SKIN, radius[b] + 2.0 * SKIN
        rax, ray, rbx, rby = ax + nx * ra - ax, ay + ny * ra - ay, bx + nx * -rb - bx, by + ny * -rb - by
        light_a, light_b = 1.0 / mass[a], 1.0 / mass[b]
        quick_a = 1.0 / (INERTIA * mass[a] * radius[a] * radius[a])
        quick_b = 1.0 / (INERTIA * mass[b] * radius[b] * radius[b])
        along_a, along_b = rax * ny - ray * nx, rbx * ny - rby * nx
        aside_a, aside_b = rax * nx + ray * ny, rbx * nx + rby * ny
        contacts[n, 0], contacts[n, 1] = nx, ny
        contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5] = rax, ray, rbx, rby
        contacts[n, 6] = 1.0 / (light_a + quick_a * along_a * along_a + (light_b + quick_b * along_b * along_b))
        contacts[n, 7] = 1.0 / (light_a + quick_a * aside_a * aside_a + (light_b + quick_b * aside_b * aside_b))
        e = 1.0
        if speeds[n] > 2.0 * gentle:
            e = restitution[a, b]
            if speeds[n] > yields[a, b]:
                e *= (speeds[n] / yields[a, b]) ** -0.25
        vx, vy = _past(a, b, rax, ray, rbx, rby, motion)
        contacts[n, 8] = (vx * nx + vy * ny) * e
        contacts[n, 9] = friction[a, b]
        contacts[n, 10] = contacts[n, 11] = 0.0
    for _ in range(1 if hit == 1 else _SWEEPS):
        change, size = 0.0, 0.0
        for n in range(hit):
            a, b = pairs[n, 0], pairs[n, 1]
            nx, ny = contacts[n, 0], contacts[n, 1]
            rax, ray, rbx, rby = contacts[n, 2], contacts[n, 3], contacts[n, 4], contacts[n, 5]
            vx, vy = _past(a, b, rax, ray, rbx, rby, motion)
            along, aside = vx * nx + vy * ny, vx * -ny + vy * nx
            push = max(contacts[n, 10] + -(contacts[n, 8] + along) * contacts[n, 6], 0.0)
            most = contacts[n, 9] * push
            rub = min(max(contacts[n, 11] + -aside * contacts[n, 7], -most), most)
            jn, jt = push - contacts[n, 10], rub - contacts[n, 11]
            contacts[n, 10], contacts[n, 11] = push, rub
            change, size = max(change, abs(jn), abs(jt)), max(size, push)
            jx, jy = nx * jn - ny * jt, nx * jt + ny * jn
            light_a, light_b = 1.0 / mass[a], 1.0 / mass[b]
            motion[a, 3] += -jx * light_a
            motion[a, 4] += -jy * light_a
            motion[b, 3] += jx * light_b
            motion[b, 4] += jy * light_b
            motion[a, 5] += 1.0 / (INERTIA * mass[a] * radius[a] * radius[a]) * (rax * -jy - ray * -jx)
            motion[b, 5] += 1.0 / (INERTIA * mass[b] * radius[b] * radius[b]) * (rbx * jy - rby * jx)
        if change <= SURE * size:
            break


@bare
def _past(a: int, b: int, rax: float, ray: float, rbx: float, rby: float, motion: Floats) -> tuple[float, float]:
    """Velocity of b's rim past a's where they touch [m/s]."""
    vx = motion[b, 3] + -rby * motion[b, 5] - (motion[a, 3] + -ray * motion[a, 5])
    vy = motion[b, 4] + rbx * motion[b, 5] - (motion[a, 4] + rax * motion[a, 5])
    return vx, vy
