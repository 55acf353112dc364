"""Replay screen of a finished game."""

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from flicksim.gui.app.application import App
from flicksim.gui.app.game_view import ShotPath, TurnRenderer
from flicksim.gui.app.help import HelpScreen
from flicksim.gui.match.analysed_turns import AnalysedTurns
from flicksim.gui.match.position_analysis import BACK_HELP
from flicksim.gui.match.share import ImageExporter
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH
from flicksim.gui.table_view import Playback, TableView, event_sounds, gestures, match_text, scene_of
from flicksim.gui.table_view.side_panel import draw_caption, draw_heading, draw_sentences
from flicksim.gui.toolkit import Button, Canvas, Form, SoundCue, palette, piece_sprites, place_in_grid
from flicksim.gui.toolkit.key_bindings import FLICK_KEYS, GLOBAL_KEYS, KEY_MAPS, KeyMap
from flicksim.match import Turn, Warmup
from flicksim.referee import Game, Reason
from flicksim.render import Camera
from flicksim.scene import Surface

NAVIGATION_KEYS, _PLAYBACK_KEYS, ANALYSIS_KEYS, _EVALUATION_KEYS = (
    KEY_MAPS[f"replay_{part}"].bindings for part in ("navigation", "playback", "analysis", "evaluation")
)
_ZOOM_KEYS = [binding for binding in FLICK_KEYS.bindings if "zoom" in binding.actions]
REPLAY_KEYS = KeyMap(
    "Look through", (*NAVIGATION_KEYS, *_PLAYBACK_KEYS, *_ZOOM_KEYS, *ANALYSIS_KEYS, *_EVALUATION_KEYS)
)
"""Key bindings of the replay screen."""

_LEAST_SIZE = 10.0
"""Least size of the letters that tell an action [units]."""
_MIN_LIST, _TEXTS = 110.0, 246.0
"""Least height of the list of turns, and height of what stands under it, which the list leaves free [units]."""


