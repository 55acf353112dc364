"""The cloth of Tiddly-Wink dominoes: the line bending on the table, its open ends, the tiles in hand."""

from __future__ import annotations

from math import hypot

import pygame

from flicksim.base import kinds
from flicksim.base.kinds import Action, View
from flicksim.cards import Lay, Pass, Tile, TurnUp
from flicksim.games.dominoes import deck, rules
from flicksim.games.dominoes.deck import BONEYARD, HANDS, LAYOUT, POOL
from flicksim.play import Turn
from flicksim.ui.cards import plates, tile_faces
from flicksim.ui.cards.cloth import Cloth, dashed, finished, signed
from flicksim.ui.cards.plates import Plate
from flicksim.ui.cards.rack import Rack
from flicksim.ui.faces.dominoes.snake import Laid, Line, fitted
from flicksim.ui.kit import palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.keys import Key, Keys
from flicksim.ui.kit.widgets import Button

_KEYS = Keys("Dominoes", (
    Key("Left  Right", "choose a tile; those that fit are bright", ("go",)),
    Key("Up  Down", "choose the end of the line, where a tile fits both", ("end",)),
    Key("Enter or Space", "play the tile; turn up, or pass, when that is all", ("enter",), press="Enter Space"),
    Key("N", "pass: none fits, or no second one is wanted", ("pass",)),
    Key("Mouse", "drag a tile to an end; or click it, then an end; twice to play it"),
))  # fmt: skip


