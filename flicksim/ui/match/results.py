"""Results of a finished game for whoever played it at this window."""

from __future__ import annotations

from flicksim.play import Match, Turn
from flicksim.players import GRADES, RandomPlayer
from flicksim.table import Squidge
from flicksim.ui.frame.player import Player
from flicksim.ui.table.painter import scene_of

FRIENDS = "friends"
"""Stands for the opponents where only people sit down."""


_LOOKED = 5
"""A person who had so many turns has played a game, not looked what it is."""


def left(player: Player, match: Match) -> None:
    """Write down what a game that is left comes to: the game itself if it is over, and that it is known now."""
    if match.over or sum(match.players[turn.seat] is None for turn in match.turns) >= _LOOKED:
        player.begun(match.game.name)
    if match.over:
        note(player, match)


def note(player: Player, match: Match) -> None:
    """Write down a game that is over, for everybody at the window who has said a name, and for the one at home."""
    own: dict[str, list[int]] = {}
    for seat in here(match):
        if seat in match.people:
            own.setdefault(match.people[seat], []).append(seat)
    if not player.name:
        nameless = [seat for seat in here(match) if seat not in match.people]
        own[""] = [seat for seat in at_home(match) if seat in nameless] or nameless
    for name, seats in own.items():
        if seats:
            player.finished(match.game.name, against(match), _share(match, seats), pots(match, seats), who=name)


def here(match: Match) -> list[int]:
    """The seats of people at this window."""
    return [seat for seat, one in enumerate(match.players) if one is None]


def at_home(match: Match) -> list[int]:
    """The seats of the one at home: the first of them, with its partner's where nobody else need sit there."""
    seats = here(match)
    if match.game.partners and len(seats) == len(match.players) // 2:
        return seats
    return seats[::2] if match.game.partners and len(seats) == len(match.players) else seats[:1]


def against(match: Match) -> str:
    """The best of the bots, as a word; "random" and "friends" where there is none."""
    grades = list(GRADES)
    bots = [name for seat, one in enumerate(match.players) if one is not None and not isinstance(one, RandomPlayer)
            for name, hand in GRADES.items() if hand == match.hands[seat]]  # fmt: skip
    if bots:
        return max(bots, key=grades.index)
    return "random" if any(match.players) else FRIENDS


def _share(match: Match, own: list[int]) -> float:
    """1 for a win, a half for one that is shared with somebody else, 0 for a game lost."""
    best = match.winners
    sides = {seat % 2 for seat in best} if match.game.partners else set(best)
    mine = {seat % 2 for seat in own} if match.game.partners else set(own)
    if not sides & mine:
        return 0.0
    return 1.0 if sides <= mine else 0.5


def pots(match: Match, own: list[int]) -> tuple[int, int]:
    """Squidges of these seats, and how many winks of theirs they put into the pot."""
    shots = [turn for turn in match.turns if turn.seat in own and isinstance(turn.made, Squidge)]
    return len(shots), sum(max(0, _inside(turn, own, after=True) - _inside(turn, own, after=False)) for turn in shots)


def _inside(turn: Turn, own: list[int], *, after: bool) -> int:
    scene = scene_of(turn.after if after else turn.before)
    return 0 if scene is None else sum(piece.owner in own and piece.support == "pot" for piece in scene.pieces)
