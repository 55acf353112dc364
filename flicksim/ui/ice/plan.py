"""Parts of the pyramids' screen: what is drawn where, and where widgets stand. Only what is foreseen is kept."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin
from typing import TYPE_CHECKING

import msgspec
import pygame

from flicksim.base.geometry import Point
from flicksim.base.units import mm
from flicksim.physics import settle
from flicksim.table import SIZES, Landing, Launch, Pyramid, PyramidScene
from flicksim.table.pyramid_scene import Kit
from flicksim.table.surface import Surface
from flicksim.ui import palette, shot_box, side_panel, standing
from flicksim.ui.camera import Camera
from flicksim.ui.canvas import Canvas
from flicksim.ui.ice import panel as seat_panel
from flicksim.ui.ice import side
from flicksim.ui.ice.count import stash
from flicksim.ui.ice.flight import Flight
from flicksim.ui.ice.grip import SPEED
from flicksim.ui.ice.panel import Card
from flicksim.ui.ice.tale import how
from flicksim.ui.profile import Plane, ground

if TYPE_CHECKING:
    from flicksim.ui.ice.screen import IceScreen

_ALONE = (
    "Pull back anywhere on the table, like a slingshot, and let go: so far, so strong, the other way. Or turn with the "
    "arrows and flick with Space. Steeper flicks fly higher; a nail lower on the base leaves more backspin."
)
_SEVERAL = (
    "Each has keys of their own; they stand on the cards. Hold the launch key until it is strong enough, then let go. "
    "The mouse and these numbers are for the lit seat; click on a card to take another."
)
_LINGER = 1.2
"""How long a launch is still seen from the side when all lies still [s]."""


@lru_cache(maxsize=256)
def foreseen(surface: Surface, kit: Kit, launch: Launch) -> Landing:
    """How a launch would fly with nothing on the table."""
    return settle(PyramidScene(surface=surface, kit=kit), launch)


# -- where things stand -----------------------------------------------------------------------------------------------


def arrange(screen: IceScreen, size: tuple[int, int], scale: float) -> None:
    """Places of everything."""
    w, h = size
    pad, gap = round(12 * scale), round(5 * scale)
    right, left = round(300 * scale), round(252 * scale)
    screen.right = pygame.Rect(w - right, 0, right, h)
    screen.left = pygame.Rect(pad, pad, left - 2 * pad, h - 2 * pad)
    screen.view.place(pygame.Rect(left, 0, w - right - left, h), 46 * scale)
    named, box = screen.buttons, screen.left
    high, row = round(34 * scale), round(24 * scale)
    y = box.bottom - high
    named["launch"].rect = pygame.Rect(box.x, y, box.w, high)
    y -= row + gap * 2
    named["hand"].rect = pygame.Rect(box.x, y, box.w, row)
    y -= len(screen.knobs) * (row + gap) + gap
    for k, knob in enumerate(screen.knobs):
        knob.rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row)
    y -= 3 * (row + gap) + gap * 2
    for k, one in enumerate(SIZES):
        named[one].rect = pygame.Rect(box.x, y + k * (row + gap), box.w, row + gap // 2)
    for k, name in enumerate(("on", "pause", "back", "step", "slow")):
        named[name].rect = pygame.Rect(box.x, box.y + round(150 * scale) + k * (high + gap), box.w, high)
    inner = screen.right.inflate(-2 * pad, -2 * pad)
    wide = (inner.w - gap) // 2
    foot = inner.bottom - 3 * (high + gap) + gap
    for k, name in enumerate(("best", "follow", "undo", "hint", "help", "menu")):
        named[name].rect = pygame.Rect(inner.x + (k % 2) * (wide + gap), foot + (k // 2) * (high + gap), wide, high)


# -- the table --------------------------------------------------------------------------------------------------------


def table(canvas: Canvas, screen: IceScreen) -> None:
    """The table from above, and a nearer look beside it where there is room."""
    view = screen.view
    pieces = shown(screen)
    with canvas.clipped(view.area):
        view.draw(canvas)
        _pieces(canvas, view.camera, screen, pieces)
        _pull(canvas, screen)
    view.look = _look(screen, pieces)
    lens = view.lens({})
    if lens is not None:
        with view.through(canvas, lens):
            _pieces(canvas, lens.camera, screen, pieces)
    _under_mouse(canvas, screen, pieces)


def shown(screen: IceScreen) -> tuple[Pyramid, ...]:
    """Every piece as it is shown just now."""
    course = screen.course
    if course.stage == "show" and course.reel is not None:
        return course.reel.landing.pieces_at(min(course.reel.t, course.reel.landing.duration))
    return course.pieces()


def _pieces(canvas: Canvas, camera: Camera, screen: IceScreen, pieces: tuple[Pyramid, ...]) -> None:
    painter, course = screen.view.painter, screen.course
    reel = course.reel
    if reel is not None:
        painter.way(canvas, camera, reel.landing, reel.t)
        painter.pyramids(canvas, camera, pieces)
        return
    for flight in course.flights:
        if flight.start <= course.now:
            painter.way(canvas, camera, flight.shown, course.now - flight.start)
    if screen.cloud is not None:
        screen.cloud.draw(canvas, camera)
    held: list[Pyramid] = []
    if course.stage == "choose":
        for seat in range(len(screen.match.players)):
            held += _held(canvas, camera, screen, seat)
    painter.pyramids(canvas, camera, [*pieces, *held])
    still = {piece.id: piece for piece in pieces}
    for piece, points in course.counting:
        if points and still.get(piece.id) == piece:
            doubled = points > piece.shape.pips
            painter.halo(canvas, camera, piece, palette.GLOW if doubled else palette.CHALK)


def _held(canvas: Canvas, camera: Camera, screen: IceScreen, seat: int) -> list[Pyramid]:
    """The launcher of a seat with the missile on it, and for people the way they aim."""
    course, grip = screen.course, screen.hands.grips[seat]
    person = seat in screen.people
    flown = next((one.launch for one in reversed(course.flights) if one.launch.owner == seat), None)
    if not course.table.hands[seat] and not course.flying(seat):
        return []
    meant = screen.hands.meant(seat) if person else None
    if meant is None:
        meant = flown or grip.launch(f"seat {seat}")
    launcher, missile = side.launcher_at(course.table.scene, meant)
    loaded = course.holds(seat) and (person or course.table.started or course.table.loaded[seat] is not None)
    if person and course.holds(seat):
        _aim(canvas, camera, screen, seat, meant)
    name = f"held {seat}"
    found = [msgspec.structs.replace(launcher, id=name)]
    if loaded:
        found.append(msgspec.structs.replace(missile, id=f"{name} missile"))
    return found


def _aim(canvas: Canvas, camera: Camera, screen: IceScreen, seat: int, meant: Launch) -> None:
    """The way a launch in hand would fly, as far as to where it would come down on a bare table."""
    if not screen.warming.ready:
        return
    meant = _charged(screen, seat, meant)
    (x, y), far = meant.hold, side.carry(foreseen(screen.surface, screen.course.table.scene.kit, meant))
    a = camera.to_screen((x, y))
    b = camera.to_screen((x + far * cos(meant.azimuth), y + far * sin(meant.azimuth)))
    chosen = seat == screen.seat
    colour = palette.GLOW if chosen or seat in screen.hands.charging else palette.DUST
    canvas.dashes(a, b, colour, canvas.px(2 if chosen else 1.4), canvas.px(5))
    canvas.ring(b, canvas.px(5), colour, canvas.px(2))


def _charged(screen: IceScreen, seat: int, meant: Launch) -> Launch:
    """A launch as strong as the key that is held makes it by now; in steps, that not every one has to be foreseen."""
    gathered, (low, high) = screen.hands.gathered(seat), SPEED
    if gathered is None:
        return meant
    return msgspec.structs.replace(meant, speed=low + (high - low) * round(gathered * 24.0) / 24.0)


def _pull(canvas: Canvas, screen: IceScreen) -> None:
    """The mouse drawing back."""
    if screen.hands.pull is not None:
        a, b = screen.hands.pull
        canvas.line(a, b, palette.PALE, canvas.px(2.5))
        canvas.disc(a, canvas.px(4), palette.PALE)
        canvas.disc(b, canvas.px(7), palette.GLOW)


def _look(screen: IceScreen, pieces: tuple[Pyramid, ...]) -> Point:
    """Where the nearer look should be: at what flies or has just landed, else at the launcher in hand."""
    course = screen.course
    if course.reel is not None:
        name = course.reel.landing.launch.piece
    else:
        watched = _watched(screen)
        name = watched.launch.piece if watched is not None else ""
    found = next((piece for piece in pieces if piece.id == name), None)
    if found is not None:
        x, y, _ = found.centre
        return (x, y)
    return screen.grip.hold if screen.aiming else screen.view.camera.centre


def _under_mouse(canvas: Canvas, screen: IceScreen, pieces: tuple[Pyramid, ...]) -> None:
    """What the piece under the mouse is, in words beside it."""
    at = pygame.mouse.get_pos()
    if screen.hands.busy or not screen.view.on_table(at):
        return
    piece = screen.view.under(at, pieces)
    if piece is None:
        return
    words = told(screen, piece)
    wide, high = canvas.wide(words, 13), canvas.high(13)
    box = pygame.Rect(at[0] + canvas.px(12), at[1] + canvas.px(10), wide + canvas.px(14), high + canvas.px(6))
    box.clamp_ip(screen.view.area)
    canvas.box(box, palette.SHADE, 5)
    canvas.text(words, box.center, 13, palette.PALE, anchor="center")


def told(screen: IceScreen, piece: Pyramid) -> str:
    """A piece in words: whose, how large, how it lies, what it counts."""
    names = screen.match.game.seat_names
    whose = names[piece.owner] if piece.owner is not None else "nobody's"
    points = next((count for one, count in screen.course.counting if one.id == piece.id), None)
    counts = "" if points is None else f": counts {points}" if points else ": counts nothing"
    return f"{whose} {piece.size} {how(piece)}{counts}"


# -- from the side ----------------------------------------------------------------------------------------------------


def _watched(screen: IceScreen) -> Flight | None:
    """The flight to look at from the side: one's own first, then the last to be flicked."""
    course = screen.course
    begun = [one for one in course.flights if one.start <= course.now <= one.end + _LINGER]
    if screen.hands.charging or screen.hands.busy:
        begun = [one for one in begun if course.now <= one.end]
    begun = [one for one in begun if one.end > screen.turned]
    own = [one for one in begun if one.launch.owner == screen.seat and screen.people]
    if own:
        return own[-1]
    if screen.aiming and course.free(screen.seat) and len(screen.people) == 1 and not begun:
        return None
    return max(begun, key=lambda one: one.start, default=None)