class DominoCloth(Cloth):
    """Dominoes."""

    suited = False
    keys = _KEYS
    view: View
    _line = Line((), None, None)
    _side = 20
    end = "right"

    def _rack(self) -> Rack:
        self._play = Button("Play", self._enter, key="Enter", main=True)
        self._pass = Button("Pass", self._passes, key="N")
        return Rack(self._tile_picture, 2.0, 1.08, 56.0, dims=True)

    @staticmethod
    def _tile_picture(tile: Tile, wide: int) -> pygame.Surface:
        return tile_faces.tile(tile.high, tile.low, wide, True)

    def _back(self, high: int) -> pygame.Surface:
        return tile_faces.back(max(4, high // 2))

    def _foot(self) -> float:
        many = len(self.hand())
        return 176.0 if many <= 16 else 232.0

    def _plate(self, seat: int) -> Plate:
        view = self.view
        score = int(view.scores[seat])
        staked = deck.stake(view.options)
        passed = isinstance(self.made, Pass) and seat == self.moved
        lacks = view.lacks[seat] if view.lacks else ()
        note = "passes" if passed else f"no {' '.join(map(str, lacks))}" if lacks and len(lacks) <= 5 else ""
        return Plate(
            seat=seat, name=self.called(seat), who=self._who(seat), count=len(view.zones[HANDS[seat]]),
            points=signed(score) if staked else str(score), unit="chips" if staked else "won",
            marks="dealer" if seat == view.dealer else "", note=note,
        )  # fmt: skip

    # -- the view -------------------------------------------------------------------------------------------------

    @property
    def _one_arm(self) -> bool:
        return deck.american(self.view.options)

    def laid(self, turn: Turn) -> kinds.State:
        """The line at the end of a round."""
        ruling = turn.verdict.ruling
        assert isinstance(ruling, rules.DominoRuling)
        return finished(turn, left=ruling.left, right=ruling.right)

    def stretch(self) -> str:
        """The round."""
        return f"Round {self.view.round} of {self.view.options.rounds}"

    def renew(self) -> None:
        """Hold the hand, light what fits."""
        fits = {action.tile for action in self.offers(Lay)}
        before = self.rack.current
        self.rack.show(self.hand(), lambda tile: tile in fits)
        if self.choosing and fits and before not in fits:
            # the cursor waits on a tile that may be played
            self.rack.cursor = min(self.rack.lit)
        self._aim()

    def _aim(self) -> None:
        """Point at an end the tile fits."""
        ends = {action.end for action in self.ways()}
        if ends and self.end not in ends:
            self.end = "left" if "left" in ends else "right"

    def ways(self) -> list[Lay]:
        return [action for action in self.offers(Lay) if action.tile is self.rack.current]

    def arrange(self) -> None:
        """Lay the line out."""
        view = self.view
        tiles = view.zones.cards(LAYOUT)
        chain = rules.chain(view) if tiles else ()
        lead = tiles.index(view.led) if view.led in tiles else 0
        held = self.rack.current if self.choosing and self.ways() else None
        room = self.middle.inflate(-round(20 * self.scale), -round(56 * self.scale))
        self._line, self._side = fitted(
            chain, lead, max(60, room.w), max(60, room.h), round(44 * self.scale), one_arm=self._one_arm,
            held=(held.high, held.low) if held is not None else None,
        )  # fmt: skip
        if self._one_arm:
            _, top, _, bottom = self._line.box()
            self._zero = (room.centerx, room.centery - round((top + bottom) / 2 * self._side))
        else:
            self._zero = room.center

    def _spot(self, laid: Laid) -> pygame.Rect:
        s = self._side
        w, h = (s, 2 * s) if laid.upright else (2 * s, s)
        rect = pygame.Rect(0, 0, w, h)
        rect.center = (round(self._zero[0] + laid.x * s), round(self._zero[1] + laid.y * s))
        return rect

    def slots(self) -> dict[str, pygame.Rect]:
        """Places at which a tile may be put down, by end."""
        ends = {"left": self._line.left, "right": self._line.right}
        return {name: self._spot(laid) for name, laid in ends.items() if laid is not None}

    # -- doing ----------------------------------------------------------------------------------------------------

    def buttons(self) -> list[Button]:
        """Play, and pass or turn up only where that is allowed."""
        if not self.choosing:
            return []
        self._play.label = self._main_word()
        passing = bool(self.offers(Pass)) and len(self.choices.actions) > 1
        return [self._play, self._pass] if passing else [self._play]

    def _main_word(self) -> str:
        only = self.choices.actions[0] if len(self.choices.actions) == 1 else None
        if isinstance(only, Pass):
            return "Pass"
        if isinstance(only, TurnUp):
            return "Turn up the lead"
        tile = self.rack.current
        ways = self.ways()
        if len(ways) > 1:
            return f"Play {tile} {self.end}"
        return f"Play {ways[0]}" if ways else f"Play {tile}"

    def lacks(self) -> str:
        """Words for what is particular about this turn."""
        if not self.choosing:
            return ""
        if self.view.phase == "second":
            return "You played a double: a second tile may follow, or pass."
        if self.offers(Pass) and not self.offers(Lay):
            return "Nothing in your hand fits: you pass."
        if len(self.ways()) > 1:
            return f"{self.rack.current} fits both ends: Up and Down choose."
        if self.rack.current is not None and not self.ways() and self.offers(Lay):
            return f"{self.rack.current} {'may not lead' if self.view.phase == 'lead' else 'does not fit'}."
        return ""

    def _enter(self) -> None:
        only = self.choices.actions[0] if len(self.choices.actions) == 1 else None
        if isinstance(only, Pass | TurnUp):
            self.act(only)
            return
        self._put(self.end)

    def _put(self, end: str | None) -> None:
        """Play the tile under the cursor at an end, or hear why not."""
        tile = self.rack.current
        if tile is None:
            return
        ways = self.ways()
        match = next((way for way in ways if way.end == end), None)
        if match is not None or len(ways) == 1:
            self.act(match or ways[0])
        elif self._one_arm or self.view.phase == "lead" or end is None:
            self.act(Lay(tile=tile))
        else:
            self.act(Lay(tile=tile, end="left" if end == "left" else "right"))

    def _passes(self) -> None:
        self.act(Pass())

    def key(self, event: pygame.event.Event) -> bool:
        """Arrows choose, Enter plays, P passes."""
        word, way = self.keys.pressed(event)
        match word:
            case "go":
                self.rack.go(way)
                self._aim()
            case "end":
                if len(self.ways()) > 1:
                    self.end = "left" if self.end == "right" else "right"
            case "enter":
                self._enter()
            case "pass":
                self._passes()
            case _:
                return False
        self.arrange()
        return True

    def take(self, action: Action) -> str:
        """Point at what a hint says."""
        if isinstance(action, Lay):
            self.rack.cursor = self.rack.items.index(action.tile)
            self.end = action.end or self.end
            self.arrange()
            return f"play {action}"
        return "pass" if isinstance(action, Pass) else "turn up the lead"

    # -- mouse ----------------------------------------------------------------------------------------------------

    def pressed(self, pos: tuple[int, int]) -> None:
        """A tile takes the cursor; if it had it, the click plays."""
        at = self.rack.at(pos)
        self._again = at is not None and at == self.rack.cursor
        if at is not None:
            self.rack.cursor = at
            self._aim()
            self.arrange()

    _again = False

    def lifted(self, pos: tuple[int, int]) -> None:
        """A tile is dragged."""
        at = self.rack.at(pos)
        if at is not None:
            self.rack.dragged = {at}

    def dropped(self, pos: tuple[int, int]) -> None:
        """On the table it goes to the nearer end; anywhere else it goes back."""
        if not self.middle.collidepoint(pos):
            return
        self._put(self._nearest(pos))

    def _nearest(self, pos: tuple[int, int]) -> str | None:
        slots = self.slots()
        if self.view.phase == "lead" or not slots:
            return None
        return min(slots, key=lambda end: hypot(pos[0] - slots[end].centerx, pos[1] - slots[end].centery))

    def clicked(self, pos: tuple[int, int]) -> None:
        """An end takes the tile under the cursor."""
        if self.rack.at(pos) is not None:
            if self._again:
                self._enter()
            return
        for end, rect in self.slots().items():
            if rect.inflate(self._side // 2, self._side // 2).collidepoint(pos):
                self._put(end)
                return

    # -- sound, sheet ---------------------------------------------------------------------------------------------

    def heard(self, turn: Turn) -> None:
        """A tile knocks on the table."""
        super().heard(turn)
        if isinstance(turn.made, Lay | TurnUp):
            self.sounds.play("tile")

    def columns(self, turn: Turn) -> tuple[str, list[str], list[list[str]]]:
        """Pips left and what was won."""
        closed = turn.verdict.ruling.closed  # type: ignore[attr-defined]
        names = " and ".join(deck.NAMES[seat] for seat in closed.won) or "Nobody"
        verb = "win" if len(closed.won) > 1 else "wins"
        how = f"{names} dominoes" if closed.how == "domino" else f"blocked, {names} {verb} with the fewest pips"
        staked = deck.stake(turn.before.options)
        cells = [
            [str(pips), signed(points) if staked else ("won" if points else "–")]
            for pips, points in zip(closed.pips, closed.points, strict=True)
        ]
        return f"Round {turn.before.round}: {how}", ["pips left", "chips" if staked else "this round"], cells

    # -- picture --------------------------------------------------------------------------------------------------

    def _draw_table(self, canvas: Canvas) -> None:
        view, line = self.view, self._line
        tiles = view.zones.cards(LAYOUT)
        last = self.made.tile if isinstance(self.made, Lay) else None
        for tile, laid in zip(tiles, line.tiles, strict=True):
            rect = self.flown(self._spot(laid)) if tile is last else self._spot(laid)
            picture = tile_faces.tile(laid.first, laid.second, max(6, round(self._side * 0.95)), laid.upright)
            at = picture.get_rect(center=rect.center)
            canvas.box(at.move(canvas.px(2), canvas.px(2)), palette.mix(palette.SHADE, palette.CLOTH, 0.5), 4)
            canvas.surface.blit(picture, at)
            if tile is last:
                canvas.outline(at.inflate(canvas.px(4), canvas.px(4)), palette.GLOW, 2.0)
        self._draw_slots(canvas)
        self._draw_words(canvas)

    def _draw_slots(self, canvas: Canvas) -> None:
        """Open ends: lit where the tile under the cursor fits."""
        ways = self.ways() if self.choosing else []
        lead = self.view.phase in ("lead", "turn_up")
        for end, rect in self.slots().items():
            fits = any(way.end == end or way.end is None for way in ways)
            number = self.view.left if end == "left" else self.view.right
            chosen = fits and (len(ways) == 1 or end == self.end)
            inner = rect.inflate(-canvas.px(4), -canvas.px(4))
            colour = palette.GLOW if chosen else palette.PALE if fits else palette.mix(palette.CLOTH, palette.PALE, 0.4)
            if chosen and not self.rack.dragged:
                tile = self.rack.current
                laid = self._line.left if end == "left" else self._line.right
                assert laid is not None
                ghost = tile_faces.tile(*_shown(laid, tile), max(6, round(self._side * 0.95)), laid.upright).copy()
                ghost.set_alpha(110)
                canvas.surface.blit(ghost, ghost.get_rect(center=rect.center))
            dashed(canvas, inner, colour, 2.5 if fits else 1.5)
            words = "lead" if lead else str(number)
            if not (chosen and not self.rack.dragged):
                canvas.text(words, rect.center, 15, colour, bold=True, anchor="center")

    def _draw_words(self, canvas: Canvas) -> None:
        """Boneyard and pool in the corners of the table, the open numbers."""
        view, rect = self.view, self.middle
        left = len(view.zones[BONEYARD])
        x, y = rect.x + canvas.px(6), rect.bottom - canvas.px(22)
        faint = palette.DUST
        back = tile_faces.back(canvas.px(8))
        for k in range(min(left, 6)):
            canvas.surface.blit(back, (x + k * canvas.px(9), y))
        start = x + min(left, 6) * canvas.px(9) + canvas.px(6)
        canvas.text(f"boneyard {left}, in no hand" if left else "no boneyard", (start, y), 13, faint)
        size = deck.top(view.options, view.seats)
        set_ = {6: "double-six", 9: "double-nine", 12: "double-twelve"}[size]
        kind = "American, one arm" if self._one_arm else "British, two arms"
        canvas.text(f"{kind}, {set_} set", (rect.x + canvas.px(6), rect.y + canvas.px(2)), 13, faint)
        if deck.stake(view.options):
            pool = view.zones.purses.get(POOL, 0)
            words = canvas.text(f"pool {pool}", (rect.right - canvas.px(6), rect.y + canvas.px(2)), 15, palette.GLOW,
                                bold=True, anchor="topright")  # fmt: skip
            for k in range(min(pool, 8)):
                plates.token(canvas, (words.x - canvas.px(12 + 10 * k), words.centery), canvas.px(7))
        ends = [str(view.right)] if view.left in (-1, view.right) else [str(view.left), str(view.right)]
        if view.right >= 0:
            canvas.text(f"open: {' and '.join(ends)}", (rect.right - canvas.px(6), y), 15, palette.PALE, bold=True,
                        anchor="topright")  # fmt: skip


def _shown(laid: Laid, tile: Tile) -> tuple[int, int]:
    """The halves of a tile as it would lie; the place was worked out for it, so it knows."""
    if {laid.first, laid.second} == {tile.high, tile.low}:
        return laid.first, laid.second
    return tile.high, tile.low
