"""Recording of a finished game's results in the player's history."""

from collections.abc import Sequence

from flicksim.ai import GRADES, RandomPlayer
from flicksim.gui.app.current_player import CurrentPlayer
from flicksim.gui.table_view import scene_of
from flicksim.match import Match, Turn
from flicksim.scene import Squidge

FRIENDS_LABEL = "friends"
"""Opponent of games between people alone."""


_MIN_TURNS_PLAYED = 5
"""Least number of turns of people for a game to count as played."""


def record_abandoned(player: CurrentPlayer, match: Match, opponent: str | None = None) -> None:
    """Record that a game was played, and its result if it is over, when its screen closes.

    A game of several ends counts as played once one of them is finished.

    Args:
        opponent: see `record_result`.
    """
    is_first_end = getattr(match.options, "ends", 1) > 1 and getattr(match.state, "end", 0) == 1
    own_turns = sum(match.players[turn.seat] is None for turn in match.turns)
    if match.is_over or (own_turns >= _MIN_TURNS_PLAYED and not is_first_end):
        player.record_start(match.game.name)
    if match.is_over:
        record_result(player, match, opponent)


def record_result(player: CurrentPlayer, match: Match, opponent: str | None = None) -> None:
    """Record a finished game for every named person at the window and for its owner.

    Args:
        opponent: as `opponent_grade` tells, where the players of other seats are not known here; None asks it.
    """
    opponent = opponent_grade(match) if opponent is None else opponent
    own: dict[str, list[int]] = {}
    for seat in local_seats(match):
        if seat in match.player_names:
            own.setdefault(match.player_names[seat], []).append(seat)
    if not player.name:
        nameless = [seat for seat in local_seats(match) if seat not in match.player_names]
        own[""] = [seat for seat in owner_seats(match) if seat in nameless] or nameless
    for name, seats in own.items():
        if seats:
            share, pots = _win_share(match, seats), pot_counts(match, seats)
            player.record_game(match.game.name, opponent, share, pots, profile_name=name)


def local_seats(match: Match) -> list[int]:
    """Seats of people at this window."""
    return [seat for seat, player in enumerate(match.players) if player is None]


def owner_seats(match: Match) -> list[int]:
    """Seats of the window's owner: the first local one, with the partner's where nobody else need sit there."""
    seats = local_seats(match)
    if match.game.has_partners and len(seats) == len(match.players) // 2:
        return seats
    return seats[::2] if match.game.has_partners and len(seats) == len(match.players) else seats[:1]


def opponent_grade(match: Match) -> str:
    """Grade of the best bot; "random" or "friends" without one."""
    is_bot = [player is not None and not isinstance(player, RandomPlayer) for player in match.players]
    bots = [name for seat in range(len(is_bot)) if is_bot[seat] for name in GRADES if GRADES[name] == match.noise[seat]]
    return best_grade(bots) or ("random" if any(match.players) else FRIENDS_LABEL)


def best_grade(grades: Sequence[str]) -> str:
    """Best of the grades of bots; empty without one."""
    return max(grades, key=list(GRADES).index, default="")


def _win_share(match: Match, seats: list[int]) -> float:
    """Share of the win: 1, 1/2 if it is shared, 0 for a loss."""
    sides, winners = match.game.sides(len(match.players)), set(match.winners)
    own = {seat for side in sides if not set(side).isdisjoint(seats) for seat in side}
    return 0.0 if winners.isdisjoint(own) else 1.0 if winners <= own else 0.5


def pot_counts(match: Match, seats: list[int]) -> tuple[int, int]:
    """Number of squidges of these seats, and of their winks potted by them."""
    shots = [turn for turn in match.turns if turn.seat in seats and isinstance(turn.made, Squidge)]
    return len(shots), sum(
        max(0, _in_pot_count(turn, seats, is_after=True) - _in_pot_count(turn, seats, is_after=False)) for turn in shots
    )


def _in_pot_count(turn: Turn, seats: list[int], *, is_after: bool) -> int:
    scene = scene_of(turn.after if is_after else turn.before)
    return 0 if scene is None else sum(piece.owner in seats and piece.support == "pot" for piece in scene.pieces)
