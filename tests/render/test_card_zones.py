"""Pictures of positions of cards and tiles: every card is there once, within the picture, beside its place's name."""

from flicksim.cards import Card, Tile
from flicksim.render import Disc, DisplayList, Label, PlaceOfCards, Polygon, draw_card_places
from flicksim.render.card_shapes import PIP_COLOURS
from flicksim.render.colours import HIGHLIGHT


def _bodies(drawing: DisplayList) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of the cards and tiles."""
    return [
        (*mark.points[0], *mark.points[2]) for mark in drawing.primitives if isinstance(mark, Polygon) and
        len(mark.points) == 4 and mark.points[1][0] - mark.points[0][0] > 20.0
    ]  # fmt: skip


def test_tiles_stand_in_hands_and_lie_in_the_line() -> None:
    drawn = draw_card_places([
        PlaceOfCards("Ann", [Tile.parse("6-1"), Tile.parse("0-0")], is_to_play=True),
        PlaceOfCards("line", [(1, 3), (3, 3)]),
    ])  # fmt: skip
    labels = {mark.text: mark.colour for mark in drawn.primitives if isinstance(mark, Label)}
    assert list(labels) == ["Ann (2)", "line (2)"]
    assert labels["Ann (2)"] == HIGHLIGHT != labels["line (2)"]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in _bodies(drawn)]
    assert sizes == [(30.0, 60.0)] * 2 + [(60.0, 30.0)] * 2
    pips = [mark.colour for mark in drawn.primitives if isinstance(mark, Disc)]
    assert {number: pips.count(PIP_COLOURS[number]) for number in (0, 1, 3, 6)} == {0: 0, 1: 2, 3: 9, 6: 6}


def test_many_cards_go_on_in_rows_within_the_picture() -> None:
    deck = [Card.parse(f"{rank}{suit}") for suit in "CDHS" for rank in ("A", *range(2, 11), "J", "Q", "K")]
    drawn = draw_card_places([PlaceOfCards(str(k), deck[k : 2 * k]) for k in (1, 3, 9)] + [PlaceOfCards("stock", deck)])
    bodies = _bodies(drawn)
    assert len(bodies) == len(deck) + 13
    assert all(left >= 0.0 and top >= 0.0 for left, top, _, _ in bodies)
    assert all(right <= drawn.size[0] and bottom <= drawn.size[1] for _, _, right, bottom in bodies)
    assert not any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
        for k, one in enumerate(bodies) for other in bodies[:k]
    )  # fmt: skip
    ranks = [mark.text for mark in drawn.primitives if isinstance(mark, Label)]
    assert ranks.count("K") == 5
    assert ranks.count("10") == 5


def test_the_joker_has_a_star_and_its_name() -> None:
    drawn = draw_card_places([PlaceOfCards("hand", [Card.parse("JK")])])
    assert [mark.text for mark in drawn.primitives if isinstance(mark, Label)] == ["hand (1)", "Joker"]
    assert max(len(mark.points) for mark in drawn.primitives if isinstance(mark, Polygon)) == 10
