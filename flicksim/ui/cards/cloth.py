"""The cloth of every game: show a view, take keys and mouse, say what is due. Each card game has its own."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.geometry import Point
from flicksim.base.kinds import Action, Plain, State, View
from flicksim.play import Turn
from flicksim.referee import Choices, Game
from flicksim.ui.cards import plates
from flicksim.ui.cards.plates import Plate
from flicksim.ui.cards.rack import Item, Rack
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Keys
from flicksim.ui.kit.preferences import Preferences
from flicksim.ui.kit.sounds import Sounds
from flicksim.ui.kit.widgets import Button

Won = tuple[str, Point, Point]
"""Something won, in a few letters, and from where to where it flies [pixels]."""
_FLY = 0.3
"""Time that a card or tile of another seat is on its way [s]."""
_FAR = 6
"""Way of the mouse from which a press is a drag [pixels]."""


class Cloth:
    """The table of one game.

    Args:
        game: which. who: who sits on a seat, in words. preferences: the player's likings. sounds: what can be heard.
    """

    suited = True
    """True if hands have suits to be sorted and coloured by."""
    keys = Keys("", ())
    """The keys that only this cloth has."""

    def __init__(self, game: Game, who: Callable[[int], str], preferences: Preferences, sounds: Sounds) -> None:
        self.game, self._who, self.preferences, self.sounds = game, who, preferences, sounds
        self.called: Callable[[int], str] = lambda seat: game.seat_names[seat]
        self.act: Callable[[Action], None] = lambda _: None
        self.refuse: Callable[[str], None] = lambda _: None
        self.view: View = None
        self.seat: int | None = None
        self.choosing = False
        self.choices = Choices(says="")
        self.made: Action = None
        self.rect = self.middle = pygame.Rect(0, 0, 0, 0)
        self.scale = 1.0
        self.rack = self._rack()
        self._plates: list[tuple[int, pygame.Rect]] = []
        self._press: tuple[int, int] | None = None
        self._mouse = (0, 0)
        self.moved: int | None = None
        self._left = 0.0

    # -- what a game says -----------------------------------------------------------------------------------------

    def _rack(self) -> Rack:
        raise NotImplementedError

    def _plate(self, seat: int) -> Plate:
        raise NotImplementedError

    def _back(self, high: int) -> pygame.Surface:
        raise NotImplementedError

    def hand(self) -> tuple[Item, ...]:
        """The hand of the seat that looks."""
        if self.seat is None:
            return ()
        return tuple(self.view.zones.cards(f"hand:{self.seat}"))

    def laid(self, turn: Turn) -> State:
        """The state as it lay when a turn was over, before the next deal."""
        raise NotImplementedError

    def stretch(self) -> str:
        """Part of the game that is on."""
        return ""

    def buttons(self) -> list[Button]:
        """The buttons that may be pressed now."""
        return []

    def lacks(self) -> str:
        """Words for what the turn still lacks, or what the main key would do now."""
        return ""

    def take(self, action: Action) -> str:
        """Set everything so that the main key does this. Returns how it would be said."""
        return str(action)

    def heard(self, turn: Turn) -> None:
        """A turn was played: let it be heard, and let what another seat moved be seen on its way."""
        self.moved = turn.seat
        self._left = _FLY if turn.seat != self.seat and self.preferences.wait else 0.0

    def won(self, turn: Turn) -> list[Won]:
        """The points a turn has brought: words, and from where to where they fly."""
        pairs = zip(turn.before.scores, turn.after.scores, strict=True)
        gained = [(seat, after - before) for seat, (before, after) in enumerate(pairs)]
        return [(signed(more), self.middle.center, self.scored(seat)) for seat, more in gained if more]

    def scored(self, seat: int) -> Point:
        """The place where a seat's points stand [pixels]: on its plate, or over the hand."""
        plate = next((plate for other, plate in self._plates if other == seat), None)
        if plate is None:
            return (self.rack.rect.x + round(170 * self.scale), self.rack.rect.y - round(16 * self.scale))
        return (plate.right - round(40 * self.scale), plate.y + round(12 * self.scale))

    def flown(self, rect: pygame.Rect, *, away: bool = False) -> pygame.Rect:
        """Place, on its way, of something that a seat has just moved here, or away from here to its plate."""
        plate = next((plate for seat, plate in self._plates if seat == self.moved), None)
        if self._left <= 0.0 or plate is None:
            return rect
        share = self._left / _FLY
        share = 1.0 - (1.0 - share) ** 2
        if away:
            share = 1.0 - share
        x, y = rect.center
        return rect.move(round((plate.centerx - x) * share), round((plate.centery - y) * share))

    @property
    def flying(self) -> bool:
        """True while something is on its way."""
        return self._left > 0.0

    def columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        """A finished round for the score sheet: title, heads, and for each seat the figures under them."""
        raise NotImplementedError

    # -- showing --------------------------------------------------------------------------------------------------

    def show(self, view: View, seat: int | None, *, choosing: bool, made: Action = None) -> None:
        """Take a seat's view: all this cloth ever sees. seat: whose hand may be seen; None for nobody's."""
        self.view, self.seat, self.choosing, self.made = view, seat, choosing, made
        self.choices = self.game.rules.choices(view) if choosing else Choices(says="")
        self._press = None
        self.renew()
        self.place(self.rect, self.scale)

    def renew(self) -> None:
        """The view has changed."""

    def place(self, rect: pygame.Rect, scale: float) -> None:
        """Plates at the head, the hand at the foot, the table between."""
        self.rect, self.scale = rect, scale
        if self.view is None or rect.w < 10:
            return
        pad = round(10 * scale)
        seats = plates.order(self.view.seats, self.seat)
        head = plates.high(len(seats), rect.w - 2 * pad, scale)
        top = pygame.Rect(rect.x + pad, rect.y + pad, rect.w - 2 * pad, head)
        self._plates = list(zip(seats, plates.place(len(seats), top, scale), strict=True))
        foot = round(self._foot() * scale)
        self.rack.place(pygame.Rect(rect.x + pad, rect.bottom - foot + round(26 * scale), rect.w - 2 * pad,
                                    foot - round(36 * scale)), scale)  # fmt: skip
        self.middle = pygame.Rect(rect.x + pad, top.bottom + pad // 2, rect.w - 2 * pad,
                                  rect.bottom - foot - top.bottom - pad // 2)  # fmt: skip
        self.arrange()

    def _foot(self) -> float:
        """Room for the hand [units]."""
        return 180.0

    def arrange(self) -> None:
        """Put what lies on the table in its place."""

    def draw(self, canvas: Canvas) -> None:
        """The whole cloth."""
        canvas.box(self.rect, palette.CLOTH)
        if self.view is None:
            return
        acts = self.game.rules.to_play(self.view)
        for seat, rect in self._plates:
            plates.draw(canvas, rect, self._plate(seat), self._back, acting=seat == acts)
        self._draw_table(canvas)
        self._draw_foot(canvas, acts)
        self.rack.draw(canvas, active=self.choosing)
        if self.rack.dragged:
            self.rack.carry(canvas, self._mouse)

    def _draw_foot(self, canvas: Canvas, acts: int | None) -> None:
        """The strip over the hand: whose it is and how it stands."""
        y = self.rack.rect.y - canvas.px(30)
        strip = pygame.Rect(self.rect.x, y, self.rect.w, self.rect.bottom - y)
        canvas.box(strip, palette.mix(palette.CLOTH, palette.SHADE, 0.35))
        if self.seat is None:
            return
        plate = self._plate(self.seat)
        r = canvas.px(11)
        mid = y + canvas.px(14)
        plates.badge(canvas, (strip.x + canvas.px(12) + r, mid), r, plate.seat, plate.name)
        x = strip.x + canvas.px(18) + 2 * r
        colour = palette.GLOW if acts == self.seat else palette.CHALK
        whose = f"Your hand ({plate.name})" if plate.who == "you" else f"{plate.name}'s hand"
        name = canvas.text(f"{whose}: {plate.count}", (x, mid), 15, colour, bold=True, anchor="midleft")
        right = strip.right - canvas.px(12)
        if plate.tokens is not None:
            size = canvas.px(8)
            words = f"{plate.tokens} tokens" if plate.tokens != 1 else "1 token"
            right = canvas.text(words, (right, mid), 14, palette.CHALK, bold=True, anchor="midright").x - canvas.px(6)
            for _ in range(min(plate.tokens, 12)):
                plates.token(canvas, (right - size, mid), size)
                right -= round(size * 1.5)
            right -= size
        more = "   ".join(word for word in (f"{plate.points} {plate.unit}", plate.marks, plate.note) if word)
        canvas.text(more, (name.right + canvas.px(14), mid), 13, palette.DUST, anchor="midleft",
                    within=max(10, right - name.right - canvas.px(24)))  # fmt: skip

    def _draw_table(self, canvas: Canvas) -> None:
        raise NotImplementedError

    # -- asking the rules -----------------------------------------------------------------------------------------

    def allowed(self, action: Action) -> bool:
        """True where the rules would take it now, as far as this seat can see."""
        try:
            self.game.rules.check(self.view, action)
        except FlicksimError:
            return False
        return True

    def offers(self, *kinds: type) -> list[Action]:
        """Offered moves of these kinds."""
        return [action for action in self.choices.actions if isinstance(action, kinds)]

    # -- mouse ----------------------------------------------------------------------------------------------------

    def mouse(self, event: pygame.event.Event) -> bool:
        """Press, drag, let go. Whether it was for the cloth."""
        if not self.choosing:
            return False
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and self.rect.collidepoint(event.pos):
                self._press = event.pos
                self.pressed(event.pos)
                return True
            case pygame.MOUSEMOTION:
                self._mouse = event.pos
                if self._press is not None and not self.rack.dragged:
                    far = max(abs(event.pos[0] - self._press[0]), abs(event.pos[1] - self._press[1]))
                    if far > _FAR:
                        self.lifted(self._press)
                self.hovered(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == 1 and self._press is not None:
                press, self._press = self._press, None
                if self.rack.dragged or self._carrying():
                    self.dropped(event.pos)
                    self.rack.dragged = set()
                else:
                    self.clicked(press)
                return True
        return False

    def _carrying(self) -> bool:
        """True where something that is not of the hand is dragged."""
        return False

    def pressed(self, pos: tuple[int, int]) -> None:
        """The button went down."""

    def lifted(self, pos: tuple[int, int]) -> None:
        """A drag begins where the button went down."""

    def hovered(self, pos: tuple[int, int]) -> None:
        """The mouse moved."""

    def dropped(self, pos: tuple[int, int]) -> None:
        """Let go of what was dragged."""

    def clicked(self, pos: tuple[int, int]) -> None:
        """Pressed and let go in one place."""

    # -- keys, time -----------------------------------------------------------------------------------------------

    def key(self, event: pygame.event.Event) -> bool:
        """A key while nothing else has the focus; whether it was used."""
        del event
        return False

    def update(self, dt: float) -> None:
        """Let time go on."""
        self._left = max(0.0, self._left - dt)


def finished(turn: Turn, **more: Plain) -> State:
    """The state before a turn with what it moved and gained: how the table lay when it closed a round."""
    zones = turn.account.after if turn.account is not None else turn.before.zones
    return msgspec.structs.replace(turn.before, zones=zones, scores=turn.after.scores, **more)


def signed(points: int) -> str:
    """Points with their sign."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"


def dashed(canvas: Canvas, rect: pygame.Rect, colour: tuple[int, int, int], width: float) -> None:
    """A rectangle in dashes."""
    corners = [rect.topleft, rect.topright, rect.bottomright, rect.bottomleft]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        canvas.dashes(a, b, colour, max(1.0, canvas.px(width)), max(3.0, canvas.px(5)))
