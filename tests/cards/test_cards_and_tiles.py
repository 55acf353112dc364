"""Tests of cards and tiles: identity, names, packs and sets."""

import copy
import pickle

import pytest

from flicksim.cards import JOKER, STANDARD_DECK, TILES, Card, Tile, make_decks, tile_mask, tile_set
from flicksim.cards.tile import DOUBLES_MASK, SUIT_MASKS
from flicksim.core.errors import InvalidInput, InvalidValue
from flicksim.core.serialization import from_json, to_json


def test_names_parse() -> None:
    for card in (*STANDARD_DECK, JOKER):
        assert Card.parse(str(card)) is card
        assert Card.parse(str(card).lower()) is card
    for tile in TILES:
        assert Tile.parse(str(tile)) is tile
        assert Tile.parse(f"{tile.low}-{tile.high}") is tile
    assert Card.parse("th") is Card.parse("10H")


@pytest.mark.parametrize(
    ("kind", "word"),
    [(Card, word) for word in ("", "1H", "KX", "11S", "JKS", "6-4", "T")]
    + [(Tile, word) for word in ("", "6", "6-13", "-", "6-4-2", "a-b", "KS", "06-4")],
)
def test_unknown_names_are_refused(kind: type[Card | Tile], word: str) -> None:
    with pytest.raises(InvalidValue, match=f"no {kind.__name__.lower()} '{word}'"):
        kind.parse(word)


def test_one_object_a_face_survives_copies() -> None:
    for face in (Card.parse("7C"), Tile.parse("6-4")):
        assert pickle.loads(pickle.dumps(face)) is face
        assert copy.deepcopy(face) is face
        with pytest.raises(AttributeError, match="do not change"):
            face.name = "other"  # type: ignore[misc]


def test_packs_and_sets_are_whole() -> None:
    assert len(set(STANDARD_DECK)) == 52
    assert len(make_decks(2, 4)) == 108
    assert make_decks(3, 6).count(JOKER) == 6
    assert [len(tile_set(top)) for top in (6, 9, 12)] == [28, 55, 91]
    assert sorted(STANDARD_DECK)[0] is Card.parse("AC")


def test_tile_masks() -> None:
    assert tile_mask(TILES).bit_count() == 91
    assert [(tile_mask(tile_set(6)) & SUIT_MASKS[n]).bit_count() for n in range(7)] == [7] * 7
    assert (tile_mask(tile_set(6)) & DOUBLES_MASK).bit_count() == 7


def test_json_holds_names_and_refuses_others() -> None:
    assert to_json([Card.parse("KS"), Tile.parse("6-4")]) == b'["KS","6-4"]'
    assert from_json(b'["KS","JK"]', tuple[Card, ...]) == (Card.parse("KS"), JOKER)
    with pytest.raises(InvalidInput, match="no card 'ZZ'"):
        from_json(b'["ZZ"]', tuple[Card, ...])
    with pytest.raises(InvalidInput):
        from_json(b"[7]", tuple[Tile, ...])
