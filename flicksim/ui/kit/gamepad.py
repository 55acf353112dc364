"""A gamepad as keys: its buttons and its stick press what the keyboard has for every screen."""

from __future__ import annotations

import pygame

_BUTTONS = {0: pygame.K_SPACE, 1: pygame.K_ESCAPE, 2: pygame.K_h, 3: pygame.K_n, 5: pygame.K_TAB, 6: pygame.K_u,
            7: pygame.K_p, 8: pygame.K_b, 9: pygame.K_y}  # fmt: skip
"""Key that each button presses, as most pads number them: A B X Y, right shoulder, back, start, the sticks."""
_FINE = 4
"""The button that is held for fine steps: the left shoulder."""
_WAYS = {(0, -1): pygame.K_LEFT, (0, 1): pygame.K_RIGHT, (1, -1): pygame.K_UP, (1, 1): pygame.K_DOWN}
"""Arrow key that a stick presses: axis, way."""
_TILTED, _BACK = 0.55, 0.35
"""A stick presses an arrow when it is tilted so far, and lets go when it has come back so far."""
_WAIT, _AGAIN = 0.28, 0.05
"""Time that an arrow is held until it is pressed again, and again [s]."""
KINDS = (pygame.JOYDEVICEADDED, pygame.JOYDEVICEREMOVED, pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP,
         pygame.JOYHATMOTION, pygame.JOYAXISMOTION)  # fmt: skip
"""Events that are a gamepad's."""
SAYS = "Gamepad: stick or cross aims, A flicks, B back, X hint, Y next piece, left shoulder fine, start pauses."


class Gamepad:
    """Whatever gamepads are plugged in, as one."""

    def __init__(self) -> None:
        self._open: dict[int, pygame.joystick.JoystickType] = {}
        self._held: dict[int, float] = {}
        """The keys that are down, and until they are pressed again [s]."""
        self._fine = False

    @property
    def there(self) -> bool:
        """True while one is plugged in."""
        return bool(self._open)

    @property
    def held(self) -> bool:
        """True while anything on it is held down."""
        return bool(self._held)

    def added(self, device: int) -> bool:
        """Take up one that was plugged in; False when it cannot be used."""
        try:
            pad = pygame.joystick.Joystick(device)
            self._open[pad.get_instance_id()] = pad
        except pygame.error:
            return False
        return True

    def removed(self, instance: int) -> bool:
        """Let one go that was pulled out; all it held down is let go without a word. False: it was none of ours."""
        self._held.clear()
        self._fine = False
        return self._open.pop(instance, None) is not None

    def keys(self, event: pygame.event.Event) -> list[pygame.event.Event]:
        """The keys that an event of a gamepad presses and lets go."""
        match event.type:
            case pygame.JOYBUTTONDOWN | pygame.JOYBUTTONUP:
                down = event.type == pygame.JOYBUTTONDOWN
                if event.button == _FINE:
                    self._fine = down
                    return []
                key = _BUTTONS.get(event.button)
                return self._turned({key: down}) if key is not None else []
            case pygame.JOYHATMOTION:
                x, y = event.value
                cross = {(0, -1): x < 0, (0, 1): x > 0, (1, -1): y > 0, (1, 1): y < 0}
                return self._turned({_WAYS[way]: there for way, there in cross.items()})
            case pygame.JOYAXISMOTION if event.axis in (0, 1):
                ways = {}
                for way in (-1, 1):
                    key = _WAYS[event.axis, way]
                    ways[key] = event.value * way > (_BACK if key in self._held else _TILTED)
                return self._turned(ways)
        return []

    def update(self, dt: float) -> list[pygame.event.Event]:
        """The arrows that are pressed again because they are still held, after so long [s]."""
        again = []
        for key in self._held:
            if key in _WAYS.values():
                self._held[key] -= dt
                if self._held[key] <= 0.0:
                    self._held[key] = _AGAIN
                    again.append(self._event(pygame.KEYDOWN, key))
        return again

    def _turned(self, now: dict[int, bool]) -> list[pygame.event.Event]:
        """The keys that are down now and were not, or were and are not."""
        found = []
        for key, down in now.items():
            if down and key not in self._held:
                self._held[key] = _WAIT
                found.append(self._event(pygame.KEYDOWN, key))
            elif not down and self._held.pop(key, None) is not None:
                found.append(self._event(pygame.KEYUP, key))
        return found

    def _event(self, kind: int, key: int) -> pygame.event.Event:
        text = chr(key) if 32 <= key < 127 else ""
        return pygame.event.Event(kind, key=key, mod=pygame.KMOD_SHIFT if self._fine else 0, unicode=text, scancode=0)
