"""The pyramids' screen drawn, part by part, from what is to be seen."""

from __future__ import annotations

from math import cos, sin

import msgspec
import pygame

from flicksim.base.units import mm
from flicksim.drawing import Camera
from flicksim.table import Launch, Pyramid
from flicksim.ui.faces.ice import film, side
from flicksim.ui.faces.ice import panel as seat_panel
from flicksim.ui.faces.ice.panel import Card
from flicksim.ui.faces.ice.sight import Sight
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.match.course import AIMING
from flicksim.ui.table import effects, shot_box, shot_painter, side_panel, slingshot, standing
from flicksim.ui.table.calm import Spread, spread_of
from flicksim.ui.table.profile import Plane, ground

_ALONE = (
    "Pull back anywhere on the table, like a slingshot, and let go: so far, so strong, the other way. Or turn with the "
    "arrows and flick with Space. Steeper flicks fly higher; a nail lower on the base leaves more backspin."
)
_SEVERAL = (
    "Each has keys of their own; they stand on the cards. Hold the launch key until it is strong enough, then let go. "
    "The mouse and these numbers are for the lit seat; click on a card to take another."
)


# -- the table --------------------------------------------------------------------------------------------------------


def table(canvas: Canvas, sight: Sight) -> None:
    """The table from above, and a nearer look beside it where there is room."""
    view, pieces = sight.view, sight.pieces
    with canvas.clipped(view.area):
        view.draw(canvas)
        _pieces(canvas, view.camera, sight, pieces)
        _sparks(canvas, view.camera, sight)
        _others_aim(canvas, view.camera, sight)
        slingshot.draw(canvas, sight.hands.pull)
    lens = view.lens({})
    if lens is not None:
        with view.through(canvas, lens):
            _pieces(canvas, lens.camera, sight, pieces)
    _under_mouse(canvas, sight, pieces)


def _pieces(canvas: Canvas, camera: Camera, sight: Sight, pieces: tuple[Pyramid, ...]) -> None:
    painter, course = sight.view.painter, sight.course
    reel = course.reel
    if reel is not None:
        painter.way(canvas, camera, reel.landing, reel.t)
        painter.pyramids(canvas, camera, pieces)
        return
    for flight in course.flights:
        if flight.start <= course.now:
            painter.way(canvas, camera, flight.shown, course.now - flight.start)
    if sight.cloud is not None:
        sight.cloud.draw(canvas, camera)
    held: list[Pyramid] = []
    if course.stage == "choose":
        for seat in range(len(sight.match.players)):
            held += _held(canvas, camera, sight, seat)
    painter.pyramids(canvas, camera, [*pieces, *held])
    still = {piece.id: piece for piece in pieces}
    for piece, points in course.counting:
        if points and still.get(piece.id) == piece:
            doubled = points > piece.shape.pips
            painter.halo(canvas, camera, piece, palette.GLOW if doubled else palette.CHALK)


def _sparks(canvas: Canvas, camera: Camera, sight: Sight) -> None:
    """Sparks and dust where pieces meet; none with less motion, or once the clock stands still."""
    course = sight.course
    if course.calm or course.stage == "over":
        return
    shown = [(course.reel.landing, course.reel.t)] if course.reel is not None else [
        (flight.landing, course.now - flight.start) for flight in course.flights if flight.landing is not None
    ]  # fmt: skip
    for landing, t in shown:
        effects.sparks(canvas, camera, film.met(landing, t))


def _others_aim(canvas: Canvas, camera: Camera, sight: Sight) -> None:
    """The aim of bots, for a moment before they launch."""
    course, match = sight.course, sight.match
    for flight in course.flights if course.reel is None else ():
        left, meant, seat = flight.start - course.now, flight.meant, flight.launch.owner
        if meant is None or seat is None or seat in sight.hands.people or not 0.0 < left <= AIMING:
            continue
        hand = match.hands[seat]
        usual = spread_of(hand)
        spread = usual and Spread(hand.loose * usual.turn, hand.loose * usual.speed, usual.unrest)
        far = side.carry(sight.foresight.at_once(meant) or flight.alone)
        end = (meant.hold[0] + far * cos(meant.azimuth), meant.hold[1] + far * sin(meant.azimuth))
        tint = palette.seat_colour(palette.seat_key(seat, match.game.seat_names))
        share = 1.0 if course.calm else min(1.0, (AIMING - left) / (0.6 * AIMING))
        effects.drawn_out(canvas, camera, (meant.hold, end), spread, tint, share)


