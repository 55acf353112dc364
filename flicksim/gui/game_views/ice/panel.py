"""Side panel of the pyramid screen: each seat's launcher, stash and score, and the aimed launch."""

from collections import Counter
from collections.abc import Sequence

import pygame

from flicksim.gui.game_views.ice import launch_log, pyramid_sprites
from flicksim.gui.game_views.ice.due_turns import is_waiting_bot
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.launch_log import CountedPieces, LaunchOutcome
from flicksim.gui.game_views.ice.launcher_control import LauncherControl
from flicksim.gui.table_view import match_text, side_panel
from flicksim.gui.toolkit import Canvas, palette, piece_sprites
from flicksim.match import Match
from flicksim.scene import SIZES, PyramidSet, Size

_LEGEND = (
    ("stands", "a pale frame: it stands and counts its pips, 1, 2 or 3"),
    ("twice", "a golden frame: its base is on a piece that is not upright; it counts twice"),
    ("leans", "a dotted line: it leans, on the piece with the dot"),
)


def _activity(controller: IceMatchController, control: LauncherControl, seat: int) -> str:
    """Activity of a seat, in a few words."""
    state, is_person = controller.rules_state, seat in control.people
    moving = (one for one in controller.visible.flights_of(seat) if controller.time < one.rest_time)
    flight = next(moving, None)
    if not state.started:
        return "loaded, ready" if controller.is_loaded(seat) else "choose a missile" if is_person else "loads"
    if flight is not None and flight.start <= controller.time:
        return "in the air" if controller.time < flight.landing_time else "lands"
    if not state.hands[seat] and flight is None:
        return "has launched all"
    if controller.time < 0.0:
        return "loaded"
    if not is_person:
        return "waits for you" if controller.bots_wait and is_waiting_bot(controller.match, seat) else "takes aim"
    return f"{control.poses[seat].size} loaded" if control.charge_level(seat) is None else "charging"


def draw_card(
    canvas: Canvas, box: pygame.Rect, controller: IceMatchController, control: LauncherControl, seat: int
) -> None:
    """Draw the card of a seat: mark, name, activity, keys, stash, points and the strength gathered."""
    match, state, is_person = controller.match, controller.rules_state, seat in control.people
    is_selected = is_person and len(control.people) > 1 and seat == control.seat
    canvas.box(box, palette.RAISED_PANEL if is_selected else palette.PANEL, 8,
               palette.ACCENT if is_selected else palette.BORDER)  # fmt: skip
    key = palette.seat_key(seat, match.game.seat_names)
    piece_sprites.draw_seat_coin(canvas.surface, (box.x + canvas.px(20), box.y + canvas.px(21)), canvas.px(12), key)
    x = box.x + canvas.px(40)
    title = canvas.text(match_text.seat_text(match, seat), (x, box.y + canvas.px(5)), 16, bold=True)
    text = _activity(controller, control, seat)
    activity = canvas.first_fitting(
        match_text.action_text(match, seat, text), box.right - canvas.px(54) - title.right, 12
    )
    at = (title.right + canvas.px(7), title.bottom - canvas.px(2))
    colour = palette.ACCENT if is_person and controller.can_act(seat) else palette.MUTED_TEXT
    canvas.text(activity, at, 12, colour, anchor="bottomleft")
    piece_count = launch_log.count_of(controller.visible.counted_pieces, seat)
    points = canvas.text(str(piece_count.points), (box.right - canvas.px(10), box.y + canvas.px(3)), 25, bold=True,
                         anchor="topright")  # fmt: skip
    foot = 11.0 if box.h >= canvas.px(60) else 8.0
    low = box.bottom - canvas.px(foot)
    single, double = sum(piece_count.once.values()), sum(piece_count.twice.values())
    text = f"{single} up, {double} twice" if double else f"{single} upright"
    left = box.right - canvas.px(10) - canvas.text_width(text, 11)
    cluster = control.clusters.get(seat)
    height = 20.0 if cluster is None else min(20.0, box.h / canvas.scale - 31.0 - foot)  # under the keys
    area = pygame.Rect(x, low, min(left, points.x) - canvas.px(6) - x, canvas.px(height))
    if _draw_stash(canvas, area, state.scene.kit, key, launch_log.stash_counts(state, seat)) <= left:
        canvas.text(text, (left, low), 11, palette.MUTED_TEXT, anchor="midleft")
    if cluster is not None:
        keys = "{} aim   {} size   {} launch".format(*cluster.bindings[0].label.split("   "))
        canvas.text(keys, (x, box.y + canvas.px(25)), 12, palette.TEXT, max_width=points.x - x)
    if (charge := control.charge_level(seat)) is not None:
        bar = pygame.Rect(box.x + 3, box.bottom - canvas.px(11), box.w - 6, canvas.px(9))
        canvas.box(bar, palette.INSET_BACKGROUND, 3, palette.BORDER)
        fill = palette.mix(palette.GOOD, palette.BAD, max(0.0, charge * 1.6 - 0.6))
        canvas.surface.fill(fill, (bar.x, bar.y, max(2, round(bar.w * charge)), bar.h))