def side_view(canvas: Canvas, screen: IceScreen) -> None:
    """A launch shown again, one in the air, or the one in hand."""
    rect, course, seats = screen.view.side, screen.course, screen.match.game.seat_names
    if course.reel is not None:
        reel = course.reel
        t = min(reel.t, reel.landing.duration)
        side.show(canvas, rect, reel.landing, t, seats, line=_line(screen, reel.landing.launch), close=True,
                  says=_words(screen, reel.landing.launch, t))  # fmt: skip
        return
    watched = _watched(screen)
    if watched is not None:
        t = course.now - watched.start
        side.show(canvas, rect, watched.shown, min(t, watched.shown.duration), seats,
                  line=_line(screen, watched.launch), says=_words(screen, watched.launch, t))  # fmt: skip
        return
    meant = screen.hands.meant(screen.seat) if screen.aiming else None
    launch = _charged(screen, screen.seat, meant) if meant is not None else None
    if launch is None or not screen.warming.ready:
        side.idle(canvas, rect, screen.grip.launch("none"), "no launch under way")
        return
    scene = course.table.scene
    alone = foreseen(screen.surface, scene.kit, launch)
    flight = side.flown(alone, alone.down)
    plane = side.whole(rect, launch, [*flight, (mm(300.0), mm(200.0))], canvas.scale)
    wrong = side.kept(alone)
    words = f"{seats[screen.seat]} aims" if not wrong else "too weak: the missile stays on the launcher"
    side.framed(canvas, rect, plane, side.ground(alone), words, _line(screen, launch))
    with canvas.clipped(rect.inflate(-4, -4)):
        side.standing(canvas, plane, shown(screen), seats)
        side.arc(canvas, plane, flight)
        held, nested = side.launcher_at(scene, launch)
        side.hand(canvas, plane, held, seats, nested)


