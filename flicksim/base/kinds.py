"""Names for what every game has its own kind of. Whoever hands these on never looks into them."""

from __future__ import annotations

from typing import Any, TypeAlias

State: TypeAlias = Any
"""All there is to know of a game between two turns: a Value of the game's own."""
View: TypeAlias = Any
"""View of a state by a seat: of a game in which all lies open, the state."""
Action: TypeAlias = Any
"""Action of a player: a Flick, Squidge, Launch or move, or a decision of the game's own."""
Kinds: TypeAlias = Any
"""The kinds of actions of a game: one type, or a union of several, for reading them back."""
Options: TypeAlias = Any
"""Options of a game: a Value of the game's own."""
Streams: TypeAlias = Any
"""The named streams of chance of a match: `Seeds`, where one may roll dice."""
Bot: TypeAlias = Any
"""Thought of a bot, as its player asks it: of flicks see `players.search`, of what is weighed `players.outlook`."""
Staged: TypeAlias = Any
"""Start of a settling: a Scene or PyramidScene, or Zones of cards."""
Account: TypeAlias = Any
"""Outcome of a settled action: a Motion, Landings or a Play; None when nothing moved."""
Position: TypeAlias = Any
"""A state as people write it: a Value of the game's own."""
Plain: TypeAlias = Any
"""Values of JSON: words, numbers, true, false, null, and lists and dicts of these."""
Given: TypeAlias = Any
"""Whatever somebody handed in, before it is looked at."""
