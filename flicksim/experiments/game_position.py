"""Set-up of a game position from which an experiment flicks."""

from typing import get_args

from flicksim.core.errors import InvalidInput
from flicksim.core.serialization import from_builtins, to_builtins
from flicksim.core.type_aliases import Position, State
from flicksim.experiments.experiment import GamePosition
from flicksim.games import load
from flicksim.match import Match, Seat, open_match
from flicksim.referee import Game, check_seat_count, parse_options
from flicksim.scene import Launch


def set_up_position(game_position: GamePosition) -> tuple[Game, State]:
    """Set up the position: the game and its state."""
    game = load(game_position.name)
    if not game.uses_physics:
        raise InvalidInput(f"nothing is flicked in {game.title}; an experiment needs a flicking game")
    if Launch in get_args(game.action):
        raise InvalidInput(f"{game.title} has volleys; for a single launch give a scene by `pyramids` instead")
    seats = game.seats[0] if game_position.seats is None else game_position.seats
    check_seat_count(game, seats)
    options = game_position.options
    position: Position = None
    if game_position.position is not None:
        if game.positions is None:
            raise InvalidInput(f"{game.title} has no notation for positions; give the actions from the start instead")
        notation = game.positions
        position = (
            notation.load_builtin(game_position.position)
            if isinstance(game_position.position, str)
            else from_builtins(game_position.position, notation.Position, name="game.position")
        )
        options = {**to_builtins(position.options), **options}
    people = [Seat(kind="human")] * seats
    match: Match = open_match(game, parse_options(game, options), people, game_position.seed, position=position)
    for number, plain in enumerate(game_position.actions, 1):
        action = from_builtins(plain, game.action, name=f"game.actions {number}")
        match.play(action, made=action)
    if match.is_over:
        raise InvalidInput(
            f"{game.title}: the game is over after {len(game_position.actions)} actions; nothing can be flicked"
        )
    return game, match.state
