"""The study board: a position set up by hand, and what the analyst says to it while things are moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import cos, dist, hypot, sin

import pygame

from flicksim import games
from flicksim.base.codec import to_json
from flicksim.base.errors import BadScene, FlicksimError
from flicksim.base.files import write_aside
from flicksim.base.geometry import Point, inside
from flicksim.base.kinds import Account, Position, Staged, State
from flicksim.base.units import mm
from flicksim.drawing import Camera
from flicksim.play import (
    SharedPosition,
    Warming,
    awaited,
    open_match,
    parse_seat,
    read_shared,
    share_position,
    thoughts_of,
)
from flicksim.referee import Game
from flicksim.table import TURN, Motion, Piece, Surface
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.face import Way
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.kit import clipboard, coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.keys import ALWAYS, Key, Keys
from flicksim.ui.kit.places import made, numbered, place
from flicksim.ui.kit.widgets import Button, Choice, Entry
from flicksim.ui.match.insight import BACK, Insight, caption_shown
from flicksim.ui.match.share import ShareScreen
from flicksim.ui.match.starting import begin
from flicksim.ui.match.worths import COLUMN
from flicksim.ui.table import standing
from flicksim.ui.table.playback import Clock, Playback
from flicksim.ui.table.side_panel import caption, heading
from flicksim.ui.table.view import TableView

STUDYING = Keys("Study board", (
    Key("Drag a piece", "move it; off the table it is taken away"),
    Key("G   A", "the next piece on the table; another one put there", ("piece", "add")),
    Key("Left  Right   Up  Down", "move the chosen piece by 5 mm, with Shift by 1", ("aside", "along")),
    Key("Delete", "take the chosen piece away", ("take",)),
    Key("O", "the other way up: a wink on its other face, a pyramid on each of its sides", ("over",)),
    Key("T", "the next to play", ("due",)),
    Key("U", "take the last change back", ("undo",)),
    Key("Z", "nearer, about the chosen piece or the pot; all again", ("near",)),
    Key("+   -   0", "nearer, farther, all; the wheel does so too, and the middle button shifts the view"),
    Key("F7   F8", "the bar of worth; the best flicks, with a map", ("worth", "map")),
    Key("N   V", "the next of these flicks; show it, made as it is meant", ("next", "show")),
    Key("S", "keep the position among your own", ("save",)),
    Key("C   Ctrl + V", "share it as a text; set up one that somebody shared", ("share", "paste")),
    Key("P", "play on from here, every seat yours", ("play",)),
))  # fmt: skip
"""The keys of the study board."""
_STEP, _FINE = mm(5.0), mm(1.0)
_WIDE = mm(16.0)
"""A piece reaches so far from its middle, where none lies there yet [m]."""
_NEAR = 0.4
"""Width that a nearer look shows at least [m]."""
_RIGHT = 356.0
"""Width of the panel [units]."""
_PLAINLY = tuple((re.compile(pattern), says) for pattern, says in (
    (r"'([\w-]+)' and '([\w-]+)' overlap by .*", "{0} and {1} lie in the same place. Drag one of them aside."),
    (r"'([\w-]+)' goes through the pot's wall.*",
     "{0} lies in the wall of the pot. Drag it a little farther out, or right into the pot."),
    (r"'([\w-]+)' at .* off the surface", "{0} lies off the table. Drag it back onto it."),
))  # fmt: skip
"""Sentences of what cannot lie so, as one says them to somebody with the pieces in hand."""


def plainly(problem: str) -> str:
    """The reason why pieces cannot lie so, as a sentence for people."""
    for pattern, says in _PLAINLY:
        if (found := pattern.fullmatch(problem)) is not None:
            told = says.format(*map(standing.piece, found.groups()))
            return told[:1].upper() + told[1:]
    told = re.sub(r"'([a-z]+(?:-[a-z]+)*-\d+|white)'", lambda found: standing.piece(found[1]), problem)
    return standing.said(told[:1].upper() + told[1:]) + "." * bool(told)


class StudyScreen(Screen):
    """The table on the left, what belongs to the position and what is told of it on the right.

    Args:
        game: one that can be set up. position: to begin with; without, that which was left last, else the game's own.
        view: makes what the table is seen through. way: from where to where flicks go.
        warmings: of the physics that weighs it; the first word waits for them.
    """

    def __init__(
        self, app: App, game: Game, position: Position | None = None, *,
        view: Callable[[Sequence[str], Surface, str], TableView] = TableView, way: Way | None = None,
        warmings: Sequence[Warming] = (),
    ) -> None:  # fmt: skip
        super().__init__(app)
        assert game.setting is not None
        assert game.positions is not None
        self.game, self._setting, self._notation = game, game.setting, game.positions
        left, past = app.studied.get(game.name, (self._setting.bare(), ()))
        self.position: Position = left if position is None else position
        self.insight = Insight(game, way, *awaited(*warmings, thoughts_of(game)))
        self.insight.bar = self.insight.map = True
        self.view = view(game.seat_names, self._setting.table(self.position).surface, "players' edge")
        self.state: State = None
        self.wrong = ""
        """Sentence that says why nobody can play there; empty where somebody can."""
        self.scene: Staged = self._setting.table(self.position)
        self.chosen: str | None = None
        self._drag: tuple[str, Point] | None = None
        """The piece in hand, and where it is held [m]."""
        self._moved = False
        """True once that piece was moved: before, it is only touched."""
        self._wished = False
        """True if a flick is to be shown as soon as one is told."""
        self._past: list[Position] = [*past, left] if position not in (None, left) else list(past)
        """Positions to go back to; under one that was opened lies what was left."""
        self._playback: Clock | None = None
        """A flick that is shown; its end stays until a key or a click."""
        self._right = pygame.Rect(0, 0, 0, 0)
        self._tray: list[tuple[pygame.Rect, str]] = []
        names = [name for name in games.names() if games.load(name).setting is not None]
        titles = {name: games.load(name).title for name in names}
        self._which = Choice(
            "Game", names, names.index(game.name) if game.name in names else 0, self._other, "", titles
        )
        self._due = Choice("To play", game.seat_names[: self._seats()], 0, self._turned)
        self._counts = [
            Entry(one.label, str(one.value), partial(self._counted, k), span=(one.low, one.high))
            for k, one in enumerate(self._setting.counts(self.position))
        ]
        self._buttons = [
            Button("Show me", self.show_me, key="V", main=True), Button("Take away", self.take_away, key="Del"),
            Button("Undo", self.undo, key="U"), Button("Play on", self.play, key="P"),
            Button("Share", self.share, key="C"), Button("Save", self.save, key="S"),
            Button("Help", self.help, key="?"), Button("Back", app.pop, key="Esc"),
        ]  # fmt: skip
        self.form = Form([self._which, self._due, *self._counts, *self._buttons], None, arrows=False)
        self._judge()

    def _seats(self) -> int:
        """The number of seats of the position, or of the game's own where nobody can play there."""
        with suppress(FlicksimError):
            return len(self.game.rules.scores(self._notation.state_of(self.position)))
        return len(self.game.rules.scores(self._notation.state_of(self._setting.bare())))

    # -- the position ---------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """See whether somebody can play there; and what lies where."""
        self.scene = self._setting.table(self.position)
        try:
            self.state, _ = self._notation.begin(self.position)
            self.scene, self.wrong = self.state.scene, ""
        except BadScene as wrong:
            self.state, self.wrong = None, wrong.problems[0]
        except FlicksimError as wrong:
            self.state, self.wrong = None, str(wrong)
        self.wrong = plainly(self.wrong)
        if self.chosen is not None and not self.scene.has(self.chosen):
            self.chosen = None
        seat = None if self.state is None else self.game.rules.to_play(self.state)
        if seat is not None:
            self._due.index = seat
        for entry, one in zip(self._counts, self._setting.counts(self.position), strict=True):
            entry.text = str(one.value)
        self._playback, self._wished = None, False

    def change(self, position: Position) -> None:
        """Go on to another position; the one before can be had back."""
        if position != self.position:
            self._past.append(self.position)
            self.position = position
            self._judge()

    def undo(self) -> None:
        """Take the last change back."""
        if self._past:
            self.position = self._past.pop()
            self._judge()

    def put(self, piece: str, at: Point) -> None:
        """Put a piece there [m]; off the table it is taken away."""
        if inside(at, self.scene.surface.outline):
            self.change(self._setting.put(self.position, piece, at))
            self.chosen = piece if self.scene.has(piece) else None
        elif self.scene.has(piece):
            self.change(self._setting.taken(self.position, piece))

    def take_away(self) -> None:
        """Take the chosen piece away."""
        if self.chosen is None:
            self.app.say("Choose a piece first: click on it, or G.")
            return
        self.change(self._setting.taken(self.position, self.chosen))

    def turn_over(self) -> None:
        """Turn the chosen piece the other way up."""
        if self.chosen is None:
            self.app.say("Choose a piece first: click on it, or G.")
            return
        turned = self._setting.turned(self.position, self.chosen)
        if turned == self.position:
            self.app.say("It is the same the other way up.")
        self.change(turned)

    def _turned(self) -> None:
        self.change(self._setting.due(self.position, self._due.index))

    def _counted(self, k: int) -> None:
        entry, one = self._counts[k], self._setting.counts(self.position)[k]
        if entry.value.isdecimal() and entry.value.isascii() and one.low <= int(entry.value) <= one.high:
            self.change(self._setting.counted(self.position, one.name, int(entry.value)))

    def _other(self) -> None:
        """Another game's board."""
        screen = self.app.routes.study(self.app, games.load(self._which.value), None)
        if screen is not None:
            self.app.pop()
            self.app.push(screen)

    def _next_piece(self) -> None:
        names = [piece.id for piece in self.scene.pieces]
        at = names.index(self.chosen) + 1 if self.chosen in names else 0
        self.chosen = names[at % len(names)] if names else None

    def _add(self) -> None:
        """Put another piece where there is room next to the middle of what is seen."""
        spare = self._setting.spare(self.position)
        if not spare:
            self.app.say("Every piece is there already: drag it.")
        elif (at := self._room()) is None:
            self.app.say("There is no room for another piece: drag one aside.")
        else:
            self.put(spare[0], at)

    def _room(self) -> Point | None:
        """The free place nearest the middle of what is seen [m]; None where there is none."""
        x, y = self.view.camera.to_table(self.view.clear.center)
        far, outline = 2.2 * self.reach(), self.scene.surface.outline
        pot = getattr(self.scene.surface, "pot", None)
        taken = [(piece.at, far) for piece in self.scene.pieces]
        taken += [(pot.at, far + pot.top_radius)] if pot is not None else []
        rings = int(max(hypot(a - x, b - y) for a, b in outline) / far) + 1
        for ring in range(2 * rings):
            for turn in range(max(1, 3 * ring)):
                way = TURN * turn / max(1, 3 * ring)
                at = (x + 0.5 * far * ring * cos(way), y + 0.5 * far * ring * sin(way))
                if inside(at, outline) and all(dist(at, there) >= clear for there, clear in taken):
                    return at
        return None

    def _move(self, dx: int, dy: int, *, fine: bool) -> None:
        """Move the chosen piece as it is seen."""
        if self.chosen is None or not self.scene.has(self.chosen):
            return
        x, y = self.scene.piece(self.chosen).at
        sx, sy = self.view.camera.step(dx, dy)
        far = (_FINE if fine else _STEP) / max(hypot(sx, sy), 1e-12)
        self.put(self.chosen, (x + sx * far, y + sy * far))

    # -- kept, shared, played -------------------------------------------------------------------------------------

    def _able(self) -> bool:
        """True where the position can be; else says why not."""
        if self.state is None:
            self.app.say(self.wrong)
        return self.state is not None

    def save(self) -> None:
        """Keep the position among the player's own, where "Open" finds it; not one that cannot be."""
        if not self._able():
            return
        folder = place("data")
        if folder is None:
            self.app.say("No position was kept: this window keeps no files.")
            return
        try:
            path = numbered(made(folder / "positions"), self.game.name, ".json")
            write_aside(path, to_json(self.position) + b"\n")
        except FlicksimError as wrong:
            self.app.say(f"No position was kept: {wrong}.")
            return
        self.app.say(f"The position is kept as {path}. O at the front door opens it.")

    def share(self) -> None:
        """Show the position as a text that another copy opens; not one that cannot be."""
        if not self._able():
            return
        text = share_position(self.game, self.position)
        self.app.push(ShareScreen(self.app, self.game.name, [("position", text)]))

    def paste(self) -> None:
        """Set up a position that somebody shared, and that lies on the clipboard."""
        try:
            one = read_shared(clipboard.pasted())
            if not isinstance(one, SharedPosition):
                self.app.say("That is a whole game: O at the front door opens it.")
                return
            game, position = one.read()
        except FlicksimError as wrong:
            self.app.say(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.")
            return
        if game is self.game:
            self.change(position)
        elif (screen := self.app.routes.study(self.app, game, position)) is not None:
            self.app.pop()
            self.app.push(screen)

    def play(self) -> None:
        """Play on from here, every seat oneself."""
        if not self._able():
            return
        seats = ("human",) * len(self.game.rules.scores(self.state))
        sitting = [parse_seat(word) for word in seats]
        begin(self.app, open_match(self.game, self.position.options, sitting, 1, position=self.position), seats)

    def show_me(self) -> None:
        """Show the flick chosen among the best, made just as it is meant."""
        shown = self.insight.show()
        self._wished = not shown and not self.wrong and self.insight.on
        if shown:
            return
        if self._wished:
            self.app.say("It is shown as soon as the first flicks are told.")
        else:
            self.app.say(self.wrong or "Nothing is weighed while bar and map are off.")

    def help(self) -> None:
        """The keys."""
        self.app.push(HelpScreen(self.app, (STUDYING, ALWAYS), self.game))

    # -- events, time ---------------------------------------------------------------------------------------------

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        if self._playback is not None:
            return "   ·   ".join(["V shows it again", "N next flick", BACK, "? help"])
        return "   ·   ".join([
            "Drag pieces", "G piece", "A another", "Arrows move it", "Z nearer", "T to play", "N next flick",
            "V shows it", *self.insight.ways, "? help", "Esc calls it off" if self._to_show else "Esc back",
        ])  # fmt: skip

    @property
    def _to_show(self) -> bool:
        """True while a flick is to be shown that is not there yet."""
        return self._wished or self.insight.making

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        if (self._playback is not None or self._to_show) and self._ends_show(event):
            self._playback, self._wished = None, False
            self.insight.call_off()
            return
        if event.type == pygame.KEYDOWN:
            if clipboard.pastes(event):
                self.paste()
            elif not self._key(event):
                self.view.handle(event)
            return
        if self._drag is None and self.form.handle(event):
            return
        self._mouse(event)

    def _ends_show(self, event: pygame.event.Event) -> bool:
        """Tell whether it takes a flick away, shown or to be shown: Esc, or of one that is shown a click on the
        table."""
        if event.type == pygame.KEYDOWN:
            return bool(event.key == pygame.K_ESCAPE)
        return (
            self._playback is not None
            and event.type == pygame.MOUSEBUTTONDOWN
            and event.button == 1
            and self.view.area.collidepoint(event.pos)
        )

    def _key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_ESCAPE and self.form.focus is not None:
            self.form.focus = None
            return True
        if (event.key == pygame.K_TAB or self.form.focus is not None) and self.form.handle(event, out=True):
            return True
        word, way = STUDYING.plus(*ALWAYS.rows).pressed(event)
        fine = bool(event.mod & pygame.KMOD_SHIFT)
        acts: dict[str, Callable[[], None]] = {
            "piece": self._next_piece, "add": self._add, "take": self.take_away, "due": lambda: self._due.turn(1),
            "over": self.turn_over, "undo": self.undo, "next": self.insight.choose, "show": self.show_me,
            "save": self.save, "share": self.share, "play": self.play, "help": self.help, "menu": self.app.pop,
            "aside": lambda: self._move(way, 0, fine=fine), "along": lambda: self._move(0, way, fine=fine),
            "near": self.look_near, "worth": partial(self._switch, "bar"), "map": partial(self._switch, "map"),
        }  # fmt: skip
        if word not in acts:
            return False
        if word not in ("show", "help"):
            self._playback = None
        acts[word]()
        return True

    def look_near(self) -> None:
        """Look from near at the chosen piece, at the pot or the midst of the pieces; or at the whole table again."""
        view = self.view
        if view.camera.zoom > 1.01 * view.whole.zoom:
            view.glide(view.whole)
            return
        at = self._midst()
        if at is not None:
            view.glide(view.around([at], _NEAR))

    def _midst(self) -> Point | None:
        """The place worth a nearer look [m]; None of a bare table."""
        pieces: Sequence[Staged] = self.scene.pieces
        if self.chosen is not None:
            at: Point = self.scene.piece(self.chosen).at
            return at
        pot = getattr(self.scene.surface, "pot", None)
        if pot is not None:
            spot: Point = pot.at
            return spot
        xs, ys = [one.at[0] for one in pieces], [one.at[1] for one in pieces]
        return (sum(xs) / len(xs), sum(ys) / len(ys)) if pieces else None

    def _switch(self, what: str) -> None:
        """Show the bar or the map, or no longer."""
        setattr(self.insight, what, not getattr(self.insight, what))
        self.app.lay(self)

    def _mouse(self, event: pygame.event.Event) -> None:
        """A piece is taken up, dragged, let go."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                self.form.focus = None
                name = next((name for rect, name in self._tray if rect.collidepoint(event.pos)), None)
                name = name or self._under(event.pos)
                if name is not None:
                    self._drag, self._playback = (name, self.view.camera.to_table(event.pos)), None
                    self._moved = False
                self.chosen = name if name is not None and self.scene.has(name) else None
            case pygame.MOUSEMOTION if self._drag is not None:
                self._drag = (self._drag[0], self.view.camera.to_table(event.pos))
                self._moved = self._moved or event.rel != (0, 0)
            case pygame.MOUSEBUTTONUP if event.button == 1 and self._drag is not None:
                name, self._drag = self._drag[0], None
                on_table = self.view.area.collidepoint(event.pos)
                at = self.view.camera.to_table(event.pos)
                still = self.scene.has(name) and hypot(*(a - b for a, b in zip(at, self.scene.piece(name).at,
                                                                            strict=True))) < mm(1.0)  # fmt: skip
                if not still and (on_table or self.scene.has(name)):
                    self.put(name, at if on_table else (-1e3, -1e3))
            case _:
                self.view.handle(event)

    def _under(self, at: tuple[int, int]) -> str | None:
        """The uppermost piece under a point of the window."""
        return self.under(self.view.camera.to_table(at)) if self.view.area.collidepoint(at) else None

    # -- pieces, as each kind of them is seen ---------------------------------------------------------------------

    def reach(self) -> float:
        """Reach of the widest piece from its middle [m]."""
        return max((piece.radius for piece in self.scene.pieces), default=_WIDE)

    def under(self, at: Point) -> str | None:
        """The uppermost piece under a point of the table [m]."""
        x, y = at
        least = 6.0 * self.app.scale / self.view.camera.zoom
        found = [piece for piece in self.scene.pieces if hypot(piece.x - x, piece.y - y) <= max(piece.radius, least)]
        return max(found, key=lambda piece: piece.highest).id if found else None

    def draw_pieces(self, canvas: Canvas, camera: Camera, but: str | None) -> None:
        """Draw all pieces but one."""
        self.view.painter.pieces(canvas, camera, [piece for piece in self.scene.pieces if piece.id != but])

    def light(self, canvas: Canvas, camera: Camera, name: str) -> None:
        """Mark the piece that is chosen."""
        self.view.painter.lit(canvas, camera, self.scene.piece(name))

    def token(self, name: str, high: float) -> pygame.Surface:
        """A piece by itself, in hand or to be brought in, so large at least [pixels]."""
        r = max(high, self._size(name) * self.view.camera.zoom) if self._drag is not None else high
        kind = "white" if name == "white" else "penny"
        return coins.coin(r, palette.seat_key(None, self.game.seat_names, name), kind, 0.0)

    def showing(self, account: Account) -> Clock | None:
        """A flick in time; None of what is none."""
        return Playback(account, 0) if isinstance(account, Motion) else None

    def draw_shown(self, canvas: Canvas, camera: Camera, clock: Clock) -> None:
        """Draw a flick as it is now."""
        if isinstance(clock, Playback):
            self.view.painter.motion(canvas, camera, clock.motion, min(clock.t, clock.motion.duration))

    # -- time -----------------------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Take in what is told; go on with what is shown."""
        insight = self.insight
        if self._drag is not None and self._moved:
            insight.hold()
        insight.look(self.state, dt)
        if self._wished and insight.best:
            self.show_me()
        self._wished = self._wished and insight.busy
        shown = self.showing(insight.motion())
        if shown is not None:
            self._playback = shown
        if self._playback is not None:
            self._playback.advance(dt)
        self.view.advance(dt)
        self._buttons[0].enabled = bool(insight.best) and self.state is not None
        self._buttons[1].enabled = self.chosen is not None
        self._buttons[2].enabled = bool(self._past)
        self._buttons[3].enabled = self.state is not None

    def close(self) -> None:
        """It is left: the next time it begins where it was left, and what was changed can be taken back."""
        self.app.studied[self.game.name] = (self.position, tuple(self._past))
        self.insight.leave()

    # -- picture --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """The table on the left, the panel on the right."""
        w, h = size
        pad, gap, high = round(14 * scale), round(6 * scale), round(34 * scale)
        right = min(round(_RIGHT * scale), round(w * 0.46))
        self._right = pygame.Rect(w - right, 0, right, h)
        beside = self.insight.room(scale)
        self.view.bare(pygame.Rect(beside, 0, w - right - beside, h), 46 * scale)
        inner = self._right.inflate(-2 * pad, -2 * pad)
        y, row = inner.y + round(40 * scale), round(30 * scale)
        for widget in (self._which, self._due):
            widget.rect = pygame.Rect(inner.x, y, inner.w, row)
            y += row + gap
        half = (inner.w - gap) // 2
        for k, entry in enumerate(self._counts):
            entry.share = 0.42
            entry.rect = pygame.Rect(inner.x + (k % 2) * (half + gap), y + (k // 2) * (row + gap), half, row)
        self._below = y + -(-len(self._counts) // 2) * (row + gap)
        for k, button in enumerate(reversed(self._buttons)):
            x = inner.x + (half + gap) * (1 - k % 2)
            button.rect = pygame.Rect(x, inner.bottom - high - (k // 2) * (high + gap), half, high)
        self._foot = self._buttons[0].rect.y - gap

    _below = _foot = 0
    """Heights at which the fields end and the buttons begin [pixels]."""

    def draw(self, canvas: Canvas) -> None:
        """Table, panel."""
        view, playback = self.view, self._playback
        with canvas.clipped(view.area):
            view.draw(canvas)
            if playback is not None:
                self.draw_shown(canvas, view.camera, playback)
                caption_shown(canvas, view.clear, self.insight.chosen)
            else:
                self._draw_lying(canvas)
        self.insight.draw_bar(canvas, pygame.Rect(0, view.area.y, canvas.px(COLUMN), view.area.h))
        self._draw_panel(canvas)
        self.form.draw(canvas)
        if self._drag is not None:
            self._draw_held(canvas, *self._drag)

    def _draw_lying(self, canvas: Canvas) -> None:
        camera = self.view.camera
        held = None if self._drag is None else self._drag[0]
        if held is None:
            self.insight.draw_under(canvas, camera)
        self.draw_pieces(canvas, camera, held)
        if self.chosen is not None and self.chosen != held:
            self.light(canvas, camera, self.chosen)
        if held is None:
            self.insight.draw_over(canvas, camera)

    def _draw_held(self, canvas: Canvas, name: str, at: Point) -> None:
        """The piece in hand."""
        x, y = self.view.camera.to_screen(at)
        mark = self.token(name, canvas.px(8))
        canvas.surface.blit(mark, mark.get_rect(center=(round(x), round(y))))
        canvas.ring((x, y), mark.get_width() / 2.0 + canvas.px(4), palette.GLOW, canvas.px(2))

    def _size(self, name: str) -> float:
        pieces: Sequence[Piece] = self.scene.pieces
        return next((piece.radius for piece in pieces if piece.id == name), pieces[0].radius if pieces else 0.01)

    def _draw_panel(self, canvas: Canvas) -> None:
        canvas.box(self._right, palette.PANEL)
        pad = canvas.px(14)
        rect = self._right.inflate(-2 * pad, -2 * pad)
        heading(canvas, rect, "Study board", "")
        y = self._draw_tray(canvas, pygame.Rect(rect.x, self._below, rect.w, self._foot - self._below))
        if self.wrong:
            room = pygame.Rect(rect.x, y, rect.w, self._foot - y)
            y = canvas.paragraph(self.wrong, room, 15, palette.BAD) + canvas.px(6)
            return
        y = caption(canvas, pygame.Rect(rect.x, y, rect.w, self._foot - y), "Best flicks")
        self.insight.tell(canvas, pygame.Rect(rect.x, y, rect.w, self._foot - y))

    def _draw_tray(self, canvas: Canvas, rect: pygame.Rect) -> int:
        """Pieces that can be put on the table, to be dragged there. Returns where they end [pixels]."""
        self._tray = []
        spare = self._setting.spare(self.position)
        if not spare:
            return rect.y + canvas.px(4)
        y = caption(canvas, rect, "Drag onto the table")
        marks = [self.token(name, canvas.px(13)) for name in spare]
        x, high = rect.x, max(mark.get_height() for mark in marks)
        for name, mark in zip(spare, marks, strict=True):
            if x + mark.get_width() > rect.right:
                x, y = rect.x, y + high + canvas.px(6)
            place_ = mark.get_rect(midleft=(x, y + high // 2))
            canvas.surface.blit(mark, place_)
            self._tray.append((place_.inflate(canvas.px(8), canvas.px(8)), name))
            x = place_.right + canvas.px(16)
        return y + high + canvas.px(14)
