"""Replay screen of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pygame

from flicksim.core.errors import FlicksimError
from flicksim.core.type_aliases import SimulationResult
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import ShotPath, TurnRenderer
from flicksim.gui.app.help import HelpScreen
from flicksim.gui.match import game_analysis
from flicksim.gui.match.export import with_progress, write_png
from flicksim.gui.match.position_analysis import BACK_HELP, PositionAnalysis, draw_shown_caption
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import match_text, shot_feedback
from flicksim.gui.table_view.camera_view import TableView
from flicksim.gui.table_view.event_sounds import event_sounds
from flicksim.gui.table_view.painter import PiecePosition, piece_positions, scene_of
from flicksim.gui.table_view.playback import FRAME_STEP, Playback, PlaybackClock, rate_text
from flicksim.gui.table_view.side_panel import draw_caption, draw_heading
from flicksim.gui.toolkit import palette, piece_sprites
from flicksim.gui.toolkit.canvas import Canvas
from flicksim.gui.toolkit.form import Form
from flicksim.gui.toolkit.image_files import write_gif
from flicksim.gui.toolkit.key_bindings import GLOBAL_KEYS, KeyBinding, KeyMap
from flicksim.gui.toolkit.sounds import SoundCue
from flicksim.gui.toolkit.user_folders import ensure_folder, next_free_path, user_folder
from flicksim.gui.toolkit.widgets import Button, ListBox, Slider
from flicksim.match import BackgroundTask, ReviewedTurn, Turn, Warmup, bot_warmup, wait_for_warmups
from flicksim.referee import Game, Reason
from flicksim.render import Camera
from flicksim.scene import Piece, Surface, Trajectory

NAVIGATION_KEYS = (
    KeyBinding("Left  Right", "turn by turn; Up, Down, Home, End in the list", ("leaf",)),
    KeyBinding("B", "play on from here, in a game that is being played", ("resume",)),
)
PLAYBACK_KEYS = (
    KeyBinding("Space or P", "play the turn that is shown, or hold it", ("space", "play"), keys="Space   P"),
    KeyBinding("S", "slower: a quarter, a tenth, true speed", ("slow",)),
    KeyBinding(".   ,", "one step on, one step back", ("step",), keys=", ."),
)
EXPORT_KEYS = (
    KeyBinding("G   Shift + G", "a GIF of the turn, of the whole game; Esc calls it off", ("gif", "gifs")),
    KeyBinding("I", "a picture of the turn", ("print",)),
)
ANALYSIS_KEYS = (
    KeyBinding("A", "analyse the game, when it is over; then show the best flick of the turn", ("analyse",)),
    KeyBinding("R", "what the referee said, in place of what the analyst says; and back", ("ruling",)),
    *EXPORT_KEYS,
)
EVALUATION_KEYS = (
    KeyBinding(
        "F7   F8", "what the position was worth before the turn; the best flicks there, with a map", ("value", "map")
    ),
    KeyBinding("N   V", "the next of these flicks; show it, made as it is meant", ("next", "show")),
)
REPLAY_KEYS = KeyMap("Look through", (*NAVIGATION_KEYS, *PLAYBACK_KEYS, *ANALYSIS_KEYS, *EVALUATION_KEYS))
"""The keys while a game is looked through."""


class ReplayScreen(Screen):
    """Turns in a list, the table as it was, and a bar to run through each flick.

    Args:
        game: whose turns. turns: already replayed, in order.
        resume_from: takes a running game back until so many turns are left; None when there is none.
        renderer: draws turns for files. view: makes the camera view of a table.
        shot_path: start and end of a flick [m]. warmups: of the physics; the analysis waits for them.
    """

    keys = REPLAY_KEYS

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, view: Callable[[Sequence[str], Surface, str], TableView] = TableView,
        shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.game, self.turns, self._renderer = game, list(turns), renderer
        first = scene_of(self.turns[0].before) if self.turns else None
        self.view = view(game.seat_names, first.surface, "players' edge") if first is not None else None
        self.playback: PlaybackClock | None = None
        self._rate = 0
        lines = [self._turn_line(turn) for turn in self.turns]
        self.list = ListBox("Turns", lines, on_select=self._on_select, row_height=26.0, wrap_lines=True)
        self.slider = Slider("Time", self._seek)
        self._play = Button("Play", self.toggle_play, key="Space", is_primary=True)
        self._slow = Button("Slower", self._cycle_rate, key="S")
        self._prev = Button("Turn back", lambda: self.list.select(self.list.index - 1), key="Left")
        self._next = Button("Next turn", lambda: self.list.select(self.list.index + 1), key="Right")
        self._resume = Button("Play on from here", self._resume_here, key="B")
        self._gif = Button("GIF of this turn", lambda: self.export_gif(is_whole_game=False), key="G")
        self._game_gif = Button("GIF of the game", lambda: self.export_gif(is_whole_game=True), key="Shift + G")
        self._png = Button("Picture of this turn", self.keep_picture, key="I")
        self._resume_from = resume_from
        self.job: BackgroundTask[Path] | None = None
        self._drawn_count = ""
        self.game_analysis: game_analysis.GameAnalysis | None = None
        self._warmups = tuple(warmups)
        self.position_analysis = PositionAnalysis(game, shot_path, *wait_for_warmups(*warmups, bot_warmup(game)))
        self._best_trajectory: SimulationResult = None
        """Motion of the best plan, as long as it is shown in place of the turn."""
        self.graph_area = pygame.Rect(0, 0, 0, 0)
        self._analyse = Button("Analyse the game", self.analyse, key="A")
        self.is_ruling_visible = False
        """True while the ruling is shown instead of the analysis."""
        self._ruling_button = Button(
            "Ruling", self.toggle_ruling, key="R", help_text="What the referee said of the turn, and back."
        )
        self._back = Button("Close", app.pop, key="Esc")
        self.form = Form(
            [self.list, self._prev, self._next, self._play, self._slow, self.slider, *self._footer_buttons()]
        )
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._bottom = 0
        if self.turns:
            self._on_select(0)

    @property
    def turn(self) -> Turn | None:
        """The turn shown."""
        return self.turns[self.list.index] if self.turns else None

    def _on_select(self, index: int) -> None:
        """Select another turn, shown at its end."""
        self._best_trajectory = None
        self.playback = self._playback_of(self.turns[index])
        if self.playback is not None:
            self.playback.time, self.playback.is_paused = (
                0.0 if self.position_analysis.is_visible else self.playback.duration,
                True,
            )

    @property
    def may_analyse(self) -> bool:
        """True where nobody who plays could learn from it: the game is over, or it was only recorded."""
        return bool(self.turns) and (self._resume_from is None or self.turns[-1].verdict.ruling.is_over)

    def analyse(self) -> None:
        """Analyse the game; once that is done, show the best flick of the turn."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
        elif self.game_analysis is None:
            self.game_analysis = game_analysis.GameAnalysis(self.game, self.turns, self._warmups)
            self.app.layout_screen(self)
        else:
            self._show_best()

    @property
    def _is_analysis_visible(self) -> bool:
        """True while the analysis is shown beside the table."""
        return self.game_analysis is not None or self.position_analysis.is_visible

    def toggle_ruling(self) -> None:
        """Toggle between ruling and analysis."""
        self.is_ruling_visible = not self.is_ruling_visible and self._is_analysis_visible

    def analyse_all(self) -> None:
        """Start the analysis of the game, unless it has started."""
        if self.game_analysis is None:
            self.analyse()

    def toggle_evaluation(self, kind: str) -> None:
        """Show what the position before the turn is worth, or the best flicks there; or no longer."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
            return
        if kind == "value":
            self.position_analysis.is_bar_visible = not self.position_analysis.is_bar_visible
        else:
            self.position_analysis.is_map_visible = not self.position_analysis.is_map_visible
        self._on_select(self.list.index)
        self.app.layout_screen(self)

    def show_candidate(self) -> None:
        """Show the flick chosen among the best ones, made just as it is meant."""
        if not self.position_analysis.simulate_candidate():
            self.app.show_notice("F8 shows the best flicks; then V plays the chosen one.")

    def _update_candidate(self, dt: float) -> None:
        """Update the candidate shown for the turn."""
        analysis = self.position_analysis
        analysis.set_state(self.turn.before if analysis.is_visible and self.turn is not None else None, dt)
        result = analysis.take_trajectory()
        if result is not None:
            self._best_trajectory, self.playback = result, self._make_clock(result)

    @property
    def is_at_rest(self) -> bool:
        """True while the table is shown as before the turn."""
        playback = self.playback
        return playback is None or (playback.is_paused and playback.time == 0.0)

    def _show_best(self) -> None:
        """Show the best candidate of the turn, simulated without noise."""
        told = self._turn_review()
        if self.game_analysis is not None and self.turn is not None and self.game_analysis.review_of(self.turn) is None:
            self.app.show_notice("This turn is not analysed yet.")
            return
        if told is not None and not told.is_significant:
            told = None
        result = (
            self.game_analysis.best_trajectory(self.turn, told) if self.game_analysis and self.turn and told else None
        )
        if result is None:
            self.app.show_notice(
                "What is better stands beside the table: only flicks are shown." if told is not None
                else "Of this turn there is nothing better to show."
            )  # fmt: skip
            return
        self._best_trajectory, self.playback = result, self._make_clock(result)

    def _turn_review(self) -> ReviewedTurn | None:
        """The review of the turn shown, where there is one."""
        found = (
            self.game_analysis.review_of(self.turn)
            if self.game_analysis is not None and self.turn is not None
            else None
        )
        return found if isinstance(found, ReviewedTurn) else None

    def show_turn(self, index: int, *, is_playing: bool = False) -> None:
        """Show the turn at a place in the list, at its end or from its beginning."""
        self.app.layout_screen(self)
        self.list.select(index)
        if is_playing:
            self.toggle_play()

    def _turn_line(self, turn: Turn) -> str:
        """A turn in the list."""
        return match_text.turn_text(self.game, turn)

    def _playback_of(self, turn: Turn) -> PlaybackClock | None:
        """The motion of a turn, to be shown in time; None when nothing did."""
        return self._make_clock(turn.result)

    def _make_clock(self, result: SimulationResult) -> PlaybackClock | None:
        """A motion, to be shown in time; None of what is none."""
        return Playback(result, self._rate) if isinstance(result, Trajectory) else None

    def _sounds_between(self, start_time: float, end_time: float) -> list[SoundCue]:
        """The sounds between two times of what is shown [s]."""
        return (
            event_sounds(self.playback.trajectory, start_time, end_time) if isinstance(self.playback, Playback) else []
        )

    def toggle_play(self) -> None:
        """Play, from the beginning when it is at its end; or pause."""
        playback = self.playback
        if playback is None:
            return
        if playback.is_finished:
            playback.time, playback.is_paused = 0.0, False
        else:
            playback.is_paused = not playback.is_paused

    def _cycle_rate(self) -> None:
        if self.playback is not None:
            self.playback.cycle_rate()
            self._rate = self.playback.rate

    def _seek(self, share: float) -> None:
        if self.playback is not None:
            self.playback.seek(share)

    def _footer_buttons(self) -> list[Button]:
        """The buttons under the ruling."""
        extra = [
            *([self._resume] if self._resume_from is not None else []),
            *([self._analyse] if self.may_analyse else []),
        ]
        ruling = [self._ruling_button] if self.may_analyse else []
        return [*extra, *ruling, self._gif, self._game_gif, self._png, self._back]

    def _resume_here(self) -> None:
        """Go on playing after the turn that is shown; what came later can be done again."""
        if self._resume_from is not None and self.turn is not None:
            self._resume_from(self.turn.number)

    def export_gif(self, *, is_whole_game: bool) -> None:
        """Write a GIF of the turn shown, or of all turns, among the player's pictures; beside the window."""
        if self.turn is not None:
            game, turns, frames = self.game, list(self.turns) if is_whole_game else [self.turn], self._renderer.frames

            def told(done: int) -> None:
                self._drawn_count = f"{done:,} of {len(turns):,} turns are drawn"

            self._write_image(
                ".gif",
                lambda path: write_gif(path, frames(game, with_progress(turns, told), is_detailed=not is_whole_game)),
            )

    def _cancel_export(self) -> None:
        """Cancel the export; nothing is left of its file."""
        if self.job is not None:
            self.job.cancel()
            with suppress(FlicksimError):
                self.job.result()  # a picture of many at most
            self.job = None

    def close(self) -> None:
        """Release everything: the screen is closed."""
        self._cancel_export()
        self.position_analysis.shut_down()
        if self.game_analysis is not None:
            self.game_analysis.cancel()

    def keep_picture(self) -> None:
        """Write a PNG of what came of the turn shown, among the player's pictures."""
        if self.turn is not None:
            game, turn, prints = self.game, self.turn, self._renderer
            self._write_image(".png", lambda path: write_png(path, prints, game, turn))

    def _write_image(self, suffix: str, write: Callable[[Path], Path]) -> None:
        """Write an image on a background thread, if none is being written."""
        folder, name = user_folder("pictures"), f"flicksim-{self.game.name}"
        if self.job is not None:
            return
        if folder is None:
            self.app.show_notice("No picture was kept: this window keeps no files.")
            return
        self._drawn_count = "The picture is drawn"
        self.job = BackgroundTask(lambda: write(next_free_path(ensure_folder(folder), name, suffix)))

    def context_game(self) -> Game | None:
        """Game whose glossary is used."""
        return self.game

    def status_line(self) -> str:
        """Status line: the actions available now."""
        if self.job is not None:
            return f"{self._drawn_count}   ·   Esc calls it off"
        ways = ["Left Right turns"] if self._best_trajectory is None else [BACK_HELP]
        if self.playback is not None:
            ways += ["Space plays", "S slower", ". , step"]
        if self._resume_from is not None:
            ways.append("B plays on")
        if self.may_analyse and (self.game_analysis is None or self.game.uses_physics):
            ways.append("A analyses" if self.game_analysis is None else "A shows the best")
        if self._is_analysis_visible:
            ways.append("R analysis" if self.is_ruling_visible else "R ruling")
        if self.position_analysis.is_visible:
            ways += ["N next flick", "V shows it"]
        ways += ["G, Shift + G GIFs", "I picture"]
        if self.may_analyse and self.game.uses_physics:
            ways += self.position_analysis.key_help
        last = (
            ["Esc calls it off" if self.position_analysis.is_simulating else "Esc back"]
            if self._best_trajectory is None
            else []
        )
        return "   ·   ".join([*ways, "? help", *last])

    def _show_help(self) -> None:
        self.app.push(HelpScreen(self.app, (self.keys, GLOBAL_KEYS), self.game))

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and mouse."""
        if event.type == pygame.KEYDOWN and self._handle_key(event):
            return
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        if (
            pressed
            and self._best_trajectory is not None
            and self.view is not None
            and self.view.unobstructed.collidepoint(event.pos)
        ):
            self._back_to_turn()
        elif pressed and self.graph_area.collidepoint(event.pos):
            self._go_to_graph_turn(event.pos[0])
        elif not self.form.handle(event) and self.view is not None:
            self.view.handle(event)

    def _back_to_turn(self) -> None:
        """Go back to the turn from a flick that is shown, or is to be."""
        self.position_analysis.cancel_simulation()
        self._on_select(self.list.index)

    def _go_to_graph_turn(self, x: float) -> None:
        """Go to the turn at a place of the graph."""
        if self.game_analysis is not None:
            number = game_analysis.turn_at(self.graph_area, self.game_analysis, x, self.app.scale)
            places = [k for k, turn in enumerate(self.turns) if turn.number >= number]
            self.list.select(places[0])

    def _handle_key(self, event: pygame.event.Event) -> bool:
        word, way = self.keys.extended(*GLOBAL_KEYS.bindings).match(event)
        match word:
            case "help":
                self._show_help()
            case "menu" if self.job is not None:
                self._cancel_export()
                self.app.show_notice("The picture is called off.")
            case "menu" if self._best_trajectory is not None or self.position_analysis.is_simulating:
                self._back_to_turn()
            case "menu":
                self.app.pop()
            case "leaf" if self.form.focused is not self.slider:
                self.list.select(self.list.index + way)
            case "space" if not isinstance(self.form.focused, Button):
                self.toggle_play()
            case "play":
                self.toggle_play()
            case "gif" | "gifs":
                self.export_gif(is_whole_game=word == "gifs")
            case "print":
                self.keep_picture()
            case "resume" if self._resume_from is not None:
                self._resume_here()
            case "slow":
                self._cycle_rate()
            case "analyse":
                self.is_ruling_visible = False
                self.analyse()
            case "ruling":
                self.toggle_ruling()
            case "value" | "map" if self.game.uses_physics:
                self.toggle_evaluation(word)
            case "next" if self.position_analysis.is_visible:
                self.position_analysis.cycle_candidate()
            case "show" if self.position_analysis.is_visible:
                self.show_candidate()
            case "step" if self.playback is not None:
                self.playback.step(way)
            case _:
                return False
        return True

    def update(self, dt: float) -> None:
        """Let time go on."""
        if self.game_analysis is not None:
            self.game_analysis.update()
        self._update_candidate(dt)
        playback = self.playback
        if self.job is not None and self.job.is_done:
            job, self.job = self.job, None
            try:
                self.app.show_notice(f"The picture is kept as {job.result()}.")
            except FlicksimError as wrong:
                self.app.show_notice(f"No picture was kept: {wrong}.")
        if playback is not None:
            before = playback.time
            playback.advance(dt)
            for name, loud in self._sounds_between(before, playback.time):
                self.app.sounds.play(name, loud)
            if playback.is_finished:
                playback.is_paused = True
            self.slider.position = playback.progress
            self.slider.step = min(0.25, FRAME_STEP * 3 / max(playback.duration, FRAME_STEP))
        told = self._turn_review()
        after = "Show the best" if self.game.uses_physics else "Analysed"
        self._analyse.label = "Analyse the game" if self.game_analysis is None else after
        self._analyse.enabled = self.game_analysis is None or (
            told is not None and told.is_significant and self.game.uses_physics
        )
        self._ruling_button.enabled, self._ruling_button.label = (
            self._is_analysis_visible,
            "Analysis" if self.is_ruling_visible else "Ruling",
        )
        self._play.label = "Pause" if playback is not None and not playback.is_paused else "Play"
        for widget in (self._play, self._slow, self.slider):
            widget.enabled = playback is not None

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Table on the left over the bar, list and ruling on the right."""
        w, h = size
        pad, right = round(14 * scale), round(400 * scale)
        right = min(right, round(w * 0.46))
        self._panel = pygame.Rect(w - right, 0, right, h)
        high, gap = round(36 * scale), round(6 * scale)
        bar = high + 2 * pad + round(50 * scale)
        if self.view is not None:
            beside = round(BAR_COLUMN_WIDTH * scale) if self.has_bar else 0
            self.view.set_area(pygame.Rect(beside, 0, w - right - beside, h - bar), 46 * scale)
        self.notice_area = pygame.Rect(0, 0, w - right, h - bar)
        y = h - pad - high
        wide = (w - right - 2 * pad - 3 * gap) // 4
        for k, button in enumerate((self._prev, self._play, self._slow, self._next)):
            button.rect = pygame.Rect(pad + k * (wide + gap), y, wide, high)
        self.slider.rect = pygame.Rect(pad + round(10 * scale), y - round(30 * scale), w - right - 2 * pad
                                       - round(20 * scale), round(24 * scale))  # fmt: skip
        inner = self._panel.inflate(-2 * pad, -2 * pad)
        foot, half = self._footer_buttons(), (inner.w - gap) // 2
        for k, button in enumerate(reversed(foot)):
            x = inner.x + (0 if k % 2 else half + gap)
            button.rect = pygame.Rect(x, inner.bottom - high - (k // 2) * (high + gap), half, high)
        if len(foot) % 2:
            foot[0].rect = pygame.Rect(inner.x, foot[0].rect.y, inner.w, high)
        self._bottom = foot[0].rect.y - round(10 * scale)
        top = round(54 * scale)
        high = (inner.h - top) * (45 if self.game_analysis is None else 24) // 100
        self.list.rect = pygame.Rect(inner.x, inner.y + top, inner.w, high)
        self.graph_area = pygame.Rect(inner.x, self.list.rect.bottom + round(12 * scale), inner.w, round(112 * scale))
        if self.game_analysis is None:
            self.graph_area.h = 0

    def draw(self, canvas: Canvas) -> None:
        """Table, list, ruling."""
        turn = self.turn
        if turn is not None:
            self._draw_view(canvas, turn)
        self._draw_panel(canvas, turn)
        self.form.draw(canvas)
        playback = self.playback
        if playback is not None:
            words = f"{min(playback.time, playback.motion_duration):.2f} of {playback.motion_duration:.2f} s"
            bar = self.slider.rect
            canvas.text(words, (bar.x, bar.y), 14, bold=True, anchor="bottomleft")
            canvas.text(rate_text(playback.rate), (bar.right, bar.y), 13, palette.MUTED_TEXT, anchor="bottomright")

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        """The table as it is shown."""
        if self.view is None:
            return
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            if self._best_trajectory is None and self.is_at_rest:
                self.position_analysis.draw_underlay(canvas, self.view.camera)
            self._draw_table(canvas, self.view, self.view.camera, turn)
        lens = self.view.magnifier(self._pieces_of(turn))
        if lens is not None:
            with self.view.magnified(canvas, lens):
                self._draw_table(canvas, self.view, lens.camera, turn)
        if self.playback is None or isinstance(self.playback, Playback):
            self.view.draw_extra(canvas, self.playback)
        self._draw_analysis_overlay(canvas, self.view, turn)

    @property
    def has_bar(self) -> bool:
        """True while a bar stands beside the table."""
        return self.position_analysis.is_bar_visible or self.game_analysis is not None

    def _draw_analysis_overlay(self, canvas: Canvas, view: TableView, turn: Turn) -> None:
        """Over the table the bar of chances, the plans as arrows, and a word where the best is shown."""
        told = self._turn_review()
        column = pygame.Rect(0, view.area.y, canvas.px(BAR_COLUMN_WIDTH), view.area.h)
        if self.position_analysis.is_bar_visible:
            self.position_analysis.draw_bar(canvas, column)
        elif told is not None and self.game_analysis is not None:
            game_analysis.draw_bar(
                canvas,
                column,
                self.game_analysis,
                told,
                before=self.position_analysis.is_map_visible and self.is_at_rest,
            )
        with canvas.clipped(view.unobstructed):
            if self._best_trajectory is None and self.position_analysis.is_map_visible and self.is_at_rest:
                self.position_analysis.draw_overlay(canvas, view.camera)
            elif self._best_trajectory is None and told is not None:
                game_analysis.draw_arrows(canvas, view.camera, view.unobstructed, turn, told)
            elif self._best_trajectory is not None:
                draw_shown_caption(canvas, view.unobstructed)

    def _pieces_of(self, turn: Turn) -> dict[str, tuple[Piece, PiecePosition]]:
        """Every piece and where it is shown just now."""
        if isinstance(self.playback, Playback):
            before = self.playback.trajectory.before
            found = piece_positions(self.playback.trajectory, self.playback.time)
            return {name: (before.piece(name), place) for name, place in found.items()}
        scene = scene_of(turn.after)
        return {p.id: (p, (p.x, p.y, p.angle)) for p in scene.pieces} if scene is not None else {}

    def _draw_table(self, canvas: Canvas, view: TableView, camera: Camera, turn: Turn) -> None:
        scene = scene_of(turn.after)
        if isinstance(self.playback, Playback):
            view.painter.draw_trajectory(canvas, camera, self.playback.trajectory, self.playback.time)
        elif scene is not None:
            view.painter.draw_pieces(canvas, camera, scene.pieces)

    def _draw_panel(self, canvas: Canvas, turn: Turn | None) -> None:
        canvas.box(self._panel, palette.PANEL)
        pad = canvas.px(14)
        rect = self._panel.inflate(-2 * pad, -2 * pad)
        more = match_text.stage_text(self.game, turn.before) if turn is not None else ""
        draw_heading(canvas, rect, self.game.title, more)
        if turn is None:
            canvas.text("No turn has been played.", (rect.x, self.list.rect.y), 16)
            return
        draw_caption(canvas, pygame.Rect(rect.x, self.list.rect.y - canvas.px(18), rect.w, canvas.px(18)),
                f"Turn {turn.number} of {self.turns[-1].number}")  # fmt: skip
        y = self.list.rect.bottom + canvas.px(12)
        foot = self._bottom
        if self.game_analysis is not None:
            y = self._draw_analysis(canvas, self.game_analysis, turn)
        if self.position_analysis.is_visible and not self.is_ruling_visible:
            y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Before the turn")
            y = self.position_analysis.draw_text(canvas, pygame.Rect(rect.x, y, rect.w, foot - y)) + canvas.px(8)
            if foot - y < canvas.px(70):
                return
        y = self._draw_scores(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), turn)
        if self.game.uses_physics:  # what was done with cards is said by the ruling
            y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Done")
            y = canvas.paragraph(
                self._action_text(turn), pygame.Rect(rect.x, y, rect.w, 4 * canvas.line_height(14)), 14
            )
            y += canvas.px(8)
        if foot - y < canvas.px(36):
            return
        y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, foot - y), "Ruling")
        for reason in self._reasons(turn):
            room = foot - y
            if room < canvas.line_height(14):
                break
            canvas.text(reason.rule, (rect.right, y + canvas.px(2)), 11, palette.MUTED_TEXT, anchor="topright")
            y = canvas.paragraph(
                match_text.with_card_symbols(reason.text), pygame.Rect(rect.x, y, rect.w - canvas.px(58), room), 14
            ) + canvas.px(2)

    def _draw_analysis(self, canvas: Canvas, analysis: game_analysis.GameAnalysis, turn: Turn) -> int:
        """The graph, and what is told of this turn. Returns where they end [pixels]."""
        game_analysis.draw_graph(canvas, self.graph_area, analysis, turn)
        rect, y = self.graph_area, self.graph_area.bottom + canvas.px(8)
        if self.is_ruling_visible:
            return y
        for sentence in game_analysis.turn_text(analysis.review_of(turn), is_done=analysis.is_done):
            y = canvas.paragraph(sentence, pygame.Rect(rect.x, y, rect.w, 3 * canvas.line_height(14)), 14)
        if analysis.is_done:
            canvas.text(game_analysis.accuracy_text(analysis), (rect.x, y), 13, palette.MUTED_TEXT)
            y += canvas.line_height(13)
        return y + canvas.px(8)

    def _reasons(self, turn: Turn) -> Sequence[Reason]:
        """The ruling on a turn."""
        return turn.verdict.reasons

    def _action_text(self, turn: Turn) -> str:
        """The deed of a turn, with its numbers."""
        return f"{match_text.format_action(turn.made)}. {shot_feedback.shot_feedback(turn, '')}".rstrip(" .") + "."

    def _draw_scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Scores after this turn. Returns where they end [pixels]."""
        x, few = rect.x, len(self.game.seat_names) < 4
        for seat, points in enumerate(self.game.rules.scores(turn.after)):
            r = canvas.px(9)
            mark = piece_sprites.piece_sprite(r, palette.seat_key(seat, self.game.seat_names), "penny", 0.0)
            canvas.surface.blit(mark, mark.get_rect(center=(x + r, rect.y + r + canvas.px(1))))
            words = f"{self.game.seat_names[seat]} {match_text.format_points(points)}"
            at, size = (x + 2 * r + canvas.px(6), rect.y), 16 if few else 14
            x = canvas.text(words, at, size, bold=True).right + canvas.px(18 if few else 12)
        return rect.y + canvas.px(34)