def _held(canvas: Canvas, camera: Camera, sight: Sight, seat: int) -> list[Pyramid]:
    """The launcher of a seat with the missile on it, and for people the way they aim."""
    course, grip = sight.course, sight.hands.grips[seat]
    person = seat in sight.hands.people
    flown = next((one.launch for one in reversed(course.flights) if one.launch.owner == seat), None)
    if not course.table.hands[seat] and not course.flying(seat):
        return []
    meant = sight.hands.meant(seat) if person else None
    if meant is None:
        meant = flown or grip.launch(f"seat {seat}")
    launcher, missile = side.launcher_at(course.table.scene, meant)
    loaded = course.holds(seat) and (person or course.table.started or course.table.loaded[seat] is not None)
    if person and course.holds(seat):
        _aim(canvas, camera, sight, seat, meant)
    name = f"held {seat}"
    found = [msgspec.structs.replace(launcher, id=name)]
    if loaded:
        found.append(msgspec.structs.replace(missile, id=f"{name} missile"))
    return found


def _aim(canvas: Canvas, camera: Camera, sight: Sight, seat: int, meant: Launch) -> None:
    """The way a launch in hand would fly, as far as to where it would come down on a bare table."""
    meant = sight.charged(seat, meant)
    alone = sight.foresight.of(meant)
    if alone is None:
        return
    (x, y), far = meant.hold, side.carry(alone)
    a = camera.to_screen((x, y))
    b = camera.to_screen((x + far * cos(meant.azimuth), y + far * sin(meant.azimuth)))
    chosen = seat == sight.hands.seat
    colour = palette.GLOW if chosen or seat in sight.hands.charging else palette.DUST
    spread = sight.hands.spread(seat) if chosen or seat in sight.hands.charging else None
    if spread is not None:
        end = (x + far * cos(meant.azimuth), y + far * sin(meant.azimuth))
        shot_painter.fan(canvas, camera, (x, y), end, spread, colour)
        shot_painter.unrest(canvas, a, canvas.px(10), spread)
        return
    canvas.dashes(a, b, colour, canvas.px(2 if chosen else 1.4), canvas.px(5))
    canvas.ring(b, canvas.px(5), colour, canvas.px(2))


def _under_mouse(canvas: Canvas, sight: Sight, pieces: tuple[Pyramid, ...]) -> None:
    """Draw the name of the piece under the mouse beside it."""
    at = pygame.mouse.get_pos()
    if sight.hands.busy or not sight.view.on_table(at):
        return
    piece = sight.view.under(at, pieces)
    if piece is None:
        return
    words = sight.told(piece)
    wide, high = canvas.wide(words, 13), canvas.high(13)
    box = pygame.Rect(at[0] + canvas.px(12), at[1] + canvas.px(10), wide + canvas.px(14), high + canvas.px(6))
    box.clamp_ip(sight.view.area)
    canvas.box(box, palette.SHADE, 5)
    canvas.text(words, box.center, 13, palette.PALE, anchor="center")


# -- from the side ----------------------------------------------------------------------------------------------------


def side_view(canvas: Canvas, sight: Sight) -> None:
    """A launch shown again, one in the air, or the one in hand."""
    rect, course, seats = sight.view.side, sight.course, sight.match.game.seat_names
    if course.reel is not None:
        reel = course.reel
        t = min(reel.t, reel.landing.duration)
        side.show(canvas, rect, reel.landing, t, seats, line=_line(sight, reel.landing.launch), close=True,
                  says=_words(sight, reel.landing.launch, t))  # fmt: skip
        return
    watched = sight.watched()
    if watched is not None:
        t = course.now - watched.start
        side.show(canvas, rect, watched.shown, min(t, watched.shown.duration), seats,
                  line=_line(sight, watched.launch), says=_words(sight, watched.launch, t))  # fmt: skip
        return
    meant = sight.hands.meant(sight.hands.seat) if sight.hands.aiming else None
    launch = sight.charged(sight.hands.seat, meant) if meant is not None else None
    alone = sight.foresight.of(launch) if launch is not None else None
    if launch is None or alone is None:
        side.idle(canvas, rect, sight.hands.grip.launch("none"), "no launch under way")
        return
    scene = course.table.scene
    flight = side.flown(alone, alone.down)
    plane = side.whole(rect, launch, [*flight, (mm(300.0), mm(200.0))], canvas.scale)
    wrong = side.kept(alone)
    words = f"{seats[sight.hands.seat]} aims" if not wrong else "too weak: the missile stays on the launcher"
    side.framed(canvas, rect, plane, side.ground(alone), words, _line(sight, launch))
    with canvas.clipped(rect.inflate(-4, -4)):
        side.standing(canvas, plane, sight.pieces, seats)
        side.arc(canvas, plane, flight)
        held, nested = side.launcher_at(scene, launch)
        side.hand(canvas, plane, held, seats, nested)


def _line(sight: Sight, launch: Launch) -> float | None:
    """Distance from the launcher at which the owner's start line is crossed [m]."""
    return side.own_line(sight.surface, launch)


