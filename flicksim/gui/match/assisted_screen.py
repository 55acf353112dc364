"""Base class of match screens with what helps at the table: hints, demonstration, scatter, analysis, turn banner."""

from collections.abc import Callable, Iterable

import pygame

from flicksim.ai import GRADES, NO_NOISE, ExecutionNoise
from flicksim.core.geometry import Point
from flicksim.core.type_aliases import Action
from flicksim.gui.app import App, MatchSession, Screen, ShotPath
from flicksim.gui.match.match_controller import MatchController
from flicksim.gui.match.position_analysis import PositionAnalysis
from flicksim.gui.match.start_match import ALSO_YOU, YOU
from flicksim.gui.match.value_overlay import BAR_COLUMN_WIDTH, PlanArrow, clip_to_table, draw_arrows
from flicksim.gui.table_view import Hint, OutcomeScatter, TableView, execution_noise_of, match_text
from flicksim.gui.table_view.effects import Effects
from flicksim.gui.toolkit import Canvas, palette
from flicksim.match import BackgroundTask, Match, Warmup, bot_warmup, wait_for_warmups
from flicksim.referee import Challenge

_DEMO_GRADE = "club"
"""Grade of execution noise in challenges and lessons for people without noise."""
_ANALYSIS_UNAVAILABLE = "Positions are evaluated in games between bots, in finished games, and at the study board."
_MAX_WAIT, _VIEWING_TIME = 15.0, 1.5
"""Longest time that bots wait for the map of a position, and time for which it is shown [s]."""
_NO_HINT_TEXT = "A challenge is done without hints."
_NO_REMOTE_HINT_TEXT = "Online everybody plays without hints."


class NoiseGrades:
    """Grades of execution noise by seat, applied to a match.

    Args:
        match: of the people. default: grade of seats without one of their own.
    """

    def __init__(self, match: Match, default: str) -> None:
        self._match = match
        self._own = match_text.noise_grades(match)
        self.by_seat = dict.fromkeys(range(len(match.players)), default) | self._own
        self._apply()

    def _apply(self) -> None:
        if self._match.game.uses_physics:
            for seat, name in self.by_seat.items():
                self._match.set_noise(execution_noise_of(name), seat)

    @property
    def _acting_seat(self) -> int:
        """Seat whose grade is shown: the person's to play, or the first."""
        humans = [seat for seat, player in enumerate(self._match.players) if player is None]
        return self._match.to_play if self._match.to_play in humans else next(iter(humans), 0)

    @property
    def current(self) -> str:
        """Grade of the person to play."""
        return self.by_seat[self._acting_seat]

    def cycle(self) -> str:
        """Switch to the next grade, for the person to play if people have their own, else for all. Return it."""
        names = tuple(GRADES)
        grade = names[(names.index(self.current) + 1) % len(names)] if self.current in names else names[0]
        self.by_seat |= dict.fromkeys([self._acting_seat] if self._own else self.by_seat, grade)
        self._apply()
        return grade


class Demonstration:
    """Demonstration of the solution of a puzzle, as an arrow and by playing it to the end of the attempt.

    Args:
        puzzle: with its solution; None: nothing is demonstrated. match: at its position. execute: plays an action with
            execution noise; returns False if it is refused.
    """

    def __init__(
        self, puzzle: Challenge | None, match: Match, execute: Callable[[Action, ExecutionNoise], bool]
    ) -> None:
        self.puzzle, self._match, self._execute = puzzle, match, execute
        self.solution = None if puzzle is None else puzzle.solution
        self.is_running = False
        """True while the demonstration is played, to the end of the attempt."""

    @property
    def is_available(self) -> bool:
        """True while there is a solution, and the position is still the one of the puzzle."""
        return self.solution is not None and not self._match.turns and not self.is_running

    def play(self) -> bool:
        """Play the solution, or what its policy does after it; return False if it is refused."""
        assert self.puzzle is not None
        assert self.solution is not None
        action, match = self.solution.action, self._match
        if self.is_running and self.puzzle.policy is not None:
            action = self.puzzle.policy(match.state, match.streams.spawn("plan", len(match.turns)).generator())
        self.is_running = self._execute(action, GRADES.get(self.solution.grade, NO_NOISE))
        return self.is_running

    def draw(self, canvas: Canvas, view: TableView, segment: tuple[Point, Point] | None) -> None:
        """Draw the solution as an arrow along its path on a free table [m]."""
        if segment is not None and self.solution is not None:
            outline = self._match.state.scene.surface.outline
            start, end = map(view.camera.to_screen, clip_to_table(segment, outline))
            with canvas.clipped(view.area):
                draw_arrows(canvas, [PlanArrow(start, end, palette.HIGHLIGHT, f"{self.solution.chance:.0%}")])


