"""Tests of whole games of dominoes: invariants, termination, agreement of fast state and rules, consistent sampling."""

from random import Random

import msgspec
import numpy as np
import pytest
from domino_helpers import initial_state, play
from hypothesis import given, settings
from hypothesis import strategies as st

from flicksim.cards import DOUBLES_MASK, SUIT_MASKS, TILES, Zones, tile_mask, tile_set
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json
from flicksim.games.dominoes import GAME, bot, deck, rules
from flicksim.games.dominoes.bitboard import largest_double
from flicksim.games.dominoes.deck import BONEYARD, HANDS, POOL, Options
from flicksim.games.dominoes.state import State, hand_bits
from flicksim.match import GameRolloutModel, PhysicsSimulator
from tests.matches import points_won

OPTIONS = st.builds(
    Options,
    version=st.sampled_from(["american", "british"]),
    tie=st.sampled_from(["split", "none", "lightest_tile", "carry"]),
    must_play=st.booleans(),
    chain_doubles=st.booleans(),
    stake=st.integers(1, 7),
    british_stake=st.integers(0, 3),
    after_draw=st.sampled_from(["left_of_dealer", "dealer"]),
    rounds=st.integers(1, 3),
)


@settings(max_examples=60, deadline=None)
@given(options=OPTIONS, seats=st.integers(5, 8), seed=st.integers(0, 10**6))
def test_do_a5_no_tile_or_chip_is_lost_and_every_game_ends(options: Options, seats: int, seed: int) -> None:
    """DO-A5: accounts and pool are whole numbers that always add up to nothing."""
    data = Random(seed)
    state = rules.initial_state(options, seats, RandomStreams(seed=seed))
    total = list(tile_set(deck.highest_half(options, seats)))
    for _ in range(3000):
        assert sorted(state.zones.all_cards()) == total
        assert sum(state.zones.purses.values()) == 0
        actions = rules.legal_actions(state).actions
        assert bool(actions) == (state.to_play is not None)
        if state.to_play is None:
            break
        seen = rules.view(state, state.to_play)
        hidden = [zone for name, zone in seen.zones.piles.items() if not state.zones[name].is_visible_to(state.to_play)]
        assert all(not zone.cards for zone in hidden)
        state, _ = play(state, str(actions[data.randrange(len(actions))]))
    assert state.to_play is None
    assert len(state.sheet) == options.rounds
    assert all(isinstance(chips, int) for chips in state.zones.purses.values())
    if deck.stake(options):
        assert sum(state.scores) == -state.zones.purses[POOL]
    assert from_json(to_json(state), State) == state


def imagined(view: State, deals: int) -> list[list[int]]:
    """Hands as bit masks, in sampled deals."""
    dealt = bot.sample_deals(view, np.arange(1, deals + 1) * 987654, GameRolloutModel(GAME, PhysicsSimulator()))
    return [
        [sum(1 << k for k in np.flatnonzero(deal == seat).tolist()) for seat in range(view.seats)] for deal in dealt
    ]


@settings(max_examples=40, deadline=None)
@given(version=st.sampled_from(["american", "british"]), seed=st.integers(0, 10**6))
def test_sampled_hands_are_consistent_with_known_cards(version: str, seed: int) -> None:
    data = Random(seed)
    state = initial_state(6, seed, version=version, rounds=1)
    while state.to_play is not None:
        if state.phase in ("tile", "second"):
            seat = state.to_play
            for hands in imagined(rules.view(state, seat), 2):
                assert hands[seat] == hand_bits(state, seat)
                seen = tile_mask(state.zones.cards(deck.LAYOUT))
                for at in range(6):
                    assert hands[at].bit_count() == len(state.zones[HANDS[at]])
                    assert not any(hands[at] & SUIT_MASKS[number] for number in state.lacks[at])
                    assert not hands[at] & seen
                    seen |= hands[at]
        actions = rules.legal_actions(state).actions
        state, _ = play(state, str(actions[data.randrange(len(actions))]))


def test_do_a11_no_sampled_hand_has_a_double_when_the_boneyard_led() -> None:
    """DO-A11: a double turned up says what any turned-up tile says: no hand has one, not even a smaller one."""
    state = next(s for k in range(9000) if (s := initial_state(5, k, version="american")).phase == "turn_up")
    bone = state.zones[BONEYARD]
    tiles = sorted(bone.cards, key=lambda tile: tile is TILES[largest_double(tile_mask(bone.cards))])
    piles = {**state.zones.piles, BONEYARD: msgspec.structs.replace(bone, cards=tuple(tiles))}
    state = msgspec.structs.replace(state, zones=Zones(piles=piles, purses=state.zones.purses))
    state, _ = play(state, "turn-up")
    assert state.led is tiles[-1] is TILES[27]
    deals = imagined(rules.view(state, state.to_play), 20)
    assert not any(hand & DOUBLES_MASK for hands in deals for hand in hands)
    assert len({tuple(hands) for hands in deals}) > 15


def test_heuristic_beats_random_play() -> None:
    club, chance = points_won("dominoes", "bot:club", "random", 60)
    assert club > 1.8 * chance


@pytest.mark.long
def test_search_beats_the_heuristic() -> None:
    expert, club = points_won("dominoes", "bot:expert", "bot:club", 60)
    assert expert > club
