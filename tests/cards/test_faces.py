"""Cards and tiles: one object a face, names both ways, whole packs and sets."""

from __future__ import annotations

import copy
import pickle

import pytest

from flicksim.base.codec import from_json, to_json
from flicksim.base.errors import BadInput
from flicksim.cards import JOKER, PACK, TILES, Card, Tile, bits, packs, tile_set
from flicksim.cards.tile import DOUBLES, SUIT


def test_names_are_read_back() -> None:
    for card in (*PACK, JOKER):
        assert Card.read(str(card)) is card
        assert Card.read(str(card).lower()) is card
    for tile in TILES:
        assert Tile.read(str(tile)) is tile
        assert Tile.read(f"{tile.low}-{tile.high}") is tile
    assert Card.read("th") is Card.read("10H")


@pytest.mark.parametrize("word", ["", "1H", "KX", "11S", "JKS", "6-4", "T"])
def test_no_such_card(word: str) -> None:
    with pytest.raises(ValueError, match=f"no card '{word}'"):
        Card.read(word)


@pytest.mark.parametrize("word", ["", "6", "6-13", "-", "6-4-2", "a-b", "KS", "06-4"])
def test_no_such_tile(word: str) -> None:
    with pytest.raises(ValueError, match=f"no tile '{word}'"):
        Tile.read(word)


def test_one_object_a_face_survives_copies() -> None:
    for face in (Card.read("7C"), Tile.read("6-4")):
        assert pickle.loads(pickle.dumps(face)) is face
        assert copy.deepcopy(face) is face
        with pytest.raises(AttributeError, match="do not change"):
            face.name = "other"  # type: ignore[misc]


def test_packs_and_sets_are_whole() -> None:
    assert len(set(PACK)) == 52
    assert len(packs(2, 4)) == 108
    assert packs(3, 6).count(JOKER) == 6
    assert [len(tile_set(top)) for top in (6, 9, 12)] == [28, 55, 91]
    assert sorted(PACK)[0] is Card.read("AC")


def test_bits_stand_for_tiles() -> None:
    assert bits(TILES).bit_count() == 91
    assert [(bits(tile_set(6)) & SUIT[n]).bit_count() for n in range(7)] == [7] * 7
    assert (bits(tile_set(6)) & DOUBLES).bit_count() == 7


def test_json_holds_names_and_refuses_others() -> None:
    assert to_json([Card.read("KS"), Tile.read("6-4")]) == b'["KS","6-4"]'
    assert from_json(b'["KS","JK"]', tuple[Card, ...]) == (Card.read("KS"), JOKER)
    with pytest.raises(BadInput, match="no card 'ZZ'"):
        from_json(b'["ZZ"]', tuple[Card, ...])
    with pytest.raises(BadInput):
        from_json(b"[7]", tuple[Tile, ...])
