"""Input controller of the launchers at the window: by mouse, and by keys for all seats at once."""

from collections.abc import Callable, Sequence

import pygame

from flicksim.ai import ExecutionNoise
from flicksim.core.units import deg2rad
from flicksim.games.ice.table_layout import seat_areas, size_of
from flicksim.gui.game_views.ice import KEY_CLUSTERS, SINGLE_PLAYER_KEYS
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.launch_log import stash_counts
from flicksim.gui.game_views.ice.launcher_pose import SLIDERS, LauncherPose, launcher_place, speed_of
from flicksim.gui.table_view import GestureNoise, ShotSpread, change_by_key
from flicksim.gui.table_view.slingshot import Slingshot
from flicksim.scene import Launch, Size

_CHARGE_TIME = 1.1
"""Time a key is held for full strength, after which strength falls again [s]."""
_FULL_PULL, _STRIKE_RADIUS = 260.0, 40.0
"""Pull of full strength, and distance from a launcher within which a stroke strikes it [units]."""
_TURN_RATE, _TURN_DELAY = deg2rad(40.0), 0.22
"""Rate at which a held key turns the aim [rad/s], and the delay before it [s]."""


class LauncherControl:
    """Controller of all launchers of people at the window.

    Args:
        people: seats at the window. controller: of the match. view: of the table. on_flick: called with the seat that
            flicks. noise_of: execution noise of a seat, by its grade.
    """

    def __init__(
        self, people: Sequence[int], controller: IceMatchController, view: IceView, on_flick: Callable[[int], None],
        noise_of: Callable[[int], ExecutionNoise],
    ) -> None:  # fmt: skip
        match, state = controller.match, controller.rules_state
        areas = enumerate(seat_areas(state.options, state.seats))
        self.poses = {seat: LauncherPose(seat, launcher_place(area)) for seat, area in areas}
        self.people, self._controller, self._on_flick, self._noise_of = people, controller, on_flick, noise_of
        # in a puzzle often one seat alone has missiles
        seats = people if match.turns else [seat for seat in people if state.hands[seat]]
        self.clusters = dict(zip(seats, KEY_CLUSTERS, strict=False)) if len(seats) > 1 else {}
        self.seat = self._default_seat()
        """Seat that the mouse and the sliders control."""
        self.gesture_noises = {seat: GestureNoise() for seat in people}
        """Gesture noise by seat."""
        self.charge_times: dict[int, float] = {}
        self._view = view
        self.slingshot = Slingshot(
            view, speed_of, lambda: self.pose.position, GestureNoise(), full_pull=_FULL_PULL,
            strike_radius=_STRIKE_RADIUS,
        )  # fmt: skip
        self._is_sliding = False
        self._held_keys: dict[int, tuple[int, str, int, float]] = {}
        """Seat, action, direction and time [s] of each held key of a cluster."""

    def _default_seat(self) -> int:
        """Seat selected at first: the one at the window with missiles left that may launch first."""
        state = self._controller.rules_state
        armed = [seat for seat in self.people if state.hands[seat]] or self.people or (0,)
        return min(armed, key=lambda seat: state.ready[seat])

    def select_next_seat(self) -> None:
        """Select the next person at the window who has missiles left."""
        k = self.people.index(self.seat) + 1
        later = [seat for seat in (*self.people[k:], *self.people[:k]) if self._controller.has_missile(seat)]
        self.seat = next(iter(later), self.seat)

    @property
    def pose(self) -> LauncherPose:
        """Launcher pose that the mouse and the sliders control."""
        return self.poses[self.seat]

    @property
    def is_aiming(self) -> bool:
        """True if somebody at the window can prepare a launch."""
        return bool(self.people) and self._controller.phase == "choose"

    @property
    def is_busy(self) -> bool:
        """True while the mouse draws back or slides a launcher."""
        return self.slingshot.pull is not None or self._is_sliding

    # -- missiles -------------------------------------------------------------------------------------------------

    def fix_sizes(self) -> None:
        """Correct sizes that are no longer in hand; a stacked missile is launched first."""
        state = self._controller.rules_state
        for seat in self.people:
            pose, first = self.poses[seat], state.loaded[seat]
            if first is not None:
                pose.set_size(size_of(first))
            remaining = stash_counts(state, seat)
            if not remaining[pose.size]:
                pose.next_size(remaining)

    def load(self, seat: int, size: Size | None) -> str:
        """Stack a missile of a size, or of the next size. Return the reason for a refusal, or an empty string."""
        state = self._controller.rules_state
        remaining = stash_counts(state, seat)
        if state.loaded[seat] is not None:
            return "What is stacked on the launcher is launched first."
        if size is None:
            self.poses[seat].next_size(remaining)
        elif not remaining[size]:
            return f"There is no {size} missile left in hand."
        else:
            self.poses[seat].set_size(size)
        return ""

    def next_missile(self, seat: int) -> str | None:
        """Missile a seat would launch now; None when it has none."""
        state = self._controller.rules_state
        if state.loaded[seat] is not None:
            return state.loaded[seat]
        hand = [name for name in state.hands[seat] if size_of(name) == self.poses[seat].size]
        return hand[0] if hand else None

    def intended_launch(self, seat: int) -> Launch | None:
        """Launch a seat has prepared; None without a missile."""
        piece = self.next_missile(seat)
        return self.poses[seat].make_launch(piece) if piece is not None else None

    # -- time -----------------------------------------------------------------------------------------------------

    def update(self, dt: float) -> None:
        """Advance charging and turning by held keys, and the gesture noise."""
        for seat, gesture_noise in self.gesture_noises.items():
            is_pulling = self.slingshot.pull is not None and seat == self.seat
            aim = self._steadied_launch(seat)
            gesture_noise.update(aim, dt, is_pulling=is_pulling)
            if not self._controller.can_act(seat):
                gesture_noise.accept_aim(aim)
        for seat in self.charge_times:
            self.charge_times[seat] += dt
        for key, (seat, command, direction, time) in self._held_keys.items():
            self._held_keys[key] = (seat, command, direction, time + dt)
            if command == "turn" and time + dt > _TURN_DELAY:
                self.poses[seat].rotate(-direction * _TURN_RATE * dt)
            if command == "flick":
                self._charge(seat)  # held down since before it was allowed, as in the countdown

    def _charge(self, seat: int) -> None:
        """Begin to charge, once the seat may launch."""
        if seat not in self.charge_times and self._controller.rules_state.started and self._controller.can_act(seat):
            self.charge_times[seat] = 0.0

    def copy_launch(self, seat: int, launch: Launch) -> None:
        """Copy a launch that is shown to a seat (a hint); reading it does not tire the hand."""
        self.seat = seat
        self.pose.copy_launch(launch)
        self.gesture_noises[self.seat].accept_aim(self._steadied_launch(self.seat))

    def _steadied_launch(self, seat: int) -> tuple[object, ...] | None:
        """Parts of the launch that must stay constant for the gesture noise to fall; None without a launch."""
        pose = self.poses[seat]
        if not self.is_aiming or self.next_missile(seat) is None:
            return None
        aim = (pose.size, pose.aim_offset, pose.lateral_offset, pose.slant, pose.height, pose.lift)
        return aim if seat in self.charge_times else (*aim, pose.speed)

    def execution_noise(self, seat: int) -> ExecutionNoise:
        """Execution noise of a seat with its current gesture noise."""
        return self._noise_of(seat).scaled(self.gesture_noises[seat].noise_scale)

    def shot_spread(self, seat: int) -> ShotSpread | None:
        """Spread of the launch a seat has prepared, now; None without execution noise or a missile."""
        gesture_noise, intended = self.gesture_noises.get(seat), self.intended_launch(seat)
        return gesture_noise.spread(self._noise_of(seat), intended) if gesture_noise and intended else None

    def charge_level(self, seat: int) -> float | None:
        """Charge of a held key, rising and falling between 0 and 1; None if no key is held."""
        if seat not in self.charge_times:
            return None
        share = (self.charge_times[seat] / _CHARGE_TIME) % 2.0
        return share if share <= 1.0 else 2.0 - share

    def cancel(self) -> bool:
        """Cancel a pull or charge; return True if there was one."""
        if self.slingshot.cancel(self.pose):
            return True
        has_begun = [gesture_noise.reset() for gesture_noise in self.gesture_noises.values()]
        stopped = any(has_begun) or bool(self.charge_times)
        self.charge_times.clear()
        self._held_keys.clear()
        return stopped

    # -- the mouse ------------------------------------------------------------------------------------------------

    def handle_mouse(self, event: pygame.event.Event, scale: float) -> bool:
        """Handle the mouse; return True if it was used: left draws back and flicks, right slides the launcher."""
        pose, slingshot = self.pose, self.slingshot
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and self._view.area.collidepoint(event.pos):
                slingshot.scale, slingshot.is_aim_set = scale, pose.is_speed_set
                slingshot.gesture_noise = self.gesture_noises[self.seat]
                slingshot.mouse_down(pose, event.pos, is_placing=False)
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and slingshot.pull is not None:
                self.cancel()
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and self._view.is_on_table(event.pos):
                self._is_sliding = True
                pose.set_start(self._view.camera.to_table(event.pos))
            case pygame.MOUSEMOTION if self._is_sliding:
                pose.set_start(self._view.camera.to_table(event.pos))
            case pygame.MOUSEBUTTONUP if event.button == 3 and self._is_sliding:
                self._is_sliding = False
            case pygame.MOUSEMOTION | pygame.MOUSEBUTTONUP if (
                slingshot.pull is not None and getattr(event, "button", 1) == 1
            ):
                if slingshot.handle_mouse(event, pose):
                    self._on_flick(self.seat)
            case _:
                return False
        return True

    # -- keys -----------------------------------------------------------------------------------------------------

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key press; return True if it was used."""
        if self.clusters:
            return self._handle_shared_key(event)
        command, direction = SINGLE_PLAYER_KEYS.match(event)
        if self.people and command == "reset":
            self.pose.reset()
            return True
        part = 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        return bool(self.people) and change_by_key(SLIDERS, self.pose, command, direction * part)

    def handle_key_up(self, event: pygame.event.Event) -> None:
        """Launch for the seat whose charging key was released; within the countdown as it is aimed."""
        seat, command, *_ = self._held_keys.pop(event.key, (0, ""))
        if command != "flick":
            return
        if (share := self.charge_level(seat)) is not None:
            self.poses[seat].set_strength(share)
            del self.charge_times[seat]
            self._on_flick(seat)
        elif self._controller.is_counting_down:
            self._on_flick(seat)

    def _handle_shared_key(self, event: pygame.event.Event) -> bool:
        """Handle a key of the cluster of one of several people."""
        matches = ((seat, *cluster.match(event)) for seat, cluster in self.clusters.items())
        seat, command, direction = next((match for match in matches if match[1]), (0, "", 0))
        if not command or event.key in self._held_keys:
            return bool(command)  # held down: see `update`
        self._held_keys[event.key] = (seat, command, direction, 0.0)
        if command == "turn":
            fine = 0.25 if event.mod & pygame.KMOD_SHIFT else 1.0
            self.poses[seat].rotate(deg2rad(-1.0) * fine * direction)
        elif command == "size":
            self.load(seat, None)
        elif self._controller.rules_state.started:
            self._charge(seat)
        elif self._controller.can_act(seat):
            self._held_keys[event.key] = (seat, "load", 0, 0.0)  # let go in the countdown, it flicks nothing
            self._on_flick(seat)
        return True