def _line(screen: IceScreen, launch: Launch) -> float | None:
    """How far from the launcher the owner's start line is crossed [m]."""
    return side.own_line(screen.surface, launch)


def _words(screen: IceScreen, launch: Launch, t: float) -> str:
    return side.words(screen.match.game.seat_names, launch, t)


# -- the launch in hand -----------------------------------------------------------------------------------------------


def hand(canvas: Canvas, screen: IceScreen) -> None:
    """The launcher near to, with the nail that will strike it; sizes and numbers below are widgets."""
    box, course = screen.left, screen.course
    if course.reel is not None:
        y = side_panel.caption(canvas, box, "Shown again")
        y = canvas.paragraph(course.reel.says, pygame.Rect(box.x, y, box.w, canvas.px(60)), 14, bold=True)
        shot_box.times(canvas, pygame.Rect(box.x, y + canvas.px(4), box.w, box.h), course.reel,
                       course.reel.landing.duration)  # fmt: skip
        return
    if not screen.aiming:
        seat_panel.legend(canvas, box)
        return
    name = standing.name(screen.match, screen.seat)
    y = side_panel.caption(canvas, box, f"In {name}'s hands")
    foot = screen.buttons["small"].rect.y - canvas.px(8)
    rect = pygame.Rect(box.x, y, box.w, max(canvas.px(60), min(foot - y, round(box.w * 0.92))))
    canvas.box(rect, ground(), 6, palette.EDGE)
    grip = screen.grip
    piece = screen.hands.missile(screen.seat)
    launch = grip.launch(piece or "none")
    held, nested = side.launcher_at(course.table.scene, launch)
    zoom = min(rect.w / mm(112.0), rect.h / mm(104.0))
    plane = Plane(launch.hold, launch.azimuth, zoom, rect.centerx - mm(2.0) * zoom,
                  rect.bottom - mm(28.0) * zoom + launch.lift * zoom)  # fmt: skip
    with canvas.clipped(rect.inflate(-4, -4)):
        on = nested if piece is not None and course.holds(screen.seat) else None
        side.hand(canvas, plane, held, screen.match.game.seat_names, on)
        gathered = screen.hands.gathered(screen.seat)
        side.nail(canvas, plane, held, grip.height, grip.slant, grip.strength if gathered is None else gathered)
    room = pygame.Rect(box.x, rect.bottom + canvas.px(10), box.w, foot - rect.bottom - canvas.px(10))
    if room.h >= 4 * canvas.high(13):
        canvas.paragraph(_SEVERAL if screen.hands.clusters else _ALONE, room, 13, palette.FAINT)
    left = stash(course.table, screen.seat)
    for size in SIZES:
        button = screen.buttons[size]
        button.label = f"{size.capitalize()}  × {left[size]}"
        button.enabled = left[size] > 0
        button.main = size == grip.size


