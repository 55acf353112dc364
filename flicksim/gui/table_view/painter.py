"""Table painter: surfaces with lines and scale, pieces with shadows."""

from collections.abc import Iterable, Sequence
from math import copysign, hypot

import pygame
from msgspec.structs import replace

from flicksim.core.geometry import Point
from flicksim.gui.table_view.playback import fall_time
from flicksim.gui.toolkit import Canvas, Colour, palette, piece_sprites
from flicksim.render import Camera, draw_paths, pieces_at, procedural_textures, table_tops
from flicksim.scene import Collision, Landed, LeftSurface, Piece, Scene, Surface, Trajectory

_IMPACT_FLASH_TIME = 0.16
"""Duration of the flash of a collision [s of the trajectory]."""


class TablePainter:
    """Painter of tables.

    Args:
        seats: names of the seats; pieces take colour and mark from their owner's.
    """

    def __init__(self, seats: Sequence[str]) -> None:
        self.seats = tuple(seats)

    def colour_key(self, piece: Piece) -> str | None:
        """Colour and mark of a piece."""
        return palette.seat_key(piece.owner, self.seats, piece.id)

    # -- the surface ----------------------------------------------------------------------------------------------

    def draw_surface(
        self, canvas: Canvas, camera: Camera, surface: Surface, *, near_edge: str = "", has_labels: bool = True
    ) -> None:
        """Draw a board or mat with its lines; `has_labels`: names and a scale, `near_edge`: the players' edge."""
        material = surface.material
        self._draw_top(canvas, camera, surface, material, palette.board_colour(material))
        is_burnt = material in ("polished", "wood") and palette.palette_name != "high-contrast"
        for line in surface.lines:
            a, b = camera.to_screen(line.a), camera.to_screen(line.b)
            colour = palette.board_colour(material) if is_burnt else palette.LINE
            canvas.draw_marks(table_tops.draw_burnt_line(a, b, colour, canvas.scale, dark=is_burnt))
        if has_labels:
            self._draw_labels(canvas, camera, surface, near_edge)
            height, size = 11.0 * canvas.scale, canvas.surface.get_size()
            canvas.draw_marks(table_tops.draw_ruler(surface, camera, palette.MUTED_TEXT, height, canvas.px, size))

    @staticmethod
    def _draw_top(canvas: Canvas, camera: Camera, surface: Surface, kind: str, colour: Colour) -> None:
        """Draw the visible part of the bare top."""
        visible = canvas.surface.get_clip()
        box = (visible.x, visible.y, visible.w, visible.h)
        marks = table_tops.draw_table_top(surface, camera, kind, colour, palette.DROP_SHADOW, canvas.scale, box)
        canvas.draw_marks(marks)

    @staticmethod
    def _draw_labels(canvas: Canvas, camera: Camera, surface: Surface, near_edge: str) -> None:
        """Draw the names of the lines at their right ends, as the players see them."""
        right, is_rotated = max(x for x, _ in surface.outline), camera.quarter_turns % 2
        for line in surface.lines:
            x, y = camera.to_screen((right, max(line.a, line.b)[1]))
            gap = canvas.px(9)
            position, anchor = ((x, y + gap), "midtop") if is_rotated else ((x + gap, y), "midleft")
            canvas.text(line.name, position, 13, palette.TEXT, anchor=anchor)
        if near_edge and not is_rotated:
            corners = camera.points_to_screen(surface.outline)
            y_label, x_label = max(y for _, y in corners) + canvas.px(14), sum(x for x, _ in corners) / len(corners)
            canvas.text(near_edge, (x_label, y_label), 12, palette.MUTED_TEXT, anchor="midtop")

    def draw_zone(self, canvas: Canvas, camera: Camera, zone: Sequence[Point]) -> None:
        """Draw a region where a piece may be placed."""
        corners = [camera.to_screen(p) for p in zone]
        for i in range(len(corners)):
            canvas.dashed_line(
                corners[i - 1], corners[i], palette.mix(palette.LINE, palette.BRASS, 0.5), 1.0, canvas.px(4)
            )

    # -- pieces ---------------------------------------------------------------------------------------------------

    def draw_piece(
        self, canvas: Canvas, camera: Camera, piece: Piece, *, is_faded: bool = False, is_moving: bool = False
    ) -> None:
        """Draw a piece; `is_moving`: with the faster sprite."""
        center, angle = camera.to_screen(piece.position), piece.angle
        radius = max(piece.radius * camera.zoom, 3.0)
        if not all(-2 * radius < at < size + 2 * radius for at, size in zip(center, canvas.size, strict=True)):
            return
        if not is_faded:
            shadow = piece_sprites.shadow_sprite(round(radius * 2.0) / 2.0)
            dx, dy = procedural_textures.shadow_offset(radius, 0.0)
            canvas.surface.blit(shadow, shadow.get_rect(center=(round(center[0] + dx), round(center[1] + dy))))
        key = self.colour_key(piece)
        if is_moving:
            sprite = piece_sprites.moving_sprite(radius, key, piece.kind, angle, piece.material)
        else:
            sprite = piece_sprites.piece_sprite(radius, key, piece.kind, angle, is_faded, piece.material)
        canvas.surface.blit(sprite, sprite.get_rect(center=(round(center[0]), round(center[1]))))

    def draw_pieces(self, canvas: Canvas, camera: Camera, pieces: Iterable[Piece], *, is_moving: bool = False) -> None:
        """Draw pieces; `is_moving`: as in `draw_piece`."""
        for piece in pieces:
            self.draw_piece(canvas, camera, piece, is_moving=is_moving)

    def draw_highlight(self, canvas: Canvas, camera: Camera, piece: Piece, colour: Colour | None = None) -> None:
        """Draw a halo around a piece."""
        radius = max(piece.radius * camera.zoom, 3.0)
        canvas.circle(
            camera.to_screen(piece.position), radius + canvas.px(6), colour or palette.HIGHLIGHT, canvas.px(3)
        )

    def draw_distances(self, canvas: Canvas, camera: Camera, scene: Scene) -> None:
        """Draw the rim distance of each owner's nearest piece to the white, the nearest highlighted, with lines
        under labels."""
        white = next((piece for piece in scene.pieces if piece.kind == "white"), None)
        if white is None:
            return
        pieces = [p for p in scene.pieces if p.owner is not None]
        distances = sorted((max(0.0, rim_distance(p, white)), p.id) for p in pieces)
        nearest_by_owner = {scene.piece(name).owner: (rim, name) for rim, name in reversed(distances)}
        labels: list[tuple[str, Point, float]] = []
        a = camera.to_screen(white.position)
        for rim, name in sorted(nearest_by_owner.values()):
            piece, colour = scene.piece(name), palette.HIGHLIGHT if (rim, name) == distances[0] else palette.TABLE_TEXT
            b = camera.to_screen(piece.position)
            _draw_distance(canvas, a, b, white.radius * camera.zoom, piece.radius * camera.zoom, colour)
            labels.append((f"{rim * 1000:.1f} mm", b, b[0] - a[0]))
        gap = max(piece.radius for piece in scene.pieces) * camera.zoom + canvas.px(6)
        boxes: list[pygame.Rect] = [pygame.Rect(0, 0, 2 * gap, 2 * gap)]
        boxes[0].center = (round(a[0]), round(a[1]))
        for piece in pieces:
            (x, y), radius = camera.to_screen(piece.position), piece.radius * camera.zoom
            boxes.append(pygame.Rect(round(x - radius), round(y - radius), round(2 * radius), round(2 * radius)))
        for text, (x, y), dx in labels:
            w, h = canvas.text_width(text, 13, bold=True) + canvas.px(8), canvas.line_height(13)
            offset, clip = copysign(gap + w / 2.0, dx), canvas.surface.get_clip()
            centers = (round(x + offset), round(x - offset))
            places = [pygame.Rect(at - w // 2, round(y) - h // 2, w, h).clamp(clip) for at in centers]
            box = next((place for place in places if place.collidelist(boxes) < 0), places[0])
            while (overlapping := box.collidelist(boxes)) >= 0:
                box.top = boxes[overlapping].bottom + canvas.px(2)
            boxes.append(box)
            canvas.box(box, palette.OVERLAY_SHADE, 3)
            canvas.text(text, box.center, 13, palette.HIGHLIGHT, bold=True, anchor="center")

    # -- trajectories ---------------------------------------------------------------------------------------------

    def draw_trajectory(self, canvas: Canvas, camera: Camera, trajectory: Trajectory, t: float) -> None:
        """Draw a trajectory at a time [s]: pieces, paths so far, contacts, falls over the edge."""
        self.draw_paths(canvas, camera, trajectory, t)
        self._draw_moving(canvas, camera, trajectory, t)
        for event in trajectory.events:
            elapsed = t - event.t
            if isinstance(event, Collision | Landed) and 0.0 <= elapsed < _IMPACT_FLASH_TIME:
                self._draw_impact(canvas, camera.to_screen(event.point), event, elapsed / _IMPACT_FLASH_TIME)
            elif isinstance(event, LeftSurface) and 0.0 <= elapsed < (duration := fall_time(event)):
                piece, size = trajectory.before.piece(event.piece), 1 - 0.6 * elapsed / duration
                x, y = (at + 0.5 * elapsed * speed for at, speed in zip(event.point, event.velocity, strict=True))
                falling = replace(piece, x=x, y=y, angle=elapsed * 4.0, radius=piece.radius * size)
                self.draw_piece(canvas, camera, falling, is_faded=True)

    def _draw_moving(self, canvas: Canvas, camera: Camera, trajectory: Trajectory, t: float) -> None:
        self.draw_pieces(canvas, camera, pieces_at(trajectory, t).values(), is_moving=True)

    def _draw_impact(self, canvas: Canvas, center: Point, event: Collision | Landed, growth: float) -> None:
        """Draw the flash of a collision as it grows from 0 to 1."""
        if isinstance(event, Collision):
            draw_impact_ring(canvas, center, event.speed, growth, (4, 8, 16), 3)

    def draw_paths(self, canvas: Canvas, camera: Camera, trajectory: Trajectory, end_time: float | None = None) -> None:
        """Draw the paths of the pieces up to a time [s]."""
        end = trajectory.duration if end_time is None else end_time

        def colour_of(piece: Piece) -> Colour:
            key = self.colour_key(piece)
            return palette.mix(palette.seat_colour(key), palette.LIGHT_TEXT, 0.35) if key else palette.LIGHT_TEXT

        canvas.draw_marks(draw_paths(trajectory, camera, end, max(1.0, canvas.px(1.6)), colour_of))


def draw_impact_ring(
    canvas: Canvas, center: Point, strength: float, growth: float, radii: tuple[float, float, float], width: float,
    end_colour: Colour | None = None,
) -> None:  # fmt: skip
    """Draw a ring that widens, thins and fades as it grows from 0 to 1.

    Args:
        strength: of the impact; the radius is greatest from 1 on. radii: at first, and how much it grows at the least
            and with the strength [units]. width: at first [units]. end_colour: to which it fades; brass by default.
    """
    start, least, more = radii
    radius = canvas.px(start + (least + more * min(1.0, strength)) * growth)
    colour = palette.mix(palette.HIGHLIGHT, end_colour or palette.BRASS, growth)
    canvas.circle(center, radius, colour, max(1.0, canvas.px(width * (1 - growth))))


def scene_of(state: object) -> Scene | None:
    """Scene of a state of a table game; None when it has none."""
    scene = getattr(state, "scene", None)
    return scene if isinstance(scene, Scene) else None


def rim_distance(piece: Piece, other: Piece) -> float:
    """Distance between the rims of two pieces [m]; negative where they overlap."""
    return hypot(piece.x - other.x, piece.y - other.y) - piece.radius - other.radius


def _draw_distance(
    canvas: Canvas, a: Point, b: Point, radius_a: float, radius_b: float, colour: palette.Colour
) -> None:
    """Draw a thin line from rim to rim with a tick at each end."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length <= 0.0:
        return
    ux, uy, tick = (b[0] - a[0]) / length, (b[1] - a[1]) / length, canvas.px(6)
    begin, end = (a[0] + ux * radius_a, a[1] + uy * radius_a), (b[0] - ux * radius_b, b[1] - uy * radius_b)
    for p, q in ((begin, end), *(((x - uy * tick, y + ux * tick), (x + uy * tick, y - ux * tick))
                                for x, y in (begin, end))):  # fmt: skip
        canvas.line(p, q, palette.OVERLAY_SHADE, canvas.px(3))
        canvas.line(p, q, colour, max(1.0, canvas.px(1.4)))