class ReplayScreen(AnalysedTurns):
    """Replay screen: list of turns, table, and time slider of each flick.

    Args:
        game: of the turns. turns: already replayed, in order.
        resume_from: undoes a running game to a number of turns; None without one.
        renderer: draws turns for files. view: makes the camera view of a table.
        shot_path: start and end of a flick [m]. warmups: of the physics, awaited by the analysis.
    """

    keys = REPLAY_KEYS

    def __init__(
        self, app: App, game: Game, turns: Sequence[Turn], resume_from: Callable[[int], None] | None = None, *,
        renderer: TurnRenderer, view: Callable[[Sequence[str], Surface, str], TableView] = TableView,
        shot_path: ShotPath | None = None, warmups: Sequence[Warmup] = (),
    ) -> None:  # fmt: skip
        super().__init__(app, game, turns, resume_from, shot_path=shot_path, warmups=warmups)
        scene = scene_of(self.turns[0].before) if self.turns else None
        self.view = view(game.seat_names, scene.surface, "players' edge") if scene is not None else None
        self.list.lines = self._turn_lines()
        self._resume = Button("Play on from here", self._resume_here, key="B")
        self._gif = Button(f"GIF of this {self.TURN_NOUN}", lambda: self.export_gif(is_whole_game=False), key="G")
        self._game_gif = Button("GIF of the game", lambda: self.export_gif(is_whole_game=True), key="Shift + G")
        self._png = Button(f"Picture of this {self.TURN_NOUN}", self.export_png, key="I")
        self.exporter = ImageExporter(app, game, renderer)
        self._analyse = Button("Analyse the game", self.analyse, key="A")
        self._ruling_button = Button(
            "Ruling", self.toggle_ruling, key="R", help_text="What the referee said of the turn, and back."
        )
        self._back = Button("Close", app.pop, key="Esc")
        self.form = Form([self.list, *self.toolbar.widgets, *self._footer_buttons()], arrows=False)
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._bottom = 0
        if self.turns:
            self._on_select(0)

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
        super().close()

    def status_line(self) -> str:
        if self.exporter.job is not None:
            return f"{self.exporter.status}   ·   Esc calls it off"
        items = [f"Left Right {self.TURNS_NOUN}"] if self._best_trajectory is None else [BACK_HELP]
        if self.playback is not None:
            items += ["Space plays", "S slower", ". , step"]
        if self._resume_from is not None:
            items.append("B plays on")
        if self.may_analyse and (self.game_analysis is None or self.game.uses_physics):
            items.append("A analyses" if self.game_analysis is None else "A shows the best")
        if self._is_analysis_visible:
            items.append("R analysis" if self.is_ruling_visible else "R ruling")
        if self.position_analysis.is_visible:
            items += ["N next flick", "V shows it"]
        items += ["G, Shift + G GIFs", "I picture"]
        if self.may_analyse and self.game.uses_physics:
            items += self.position_analysis.key_help
        items.append("? help")
        if self._best_trajectory is None:
            items.append("Esc calls it off" if self.position_analysis.is_simulating else "Esc back")
        return "   ·   ".join(items)

    def show_help(self) -> None:
        self.app.push(HelpScreen(self.app, (self.keys, GLOBAL_KEYS), self.game))

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and self._handle_key(event):
            return
        view, pressed = self.view, event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        is_candidate_shown = self._best_trajectory is not None
        if pressed and is_candidate_shown and view is not None and view.unobstructed.collidepoint(event.pos):
            self._back_to_turn()
        elif pressed and self.graph_area.collidepoint(event.pos):
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
            "ruling": self.toggle_ruling,
        }  # fmt: skip
        if not isinstance(self.form.focused, Button):
            actions["space"] = self.toolbar.toggle_play
        if self._resume_from is not None:
            actions["resume"] = self._resume_here
        if self.game.uses_physics:
            actions |= {kind: partial(self.toggle_evaluation, kind) for kind in ("value", "map")}
        if self.position_analysis.is_visible:
            actions |= {"next": self.position_analysis.cycle_candidate, "show": self.show_candidate}
        return actions

    def _go_back(self) -> None:
        """Call off the export or the candidate shown; without either, close the screen."""
        if self.exporter.job is not None:
            self.exporter.cancel()
            self.app.show_notice("The picture is called off.")
        elif self._best_trajectory is not None or self.position_analysis.is_simulating:
            self._back_to_turn()
        else:
            self.app.pop()

    @property
    def is_animating(self) -> bool:
        return super().is_animating or (self.view is not None and self.view.is_animating)

    def update(self, dt: float) -> None:
        """Advance analysis, export and playback."""
        super().update(dt)
        self.exporter.update()
        self.toolbar.update(dt, self._play_sounds)
        if self.view is not None:
            self.view.update(dt)
        review = self._turn_review()
        analysed_label = "Show the best" if self.game.uses_physics else "Analysed"
        self._analyse.label = "Analyse the game" if self.game_analysis is None else analysed_label
        self._analyse.enabled = self.game_analysis is None or (
            review is not None and review.is_significant and self.game.uses_physics
        )
        self._ruling_button.enabled = self._is_analysis_visible
        self._ruling_button.label = "Analysis" if self.is_ruling_visible else "Ruling"

    def layout(self, size: tuple[int, int], scale: float) -> None:
        """Place the table over the time slider on the left, list and ruling on the right."""
        w, h = size
        pad, panel_width = round(14 * scale), min(round(400 * scale), round(w * 0.46))
        self._panel = pygame.Rect(w - panel_width, 0, panel_width, h)
        height, gap = round(36 * scale), round(6 * scale)
        toolbar_height = self.toolbar.layout(pygame.Rect(0, 0, w - panel_width, h), scale)
        if self.view is not None:
            has_bar = self.position_analysis.is_bar_visible or self.game_analysis is not None
            bar_width = round(BAR_COLUMN_WIDTH * scale) if has_bar else 0
            self.view.set_area(pygame.Rect(bar_width, 0, w - panel_width - bar_width, h - toolbar_height), 46 * scale)
        inner = self._panel.inflate(-2 * pad, -2 * pad)
        footer = self._footer_buttons()
        grid = place_in_grid(footer[len(footer) % 2 :], inner, height, gap, 2, at_bottom=True)
        if len(footer) % 2:
            footer[0].rect = pygame.Rect(inner.x, grid.y - gap - height, inner.w, height)
        self._bottom = footer[0].rect.y - round(10 * scale)
        top = round(54 * scale)
        height = (inner.h - top) * (45 if self.game_analysis is None else 24) // 100
        height = max(round(_MIN_LIST * scale), min(height, self._bottom - inner.y - top - round(_TEXTS * scale)))
        self.list.rect = pygame.Rect(inner.x, inner.y + top, inner.w, height)
        foot = self.list.rect.bottom
        graph_height = 0 if self.game_analysis is None else round(112 * scale)
        self.graph_area = pygame.Rect(inner.x, foot + round(12 * scale), inner.w, graph_height)
        # over nothing that moves, and over the graph, so that ruling and evaluation can be read
        bottom = self.graph_area.bottom if graph_height else self._bottom
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
            if self._best_trajectory is None and self.toolbar.is_at_start:
                self.position_analysis.draw_underlay(canvas, self.view.camera)
            self._draw_table(canvas, self.view, self.view.camera, turn)
        self._draw_analysis_overlay(canvas, self.view)
        lens = self.view.magnifier()
        if lens is not None:
            with self.view.magnified(canvas, lens):
                self._draw_table(canvas, self.view, lens.camera, turn)
        if self.playback is None or isinstance(self.playback, Playback):
            are_plans_shown = self._best_trajectory is None and self.toolbar.is_at_start
            self.view.draw_extra(canvas, self.playback, self.position_analysis.plan_points if are_plans_shown else ())

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
        if self.game_analysis is not None:
            y = self._draw_analysis(canvas, self.game_analysis, self.action_turn or turn, bottom)
        if self.position_analysis.is_visible and not self.is_ruling_visible:
            y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), "Before the turn")
            area = pygame.Rect(rect.x, y, rect.w, bottom - y - canvas.line_height(13))
            y = self.position_analysis.draw_text(canvas, area) + canvas.px(8)
            if bottom - y < canvas.px(70):
                self._draw_hidden_ruling(canvas, rect.x, bottom)
                return
        if bottom - y >= canvas.px(24):
            y = self._draw_scores(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), turn)
        if self.game.uses_physics and bottom - y >= canvas.px(36):  # with cards, the ruling describes the action
            y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), "Played")
            area = pygame.Rect(rect.x, y, rect.w, min(4 * canvas.line_height(14), bottom - y))
            text = self._action_text(turn)
            if len(canvas.wrap(text, area.w, _LEAST_SIZE)) * canvas.line_height(_LEAST_SIZE) > area.h:
                text = text.partition(". ")[0].rstrip(".") + "."  # without the error of the hand
            y = canvas.paragraph(text, area, canvas.size_to_fit(text, area.size, 14, _LEAST_SIZE)) + canvas.px(8)
        if bottom - y < canvas.px(36):
            if self._is_analysis_visible and bottom - y >= canvas.line_height(13):
                self._draw_hidden_ruling(canvas, rect.x, bottom)
            return
        y = draw_caption(canvas, pygame.Rect(rect.x, y, rect.w, bottom - y), "Ruling")
        sentences = [(reason.rule, match_text.with_card_symbols(reason.text)) for reason in self._reasons(turn)]
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
        """Draw the scores after a turn, once there are any. Return their lower end [pixels]."""
        scores = self.game.rules.scores(turn.after)
        if not any(scores):
            return rect.y
        x, is_spacious = rect.x, len(self.game.seat_names) < 4
        for seat, points in enumerate(scores):
            radius = canvas.px(9)
            center, key = (x + radius, rect.y + radius + canvas.px(1)), match_text.seat_key(self.game, seat)
            piece_sprites.draw_seat_coin(canvas.surface, center, radius, key)
            text = f"{self.game.seat_names[seat]} {match_text.format_points(points)}"
            position, size = (x + 2 * radius + canvas.px(6), rect.y), 16 if is_spacious else 14
            x = canvas.text(text, position, size, bold=True).right + canvas.px(18 if is_spacious else 12)
        return rect.y + canvas.px(34)