def _words(sight: Sight, launch: Launch, t: float) -> str:
    return side.words(sight.match.game.seat_names, launch, t)


# -- the launch in hand -----------------------------------------------------------------------------------------------


def hand(canvas: Canvas, sight: Sight) -> None:
    """The launcher near to, with the nail that will strike it; sizes and numbers below are widgets."""
    box, course = sight.places.left, sight.course
    if course.reel is not None:
        y = side_panel.caption(canvas, box, "Shown again")
        y = canvas.paragraph(course.reel.says, pygame.Rect(box.x, y, box.w, canvas.px(60)), 14, bold=True)
        shot_box.times(canvas, pygame.Rect(box.x, y + canvas.px(4), box.w, box.h), course.reel,
                       course.reel.landing.duration)  # fmt: skip
        return
    if not sight.hands.aiming:
        seat_panel.legend(canvas, box)
        return
    name = standing.name(sight.match, sight.hands.seat)
    y = side_panel.caption(canvas, box, f"In {name}'s hands")
    foot = sight.places.sizes - canvas.px(8)
    rect = pygame.Rect(box.x, y, box.w, max(canvas.px(60), min(foot - y, round(box.w * 0.92))))
    canvas.box(rect, ground(), 6, palette.EDGE)
    grip = sight.hands.grip
    piece = sight.hands.missile(sight.hands.seat)
    launch = grip.launch(piece or "none")
    held, nested = side.launcher_at(course.table.scene, launch)
    zoom = min(rect.w / mm(112.0), rect.h / mm(104.0))
    plane = Plane(launch.hold, launch.azimuth, zoom, rect.centerx - mm(2.0) * zoom,
                  rect.bottom - mm(28.0) * zoom + launch.lift * zoom)  # fmt: skip
    with canvas.clipped(rect.inflate(-4, -4)):
        on = nested if piece is not None and course.holds(sight.hands.seat) else None
        side.hand(canvas, plane, held, sight.match.game.seat_names, on)
        gathered = sight.hands.gathered(sight.hands.seat)
        side.nail(canvas, plane, held, grip.height, grip.slant, grip.strength if gathered is None else gathered)
    room = pygame.Rect(box.x, rect.bottom + canvas.px(10), box.w, foot - rect.bottom - canvas.px(10))
    if room.h >= 4 * canvas.high(13):
        canvas.paragraph(_SEVERAL if sight.hands.clusters else _ALONE, room, 13, palette.FAINT)


# -- the seats --------------------------------------------------------------------------------------------------------


def panel(canvas: Canvas, sight: Sight) -> None:
    """Seats, what is due, the ruling on the last missile that came down, what came of those before."""
    places, course, match = sight.places, sight.course, sight.match
    canvas.box(places.right, palette.PANEL)
    rect = places.inner
    clock = f"{max(course.now, 0.0):.0f} s" if course.table.started else ""
    side_panel.heading(canvas, rect, match.game.title, clock)
    cards(canvas, sight)
    foot, y = places.foot, places.under
    if len(match.players) == 1:
        y = seat_panel.so_far(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), course.log_lines, course.counting)
    says, wrong = course.says, course.wrong or course.unkept
    if course.paused:
        says = "Paused: P goes on"
    y = side_panel.now(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), says, sight.note, wrong)
    y = side_panel.told(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), sight.given)
    log_lines = course.log_lines
    if log_lines:
        y = seat_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, log_lines[0])
    seat_panel.landed(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, log_lines)


def cards(canvas: Canvas, sight: Sight) -> None:
    """A card for each seat."""
    course, match = sight.course, sight.match
    found = [_card(sight, seat) for seat in range(len(match.players))]
    seat_panel.seats(canvas, sight.places.cards, match, course.table, course.counting, found)


def _card(sight: Sight, seat: int) -> Card:
    course, state, hands = sight.course, sight.course.table, sight.hands
    person = seat in sight.hands.people
    charge = hands.gathered(seat)
    flight = next((one for one in course.flights if one.launch.owner == seat and course.now < one.end), None)
    if not state.started:
        doing = "loaded, ready" if course.loaded(seat) else "choose a missile" if person else "loads"
    elif flight is not None and flight.start <= course.now:
        doing = "in the air" if course.now < flight.down else "lands"
    elif not state.hands[seat] and flight is None:
        doing = "has launched all"
    elif course.now < 0.0:
        doing = "loaded"
    elif person:
        doing = f"{hands.grips[seat].size} loaded" if charge is None else "charging"
    else:
        doing = "takes aim"
    keys = ""
    if seat in hands.clusters:
        aim, size, flick = hands.clusters[seat].shown
        keys = f"{aim} aim   {size} size   {flick} launch"
    chosen = person and len(sight.hands.people) > 1 and seat == sight.hands.seat
    return Card(doing, keys, charge, chosen, person and course.free(seat))