# -- the seats --------------------------------------------------------------------------------------------------------


def panel(canvas: Canvas, screen: IceScreen) -> None:
    """Seats, what is due, the ruling on the last missile that came down, what came of those before."""
    canvas.box(screen.right, palette.PANEL)
    pad = canvas.px(12)
    rect = screen.right.inflate(-2 * pad, -2 * pad)
    course, match = screen.course, screen.match
    foot = screen.buttons["best"].rect.y - canvas.px(8)
    clock = f"{max(course.now, 0.0):.0f} s" if course.table.started else ""
    y = side_panel.heading(canvas, rect, match.game.title, clock)
    many = len(match.players)
    high = min(64.0, max(48.0, (foot - y - canvas.px(170)) / many / canvas.scale - 5.0))
    cards = [_card(screen, seat) for seat in range(many)]
    y, screen.cards = seat_panel.seats(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, course.table,
                                       course.counting, cards, high)  # fmt: skip
    says, wrong = course.says, course.wrong or course.unkept
    if course.paused:
        says = "Paused. P goes on."
    note = "A club player is asked ..." if screen.hinting else screen.notice
    if screen.cloud is not None:
        note = f"{note} {screen.cloud.says}"
    y = side_panel.now(canvas, pygame.Rect(rect.x, y + canvas.px(3), rect.w, foot - y), says, note, wrong)
    tale = course.tale
    if tale:
        y = seat_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, tale[0])
    seat_panel.landed(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, tale)


def _card(screen: IceScreen, seat: int) -> Card:
    course, state, hands = screen.course, screen.course.table, screen.hands
    person = seat in screen.people
    charge = hands.gathered(seat)
    flight = next((one for one in course.flights if one.launch.owner == seat and course.now < one.end), None)
    if not state.started:
        doing = "loaded" if state.loaded[seat] is not None else "choose a missile" if person else "loads"
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
    chosen = person and len(screen.people) > 1 and seat == screen.seat
    return Card(doing, keys, charge, chosen, person and course.free(seat))
