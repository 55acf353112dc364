"""Score table and shot statistics at the end of a game."""

from collections.abc import Iterable, Sequence
from math import dist, pi, remainder

import pygame

from flicksim.core.units import to_degrees
from flicksim.gui.table_view.key_moments import newly_squopping, potted_pieces
from flicksim.gui.table_view.painter import rim_distance
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import Match, Turn
from flicksim.scene import Collision, Flick, Squidge, Trajectory

TOTAL_ROWS = ("Points", "Total")
"""Labels of a row drawn under a line in a larger font."""
Rows = Sequence[tuple[str, tuple[str, ...]]]
"""Rows: a label, and a text for each seat."""
_NO_STATISTICS = "–"


def draw_header(
    canvas: Canvas, columns: Sequence[int], y: int, names: Sequence[str], marks: Iterable[pygame.Surface],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the seats over their columns, each with its mark. Return their lower end [pixels]."""
    for sprite, name, x in zip(marks, names, columns, strict=True):
        canvas.surface.blit(sprite, sprite.get_rect(center=(x, y + canvas.px(10))))
        canvas.text(name, (x, y + canvas.px(9 + size)), size, bold=True, anchor="midtop")
    return y + canvas.px(50)


def draw_rows(
    canvas: Canvas, label: int, columns: Sequence[int], right: int, y: int, table: Rows, steps: tuple[int, int],
    size: int = 15,
) -> int:  # fmt: skip
    """Draw the rows. Return their lower end [pixels].

    Args:
        label, right: left end of labels, right end of the line [pixels]. steps: height of a row, and of the last.
    """
    for name, values in table:
        is_total = name in TOTAL_ROWS
        if is_total:
            canvas.line((label, y), (right, y), palette.BORDER, 1.0)
            y += canvas.px(size - 9)
        font_size = 18 if is_total else size
        canvas.text(name, (label, y), font_size, palette.TEXT if is_total else palette.MUTED_TEXT, bold=is_total)
        for value, x in zip(values, columns, strict=True):
            colour = palette.MUTED_TEXT if value == _NO_STATISTICS else palette.TEXT
            canvas.text(value, (x, y), font_size, colour, bold=is_total, anchor="midtop")
        y += steps[is_total]
    return y


def shots_of(match: Match, seat: int) -> list[tuple[Turn, Trajectory]]:
    """Shots of a seat."""
    return [(turn, turn.result) for turn in match.turns if turn.seat == seat and isinstance(turn.result, Trajectory)]


def shot_statistics(match: Match) -> Rows:
    """Statistics of every seat; empty without shots."""
    seats = range(len(match.players))
    shots = [shots_of(match, seat) for seat in seats]
    if not any(shots):
        return ()
    rows = [("Shots", tuple(str(len(seat_shots)) if seat_shots else _NO_STATISTICS for seat_shots in shots))]
    pots = [sum(len(potted_pieces(trajectory)) for _, trajectory in seat_shots) for seat_shots in shots]
    squops = [sum(len(newly_squopping(trajectory)) for _, trajectory in seat_shots) for seat_shots in shots]
    if any(trajectory.before.surface.pot is not None for seat_shots in shots for _, trajectory in seat_shots):
        rows.append(("Potted, squopped", tuple(f"{a}, {b}" for a, b in zip(pots, squops, strict=True))))
    else:
        rows.append(("Touched another", tuple(map(_contact_fraction, shots))))
    errors = (_mean_error([turn for turn, _ in seat_shots]) for seat_shots in shots)
    rows.append(("Off the aim, on average", tuple(errors)))
    return tuple(rows)


def _contact_fraction(shots: Sequence[tuple[Turn, Trajectory]]) -> str:
    contacts = [any(isinstance(event, Collision) for event in trajectory.events) for _, trajectory in shots]
    return f"{sum(contacts) / len(contacts):.0%}" if contacts else _NO_STATISTICS


def _mean_error(turns: Sequence[Turn]) -> str:
    """Mean execution error of shots: in angle, and in speed."""
    kinds = Flick | Squidge
    pairs = [(t.meant, t.made) for t in turns if isinstance(t.meant, kinds) and isinstance(t.made, kinds)]
    if not pairs:
        return _NO_STATISTICS
    angle_error = sum(abs(remainder(made.azimuth - meant.azimuth, 2.0 * pi)) for meant, made in pairs) / len(pairs)
    speed_error = sum(abs(made.speed / meant.speed - 1.0) for meant, made in pairs) / len(pairs)
    return f"{to_degrees(angle_error):.1f}°, {speed_error:.1%}"


def best_shot(match: Match) -> int | None:
    """Index of the best shot: by its gain, else by its distance; None without shots."""
    shots = [(index, turn.result) for index, turn in enumerate(match.turns) if isinstance(turn.result, Trajectory)]
    return max(shots, key=lambda shot: _shot_value(shot[1]))[0] if shots else None


def _shot_value(trajectory: Trajectory) -> tuple[float, float]:
    """Sort key of a shot: winks potted and squopped, then how close to the white it stopped."""
    gain = 2.0 * len(potted_pieces(trajectory)) + len(newly_squopping(trajectory))
    name, after = trajectory.flick.piece, trajectory.after
    if not after.has(name):
        return (gain, -1.0)
    white = next((piece for piece in after.pieces if piece.kind == "white" and piece.id != name), None)
    if white is not None:
        return (gain, -rim_distance(after.piece(name), white))
    return (gain, dist(trajectory.before.piece(name).position, after.piece(name).position) if gain else -1.0)
