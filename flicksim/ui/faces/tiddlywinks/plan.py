"""Parts of the mat's screen: what is drawn where, and where widgets stand. It keeps nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from flicksim.base.geometry import Point
from flicksim.base.kinds import State
from flicksim.drawing import Camera
from flicksim.games.tiddlywinks.squops import Squops
from flicksim.play import Match
from flicksim.table import Motion, Pot
from flicksim.ui.faces.tiddlywinks import extent, flight, score, side_view, stroke
from flicksim.ui.faces.tiddlywinks.aim import SquidgeAim
from flicksim.ui.faces.tiddlywinks.painter import WinkPainter
from flicksim.ui.faces.tiddlywinks.pose import Pose, at_rest, at_time
from flicksim.ui.faces.tiddlywinks.shooter import WinkShooter
from flicksim.ui.faces.tiddlywinks.view import WinkView
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.knob import Knob
from flicksim.ui.kit.widgets import Button
from flicksim.ui.match.course import Course
from flicksim.ui.table import profile, side_panel, standing
from flicksim.ui.table.deciding import Decision
from flicksim.ui.table.painter import scene_of

_ROW = 23.0


# -- what is shown ----------------------------------------------------------------------------------------------------


_POT = ((-0.06, -0.06), (0.06, 0.06))
"""The corners of a square about the pot, with room for shots beside it [m]."""


def poses(course: Course) -> list[Pose]:
    """Every wink as it is shown just now, from the lowest up."""
    if course.stage == "show" and course.playback is not None:
        return at_time(course.playback.motion, course.playback.t)
    scene, moving = course.scene()
    return at_rest(scene, {name: place[:2] for name, place in moving.items()}) if scene is not None else []


def bar(painter: WinkPainter, state: State, *, choosing: bool) -> None:
    """Tell the painter what is squopped, and what of it the player to choose would like to play."""
    squops = Squops(state.scene, state.book)
    pieces = state.scene.pieces if not state.book.potted_out else ()
    painter.squopped = frozenset(piece.id for piece in pieces if squops.squopped(piece.id))
    own = {piece.id for piece in pieces if choosing and piece.owner == state.book.to_play}
    painter.barred = painter.squopped & own


def action(course: Course, shooter: WinkShooter, *, calm: bool = False) -> tuple[Sequence[Point], object]:
    """The points that matter just now [m], and what tells whether they are still the same.

    Args:
        calm: whether a flight is seen whole from its beginning to its end.
    """
    aim = shooter.aim
    if course.stage == "choose" and course.match.begun is not None and not course.match.turns:
        return (*_in_play(course), *_waiting(shooter)), ("begun", aim.piece.id if aim is not None and aim.start else "")
    if course.stage == "choose" and aim is not None:
        return (aim.at, *_POT, *_waiting(shooter)), ("aim", len(course.match.turns), aim.piece.id)
    if course.stage in ("show", "hold") and course.playback is not None:
        motion = course.playback.motion
        if calm:
            return extent.moving(motion), ("flight", len(course.match.turns))
        t = course.playback.t if course.stage == "show" else motion.duration
        near = extent.by_the_pot(motion, t)
        if near:
            return near, ("pot", len(course.match.turns))
        if course.stage == "hold":
            return extent.about_end(motion) or extent.moving(motion), ("hold", len(course.match.turns))
        return extent.moving(motion), ("show", len(course.match.turns))
    if course.stage == "choose":
        return (), ("decide", len(course.match.turns))
    return (), ("wait", None) if course.stage in ("think", "settle") else ("rest", len(course.match.turns))


def _in_play(course: Course) -> list[Point]:
    """Places of the pot and of all winks in play, which the position is about [m]."""
    state = course.state
    there = [piece for piece in state.scene.pieces if state.book.in_play(piece.id)]
    return [*_POT, *(around for piece in there for around in extent.corners(piece))]


def _waiting(shooter: WinkShooter) -> list[Point]:
    """Places of the other winks that could be played instead, when all wait behind the line [m]."""
    aim = shooter.aim
    if aim is None or aim.start is None:
        return []
    return [shooter.scene.piece(span.piece).at for span in shooter.spans if span.start]


def mat(canvas: Canvas, camera: Camera, painter: WinkPainter, course: Course, in_hand: str | None = None) -> None:
    """The winks, as they move or lie; the one in hand is drawn where it is going to be put."""
    if course.stage == "show" and course.playback is not None:
        painter.motion(canvas, camera, course.playback.motion, course.playback.t)
        return
    scene, shifting = course.scene()
    if course.stage == "hold" and course.playback is not None:
        painter.ways(canvas, camera, course.playback.motion)
    if scene is not None:
        painter.pieces(canvas, camera, (p for p in scene.pieces if p.id != in_hand), shifting)


def _zone_name(canvas: Canvas, zone: Sequence[Point], home: Point) -> None:
    """Beside the dashed strip, towards the pot: what it is; and a ring where the wink in hand waited."""
    canvas.ring(home, canvas.px(5), palette.FAINT, 1.0)
    clip = canvas.surface.get_clip()
    right, low = home[0] < clip.centerx, home[1] > clip.centery
    x, y = max(zone) if right else min(zone)
    x, y = x + canvas.px(16 if right else -16), y + canvas.px(-12 if low else 12)
    anchor = ("bottom" if low else "top") + ("left" if right else "right")
    canvas.text("put it anywhere in the dashed strip", (x, y), 12, palette.LINE, anchor=anchor)


def playable(canvas: Canvas, camera: Camera, shooter: WinkShooter, *, words: bool = True) -> None:
    """A thin ring about each other wink that could be played, and where a wink may be put first."""
    aim = shooter.aim
    assert aim is not None
    if aim.start is not None:
        zone = [camera.to_screen(p) for p in aim.span.start]
        for i in range(len(zone)):
            canvas.dashes(zone[i - 1], zone[i], palette.LINE, 1.0, canvas.px(3))
        if words:
            _zone_name(canvas, zone, camera.to_screen(aim.piece.at))
    for span in shooter.spans:
        if span.piece != aim.piece.id:
            piece = shooter.scene.piece(span.piece)
            r = max(piece.radius * camera.zoom, 3.0) + canvas.px(2)
            canvas.ring(camera.to_screen(piece.at), r, palette.CHALK, canvas.px(1.2))


def decision(
    canvas: Canvas, camera: Camera, painter: WinkPainter, match: Match, decided: Decision, *, chosen: bool
) -> None:
    """The winks a decision names, lit."""
    scene = scene_of(match.state)
    named = getattr(decided.action, "winks", None) or ((decided.about,) if decided.about else ())
    for name in named:
        if scene is not None and scene.has(name):
            painter.lit(canvas, camera, scene.piece(name), palette.GLOW if chosen else palette.CHALK)


# -- the side view ----------------------------------------------------------------------------------------------------


def side(canvas: Canvas, view: WinkView, course: Course, shooter: WinkShooter) -> None:
    """The flight being aimed, shown, or just shown, from the side."""
    if view.side.w < canvas.px(90):
        return
    motion = course.playback.motion if course.stage in ("show", "hold") and course.playback is not None else None
    if motion is not None and course.playback is not None:
        flight.shown(canvas, view.side, view.painter, motion, course.playback.t)
        return
    aim = shooter.aim
    if course.stage == "choose" and aim is not None:
        flight.aimed(
            canvas, view.side, view.painter, aim, shooter.pot, at_rest(shooter.scene), wrong=bool(shooter.wrong)
        )
        return
    last = last_motion(course)
    if last is not None and course.stage != "settle":
        flight.shown(canvas, view.side, view.painter, last, last.duration, "the last shot")
        return
    flat = profile.placed(view.side, (0.0, 0.0), 0.0, [(0.0, 0.0), (0.3, 0.1)], canvas.scale)
    side_view.framed(canvas, view.side, flat, None, "the wink flies" if course.stage == "settle" else "no shot yet")


def last_motion(course: Course) -> Motion | None:
    """The last shot that was played; None when there is none yet."""
    return next((turn.account for turn in reversed(course.match.turns) if isinstance(turn.account, Motion)), None)


def waiting_words(canvas: Canvas, left: pygame.Rect, course: Course, says: str) -> None:
    """Words for what is going on while nothing can be done, and the shot before it in numbers."""
    y = side_panel.caption(canvas, left, "Now")
    y = canvas.paragraph(says, pygame.Rect(left.x, y, left.w, canvas.high(15) * 3), 15, bold=True) + canvas.px(10)
    turn = next((turn for turn in reversed(course.match.turns) if isinstance(turn.account, Motion)), None)
    if turn is not None:
        y = side_panel.caption(canvas, pygame.Rect(left.x, y, left.w, 20), f"Turn {turn.number}")
        words = pygame.Rect(left.x, y, left.w, max(canvas.high(13), left.bottom - y))
        canvas.paragraph(standing.action(turn.made), words, 13, palette.FAINT)


# -- where things stand -----------------------------------------------------------------------------------------------


def arranged(
    named: Mapping[str, Button], knobs: Sequence[Knob], left: pygame.Rect, inner: pygame.Rect, scale: float
) -> int:
    """Put buttons and the knobs that are shown in their places. Returns where the knobs end [pixels]."""
    gap = round(5 * scale)
    row, high = round(_ROW * scale), round(34 * scale)
    y = left.y + round(18 * scale)
    third = (left.w - 2 * gap) // 3
    for k, name in enumerate(("next", "pot", "target")):
        named[name].rect = pygame.Rect(left.x + k * (third + gap), y, third, round(28 * scale))
    y += round(28 * scale) + gap
    # three lines of words have to fit between the knobs and the buttons under them
    row = min(row, max(round(15 * scale), (left.bottom - high - round(52 * scale) - y) // max(1, len(knobs))))
    for knob in knobs:
        knob.rect = pygame.Rect(left.x, y, left.w, row - round(3 * scale))
        y += row
    knobs_foot = y
    half = round(left.w * 0.54)
    named["squidge"].rect = pygame.Rect(left.x, left.bottom - high, half, high)
    named["hand"].rect = pygame.Rect(left.x + half + gap, left.bottom - high, left.w - half - gap, high)
    named["on"].rect = pygame.Rect(left.x, left.bottom - high, left.w, high)
    wide = (left.w - gap) // 2
    for k, name in enumerate(("pause", "slow", "back", "step", "skip")):
        named[name].rect = pygame.Rect(
            left.x + (k % 2) * (wide + gap), left.y + round(104 * scale) + (k // 2) * (high + gap), wide, high
        )
    named["skip"].rect.w = left.w
    third = (inner.w - 2 * gap) // 3
    for k, name in enumerate(("undo", "hint", "follow", "help", "fold", "menu")):
        x = inner.x + (k % 3) * (third + gap)
        named[name].rect = pygame.Rect(x, inner.bottom - (2 - k // 3) * (high + gap) + gap, third, high)
    return knobs_foot


def stroke_words(canvas: Canvas, left: pygame.Rect, aim: SquidgeAim, pot: Pot | None, top: int, hand: str) -> None:
    """The wink in hand over the knobs, what the shot carries under them, and how far off the hand may make it."""
    side_panel.caption(canvas, left, f"{aim.piece.id.replace('-', ' ')}, {aim.piece.kind}")
    foot = left.bottom - canvas.px(36)
    rect = pygame.Rect(left.x, top, left.w, max(canvas.high(13), foot - top))
    words = f"{stroke.words(aim, pot)}; {hand}"
    sizes = (13.0, 12.0, 11.0, 10.0)
    size = next((s for s in sizes if len(canvas.wrapped(words, rect.w, s)) * canvas.high(s) <= rect.h), 9.0)
    canvas.paragraph(words, rect, size, palette.ACCENT)


def present(canvas: Canvas, rect: pygame.Rect, course: Course, due: tuple[str, str, str]) -> int:
    """The game as it stands: title, seats, clock, what is due. Returns where it ends [pixels].

    Args:
        due: what is due, a note, what is wrong.
    """
    match, foot = course.match, rect.bottom
    y = side_panel.heading(canvas, rect, match.game.title, f"turn {_number(course)}")
    y = score.seats(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), match, course.state, course.doing,
                    course.scores_at)  # fmt: skip
    y = score.clock(canvas, pygame.Rect(rect.x, y + canvas.px(2), rect.w, foot - y), course.state)
    return side_panel.now(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), *due)


def _number(course: Course) -> int:
    """The number of the turn that is seen, or else of the next."""
    if course.shown is not None:
        return course.shown.number
    return len(course.match.turns) + (0 if course.match.over else 1)


def past(canvas: Canvas, rect: pygame.Rect, course: Course, told: str) -> None:
    """One's last flick told; the last ruling takes what it needs, the list of turns has what is left."""
    match, y = course.match, side_panel.told(canvas, rect, told)
    y = side_panel.ruling(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, course.last)
    turns = match.turns[:-1] if course.stage == "show" else match.turns
    side_panel.recent(canvas, pygame.Rect(rect.x, y, rect.w, rect.bottom - y), match, turns)