class AssistedScreen(Screen):
    """Screen of a match with what helps at the table, and no way yet to play (see `MatchScreen`).

    Args:
        session: the match and its recorder.
    """

    controller: MatchController
    view: TableView | None = None
    """View of the table; None if pieces cannot be pointed at."""
    SHOT_PATH: ShotPath | None = None
    """Function for start and end of flicks; None: maps and best flicks are not available."""
    warmup_task: Warmup | None = None
    """Warmup of the shot simulation; None where nothing is simulated."""

    def __init__(self, app: App, session: MatchSession) -> None:
        super().__init__(app)
        self.session, self.match, self.game = session, session.match, session.match.game
        self.activity_card, self.bar = session.activity_card, session.bar
        self._notice = ""
        default_grade: str = app.preferences.hand if self.bar is None else "steady"  # else that of the host
        if self.activity_card is not None and default_grade == "steady":
            default_grade = _DEMO_GRADE
        self.noise_grades = NoiseGrades(self.match, default_grade)
        self.outcome_scatter: OutcomeScatter | None = None
        self.hint_request: BackgroundTask[Hint] | None = None
        puzzle = self.activity_card.shown_puzzle if self.activity_card is not None else None
        self.demo = Demonstration(puzzle, self.match, lambda action, noise: self.execute(action, noise))
        self.effects = Effects()
        self.bot_warmup = bot_warmup(self.match.game)
        self.analysis = PositionAnalysis(
            self.match.game, self.SHOT_PATH, lambda: self._warmup_hooks[0](), lambda: self._warmup_hooks[1]()
        )
        self._bot_wait_time = self._map_view_time = 0.0
        """Time since a bot has aimed, and since the map of the position is complete [s]."""
        self.announced_turn: object = None

    @property
    def may_analyse(self) -> bool:
        """True if analysis helps no player: only bots are seated."""
        return self.activity_card is None and self.bar is None and not self.controller.has_humans

    def toggle_analysis(self, kind: str) -> None:
        """Show or hide the evaluation bar, or the map with the best flicks."""
        if not self.may_analyse:
            self.app.show_notice(_ANALYSIS_UNAVAILABLE)
        elif kind == "map" and self.SHOT_PATH is None:
            self.app.show_notice("No map is shown while all launch at once.")
        else:
            self.analysis.toggle(kind)
            self.app.layout_screen(self)

    def _on_hint_key(self) -> None:
        """Request a hint, where available."""
        if self.activity_card is not None and not self.activity_card.allows_hints:
            self._notice = _NO_HINT_TEXT
        elif self.bar is not None:
            self._notice = _NO_REMOTE_HINT_TEXT
        else:
            self.request_hint()

    def request_hint(self) -> None:
        """Request a hint."""

    def show_demo(self) -> None:
        """Play the demonstration shot with its execution noise, to the end of the attempt."""
        card, may_start = self.activity_card, self.demo.is_available and self.controller.phase == "choose"
        if card is not None and may_start and self.demo.play():
            card.on_demo_shown()

    @property
    def is_idle(self) -> bool:
        """True if the seat to play may act and nothing is being simulated or shown."""
        return self.controller.phase == "choose" and self.controller.is_idle

    def execute(self, action: Action, noise_grade: ExecutionNoise) -> bool:
        """Play a flick with execution noise; return False, with a notice, if it is refused."""
        return self.controller.perform(action, noise_grade)

    def shot_path(self, shot: Action) -> tuple[Point, Point] | None:
        """Start and target of a shot [m]; None for any other action."""
        return None if self.SHOT_PATH is None else self.SHOT_PATH(self.match.game, self.match.state, shot)

    def poll_hint(self) -> None:
        """Take the result of a hint request, once it is done."""
        if self.hint_request is not None and self.hint_request.is_done:
            request, self.hint_request = self.hint_request, None
            self._on_hint(request.result())

    def _on_hint(self, hint: Hint) -> None:
        """Show a hint."""

    def cancel_hint(self) -> None:
        """Cancel the hint request."""
        if self.hint_request is not None:
            self.hint_request.cancel()
        self.hint_request = None

    @property
    def noise_grade(self) -> str:
        """Grade of the execution noise."""
        return self.noise_grades.current

    def show_outcome_scatter(self, action: Action) -> None:
        """Show the outcome scatter of a shot with one's own execution noise."""
        self.clear_outcome_scatter()
        grade = self.noise_grade if self.noise_grade != "steady" else self.app.preferences.hand
        self.outcome_scatter = OutcomeScatter(self.match, action, grade, self._prepare_batch)

    def _prepare_batch(self) -> None:
        """Wait until batch simulation is compiled; called on a background thread."""
        if self.warmup_task is not None:
            self.warmup_task.wait()

    @property
    def _warmup_hooks(self) -> tuple[Callable[[], None], Callable[[], str]]:
        """Hooks to wait until positions can be evaluated, and to report the wait."""
        return wait_for_warmups(self.warmup_task, self.bot_warmup)

    def clear_outcome_scatter(self) -> None:
        """Remove the outcome scatter."""
        if self.outcome_scatter is not None:
            self.outcome_scatter.cancel()
        self.outcome_scatter = None

    def shown_names(self) -> Iterable[str]:
        names = self.match.player_names.values()
        return (name for name in names if name != YOU and not name.startswith(ALSO_YOU))

    @property
    def is_animating(self) -> bool:
        """True while anything moves: on the table, over it, or the view itself."""
        is_moving = self.controller.is_animating or self.effects.is_active
        return is_moving or (self.view is not None and self.view.is_animating)

    has_turns = True
    """True if seats play in turn, so that a change of turn is announced."""

    @property
    def table_area(self) -> pygame.Rect:
        """Rectangle of the table [pixels]."""
        return self.view.unobstructed if self.view is not None else self.app.surface.get_rect()

    def update(self, dt: float) -> None:
        """Advance the effects over the table."""
        self.effects.reduced_motion = self.controller.reduced_motion = self.app.preferences.reduced_motion
        self.effects.update(dt, is_waiting=bool(self.wait_text))
        if self.analysis.is_visible:
            self.analysis.set_state(self.controller.visible_state, dt)
        self._delay_bots(dt)
        if self.has_turns and self.controller.phase in ("choose", "think"):
            self.announce_turn()

    def _delay_bots(self, dt: float) -> None:
        """Delay the bots' flick until the map is complete and has been shown; for a limited time."""
        controller, analysis = self.controller, self.analysis
        if not (analysis.is_map_visible and self.may_analyse and controller.phase == "think"):
            self._bot_wait_time, self._map_view_time, controller.is_bot_delayed = 0.0, 0.0, False
            return
        if not controller.is_paused:
            self._bot_wait_time += dt if controller.bot_action is not None else 0.0
            self._map_view_time += dt if analysis.is_complete else 0.0
        controller.is_bot_delayed = self._bot_wait_time < _MAX_WAIT and self._map_view_time < _VIEWING_TIME

    def announce_turn(self) -> None:
        """Announce a new turn once."""
        match, seat = self.match, self.match.to_play
        stage = match_text.stage_text(match.game, match.state)
        if seat is None or self.announced_turn == (seat, stage):
            return
        self.announced_turn = (seat, stage)
        if not (match.game.uses_physics or self.app.preferences.turn_delay_scale) and match.players[seat] is not None:
            return  # the others play without delay
        key = palette.seat_key(seat, match.game.seat_names)
        name, is_human = match_text.seat_text(match, seat), match.players[seat] is None
        is_only_human = self.activity_card is not None or sum(player is None for player in match.players) == 1
        details = [] if is_human and not is_only_human else [name if is_human else match_text.player_text(match, seat)]
        details += [stage] if stage else []
        text = ("Your turn" if is_only_human else f"{name}: your turn") if is_human else name
        self.effects.show_turn_banner(text, "  ·  ".join(details), key)

    @property
    def wait_text(self) -> str:
        """Short text of the computation waited for; empty without one."""
        match, seat = self.match, self.match.to_play
        if self.hint_request is not None:
            return "A club player is asked"
        if self.controller.is_paused or self.controller.bot_action is not None:
            return ""
        if self.controller.phase == "think" and self.bot_wait_text:
            return self.bot_wait_text
        if self.controller.phase == "think" and seat is not None:
            computed = (
                "" if seat in self.controller.remote_people else f"{match_text.seat_text(match, seat)} is thinking"
            )
            return self.controller.absence_text or computed
        return "The shot is worked out" if self.controller.phase == "settle" and self.match.game.uses_physics else ""

    @property
    def bot_wait_text(self) -> str:
        """Text shown while the bot to play waits for the compiler; empty otherwise."""
        warmup, match = self.bot_warmup, self.match
        player = None if match.to_play is None else match.players[match.to_play]
        return warmup.short_message if warmup is not None and warmup.is_needed_by(player, match.state) else ""

    def draw_overlay(self, canvas: Canvas) -> None:
        """Draw evaluation bar, turn banner, points won and busy indicator."""
        if self.analysis.is_bar_visible:
            width, area = round(BAR_COLUMN_WIDTH * self.app.scale), self.table_area
            self.analysis.draw_bar(canvas, pygame.Rect(max(0, area.x - width), area.y, width, area.h))
        if self.demo.solution is not None and self.demo.is_available and self.view is not None:
            self.demo.draw(canvas, self.view, self.shot_path(self.demo.solution.action))
        self.effects.draw(canvas, self.table_area, self.wait_text)

    @property
    def can_hint(self) -> bool:
        """True if hints are available at this table."""
        is_allowed = self.activity_card.allows_hints if self.activity_card is not None else self.bar is None
        return self.controller.has_humans and is_allowed

    @property
    def can_help(self) -> bool:
        """True if help is available: a hint, or a demonstration shot."""
        return self.can_hint if self.demo.solution is None else self.demo.is_available
