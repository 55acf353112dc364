"""Replay screen of a finished game."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial

import pygame

from flicksim import games
from flicksim.core.type_aliases import SimulationResult
from flicksim.gui.app.application import App, Screen
from flicksim.gui.app.game_view import ShotPath, TurnRenderer
from flicksim.gui.app.help import HelpScreen
from flicksim.gui.match.game_analysis import turn_at
from flicksim.gui.match.playback_toolbar import PlaybackToolbar
from flicksim.gui.match.position_analysis import BACK_HELP
from flicksim.gui.match.replay_analysis import ReplayAnalysis
from flicksim.gui.match.share import ImageExporter
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import Playback, PlaybackClock, TableView, event_sounds, gestures, match_text, scene_of
from flicksim.gui.table_view.side_panel import draw_action, draw_caption, draw_heading, draw_score_line, draw_sentences
from flicksim.gui.toolkit import Button, Canvas, Form, ListBox, SoundCue, palette, piece_sprites, place_in_grid
from flicksim.gui.toolkit.key_bindings import FLICK_KEYS, GLOBAL_KEYS, KEY_MAPS, KeyMap
from flicksim.match import Turn, Warmup
from flicksim.referee import Game, Reason
from flicksim.render import Camera
from flicksim.scene import Surface, Trajectory

NAVIGATION_KEYS, _PLAYBACK_KEYS, ANALYSIS_KEYS, _EVALUATION_KEYS = (
    KEY_MAPS[f"replay_{part}"].bindings for part in ("navigation", "playback", "analysis", "evaluation")
)
_ZOOM_KEYS = [binding for binding in FLICK_KEYS.bindings if "zoom" in binding.actions]
REPLAY_KEYS = KeyMap(
    "Look through", (*NAVIGATION_KEYS, *_PLAYBACK_KEYS, *_ZOOM_KEYS, *ANALYSIS_KEYS, *_EVALUATION_KEYS)
)
"""Key bindings of the replay screen."""

_MIN_LIST, _TEXTS = 110.0, 246.0
"""Least height of the list of turns, and height of what stands under it, which the list leaves free [units]."""


class ReplayScreen(Screen):
    """Replay screen: list of turns, table, time slider of each flick, and the analysis of the game and of positions.

    Args:
        game: of the turns. turns: already replayed, in order.
        resume_from: undoes a running game to a number of turns; None without one.
        renderer: draws turns for files. view: makes the camera view of a table.
        shot_path: start and end of a flick [m]. warmups: of the physics, awaited by the analysis.
    """

    game: Game
    keys = REPLAY_KEYS
    TURN_NOUN, TURNS_NOUN = "turn", "turns"
    """Name of what is listed, and of several."""

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, view: Callable[[Sequence[str], Surface, str], TableView] = TableView,
        shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.game, self.turns, self._resume_from = game, list(turns), resume_from
        self.list = ListBox("Turns", [], on_select=self._on_select, row_height=26.0, wrap_lines=True)
        self.toolbar = PlaybackToolbar(lambda step: self.list.select(self.list.index + step), self.TURN_NOUN)
        self.analysis = ReplayAnalysis(app, game, shot_path, warmups)
        scene = scene_of(self.turns[0].before) if self.turns else None
        self.view = view(game.seat_names, scene.surface, "players' edge") if scene is not None else None
        self.list.lines = self._turn_lines()
        self._resume = Button("Play on from here", self._resume_here, key="B")
        self._gif = Button(f"GIF of this {self.TURN_NOUN}", lambda: self.export_gif(is_whole_game=False), key="G")
        self._game_gif = Button("GIF of the game", lambda: self.export_gif(is_whole_game=True), key="Shift + G")
        self._png = Button(f"Picture of this {self.TURN_NOUN}", self.export_png, key="I")
        self.exporter = ImageExporter(app, game, renderer)
        self._analyse = Button(
            "Analyse the game", self.analyse, key="A",
            help_text="Once it is analysed: the better flick told there; V shows that of the list before the turn.",
        )  # fmt: skip
        self._ruling_button = Button(
            "Ruling", self.analysis.toggle_ruling, key="R", help_text="What the referee said of the turn, and back."
        )
        self._back = Button("Close", app.pop, key="Esc")
        self.form = Form([self.list, *self.toolbar.widgets, *self._footer_buttons()], arrows=False)
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._bottom = 0
        if self.turns:
            self._on_select(0)

    def shown_names(self) -> Iterable[str]:
        return set(self.game.seat_names).difference(games.load(self.game.name).seat_names)

    def show_turn(self, index: int, *, is_playing: bool = False) -> None:
        """Show the turn at an index, at its end or played from its beginning."""
        self.app.layout_screen(self)
        self.list.select(index)
        if is_playing:
            self.toolbar.toggle_play()

    def _turn_lines(self) -> list[str]:
        return [match_text.turn_text(self.game, turn) for turn in self.turns]

    def _place_text(self, turn: Turn) -> str:
        """Place of a turn among all."""
        return f"Turn {turn.number} of {self.turns[-1].number}"

    def _play_sounds(self, start_time: float, end_time: float) -> None:
        for name, volume in self._sounds_between(start_time, end_time):
            self.app.sounds.play(name, volume)

    def _sounds_between(self, start_time: float, end_time: float) -> list[SoundCue]:
        """Sounds of the playback between two times [s]."""
        clock = self.playback
        return event_sounds(clock.trajectory, start_time, end_time) if isinstance(clock, Playback) else []

    def _footer_buttons(self) -> list[Button]:
        """Buttons under the ruling."""
        resume = [self._resume] if self._resume_from is not None else []
        analysis = [self._analyse, self._ruling_button] if self.may_analyse else []
        return [*resume, *analysis, self._gif, self._game_gif, self._png, self._back]

    def _resume_here(self) -> None:
        """Continue the running game after the turn shown; later turns can be redone."""
        if self._resume_from is not None and self.turn is not None:
            self._resume_from(self.turn.number)

    def export_gif(self, *, is_whole_game: bool) -> None:
        """Export a GIF of the turn shown, or of all turns."""
        if self.turn is not None:
            self.exporter.export_gif(list(self.turns) if is_whole_game else [self.turn], is_detailed=not is_whole_game)

    def export_png(self) -> None:
        """Export a PNG of the result of the turn shown."""
        if self.turn is not None:
            self.exporter.export_png(self.turn)

    def close(self) -> None:
        """Cancel export and analysis."""
        self.exporter.cancel()
        self.analysis.close()

    # -- the turn shown and its analysis --------------------------------------------------------------------------

    @property
    def turn(self) -> Turn | None:
        """Turn shown."""
        return self.turns[self.list.index] if self.turns else None

    @property
    def action_turn(self) -> Turn | None:
        """Turn of the action whose result is shown, which is analysed."""
        return self.turn

    def _actions_shown(self, turn: Turn) -> Sequence[Turn]:
        """Turns of the actions whose results are shown with a turn."""
        return (turn,)

    def _turns_to_analyse(self) -> Sequence[Turn]:
        return self.turns

    def _on_select(self, index: int) -> None:
        """Select another turn, shown at its end."""
        self.analysis.candidate = None
        self.toolbar.show(self._make_clock(self.turns[index].result), at_end=not self.analysis.position.is_visible)

    @property
    def playback(self) -> PlaybackClock | None:
        """Playback of the turn or candidate shown; None if nothing moves."""
        return self.toolbar.clock

    @property
    def may_analyse(self) -> bool:
        """True if analysis helps no player: the game is over, or only recorded."""
        return bool(self.turns) and (self._resume_from is None or self.turns[-1].verdict.ruling.is_over)

    def analyse(self) -> None:
        """Analyse the game; once that is done, show the best flick of the turn."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
        elif self.analysis.game is None:
            self.analysis.start(self._turns_to_analyse())
            self.app.layout_screen(self)
        elif self.action_turn is not None and (result := self.analysis.best_trajectory(self.action_turn)) is not None:
            self._show_trajectory(result)

    def toggle_evaluation(self, kind: str) -> None:
        """Toggle the evaluation bar, or the map, of the position before the turn."""
        if not self.may_analyse:
            self.app.show_notice("A game is analysed once it is over.")
            return
        self.analysis.position.toggle(kind)
        self._on_select(self.list.index)
        self.app.layout_screen(self)

    def show_candidate(self) -> None:
        """Show the selected candidate without noise."""
        if not self.analysis.position.simulate_candidate():
            self.app.show_notice("F8 shows the best flicks; then V plays the chosen one.")

    def _show_trajectory(self, result: SimulationResult) -> None:
        """Play the trajectory of a candidate in place of the turn."""
        self.analysis.candidate, self.toolbar.clock = result, self._make_clock(result)

    def _make_clock(self, result: SimulationResult) -> PlaybackClock | None:
        """Playback of a result; None if it is no trajectory."""
        return Playback(result, self.toolbar.rate) if isinstance(result, Trajectory) else None

    def _back_to_turn(self) -> None:
        """Return to the turn from a candidate that is shown or being simulated."""
        self.analysis.position.cancel_simulation()
        self._on_select(self.list.index)

    def _go_to_graph_turn(self, x: float) -> None:
        """Select the turn at a point of the graph."""
        if self.analysis.game is not None:
            number = turn_at(self.analysis.graph_area, self.analysis.game, x, self.app.scale)
            last_actions = map(self._last_action_number, self.turns)
            self.list.select(next((k for k, last in enumerate(last_actions) if last >= number), len(self.turns) - 1))

    def _last_action_number(self, turn: Turn) -> int:
        """Turn number of the last action shown with a turn of the list."""
        return self._actions_shown(turn)[-1].number

    def _list_number(self, index: int) -> int:
        """Number by which a turn of the list is told."""
        return self.turns[index].number

    def _show_analysis(self) -> None:
        """Show the analysis in place of the ruling; start it, or show the best flick."""
        self.analysis.is_ruling_visible = False
        self.analyse()

    # -- events, time ---------------------------------------------------------------------------------------------

    def status_line(self) -> str:
        if self.exporter.job is not None:
            return f"{self.exporter.status}   ·   Esc calls it off"
        items = [f"Left Right {self.TURNS_NOUN}"] if self.analysis.candidate is None else [BACK_HELP]
        if self.playback is not None:
            items += ["Space plays", "S slower", ". , step"]
        if self._resume_from is not None:
            items.append("B plays on")
        if self.may_analyse and (self.analysis.game is None or self.game.uses_physics):
            items.append("A analyses" if self.analysis.game is None else "A shows the best")
        if self.analysis.is_visible:
            items.append("R analysis" if self.analysis.is_ruling_visible else "R ruling")
        if self.analysis.position.is_visible:
            items += ["N next flick", "V shows it"]
        items += ["G, Shift + G GIFs", "I picture"]
        if self.may_analyse and self.game.uses_physics:
            items += self.analysis.position.key_help
        items.append("? help")
        if self.analysis.candidate is None:
            items.append("Esc calls it off" if self.analysis.position.is_simulating else "Esc back")
        return "   ·   ".join(items)

    def show_help(self) -> None:
        self.app.push(HelpScreen(self.app, (self.keys, GLOBAL_KEYS), self.game))

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and self._handle_key(event):
            return
        view, pressed = self.view, event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        is_candidate_shown = self.analysis.candidate is not None
        if pressed and is_candidate_shown and view is not None and view.unobstructed.collidepoint(event.pos):
            self._back_to_turn()
        elif pressed and self.analysis.graph_area.collidepoint(event.pos):
            self._go_to_graph_turn(event.pos[0])
        elif not self.form.handle(event) and view is not None:
            view.handle(event)

    def _handle_key(self, event: pygame.event.Event) -> bool:
        action, direction = self.keys.extended(*GLOBAL_KEYS.bindings).match(event)
        if action == "turn" and self.form.focused is not self.toolbar.slider:
            self.list.select(self.list.index + direction)
        elif action == "step" and self.playback is not None:
            self.playback.step(direction)
        elif (act := self._actions().get(action)) is not None:
            act()
        elif event.key in (pygame.K_HOME, pygame.K_END) and isinstance(self.form.focused, Button):
            self.list.handle_key(event)
        else:
            return False
        return True

    def _actions(self) -> dict[str, Callable[[], object]]:
        """Actions of the keys by name, as far as they are possible now."""
        actions: dict[str, Callable[[], object]] = {
            "help": self.show_help, "menu": self._go_back, "play": self.toolbar.toggle_play,
            "gif": partial(self.export_gif, is_whole_game=False), "gifs": partial(self.export_gif, is_whole_game=True),
            "print": self.export_png, "slow": self.toolbar.cycle_rate, "analyse": self._show_analysis,
            "ruling": self.analysis.toggle_ruling,
        }  # fmt: skip
        if not isinstance(self.form.focused, Button):
            actions["space"] = self.toolbar.toggle_play
        if self._resume_from is not None:
            actions["resume"] = self._resume_here
        if self.game.uses_physics:
            actions |= {kind: partial(self.toggle_evaluation, kind) for kind in ("value", "map")}
        if self.analysis.position.is_visible:
            actions |= {"next": self.analysis.position.cycle_candidate, "show": self.show_candidate}
        return actions

    def _go_back(self) -> None:
        """Call off the export or the candidate shown; without either, close the screen."""
        if self.exporter.job is not None:
            self.exporter.cancel()
            self.app.show_notice("The picture is called off.")
        elif self.analysis.candidate is not None or self.analysis.position.is_simulating:
            self._back_to_turn()
        else:
            self.app.pop()

    @property
    def is_animating(self) -> bool:
        is_playing = self.playback is not None and not self.playback.is_paused
        return is_playing or (self.view is not None and self.view.is_animating)

    def update(self, dt: float) -> None:
        """Advance analysis, export and playback; show the candidate of the turn once it is simulated."""
        if (result := self.analysis.update(self.action_turn, dt)) is not None:
            self._show_trajectory(result)
        self.exporter.update()
        self.toolbar.update(dt, self._play_sounds)
        if self.view is not None:
            self.view.update(dt)
        analysed_label = "Show the best" if self.game.uses_physics else "Analysed"
        self._analyse.label = "Analyse the game" if self.analysis.game is None else analysed_label
        self._analyse.enabled = self.analysis.game is None or self.analysis.has_better(self.action_turn)
        self._ruling_button.enabled = self.analysis.is_visible
        self._ruling_button.label = "Analysis" if self.analysis.is_ruling_visible else "Ruling"

    # -- drawing --------------------------------------------------------------------------------------------------

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the table over the time slider on the left, list and ruling on the right."""
        w, h = size
        pad, panel_width = round(14 * scale), min(round(400 * scale), round(w * 0.46))
        self._panel = pygame.Rect(w - panel_width, 0, panel_width, h)
        height, gap = round(36 * scale), round(6 * scale)
        toolbar_height = self.toolbar.layout(pygame.Rect(0, 0, w - panel_width, h), scale)
        if self.view is not None:
            bar_width = round(BAR_COLUMN_WIDTH * scale) if self.analysis.has_bar else 0
            self.view.set_area(pygame.Rect(bar_width, 0, w - panel_width - bar_width, h - toolbar_height), 46 * scale)
        inner = self._panel.inflate(-2 * pad, -2 * pad)
        footer = self._footer_buttons()
        grid = place_in_grid(footer[len(footer) % 2 :], inner, height, gap, 2, at_bottom=True)
        if len(footer) % 2:
            footer[0].rect = pygame.Rect(inner.x, grid.y - gap - height, inner.w, height)
        self._bottom = footer[0].rect.y - round(10 * scale)
        top = round(54 * scale)
        height = (inner.h - top) * (45 if self.analysis.game is None else 24) // 100
        height = max(round(_MIN_LIST * scale), min(height, self._bottom - inner.y - top - round(_TEXTS * scale)))
        self.list.rect = pygame.Rect(inner.x, inner.y + top, inner.w, height)
        foot = self.list.rect.bottom
        self.analysis.layout(inner, foot, scale)
        # over nothing that moves, and over the graph, so that ruling and evaluation can be read
        bottom = self._bottom if self.analysis.game is None else self.analysis.graph_area.bottom
        self.notice_area = pygame.Rect(self._panel.x, foot, panel_width, bottom - foot)

    def draw(self, canvas: Canvas) -> None:
        turn = self.turn
        if turn is not None:
            self._draw_view(canvas, turn)
        self._draw_panel(canvas, turn)
        self.form.draw(canvas)
        self.toolbar.draw_time(canvas)

    def _draw_view(self, canvas: Canvas, turn: Turn) -> None:
        """Draw the table."""
        if self.view is None:
            return
        with canvas.clipped(self.view.area):
            self.view.draw(canvas)
            if self.analysis.candidate is None and self.toolbar.is_at_start:
                self.analysis.position.draw_underlay(canvas, self.view.camera)
            self._draw_table(canvas, self.view, self.view.camera, turn)
        self.analysis.draw_over_table(canvas, self.view, self.action_turn, at_start=self.toolbar.is_at_start)
        lens = self.view.magnifier()
        if lens is not None:
            with self.view.magnified(canvas, lens):
                self._draw_table(canvas, self.view, lens.camera, turn)
        if self.playback is None or isinstance(self.playback, Playback):
            are_plans_shown = self.analysis.candidate is None and self.toolbar.is_at_start
            self.view.draw_extra(canvas, self.playback, self.analysis.position.plan_points if are_plans_shown else ())

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
        subtitle = match_text.stage_text(self.game, turn.before) if turn is not None else ""
        draw_heading(canvas, rect, self.game.title, subtitle)
        if turn is None:
            canvas.text("No turn has been played.", (rect.x, self.list.rect.y), 16)
            return
        draw_caption(canvas, pygame.Rect(rect.x, self.list.rect.y - canvas.px(18), rect.w, canvas.px(18)),
                self._place_text(turn))  # fmt: skip
        y = self.list.rect.bottom + canvas.px(12)
        bottom = self._bottom
        if self.analysis.game is not None:
            last = len(self.turns) - 1
            ticks = {self._last_action_number(self.turns[k]): self._list_number(k) for k in (0, last // 2, last)}
            y = self.analysis.draw_game(canvas, self.action_turn or turn, ticks, bottom)
        if self.analysis.position.is_visible and not self.analysis.is_ruling_visible:
            is_estimated = self.analysis.review_of(self.action_turn) is not None
            caption = "Before the turn, estimated again" if is_estimated else "Before the turn"
            y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), caption)
            area = pygame.Rect(rect.x, y, rect.w, bottom - y - canvas.line_height(13))
            y = self.analysis.position.draw_text(canvas, area) + canvas.px(8)
            if bottom - y < canvas.px(70):
                self._draw_hidden_ruling(canvas, rect.x, bottom)
                return
        if bottom - y >= canvas.px(24):
            y = self._draw_scores(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), turn)
        if self.game.uses_physics and bottom - y >= canvas.px(36):  # with cards, the ruling describes the action
            y = draw_action(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), self._action_text(turn))
        if bottom - y < canvas.px(36):
            if self.analysis.is_visible and bottom - y >= canvas.line_height(13):
                self._draw_hidden_ruling(canvas, rect.x, bottom)
            return
        y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), "Ruling")
        reasons = list(self._reasons(turn))
        if turn.verdict.ruling.is_over and self.analysis.game is not None:
            reasons.insert(0, reasons.pop())  # who won, as not all fit under the analysis
        sentences = [(reason.rule, match_text.with_card_symbols(reason.text)) for reason in reasons]
        draw_sentences(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), sentences)

    def _draw_hidden_ruling(self, canvas: Canvas, x: int, bottom: int) -> None:
        """Draw how the ruling is shown where the analysis takes its place."""
        canvas.text("R: the ruling on the turn", (x, bottom), 13, palette.MUTED_TEXT, anchor="bottomleft")

    def _reasons(self, turn: Turn) -> Sequence[Reason]:
        return turn.verdict.reasons

    def _action_text(self, turn: Turn) -> str:
        """Action of a turn with its numbers, and its execution error."""
        return f"{match_text.format_action(turn.made)}. {gestures.shot_feedback(turn, '')}".rstrip(" .") + "."

    def _draw_scores(self, canvas: Canvas, rect: pygame.Rect, turn: Turn) -> int:
        """Draw the points after a turn. Return their lower end [pixels]."""
        points = self._points_after(turn)
        if not points:
            return rect.y
        named = zip(self.game.seat_names, points, strict=False)
        texts = [f"{name} {match_text.format_points(number)}" for name, number in named]
        return draw_score_line(canvas, rect, texts, partial(self._draw_mark, canvas), (4, 6))

    def _points_after(self, turn: Turn) -> Sequence[Fraction]:
        """Points by seat after a turn, once there are any."""
        scores = self.game.rules.scores(turn.after)
        return scores if any(scores) else ()

    def _draw_mark(self, canvas: Canvas, seat: int, center: tuple[int, int]) -> None:
        """Draw the mark of a seat beside its points."""
        piece_sprites.draw_seat_coin(canvas.surface, center, canvas.px(8), match_text.seat_key(self.game, seat))
