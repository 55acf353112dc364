"""Input controller of the launchers at the window: by mouse, and by keys for all seats at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin

import pygame

from flicksim.ai import NO_NOISE, ExecutionNoise
from flicksim.core.geometry import wrap_angle
from flicksim.core.units import deg2rad, mm
from flicksim.games.ice.table_layout import size_of
from flicksim.gui.game_views.ice.camera_view import IceView
from flicksim.gui.game_views.ice.ice_controller import IceMatchController
from flicksim.gui.game_views.ice.key_bindings import KEY_CLUSTERS, SINGLE_PLAYER_KEYS, KeyCluster
from flicksim.gui.game_views.ice.launcher_pose import SPEED_RANGE, LauncherPlace, LauncherPose
from flicksim.gui.game_views.ice.piece_count import stash_counts
from flicksim.gui.table_view import gestures
from flicksim.gui.table_view.gesture_noise import GestureNoise, ShotSpread
from flicksim.scene import BASE_HEIGHT_RANGE, STRIKE_ELEVATION_RANGE, STRIKE_HEIGHT_RANGE, Launch, Size

_CHARGE_TIME = 1.1
"""Time a key is held for full strength, after which strength falls again [s]."""
_DEAD_ZONE, _FULL_PULL = 10.0, 260.0
"""Shortest pull that counts, and the pull of full strength [units]."""
_STRIKE_RADIUS = 40.0
"""Distance from a launcher within which a stroke strikes it [units]."""
_TURN_RATE, _TURN_DELAY = deg2rad(40.0), 0.22
"""Rate at which a held key turns the aim [rad/s], and the delay before it [s]."""


class LauncherControl:
    """Controller of all launchers of people at the window.

    Args:
        launcher_places: of every seat. people: seats at the window. controller: of the match. on_flick: called with
            the seat that flicks.
    """

    def __init__(
        self,
        launcher_places: Mapping[int, LauncherPlace],
        people: Sequence[int],
        controller: IceMatchController,
        on_flick: Callable[[int], None],
    ) -> None:
        self.poses = {seat: LauncherPose(seat, place) for seat, place in launcher_places.items()}
        self.people, self._controller, self._on_flick = people, controller, on_flick
        self.clusters: dict[int, KeyCluster] = dict(zip(people, KEY_CLUSTERS, strict=False)) if len(people) > 1 else {}
        self.seat = self._default_seat()
        """Seat that the mouse and the sliders control."""
        self.gesture_noises = {seat: GestureNoise() for seat in people}
        """Gesture noise by seat."""
        self.noise_of: Callable[[int], ExecutionNoise] = lambda _: NO_NOISE
        """Execution noise of the people, by their grade."""
        self.charge_times: dict[int, float] = {}
        self.pull: tuple[tuple[int, int], tuple[int, int]] | None = None
        self._is_sliding = False
        self._previous_aim = (0.0, 0.0, False)
        self._key_times: dict[int, float] = {}

    def _default_seat(self) -> int:
        """Seat selected at first: the one at the window with missiles left that may launch first."""
        state = self._controller.rules_state
        armed = [seat for seat in self.people if state.hands[seat]] or self.people or (0,)
        return min(armed, key=lambda seat: state.ready[seat])

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
        return self.pull is not None or self._is_sliding

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
            is_pulling = self.pull is not None and seat == self.seat
            gesture_noise.update(self._steadied_launch(seat), dt, is_pulling=is_pulling)
        for seat in self.charge_times:
            self.charge_times[seat] += dt
        for key in self._key_times:
            self._key_times[key] += dt
        for seat, cluster in self.clusters.items():
            for key, direction in ((cluster.left, 1.0), (cluster.right, -1.0)):
                if self._key_times.get(key, 0.0) > _TURN_DELAY:
                    self.poses[seat].rotate(direction * _TURN_RATE * dt)

    def _steadied_launch(self, seat: int) -> tuple[object, ...] | None:
        """Parts of the launch that must stay constant for the gesture noise to fall; None without a launch."""
        pose = self.poses[seat]
        if not self.is_aiming or self.next_missile(seat) is None:
            return None
        aim = (pose.size, pose.aim_offset, pose.lateral_offset, pose.slant, pose.height, pose.lift)
        return aim if seat in self.charge_times else (*aim, pose.speed)

    def execution_noise(self, seat: int) -> ExecutionNoise:
        """Execution noise of a seat with its current gesture noise."""
        return self.gesture_noises[seat].scaled_noise(self.noise_of(seat))

    def shot_spread(self, seat: int) -> ShotSpread | None:
        """Spread of launches of a seat now; None without execution noise."""
        spread = self.gesture_noises[seat].spread(self.noise_of(seat)) if seat in self.gesture_noises else None
        loose = self.noise_of(seat).free_launcher_factor
        return None if spread is None else ShotSpread(loose * spread.azimuth, loose * spread.speed, spread.noise_scale)

    def charge_level(self, seat: int) -> float | None:
        """Charge of a held key, rising and falling between 0 and 1; None if no key is held."""
        if seat not in self.charge_times:
            return None
        share = (self.charge_times[seat] / _CHARGE_TIME) % 2.0
        return share if share <= 1.0 else 2.0 - share

    def cancel(self) -> bool:
        """Cancel a pull or charge; return True if there was one."""
        if self.pull is not None:
            self.pose.aim_offset, self.pose.speed, self.pose.is_speed_set = self._previous_aim
            self.pull = None
            return True
        has_begun = [gesture_noise.reset() for gesture_noise in self.gesture_noises.values()]
        stopped = any(has_begun) or bool(self.charge_times)
        self.charge_times.clear()
        self._key_times.clear()
        return stopped

    # -- the mouse ------------------------------------------------------------------------------------------------

    def handle_mouse(self, event: pygame.event.Event, view: IceView, scale: float) -> bool:
        """Handle the mouse; return True if it was used: left draws back and flicks, right slides the launcher."""
        pose = self.pose
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and view.area.collidepoint(event.pos):
                self.pull = (event.pos, event.pos)
                self.gesture_noises[self.seat].reset()
                self.gesture_noises[self.seat].record_pointer(event.pos)
                self._previous_aim = (pose.aim_offset, pose.speed, pose.is_speed_set)
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and self.pull is not None:
                self.cancel()
            case pygame.MOUSEBUTTONDOWN if event.button == 3 and view.is_on_table(event.pos):
                self._is_sliding = True
                self._slide_launcher(event.pos, view)
            case pygame.MOUSEMOTION if self._is_sliding:
                self._slide_launcher(event.pos, view)
            case pygame.MOUSEMOTION if self.pull is not None and self.gesture_noises[self.seat].gesture == "flick":
                self._follow_stroke(event.pos, view, scale)
            case pygame.MOUSEMOTION if self.pull is not None:
                self._apply_pull(event.pos, scale)
            case pygame.MOUSEBUTTONUP if event.button == 3 and self._is_sliding:
                self._is_sliding = False
            case pygame.MOUSEBUTTONUP if event.button == 1 and self.pull is not None:
                strokes = self.gesture_noises[self.seat].gesture == "flick"
                distance = 0.0 if strokes else self._apply_pull(event.pos, scale)
                self.pull = None
                if distance > _DEAD_ZONE:
                    self._on_flick(self.seat)
            case _:
                return False
        return True

    def _follow_stroke(self, position: tuple[int, int], view: IceView, scale: float) -> None:
        """Follow the pointer of a stroke; launch as it passes the launcher."""
        assert self.pull is not None
        gesture_noise, pose, before = self.gesture_noises[self.seat], self.pose, self.pull[1]
        self.pull = (self.pull[0], position)
        gesture_noise.record_pointer(position)
        if not gestures.passes_within(before, position, view.camera.to_screen(pose.position), _STRIKE_RADIUS * scale):
            return
        gesture = gesture_noise.finish_stroke(scale)
        if gesture is None:
            return
        azimuth = gesture.azimuth - view.camera.rotation
        speed = SPEED_RANGE[0] + (SPEED_RANGE[1] - SPEED_RANGE[0]) * gesture.strength
        if pose.is_speed_set:
            azimuth, speed = gestures.snap_to_aim(azimuth, speed, (pose.azimuth, pose.speed))
        pose.aim_offset = 0.0
        pose.rotate(wrap_angle(azimuth - pose.place.forward))
        pose.change_speed(speed - pose.speed)
        self.pull = None
        self._on_flick(self.seat)

    def _slide_launcher(self, position: tuple[int, int], view: IceView) -> None:
        x, y = view.camera.to_table(position)
        place = self.pose.place
        right = place.forward - pi / 2.0
        offset = (x - place.center[0]) * cos(right) + (y - place.center[1]) * sin(right)
        self.pose.move(offset - self.pose.lateral_offset)

    def _apply_pull(self, position: tuple[int, int], scale: float) -> float:
        """Set direction and strength opposite to the pull. Return its length [units]."""
        assert self.pull is not None
        start, pose = self.pull[0], self.pose
        self.pull = (start, position)
        dx, dy = start[0] - position[0], start[1] - position[1]
        distance = hypot(dx, dy) / scale
        pose.aim_offset, pose.speed, pose.is_speed_set = self._previous_aim
        if distance > _DEAD_ZONE:
            pose.aim_offset = 0.0
            pose.rotate(wrap_angle(atan2(-dy, dx) - pose.place.forward))
            pose.set_strength(min((distance - _DEAD_ZONE) / (_FULL_PULL - _DEAD_ZONE), 1.0))
        return distance

    # -- keys -----------------------------------------------------------------------------------------------------

    def handle_key(self, event: pygame.event.Event) -> bool:
        """Handle a key press; return True if it was used."""
        if self.clusters:
            return self._handle_shared_key(event)
        return bool(self.people) and self._handle_single_key(event)

    def handle_key_up(self, event: pygame.event.Event) -> None:
        """Launch for the seat whose charging key was released."""
        self._key_times.pop(event.key, None)
        for seat, cluster in self.clusters.items():
            share = self.charge_level(seat)
            if event.key == cluster.flick and share is not None:
                self.poses[seat].set_strength(share)
                del self.charge_times[seat]
                self._on_flick(seat)

    def _handle_shared_key(self, event: pygame.event.Event) -> bool:
        """Handle a key of the cluster of one of several people."""
        keys = {seat: (one.left, one.right, one.size, one.flick) for seat, one in self.clusters.items()}
        seat = next((seat for seat in keys if event.key in keys[seat]), None)
        if seat is None:
            return False
        cluster = self.clusters[seat]
        if event.key in self._key_times:
            return True  # held down: see `update`
        self._key_times[event.key] = 0.0
        if event.key in (cluster.left, cluster.right):
            fine = 0.25 if event.mod & pygame.KMOD_SHIFT else 1.0
            self.poses[seat].rotate(deg2rad(1.0) * fine * (1 if event.key == cluster.left else -1))
        elif event.key == cluster.size:
            self.load(seat, None)
        elif seat not in self.charge_times and self._controller.can_act(seat):
            if self._controller.rules_state.started:
                self.charge_times[seat] = 0.0
            else:
                self._on_flick(seat)
        return True

    def _handle_single_key(self, event: pygame.event.Event) -> bool:
        """Handle a key of the only person: arrows aim and set strength, letters set the numbers."""
        pose, part = self.pose, 0.1 if event.mod & pygame.KMOD_SHIFT else 1.0
        command, direction = SINGLE_PLAYER_KEYS.match(event)
        by = direction * part
        match command:
            case "aim":
                pose.rotate(-deg2rad(1.0) * by)
            case "push":
                pose.change_speed(-0.05 * by)
            case "shift":
                pose.move(mm(5.0) * by)
            case "slant":
                pose.slant = _clamped_step(pose.slant, -deg2rad(1.0) * by, STRIKE_ELEVATION_RANGE)
            case "height":
                pose.height = _clamped_step(pose.height, mm(0.5) * by, STRIKE_HEIGHT_RANGE)
            case "lift":
                pose.lift = _clamped_step(pose.lift, mm(5.0) * by, BASE_HEIGHT_RANGE)
            case "reset":
                pose.reset()
            case _:
                return False
        return True


def _clamped_step(value: float, delta: float, limits: tuple[float, float]) -> float:
    return min(max(value + delta, limits[0]), limits[1])
