"""A finished game, looked through turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pygame

from flicksim.base.errors import FlicksimError
from flicksim.base.kinds import Account
from flicksim.drawing import Camera
from flicksim.play import Background, Reviewed, Turn, Warming, awaited, thoughts_of
from flicksim.referee import Game, Reason
from flicksim.table import Motion, Piece, Surface
from flicksim.ui.frame.app import App, Screen
from flicksim.ui.frame.face import Prints, Way
from flicksim.ui.frame.help import HelpScreen
from flicksim.ui.kit import coins, palette
from flicksim.ui.kit.canvas import Canvas
from flicksim.ui.kit.form import Form
from flicksim.ui.kit.keys import ALWAYS, Key, Keys
from flicksim.ui.kit.pictures import write_gif
from flicksim.ui.kit.places import made, numbered, place
from flicksim.ui.kit.sounds import Heard
from flicksim.ui.kit.widgets import Button, ListBox, Slider
from flicksim.ui.match import analysed
from flicksim.ui.match.export import counted, write_png
from flicksim.ui.match.insight import BACK, Insight, caption_shown
from flicksim.ui.match.worths import COLUMN
from flicksim.ui.table import afterwards, standing
from flicksim.ui.table.listening import heard
from flicksim.ui.table.painter import Place, places, scene_of
from flicksim.ui.table.playback import STEP, Clock, Playback, rate_words
from flicksim.ui.table.side_panel import caption, heading
from flicksim.ui.table.view import TableView

LEAFING = (
    Key("Left  Right", "turn by turn; Up, Down, Home, End in the list", ("leaf",)),
    Key("B", "play on from here, in a game that is being played", ("resume",)),
)
MOVING = (
    Key("Space or P", "play the turn that is shown, or hold it", ("space", "play"), press="Space   P"),
    Key("S", "slower: a quarter, a tenth, true speed", ("slow",)),
    Key(".   ,", "one step on, one step back", ("step",), press=", ."),
)
PICTURES = (
    Key("G   Shift + G", "a GIF of the turn, of the whole game; Esc calls it off", ("gif", "gifs")),
    Key("I", "a picture of the turn", ("print",)),
)
KEEPING = (
    Key("A", "analyse the game, when it is over; then show the best flick of the turn", ("analyse",)),
    Key("R", "what the referee said, in place of what the analyst says; and back", ("ruling",)),
    *PICTURES,
)
WEIGHING = (
    Key("F7   F8", "what the position was worth before the turn; the best flicks there, with a map", ("worth", "map")),
    Key("N   V", "the next of these flicks; show it, made as it is meant", ("next", "show")),
)
LOOKING = Keys("Look through", (*LEAFING, *MOVING, *KEEPING, *WEIGHING))
"""The keys while a game is looked through."""


class ReplayScreen(Screen):
    """Turns in a list, the table as it was, and a bar to run through each flick.

    Args:
        game: whose turns. turns: already replayed, in order.
        back: takes a game that goes on back until so many turns are left; None when there is none.
        prints: how turns are drawn for files. view: makes what a table is seen through.
        way: from where to where its flicks go. warmings: of the physics; whoever weighs waits for them.
    """

    keys = LOOKING

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], back: Callable[[int], None] | None = None, *,
        prints: Prints, view: Callable[[Sequence[str], Surface, str], TableView] = TableView,
        way: Way | None = None, warmings: Sequence[Warming] = (),
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.game, self.turns, self._prints = game, list(turns), prints
        first = scene_of(self.turns[0].before) if self.turns else None
        self.view = view(game.seat_names, first.surface, "players' edge") if first is not None else None
        self.playback: Clock | None = None
        self._rate = 0
        lines = [self._line(turn) for turn in self.turns]
        self.list = ListBox("Turns", lines, chosen=self._chosen, row=26.0, whole=True)
        self.slider = Slider("Time", self._scrub)
        self._play = Button("Play", self.play, key="Space", main=True)
        self._slow = Button("Slower", self._slower, key="S")
        self._prev = Button("Turn back", lambda: self.list.go(self.list.index - 1), key="Left")
        self._next = Button("Next turn", lambda: self.list.go(self.list.index + 1), key="Right")
        self._resume = Button("Play on from here", self._go_back, key="B")
        self._gif = Button("GIF of this turn", lambda: self.export(whole=False), key="G")
        self._whole = Button("GIF of the game", lambda: self.export(whole=True), key="Shift + G")
        self._png = Button("Picture of this turn", self.keep_picture, key="I")
        self._go = back
        self.job: Background[Path] | None = None
        self._drawn = ""
        self.analysis: analysed.Analysis | None = None
        self._warmings = tuple(warmings)
        self.insight = Insight(game, way, *awaited(*warmings, thoughts_of(game)))
        self._best: Account = None
        """Motion of the best plan, as long as it is shown in place of the turn."""
        self.graph_area = pygame.Rect(0, 0, 0, 0)
        self._analyse = Button("Analyse the game", self.analyse, key="A")
        self.ruled = False
        """True where the ruling stands in the place of what the analyst says."""
        self._rule = Button("Ruling", self.rule, key="R", says="What the referee said of the turn, and back.")
        self._back = Button("Close", app.pop, key="Esc")
        self.form = Form([self.list, self._prev, self._next, self._play, self._slow, self.slider, *self._foot()])
        self._right = pygame.Rect(0, 0, 0, 0)
        self._low = 0
        if self.turns:
            self._chosen(0)

    @property
    def turn(self) -> Turn | None:
        """The turn shown."""
        return self.turns[self.list.index] if self.turns else None

    def _chosen(self, index: int) -> None:
        """Another turn: stand at its end, so that one sees at once what came of it."""
        self._best = None
        self.playback = self._showing(self.turns[index])
        if self.playback is not None:
            self.playback.t, self.playback.paused = 0.0 if self.insight.on else self.playback.length, True

    @property
    def may_analyse(self) -> bool:
        """True where nobody who plays could learn from it: the game is over, or it was only recorded."""
        return bool(self.turns) and (self._go is None or self.turns[-1].verdict.ruling.over)

    def analyse(self) -> None:
        """Have the game gone through; once that is so, show the best flick of the turn."""
        if not self.may_analyse:
            self.app.say("A game is analysed once it is over.")
        elif self.analysis is None:
            self.analysis = analysed.Analysis(self.game, self.turns, self._warmings)
            self.app.lay(self)
        else:
            self._show_best()

    @property
    def _tells(self) -> bool:
        """True while the analyst has something to say beside the table."""
        return self.analysis is not None or self.insight.on

    def rule(self) -> None:
        """Show the ruling in the place of what the analyst says, or that again."""
        self.ruled = not self.ruled and self._tells

    def weigh_all(self) -> None:
        """Have the game gone through, unless that has begun."""
        if self.analysis is None:
            self.analyse()

    def weigh(self, what: str) -> None:
        """Show what the position before the turn is worth, or the best flicks there; or no longer."""
        if not self.may_analyse:
            self.app.say("A game is analysed once it is over.")
            return
        if what == "worth":
            self.insight.bar = not self.insight.bar
        else:
            self.insight.map = not self.insight.map
        self._chosen(self.list.index)
        self.app.lay(self)

    def show_me(self) -> None:
        """Show the flick chosen among the best ones, made just as it is meant."""
        if not self.insight.show():
            self.app.say("F8 shows the best flicks; then V plays the chosen one.")

    def _shown_me(self, dt: float) -> None:
        """Go on with what the analyst tells of the turn shown."""
        insight = self.insight
        insight.look(self.turn.before if insight.on and self.turn is not None else None, dt)
        account = insight.motion()
        if account is not None:
            self._best, self.playback = account, self._clock(account)

    @property
    def at_rest(self) -> bool:
        """True while the table lies as it did before the turn."""
        playback = self.playback
        return playback is None or (playback.paused and playback.t == 0.0)

    def _show_best(self) -> None:
        """Show the best plan of the turn as it would have gone, made exactly."""
        told = self._told()
        if self.analysis is not None and self.turn is not None and self.analysis.of(self.turn) is None:
            self.app.say("This turn is not analysed yet.")
            return
        if told is not None and not told.sure:
            told = None
        account = self.analysis.best_shown(self.turn, told) if self.analysis and self.turn and told else None
        if account is None:
            self.app.say(
                "What is better stands beside the table: only flicks are shown." if told is not None
                else "Of this turn there is nothing better to show."
            )  # fmt: skip
            return
        self._best, self.playback = account, self._clock(account)

    def _told(self) -> Reviewed | None:
        """The review of the turn shown, where there is one."""
        found = self.analysis.of(self.turn) if self.analysis is not None and self.turn is not None else None
        return found if isinstance(found, Reviewed) else None

    def leaf_to(self, place: int, *, play: bool = False) -> None:
        """Show the turn at a place in the list, at its end or from its beginning."""
        self.app.lay(self)
        self.list.go(place)
        if play:
            self.play()

    def _line(self, turn: Turn) -> str:
        """A turn in the list."""
        return standing.line(self.game, turn)

    def _showing(self, turn: Turn) -> Clock | None:
        """The motion of a turn, to be shown in time; None when nothing did."""
        return self._clock(turn.account)

    def _clock(self, account: Account) -> Clock | None:
        """A motion, to be shown in time; None of what is none."""
        return Playback(account, self._rate) if isinstance(account, Motion) else None

    def _heard(self, since: float, until: float) -> list[Heard]:
        """The sounds between two times of what is shown [s]."""
        return heard(self.playback.motion, since, until) if isinstance(self.playback, Playback) else []

    def play(self) -> None:
        """Play, from the beginning when it is at its end; or pause."""
        playback = self.playback
        if playback is None:
            return
        if playback.done:
            playback.t, playback.paused = 0.0, False
        else:
            playback.paused = not playback.paused

    def _slower(self) -> None:
        if self.playback is not None:
            self.playback.slower()
            self._rate = self.playback.rate

    def _scrub(self, share: float) -> None:
        if self.playback is not None:
            self.playback.scrub(share)

    def _foot(self) -> list[Button]:
        """The buttons under the ruling."""
        extra = [*([self._resume] if self._go is not None else []), *([self._analyse] if self.may_analyse else [])]
        ruling = [self._rule] if self.may_analyse else []
        return [*extra, *ruling, self._gif, self._whole, self._png, self._back]

    def _go_back(self) -> None:
        """Go on playing after the turn that is shown; what came later can be done again."""
        if self._go is not None and self.turn is not None:
            self._go(self.turn.number)

    def export(self, *, whole: bool) -> None:
        """Write a GIF of the turn shown, or of all turns, among the player's pictures; beside the window."""
        if self.turn is not None:
            game, turns, frames = self.game, list(self.turns) if whole else [self.turn], self._prints.frames

            def told(done: int) -> None:
                self._drawn = f"{done:,} of {len(turns):,} turns are drawn"

            self._keep(".gif", lambda path: write_gif(path, frames(game, counted(turns, told), fine=not whole)))

    def _call_off(self) -> None:
        """Nobody wants the picture any more that is being written; nothing is left of it."""
        if self.job is not None:
            self.job.leave()
            with suppress(FlicksimError):
                self.job.result()  # a picture of many at most
            self.job = None

    def close(self) -> None:
        """It is left for good."""
        self._call_off()
        self.insight.leave()
        if self.analysis is not None:
            self.analysis.leave()

    def keep_picture(self) -> None:
        """Write a PNG of what came of the turn shown, among the player's pictures."""
        if self.turn is not None:
            game, turn, prints = self.game, self.turn, self._prints
            self._keep(".png", lambda path: write_png(path, prints, game, turn))

    def _keep(self, ending: str, write: Callable[[Path], Path]) -> None:
        """Write a picture beside the window, if none is being written."""
        folder, name = place("pictures"), f"flicksim-{self.game.name}"
        if self.job is not None:
            return
        if folder is None:
            self.app.say("No picture was kept: this window keeps no files.")
            return
        self._drawn = "The picture is drawn"
        self.job = Background(lambda: write(numbered(made(folder), name, ending)))

    def about(self) -> Game | None:
        """The game whose words are used."""
        return self.game

    def can(self) -> str:
        """The line at the foot: what can be done now."""
        if self.job is not None:
            return f"{self._drawn}   ·   Esc calls it off"
        ways = ["Left Right turns"] if self._best is None else [BACK]
        if self.playback is not None:
            ways += ["Space plays", "S slower", ". , step"]
        if self._go is not None:
            ways.append("B plays on")
        if self.may_analyse and (self.analysis is None or self.game.flicked):
            ways.append("A analyses" if self.analysis is None else "A shows the best")
        if self._tells:
            ways.append("R analysis" if self.ruled else "R ruling")
        if self.insight.on:
            ways += ["N next flick", "V shows it"]
        ways += ["G, Shift + G GIFs", "I picture"]
        if self.may_analyse and self.game.flicked:
            ways += self.insight.ways
        last = ["Esc calls it off" if self.insight.making else "Esc back"] if self._best is None else []
        return "   ·   ".join([*ways, "? help", *last])

    def _help(self) -> None:
        self.app.push(HelpScreen(self.app, (self.keys, ALWAYS), self.game))

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        if event.type == pygame.KEYDOWN and self._key(event):
            return
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        if pressed and self._best is not None and self.view is not None and self.view.clear.collidepoint(event.pos):
            self._to_turn()
        elif pressed and self.graph_area.collidepoint(event.pos):
            self._leap(event.pos[0])
        elif not self.form.handle(event) and self.view is not None:
            self.view.handle(event)

    def _to_turn(self) -> None:
        """Go back to the turn from a flick that is shown, or is to be."""
        self.insight.call_off()
        self._chosen(self.list.index)

    def _leap(self, x: float) -> None:
        """Go to the turn at a place of the graph."""
        if self.analysis is not None:
            number = analysed.turn_at(self.graph_area, self.analysis, x, self.app.scale)
            places = [k for k, turn in enumerate(self.turns) if turn.number >= number]
            self.list.go(places[0])

    def _key(self, event: pygame.event.Event) -> bool:
        word, way = self.keys.plus(*ALWAYS.rows).pressed(event)
        match word:
            case "help":
                self._help()
            case "menu" if self.job is not None:
                self._call_off()
                self.app.say("The picture is called off.")
            case "menu" if self._best is not None or self.insight.making:
                self._to_turn()
            case "menu":
                self.app.pop()
            case "leaf" if self.form.focused is not self.slider:
                self.list.go(self.list.index + way)
            case "space" if not isinstance(self.form.focused, Button):
                self.play()
            case "play":
                self.play()
            case "gif" | "gifs":
                self.export(whole=word == "gifs")
            case "print":
                self.keep_picture()
            case "resume" if self._go is not None:
                self._go_back()
            case "slow":
                self._slower()
            case "analyse":
                self.ruled = False
                self.analyse()
            case "ruling":
                self.rule()
            case "worth" | "map" if self.game.flicked:
                self.weigh(word)
            case "next" if self.insight.on:
                self.insight.choose()
            case "show" if self.insight.on:
                self.show_me()
            case "step" if self.playback is not None:
                self.playback.step(way)
            case _:
                return False
        return True

    def update(self, dt: float) -> None:
        """Let time go on."""
        if self.analysis is not None:
            self.analysis.update()
        self._shown_me(dt)
        playback = self.playback
        if self.job is not None and self.job.done:
            job, self.job = self.job, None
            try:
                self.app.say(f"The picture is kept as {job.result()}.")
            except FlicksimError as wrong:
                self.app.say(f"No picture was kept: {wrong}.")
        if playback is not None:
            before = playback.t
            playback.advance(dt)
            for name, loud in self._heard(before, playback.t):
                self.app.sounds.play(name, loud)
            if playback.done:
                playback.paused = True
            self.slider.at = playback.share
            self.slider.step = min(0.25, STEP * 3 / max(playback.length, STEP))
        told = self._told()
        after = "Show the best" if self.game.flicked else "Analysed"
        self._analyse.label = "Analyse the game" if self.analysis is None else after
        self._analyse.enabled = self.analysis is None or (told is not None and told.sure and self.game.flicked)
        self._rule.enabled, self._rule.label = self._tells, "Analysis" if self.ruled else "Ruling"
        self._play.label = "Pause" if playback is not None and not playback.paused else "Play"
        for widget in (self._play, self._slow, self.slider):
            widget.enabled = playback is not None

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Table on the left over the bar, list and ruling on the right."""
        w, h = size
        pad, right = round(14 * scale), round(400 * scale)
        right = min(right, round(w * 0.46))
        self._right = pygame.Rect(w - right, 0, right, h)
        high, gap = round(36 * scale), round(6 * scale)
        bar = high + 2 * pad + round(50 * scale)
        if self.view is not None:
            beside = round(COLUMN * scale) if self.barred else 0
            self.view.place(pygame.Rect(beside, 0, w - right - beside, h - bar), 46 * scale)
        self.notices = pygame.Rect(0, 0, w - right, h - bar)
        y = h - pad - high
        wide = (w - right - 2 * pad - 3 * gap) // 4
        for k, button in enumerate((self._prev, self._play, self._slow, self._next)):
            button.rect = pygame.Rect(pad + k * (wide + gap), y, wide, high)
        self.slider.rect = pygame.Rect(pad + round(10 * scale), y - round(30 * scale), w - right - 2 * pad
                                       - round(20 * scale), round(24 * scale))  # fmt: skip
        inner = self._right.inflate(-2 * pad, -2 * pad)
        foot, half = self._foot(), (inner.w - gap) // 2
        for k, button in enumerate(reversed(foot)):
            x = inner.x + (0 if k % 2 else half + gap)
            button.rect = pygame.Rect(x, inner.bottom - high - (k // 2) * (high + gap), half, high)
        if len(foot) % 2:
            foot[0].rect = pygame.Rect(inner.x, foot[0].rect.y, inner.w, high)
        self._low = foot[0].rect.y - round(10 * scale)
        top = round(54 * scale)
        high = (inner.h - top) * (45 if self.analysis is None else 24) // 100
        self.list.rect = pygame.Rect(inner.x, inner.y + top, inner.w, high)
        self.graph_area = pygame.Rect(inner.x, self.list.rect.bottom + round(12 * scale), inner.w, round(112 * scale))
        if self.analysis is None:
            self.graph_area.h = 0

    def draw(self, canvas: Canvas) -> None:
        """Table, list, ruling."""
        turn = self.turn
        if turn is not None:
            self._draw_view(canvas, turn)
        self._draw_right(canvas, turn)
        self.form.draw(canvas)
        playback = self.playback
        if playback is not None:
            words = f"{min(playback.t, playback.moves):.2f} of {playback.moves:.2f} s"
            bar = self.slider.rect
            canvas.text(words, (bar.x, bar.y), 14, bold=True, anchor="bottomleft")
            canvas.text(rate_words(playback.rate), (bar.right, bar.y), 13, palette.FAINT, anchor="bottomright")

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        """The table as it is shown."""
        if self.view is None:
            return
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            if self._best is None and self.at_rest:
                self.insight.draw_under(canvas, self.view.camera)
            self._draw_table(canvas, self.view, self.view.camera, turn)
        lens = self.view.lens(self._lying(turn))
        if lens is not None:
            with self.view.through(canvas, lens):
                self._draw_table(canvas, self.view, lens.camera, turn)
        if self.playback is None or isinstance(self.playback, Playback):
            self.view.beside(canvas, self.playback)
        self._draw_told(canvas, self.view, turn)

    @property
    def barred(self) -> bool:
        """True while a bar stands beside the table."""
        return self.insight.bar or self.analysis is not None

    def _draw_told(self, canvas: Canvas, view: TableView, turn: Turn) -> None:
        """Over the table the bar of chances, the plans as arrows, and a word where the best is shown."""
        told = self._told()
        column = pygame.Rect(0, view.area.y, canvas.px(COLUMN), view.area.h)
        if self.insight.bar:
            self.insight.draw_bar(canvas, column)
        elif told is not None and self.analysis is not None:
            analysed.bar(canvas, column, self.analysis, told, before=self.insight.map and self.at_rest)
        with canvas.clipped(view.clear):
            if self._best is None and self.insight.map and self.at_rest:
                self.insight.draw_over(canvas, view.camera)
            elif self._best is None and told is not None:
                analysed.arrows(canvas, view.camera, view.clear, turn, told)
            elif self._best is not None:
                caption_shown(canvas, view.clear)

    def _lying(self, turn: Turn) -> dict[str, tuple[Piece, Place]]:
        """Every piece and where it is shown just now."""
        if isinstance(self.playback, Playback):
            before = self.playback.motion.before
            found = places(self.playback.motion, self.playback.t)
            return {name: (before.piece(name), place) for name, place in found.items()}
        scene = scene_of(turn.after)
        return {p.id: (p, (p.x, p.y, p.angle)) for p in scene.pieces} if scene is not None else {}

    def _draw_table(self, canvas: Canvas, view: TableView, camera: Camera, turn: Turn) -> None:
        scene = scene_of(turn.after)
        if isinstance(self.playback, Playback):
            view.painter.motion(canvas, camera, self.playback.motion, self.playback.t)
        elif scene is not None:
            view.painter.pieces(canvas, camera, scene.pieces)

    def _draw_right(self, canvas: Canvas, turn: Turn | None) -> None:
        canvas.box(self._right, palette.PANEL)
        pad = canvas.px(14)
        rect = self._right.inflate(-2 * pad, -2 * pad)
        more = standing.stretch(self.game, turn.before) if turn is not None else ""
        heading(canvas, rect, self.game.title, more)
        if turn is None:
            canvas.text("No turn has been played.", (rect.x, self.list.rect.y), 16)
            return
        caption(canvas, pygame.Rect(rect.x, self.list.rect.y - canvas.px(18), rect.w, canvas.px(18)),
                f"Turn {turn.number} of {self.turns[-1].number}")  # fmt: skip
        y = self.list.rect.bottom + canvas.px(12)
        foot = self._low
        if self.analysis is not None:
            y = self._draw_analysis(canvas, self.analysis, turn)
        if self.insight.on and not self.ruled:
            y = caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Before the turn")
            y = self.insight.tell(canvas, pygame.Rect(rect.x, y, rect.w, foot - y)) + canvas.px(8)
            if foot - y < canvas.px(70):
                return
        y = self._scores(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), turn)
        if self.game.flicked:  # what was done with cards is said by the ruling
            y = caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Done")
            y = canvas.paragraph(self._made(turn), pygame.Rect(rect.x, y, rect.w, 4 * canvas.high(14)), 14)
            y += canvas.px(8)
        if foot - y < canvas.px(36):
            return
        y = caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Ruling")
        for reason in self._reasons(turn):
            room = foot - y
            if room < canvas.high(14):
                break
            canvas.text(reason.rule, (rect.right, y + canvas.px(2)), 11, palette.FAINT, anchor="topright")
            y = canvas.paragraph(
                standing.said(reason.says), pygame.Rect(rect.x, y, rect.w - canvas.px(58), room), 14
            ) + canvas.px(2)

    def _draw_analysis(self, canvas: Canvas, analysis: analysed.Analysis, turn: Turn) -> int:
        """The graph, and what is told of this turn. Returns where they end [pixels]."""
        analysed.graph(canvas, self.graph_area, analysis, turn)
        rect, y = self.graph_area, self.graph_area.bottom + canvas.px(8)
        if self.ruled:
            return y
        for sentence in analysed.words(analysis.of(turn), done=analysis.done):
            y = canvas.paragraph(sentence, pygame.Rect(rect.x, y, rect.w, 3 * canvas.high(14)), 14)
        if analysis.done:
            canvas.text(analysed.accuracy(analysis), (rect.x, y), 13, palette.FAINT)
            y += canvas.high(13)
        return y + canvas.px(8)

    def _reasons(self, turn: Turn) -> Sequence[Reason]:
        """The ruling on a turn."""
        return turn.verdict.reasons

    def _made(self, turn: Turn) -> str:
        """The deed of a turn, with its numbers."""
        return f"{standing.action(turn.made)}. {afterwards.told(turn, '')}".rstrip(" .") + "."

    def _scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Scores after this turn. Returns where they end [pixels]."""
        x, few = rect.x, len(self.game.seat_names) < 4
        for seat, points in enumerate(self.game.rules.scores(turn.after)):
            r = canvas.px(9)
            mark = coins.coin(r, palette.seat_key(seat, self.game.seat_names), "penny", 0.0)
            canvas.surface.blit(mark, mark.get_rect(center=(x + r, rect.y + r + canvas.px(1))))
            words = f"{self.game.seat_names[seat]} {standing.number(points)}"
            at, size = (x + 2 * r + canvas.px(6), rect.y), 16 if few else 14
            x = canvas.text(words, at, size, bold=True).right + canvas.px(18 if few else 12)
        return rect.y + canvas.px(34)
