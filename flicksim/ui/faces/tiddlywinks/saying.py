"""The words for what is due at the mat."""

from __future__ import annotations

from flicksim.ui.faces.tiddlywinks.kept import kept
from flicksim.ui.kit.warming import SAYS, Warming
from flicksim.ui.match.course import Course
from flicksim.ui.table import standing


def now(course: Course, warming: Warming, note: str, wrong: str) -> tuple[str, str, str]:
    """The lines at the side: what is due, a note, and what is wrong."""
    match, seat = course.match, course.match.to_play
    if not warming.ready and not note:
        note = " ".join(filter(None, (warming.says, SAYS)))
    wrong = wrong or course.unkept
    match course.stage:
        case "choose":
            return kept(match.state, "says", lambda: match.choices().says), note, wrong
        case "think" if seat is not None:
            return f"{standing.name(match, seat)} is thinking ...", note, wrong
        case "settle":
            return "The wink flies ...", note, wrong
        case "show" if course.turn is not None:
            return f"{standing.name(match, course.turn.seat)} has squidged.", "", wrong
        case "hold" if course.waits:
            return "Look at the mat, then go on: Space, or a click on the mat.", "", wrong
        case "stuck":
            return "The game cannot go on.", "", course.wrong
    return (
        (kept(match.state, "says", lambda: match.choices().says) if not match.over else course.says),
        "",
        wrong,
    )
