"""Tests of zones and their visibility, and of the dealer: results, shuffles by seed, order of deals."""

import pytest

from flicksim import cards
from flicksim.core.errors import InvalidInput
from flicksim.core.random_streams import RandomStreams
from flicksim.core.serialization import from_json, to_json


def parse_cards(text: str) -> tuple[cards.Card, ...]:
    return tuple(cards.Card.parse(word) for word in text.split())


TABLE = cards.Zones(
    piles={
        "hand:0": cards.Zone(owner=0, sees="owner", cards=parse_cards("KS KS 2D")),
        "hand:1": cards.Zone(owner=1, sees="owner", cards=parse_cards("AC")),
        "stock": cards.Zone(sees="nobody", cards=parse_cards("3C 4C 5C")),
        "discard": cards.Zone(cards=parse_cards("6C 7C 8C")),
    },
    purses={"tokens:0": 10, "jar": 0},
)


def test_each_seat_sees_its_own_zones_which_keep_their_owner_when_empty() -> None:
    seen = TABLE.view_for(0)
    assert seen.cards("hand:0") == parse_cards("KS KS 2D")
    assert (seen["hand:1"].cards, seen["hand:1"].hidden, len(seen["hand:1"])) == ((), 1, 1)
    assert (seen["stock"].cards, len(seen["stock"])) == ((), 3)
    assert seen.cards("discard") == parse_cards("6C 7C 8C")
    assert seen.view_for(0) == seen
    assert b"AC" not in to_json(seen)
    assert "AC" not in repr(seen)
    assert from_json(to_json(TABLE), cards.Zones[cards.Card]) == TABLE
    bare = TABLE.with_zone("hand:1", cards.Zone(owner=1, sees="owner"))
    after = cards.Dealer().simulate(bare, (cards.TransferCards(source="stock", target="hand:1", top=1),)).after
    assert after["hand:1"] == cards.Zone(owner=1, sees="owner", cards=parse_cards("5C"))


def test_transfers_of_named_and_top_cards() -> None:
    play = cards.Dealer().simulate(
        TABLE, (cards.TransferCards(source="hand:0", target="group:1", cards=parse_cards("KS 2D")),)
    )
    assert play.after.cards("hand:0") == parse_cards("KS")
    assert play.after.cards("group:1") == parse_cards("KS 2D")
    assert play.before is TABLE
    assert TABLE.cards("hand:0") == parse_cards("KS KS 2D")
    play = cards.Dealer().simulate(TABLE, (cards.TransferCards(source="discard", target="hand:1", top=2),))
    assert [str(move.card) for move in play.moved] == ["8C", "7C"]  # from the top, one by one
    assert play.after.cards("discard") == parse_cards("6C")
    under = cards.Dealer().simulate(
        TABLE, (cards.TransferCards(source="hand:1", target="discard", cards=parse_cards("AC"), under=True),)
    )
    assert under.after.cards("discard") == parse_cards("AC 6C 7C 8C")


def test_cards_come_from_where_they_are_and_tokens_go_from_purse_to_purse() -> None:
    with pytest.raises(InvalidInput, match="3C does not lie in 'hand:0'"):
        cards.Dealer().simulate(
            TABLE, (cards.TransferCards(source="hand:0", target="discard", cards=parse_cards("3C")),)
        )
    with pytest.raises(InvalidInput, match="9 cards cannot come from 'stock': it has 3"):
        cards.Dealer().simulate(TABLE, (cards.TransferCards(source="stock", target="hand:0", top=9),))
    after = cards.Dealer().simulate(TABLE, (cards.TransferTokens(source="tokens:0", target="jar", amount=3),)).after
    assert dict(after.purses) == {"tokens:0": 7, "jar": 3}


def test_gathering_keeps_the_top_and_shuffles_the_rest() -> None:
    bare = TABLE.with_zone("stock", cards.Zone(sees="nobody"))
    play = cards.Dealer().simulate(
        bare, (cards.Reshuffle(source="discard", target="stock", seeds=RandomStreams(seed=4)),)
    )
    assert play.after.cards("discard") == parse_cards("8C")
    assert sorted(play.after.cards("stock")) == list(parse_cards("6C 7C"))
    new = (
        cards.Dealer()
        .simulate(bare, (cards.AddCards(target="stock", cards=cards.STANDARD_DECK, seeds=RandomStreams(seed=4)),))
        .after
    )
    assert sorted(new.cards("stock")) == list(cards.STANDARD_DECK)


def test_transfer_result_views_hide_faces() -> None:
    work = (
        cards.TransferCards(source="stock", target="hand:0", top=1),
        cards.TransferCards(source="hand:0", target="discard", cards=parse_cards("KS")),
    )
    play = cards.Dealer().simulate(TABLE, work)
    assert [move.card for move in play.view_for(0).moved] == list(parse_cards("5C KS"))
    assert [move.card for move in play.view_for(1).moved] == [None, parse_cards("KS")[0]]
    assert b"5C" not in to_json(play.view_for(1))


def test_shuffles_depend_on_the_seed_only_and_a_deal_is_clockwise() -> None:
    one, same, other = (cards.shuffle(cards.STANDARD_DECK, RandomStreams(seed=s).spawn("deal")) for s in (1, 1, 2))
    assert one == same != other
    assert sorted(one) == list(cards.STANDARD_DECK)
    pack = parse_cards("AC 3C 4C 5C 6C 7C 8C")
    hands, rest = cards.deal(pack, 3, 2, first_seat=1)
    assert hands == (parse_cards("6C 3C"), parse_cards("8C 5C"), parse_cards("7C 4C"))
    assert rest == parse_cards("AC")
    with pytest.raises(InvalidInput, match="7 cards cannot give 3 each to 3"):
        cards.deal(pack, 3, 3, first_seat=0)
