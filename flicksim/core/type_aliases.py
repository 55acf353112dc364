"""Type aliases for game-specific values that generic code treats as opaque."""

from typing import Any, TypeAlias

State: TypeAlias = Any
"""Full state of a game between two turns: a Value of the game's own."""
View: TypeAlias = Any
"""State as a seat sees it: in a game of perfect information, the state itself."""
Action: TypeAlias = Any
"""Action of a player: a Flick, Squidge, Launch or move, or a decision of the game's own."""
ActionTypes: TypeAlias = Any
"""Types of a game's actions: one type, or a union of several, for decoding."""
Options: TypeAlias = Any
"""Options of a game: a Value of the game's own."""
Streams: TypeAlias = Any
"""Random streams of a match: `RandomStreams`."""
BotModel: TypeAlias = Any
"""Model that a bot searches with: candidate actions and values of a game (`flicksim.ai`)."""
InitialState: TypeAlias = Any
"""Initial state of a simulation: a Scene or PyramidScene, or Zones of cards."""
SimulationResult: TypeAlias = Any
"""Result of a simulated action: a Trajectory, VolleyTrajectory or TransferResult; None when nothing moved."""
Position: TypeAlias = Any
"""Editable notation of a state: a Value of the game's own."""
JsonValue: TypeAlias = Any
"""Value of JSON: string, number, true, false, null, or a list or dict of these."""
Unchecked: TypeAlias = Any
"""Value from a caller that has not been validated yet."""
