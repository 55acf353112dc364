"""Nothing hidden leaks: states that differ only in what a seat may not see look the same to it, byte for byte."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from flicksim.cards import STANDARD_DECK, TILES, Dealer, Discard, Draw, LayOff, Meld, Pass, PlaceTile
from flicksim.core.errors import IllegalAction
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json
from flicksim.games import load
from flicksim.referee import Game, parse_options
from tests.cards.hidden_states import redeal_hidden


def play_step(game: Game, state: Any, action: Any) -> tuple[Any, Any, Any]:
    game.rules.check_action(state, action)
    staged = game.rules.simulation_setup(state, action)
    transfer = None if staged is None else Dealer().simulate(*staged)
    verdict = game.rules.judge(state, action, transfer)
    return game.rules.next_state(state, transfer, verdict), verdict, transfer


def rejection_messages(game: Game, state: Any) -> list[str]:
    probes: list[Any] = [Pass(), Draw()]
    probes += [PlaceTile(tile=tile, end=end) for tile in TILES[:28] for end in (None, "left", "right")]  # type: ignore[arg-type]
    probes += [Discard(card=card) for card in STANDARD_DECK] + [Meld(cards=(card,) * 3) for card in STANDARD_DECK]
    probes += [LayOff(cards=(card,), group=1) for card in STANDARD_DECK]
    said = []
    for probe in probes:
        try:
            game.rules.check_action(state, probe)
            said.append("allowed")
        except IllegalAction as wrong:
            said.append(str(wrong))
    return said


def play_at_random(game: Game, state: Any, rng: Random, turns: int) -> Iterator[tuple[int, Any, int]]:
    """Number of the turn, state and seat to play of the first turns of a game."""
    for turn in range(turns):
        seat = game.rules.to_play(state)
        if seat is None:
            return
        yield turn, state, seat
        state, _, _ = play_step(game, state, rng.choice(game.rules.legal_actions(state).actions))


TABLES = [("dominoes", 4, {}), ("dominoes", 6, {"version": "american"}), ("tinkle", 3, {"max_turns": 12})]


@pytest.mark.parametrize(("name", "seats", "switches"), TABLES)
def test_views_do_not_depend_on_hidden_information(name: str, seats: int, switches: dict[str, Any]) -> None:
    game, rng, looked = load(name), Random(5), 0
    opening = game.rules.initial_state(parse_options(game, switches), seats, RandomStreams(seed=11))
    for turn, state, seat in play_at_random(game, opening, rng, 400):
        if turn % 4 == 0 and (name == "tinkle" or state.phase not in ("lead", "turn_up")):
            other = redeal_hidden(state, seat, rng)
            one, two = game.rules.view(state, seat), game.rules.view(other, seat)
            assert to_json(one) == to_json(two)
            assert repr(one) == repr(two)
            assert one.seeds is None
            assert from_json(to_json(one), game.state) == one
            assert to_json(game.rules.legal_actions(state)) == to_json(game.rules.legal_actions(other))
            assert repr(game.rules.legal_actions(state)) == repr(game.rules.legal_actions(other))
            assert game.rules.legal_actions(one) == game.rules.legal_actions(state)  # the view is all that is needed
            assert rejection_messages(game, state) == rejection_messages(game, other)
            for action in game.rules.legal_actions(state).actions[:6]:
                (after, said, _), (changed, heard, _) = play_step(game, state, action), play_step(game, other, action)
                if (
                    after.round == changed.round == state.round
                    and state.to_play is not None
                    and after.to_play is not None
                ):
                    closed = getattr(said.ruling, "closed", None) or getattr(heard.ruling, "closed", None)
                    assert closed or str(said) == str(heard)
            looked += 1
    assert looked > 20


@pytest.mark.parametrize(("name", "seats", "switches"), TABLES)
def test_views_of_other_seats_do_not_reveal_a_hand(name: str, seats: int, switches: dict[str, Any]) -> None:
    """The view of another's turn does not depend on cards the other still holds."""
    game, rng, looked = load(name), Random(8), 0
    opening = game.rules.initial_state(parse_options(game, switches), seats, RandomStreams(seed=12))
    for _, state, seat in play_at_random(game, opening, rng, 300):
        watcher = (seat + 1) % seats
        other = redeal_hidden(state, watcher, rng)
        for action in game.rules.legal_actions(state).actions[:8]:
            try:
                changed, heard, seen = play_step(game, other, action)
            except IllegalAction:
                continue
            after, said, transfer = play_step(game, state, action)
            if said.ruling.closed or heard.ruling.closed:
                continue
            assert str(said) == str(heard)
            assert to_json(game.rules.view(after, watcher)) == to_json(game.rules.view(changed, watcher))
            if transfer is not None:
                assert to_json(transfer.view_for(watcher).moved) == to_json(seen.view_for(watcher).moved)
            looked += 1
    assert looked > 30


@pytest.mark.parametrize(("name", "seats", "switches"), TABLES)
def test_bots_do_not_use_hidden_information(name: str, seats: int, switches: dict[str, Any]) -> None:
    """A bot gets its view only; its sampled deals are consistent with the view."""
    game, rng = load(name), Random(3)
    state = game.rules.initial_state(parse_options(game, switches), seats, RandomStreams(seed=2))
    for _ in range(60):
        seat = game.rules.to_play(state)
        if seat is None:
            break
        one, two = (game.rules.view(s, seat) for s in (state, redeal_hidden(state, seat, rng)))
        mine, theirs = (game.bot.candidates(v, np.random.default_rng(1), 9) for v in (one, two))
        assert mine == theirs
        for action in mine:
            game.rules.check_action(state, action)
        state, _, _ = play_step(game, state, mine[rng.randrange(len(mine))])
