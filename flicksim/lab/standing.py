"""A position of a game set up, for the seat to play to flick from."""

from __future__ import annotations

from typing import get_args

from flicksim.base.codec import from_plain, to_plain
from flicksim.base.errors import BadInput
from flicksim.base.kinds import Position, State
from flicksim.games import load
from flicksim.lab.experiment import Standing
from flicksim.play import Match, Seat, open_match
from flicksim.referee import Game, check_seats, parse_options
from flicksim.table import Launch


def set_up(asked: Standing) -> tuple[Game, State]:
    """A game and the state to flick from."""
    game = load(asked.name)
    if not game.flicked:
        raise BadInput(f"nothing is flicked in {game.title}; an experiment needs a game of the table")
    if Launch in get_args(game.action):
        raise BadInput(f"{game.title} settles volleys; for a single launch give a table by pyramids instead")
    seats = game.seats[0] if asked.seats is None else asked.seats
    check_seats(game, seats)
    options = asked.options
    position: Position = None
    if asked.position is not None:
        if game.positions is None:
            raise BadInput(f"{game.title} has no notation for positions; begin at the start and say what was played")
        notation = game.positions
        position = (
            notation.shipped(asked.position)
            if isinstance(asked.position, str)
            else from_plain(asked.position, notation.Position, name="game.position")
        )
        options = {**to_plain(position.options), **options}
    people = [Seat(kind="human")] * seats
    match: Match = open_match(game, parse_options(game, options), people, asked.seed, position=position)
    for number, plain in enumerate(asked.played, 1):
        action = from_plain(plain, game.action, name=f"game.played {number}")
        match.play(action, made=action)
    if match.over:
        raise BadInput(f"{game.title}: the game is over after {len(asked.played)} actions; nothing can be flicked")
    return game, match.state
