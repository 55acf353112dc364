"""Gamepad input mapped to key presses."""

import pygame

_BUTTON_KEYS = {0: pygame.K_SPACE, 1: pygame.K_ESCAPE, 2: pygame.K_h, 3: pygame.K_n, 5: pygame.K_TAB, 6: pygame.K_u,
            7: pygame.K_p, 8: pygame.K_b, 9: pygame.K_y}  # fmt: skip
"""Key of each button by its usual number: A B X Y, right shoulder, back, start, sticks."""
_FINE_BUTTON = 4
"""Button held for fine steps: the left shoulder."""
_DIRECTION_KEYS = {(0, -1): pygame.K_LEFT, (0, 1): pygame.K_RIGHT, (1, -1): pygame.K_UP, (1, 1): pygame.K_DOWN}
"""Arrow key by axis and direction of a stick."""
_PRESS_THRESHOLD, _RELEASE_THRESHOLD = 0.55, 0.35
"""Tilts at which a stick presses and releases an arrow key (hysteresis)."""
_REPEAT_DELAY, _REPEAT_INTERVAL = 0.28, 0.05
"""Delay and interval of the repetition of arrow keys [s]."""
EVENT_TYPES = (pygame.JOYDEVICEADDED, pygame.JOYDEVICEREMOVED, pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP,
         pygame.JOYHATMOTION, pygame.JOYAXISMOTION)  # fmt: skip
"""Types of gamepad events."""
HELP_TEXT = "Gamepad: stick or cross aims, A flicks, B back, X hint, Y next piece, left shoulder fine, start pauses."


class Gamepad:
    """All connected gamepads, combined into one."""

    def __init__(self) -> None:
        self._devices: dict[int, pygame.joystick.JoystickType] = {}
        self._pressed: dict[int, float] = {}
        """Keys held down, and time until their next repetition [s]."""
        self._fine = False

    @property
    def is_pressed(self) -> bool:
        """True while any button or direction is held down."""
        return bool(self._pressed)

    def connect(self, device: int) -> bool:
        """Connect a gamepad; return False when it cannot be used."""
        try:
            pad = pygame.joystick.Joystick(device)
            self._devices[pad.get_instance_id()] = pad
        except pygame.error:
            return False
        return True

    def disconnect(self, instance: int) -> bool:
        """Disconnect a gamepad and release its keys without events; return False for an unknown one."""
        self._pressed.clear()
        self._fine = False
        return self._devices.pop(instance, None) is not None

    def key_events(self, event: pygame.event.Event) -> list[pygame.event.Event]:
        """Key events of a gamepad event."""
        match event.type:
            case pygame.JOYBUTTONDOWN | pygame.JOYBUTTONUP:
                down = event.type == pygame.JOYBUTTONDOWN
                if event.button == _FINE_BUTTON:
                    self._fine = down
                    return []
                key = _BUTTON_KEYS.get(event.button)
                return self._changed_keys({key: down}) if key is not None else []
            case pygame.JOYHATMOTION:
                x, y = event.value
                hat = {(0, -1): x < 0, (0, 1): x > 0, (1, -1): y > 0, (1, 1): y < 0}
                return self._changed_keys({_DIRECTION_KEYS[direction]: is_down for direction, is_down in hat.items()})
            case pygame.JOYAXISMOTION if event.axis in (0, 1):
                states = {}
                for direction in (-1, 1):
                    key = _DIRECTION_KEYS[event.axis, direction]
                    threshold = _RELEASE_THRESHOLD if key in self._pressed else _PRESS_THRESHOLD
                    states[key] = event.value * direction > threshold
                return self._changed_keys(states)
        return []

    def repeat_events(self, dt: float) -> list[pygame.event.Event]:
        """Repeated key events of arrows held for a further time [s]."""
        events = []
        for key in self._pressed:
            if key in _DIRECTION_KEYS.values():
                self._pressed[key] -= dt
                if self._pressed[key] <= 0.0:
                    self._pressed[key] = _REPEAT_INTERVAL
                    events.append(self._key_event(pygame.KEYDOWN, key))
        return events

    def _changed_keys(self, pressed: dict[int, bool]) -> list[pygame.event.Event]:
        """Key events for the keys whose state has changed."""
        events = []
        for key, down in pressed.items():
            if down and key not in self._pressed:
                self._pressed[key] = _REPEAT_DELAY
                events.append(self._key_event(pygame.KEYDOWN, key))
            elif not down and self._pressed.pop(key, None) is not None:
                events.append(self._key_event(pygame.KEYUP, key))
        return events

    def _key_event(self, kind: int, key: int) -> pygame.event.Event:
        text = chr(key) if 32 <= key < 127 else ""
        return pygame.event.Event(kind, key=key, mod=pygame.KMOD_SHIFT if self._fine else 0, unicode=text, scancode=0)