def _draw_stash(canvas: Canvas, area: pygame.Rect, kit: PyramidSet, key: str | None, counts: dict[Size, int]) -> int:
    """Draw a small pyramid of each size, with the number in hand, along the top of an area; the large one is as high as
    that. Return their right end [pixels]."""
    x, y = area.topleft
    if not any(counts.values()):
        text = "none left in hand"
        return canvas.text(text, (x, y), 11, palette.MUTED_TEXT, anchor="midleft", max_width=area.w).right
    for size in SIZES:
        shape = kit.shape(size)
        zoom = area.h / kit.large.height
        picture = pyramid_sprites.pyramid_sprite(shape, zoom, key, 0.0, 0.0, is_side_view=True)
        faint = counts[size] == 0
        if faint:
            picture = picture.copy()
            picture.set_alpha(70)
        wide = round(shape.base * zoom)
        canvas.surface.blit(picture, picture.get_rect(center=(x + wide // 2, y + canvas.px(5))))
        at, colour = (x + wide + canvas.px(3), y), palette.MUTED_TEXT if faint else palette.TEXT
        right = canvas.text(f"{counts[size]}", at, 13, colour, bold=not faint, anchor="midleft").right
        x = right + canvas.px(9)
    return right


def draw_ruling(canvas: Canvas, rect: pygame.Rect, match: Match, outcome: LaunchOutcome, number: int) -> int:
    """Draw the ruling on a missile, with the rule ids, where it fits. Return its lower end [pixels].

    Args:
        number: of the launch among all that have come down: turns are also numbered by what is stacked.
    """
    if rect.h < side_panel.LEAST_ROWS * canvas.line_height(14):
        return rect.y
    seat_name = match_text.seat_text(match, outcome.seat)
    missile = launch_log.missile_name(outcome.trajectory.launch.piece)
    y = side_panel.draw_caption(canvas, rect, f"{seat_name} {missile}, launch {number}")
    below = pygame.Rect(rect.x, y, rect.w, rect.bottom - y)
    return side_panel.draw_reasons(canvas, below, match, outcome.reasons) + canvas.px(6)


def draw_practice_summary(
    canvas: Canvas, rect: pygame.Rect, outcomes: Sequence[LaunchOutcome], counted: CountedPieces
) -> int:
    """Draw the totals of solo practice, as the referee counts them, where they fit. Return their lower end [pixels]."""
    summary = practice_summary(outcomes, counted)
    height = len(canvas.wrap(summary, rect.w, 14)) * canvas.line_height(14)
    if rect.h < canvas.px(17) + height:
        return rect.y
    y = side_panel.draw_caption(canvas, rect, "So far")
    return canvas.paragraph(summary, pygame.Rect(rect.x, y, rect.w, height), 14) + canvas.px(8)


def practice_summary(outcomes: Sequence[LaunchOutcome], counted: CountedPieces) -> str:
    """Launches by outcome and standing points, as "4 launched · 2 × stands · 2 × lies · ..."."""
    if not outcomes:
        return "Nothing launched yet."
    ends = Counter(launch_log.resting_text(one) for one in outcomes)
    texts = [f"{how_many} × {how}" for how, how_many in ends.most_common()]
    points = sum(points for _, points in counted)
    return " · ".join([f"{len(outcomes)} launched", *texts, f"What stands counts {points}."])


def draw_recent_launches(canvas: Canvas, rect: pygame.Rect, match: Match, outcomes: Sequence[LaunchOutcome]) -> None:
    """Draw the latest outcomes, newest first, as many as fit."""
    if outcomes:
        side_panel.draw_log(canvas, rect, match, "Landed", map(_log_line, outcomes))
    elif rect.h >= canvas.px(36):
        y = side_panel.draw_caption(canvas, rect, "Landed")
        canvas.text("nothing yet", (rect.x, y), 14, palette.MUTED_TEXT)


def _log_line(one: LaunchOutcome) -> tuple[int, str, palette.Colour]:
    """Seat, text and colour of an outcome."""
    missile = one.trajectory.missile
    counts = one.outcome.fate == "stays" and missile is not None and missile.is_upright
    text = f"{launch_log.missile_name(one.trajectory.launch.piece)} {launch_log.outcome_text(one)}"
    return one.seat, text, palette.GOOD if counts else palette.MUTED_TEXT


def draw_legend(canvas: Canvas, box: pygame.Rect) -> None:
    """Draw the legend of the signs on the table."""
    y = side_panel.draw_caption(canvas, box, "Signs on the table") + canvas.px(4)
    for sign, text in _LEGEND:
        middle = (box.x + canvas.px(12), y + canvas.px(12))
        available = pygame.Rect(box.x + canvas.px(34), y, box.w - canvas.px(34), box.bottom - y)
        if sign == "leans":
            start = (middle[0] - canvas.px(10), middle[1])
            canvas.dashed_line(start, middle, palette.TEXT, canvas.px(2), canvas.px(2.5))
            canvas.disc(middle, canvas.px(4), palette.HIGHLIGHT)
        else:
            frame = pygame.Rect(0, 0, canvas.px(16), canvas.px(16))
            frame.center = middle
            canvas.surface.fill(palette.board_colour("wood"), frame)
            edge = palette.TABLE_TEXT if sign == "stands" else palette.HIGHLIGHT
            pygame.draw.rect(canvas.surface, edge, frame, max(2, canvas.px(2)))
        y = max(canvas.paragraph(text, available, 13, palette.MUTED_TEXT), middle[1] + canvas.px(12)) + canvas.px(8)
