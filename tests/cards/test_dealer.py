"""Zones and who sees them; the dealer's accounts; shuffles by seed and deals in true order."""

from __future__ import annotations

import pytest

from flicksim.base.codec import from_json, to_json
from flicksim.base.errors import BadInput
from flicksim.base.seeding import Seeds
from flicksim.cards import (
    PACK,
    Card,
    Dealer,
    Fresh,
    Gather,
    Pay,
    Shift,
    Zone,
    Zones,
    deal,
    shuffled,
)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.read(word) for word in text.split())


TABLE = Zones(
    piles={
        "hand:0": Zone(owner=0, sees="owner", cards=cards("KS KS 2D")),
        "hand:1": Zone(owner=1, sees="owner", cards=cards("AC")),
        "stock": Zone(sees="nobody", cards=cards("3C 4C 5C")),
        "discard": Zone(cards=cards("6C 7C 8C")),
    },
    purses={"tokens:0": 10, "jar": 0},
)


def test_each_sees_what_is_his() -> None:
    seen = TABLE.seen_by(0)
    assert seen.cards("hand:0") == cards("KS KS 2D")
    assert (seen["hand:1"].cards, seen["hand:1"].hidden, len(seen["hand:1"])) == ((), 1, 1)
    assert (seen["stock"].cards, len(seen["stock"])) == ((), 3)
    assert seen.cards("discard") == cards("6C 7C 8C")
    assert seen.seen_by(0) == seen
    assert b"AC" not in to_json(seen)
    assert "AC" not in repr(seen)
    assert from_json(to_json(TABLE), Zones[Card]) == TABLE


def test_named_cards_and_top_cards_go_their_way() -> None:
    play = Dealer().settle(TABLE, (Shift(source="hand:0", target="group:1", cards=cards("KS 2D")),))
    assert play.after.cards("hand:0") == cards("KS")
    assert play.after.cards("group:1") == cards("KS 2D")
    assert play.before is TABLE
    assert TABLE.cards("hand:0") == cards("KS KS 2D")
    play = Dealer().settle(TABLE, (Shift(source="discard", target="hand:1", top=2),))
    assert [str(move.card) for move in play.moved] == ["8C", "7C"]  # from the top, one by one
    assert play.after.cards("discard") == cards("6C")
    under = Dealer().settle(TABLE, (Shift(source="hand:1", target="discard", cards=cards("AC"), under=True),))
    assert under.after.cards("discard") == cards("AC 6C 7C 8C")


def test_a_pile_keeps_its_owner_when_it_was_empty() -> None:
    bare = TABLE.put("hand:1", Zone(owner=1, sees="owner"))
    after = Dealer().settle(bare, (Shift(source="stock", target="hand:1", top=1),)).after
    assert after["hand:1"] == Zone(owner=1, sees="owner", cards=cards("5C"))


def test_cards_that_are_not_there_cannot_come_from_there() -> None:
    with pytest.raises(BadInput, match="3C does not lie in 'hand:0'"):
        Dealer().settle(TABLE, (Shift(source="hand:0", target="discard", cards=cards("3C")),))
    with pytest.raises(BadInput, match="9 cards cannot come from 'stock': it has 3"):
        Dealer().settle(TABLE, (Shift(source="stock", target="hand:0", top=9),))


def test_tokens_go_from_purse_to_purse() -> None:
    after = Dealer().settle(TABLE, (Pay(source="tokens:0", target="jar", amount=3),)).after
    assert dict(after.purses) == {"tokens:0": 7, "jar": 3}


def test_gathering_keeps_the_top_and_shuffles_the_rest() -> None:
    bare = TABLE.put("stock", Zone(sees="nobody"))
    play = Dealer().settle(bare, (Gather(source="discard", target="stock", seeds=Seeds(seed=4)),))
    assert play.after.cards("discard") == cards("8C")
    assert sorted(play.after.cards("stock")) == list(cards("6C 7C"))
    new = Dealer().settle(bare, (Fresh(target="stock", cards=PACK, seeds=Seeds(seed=4)),)).after
    assert sorted(new.cards("stock")) == list(PACK)


def test_an_account_shows_a_face_only_to_those_who_may_see_it() -> None:
    work = (Shift(source="stock", target="hand:0", top=1), Shift(source="hand:0", target="discard", cards=cards("KS")))
    play = Dealer().settle(TABLE, work)
    assert [move.card for move in play.seen_by(0).moved] == list(cards("5C KS"))
    assert [move.card for move in play.seen_by(1).moved] == [None, cards("KS")[0]]
    assert b"5C" not in to_json(play.seen_by(1))


def test_shuffles_follow_the_seed_alone() -> None:
    one, same, other = (shuffled(PACK, Seeds(seed=s).child("deal")) for s in (1, 1, 2))
    assert one == same != other
    assert sorted(one) == list(PACK)


def test_a_deal_goes_round_one_card_at_a_time() -> None:
    pack = cards("AC 3C 4C 5C 6C 7C 8C")
    hands, rest = deal(pack, 3, 2, first=1)
    assert hands == (cards("6C 3C"), cards("8C 5C"), cards("7C 4C"))
    assert rest == cards("AC")
    with pytest.raises(BadInput, match="7 cards cannot give 3 each to 3"):
        deal(pack, 3, 3, first=0)
