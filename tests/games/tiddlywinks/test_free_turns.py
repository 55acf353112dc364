"""Paragraph 9c: free turns, the compulsory freeing shot, and everything after it."""

from math import hypot
from typing import Any

import pytest

from flicksim.core.errors import IllegalAction
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules
from flicksim.games.tiddlywinks.state import MoveAside, State
from tests.games.tiddlywinks import helpers as h

POTTED = {**h.potted_except("green", "green-3"), **h.potted_except("yellow", "yellow-3")}
BEFORE: dict[str, Any] = {
    **POTTED,
    "green-3": (200, 100), "yellow-3": (-200, 100), "blue-3": (204, 100),
    "blue-1": (300, -100), "blue-2": (340, -100), "red-1": (-300, -100), "red-3": (-250, -100),
}  # fmt: skip
"""Blue 3 squops Green's last wink, Yellow's last is free; Red to play."""


def squopped_out(winks: dict[str, Any] = BEFORE, to_play: str = "red", **more: Any) -> State:
    """After Red's shot that squops the last free wink of Green and Yellow."""
    return h.shot(h.state_from_position(winks, to_play, **more), "red-3").to("red-3", -204, 100).then()


def due() -> State:
    """Three free turns later: Red has to free a wink."""
    state = squopped_out()
    for wink in ("blue-1", "red-1", "blue-1"):
        state = h.shot_that_stays(state, wink)
    return state


def test_trigger() -> None:
    """TW-9c1: every remaining wink of a pair squopped; one behind the line, or free, or none at all prevents it."""
    state = squopped_out()
    assert state.book.episode.victims == 1
    behind = {k: v for k, v in BEFORE.items() if k != "yellow-4"}
    assert squopped_out(behind).book.episode is None
    assert squopped_out({**BEFORE, "green-4": (0, 200)}).book.episode is None
    assert h.shot(h.state_from_position(BEFORE, "red"), "red-3").to("red-3", -250, 0).then().book.episode is None
    out = {**h.potted_except("green"), **h.potted_except("yellow"), "blue-1": (100, 0)}
    assert not h.covers(h.state_from_position(out, finished=("green", "yellow"))).is_squopped_out(1)


def test_count() -> None:
    """TW-9c2, TW-9c3: winks in play that neither squop nor are squopped, of both partners; a friend's cover counts as
    one; with none free the duty falls due at once."""
    assert squopped_out().book.episode.left == 3  # type: ignore[union-attr]
    friendly = {**BEFORE, "red-4": (343, -100)}
    assert squopped_out(friendly).book.episode.left == 2  # type: ignore[union-attr]
    potted = {**BEFORE, "blue-4": "pot"}
    assert squopped_out(potted).book.episode.left == 3  # type: ignore[union-attr]
    bare = squopped_out({k: v for k, v in BEFORE.items() if k not in ("blue-1", "blue-2", "red-1")})
    assert bare.book.episode.left == 0  # type: ignore[union-attr]
    assert rules.turn_order.must_free(bare.book.episode, h.BLUE)


def test_as_many_free_turns() -> None:
    """TW-9c3, TW-9c5: the worked order: Yellow passes, Blue, Green passes, Red, Yellow passes, Blue, then the duty."""
    state = squopped_out()
    order = []
    while not rules.turn_order.must_free(state.book.episode, state.to_play):  # type: ignore[arg-type]
        order.append(state.to_play)
        assert state.book.episode.left == 4 - len(order)  # type: ignore[union-attr]
        state = h.shot_that_stays(state, "blue-1" if state.to_play == h.BLUE else "red-1")
    assert order == [h.BLUE, h.RED, h.BLUE]
    assert state.to_play == h.RED
    assert "frees an opposing wink" in rules.legal_actions(state).prompt


def test_extra_shots_belong_to_the_same_free_turn() -> None:
    """TW-9c3: potting in a free turn uses up no other."""
    state = h.shot(squopped_out(), "blue-4").pot("blue-4").then()
    assert (state.to_play, state.book.episode.left) == (h.BLUE, 3)  # type: ignore[union-attr]
    state = h.shot_that_stays(state, "blue-1")
    assert (state.to_play, state.book.episode.left) == (h.RED, 2)  # type: ignore[union-attr]


def test_a_partner_without_winks_leaves_all_to_the_other() -> None:
    """TW-9c4: his turns use up none."""
    winks = {**BEFORE, **h.potted_except("blue", "blue-1", "blue-3"), "red-4": (304, -100), "red-5": (210, 104)}
    state = squopped_out(winks)
    assert h.covers(state).playable_winks(h.BLUE) == ()
    assert state.book.episode.left == 1  # type: ignore[union-attr]
    assert state.to_play == h.RED
    state = h.shot_that_stays(state, "red-1")
    assert state.to_play == h.RED
    assert state.book.episode.left == 0  # type: ignore[union-attr]


def test_the_next_shot_must_free() -> None:
    """TW-9c6: it does and all is as before; a missed shot puts the duty off to the next actual one, and uses a turn."""
    state = due()
    after, verdict = h.shot(state, "red-3").to("red-3", -300, 0).judged()
    assert h.cites_rule(verdict, "TW-9c6")
    assert after.book.episode is None
    assert after.to_play == h.YELLOW
    state = squopped_out()
    state = h.shot(state, "blue-1").off("blue-1", 914.4, 0).then()  # first free turn; Blue misses his next shot
    state = h.shot_that_stays(state, "red-1")  # second; then Blue's third is missed
    assert state.to_play == h.RED
    assert rules.turn_order.must_free(state.book.episode, h.RED)
    late = squopped_out()
    for wink in ("blue-1", "red-1"):
        late = h.shot_that_stays(late, wink)
    late = h.shot_that_stays(
        h.book(late, missing=(h.RED,)), "blue-1"
    )  # the third; Red, on whom the duty falls, misses his shot
    assert late.to_play == h.BLUE
    assert rules.turn_order.must_free(late.book.episode, h.BLUE)


def test_moved_aside_when_none_is_freed() -> None:
    """TW-9c7, TW-9c8: a squopping wink of the shooter's choice; then one of the freed pair has a wink to play."""
    state = h.shot_that_stays(due(), "red-1")
    assert state.phase == "aside"
    assert state.to_play == h.RED
    ways = [action.winks for action in rules.legal_actions(state).actions]
    assert sorted(ways) == [("blue-3",), ("red-3",)]
    for wrong in (MoveAside(winks=("blue-1",)), MoveAside(winks=())):
        assert h.refusal(state, wrong) == "TW-9c7"
    with pytest.raises(IllegalAction):
        rules.check_action(state, h.shot(due(), "red-1").squidge)
    for direction, freed in ((("blue-3",), "green-3"), (("red-3",), "yellow-3")):
        after, verdict = h.apply_action(state, MoveAside(winks=direction))
        assert h.cites_rule(verdict, "TW-9c7")
        assert h.cites_rule(verdict, "TW-9c8")
        assert h.covers(after).playable_winks(kit.seat_of(freed)) == (freed,)
        was, now = h.position_of_wink(state, direction[0]), h.position_of_wink(after, direction[0])
        assert hypot(*now) == pytest.approx(hypot(*was), abs=1e-5)
        assert after.to_play == h.YELLOW or freed == "green-3"
        assert after.book.episode is None


def test_smallest_way_aside() -> None:
    """TW-9c7: the wink with the least to move comes first, and is taken when the option says so."""
    nearer = {**BEFORE, "blue-3": (214, 100)}
    state = squopped_out(nearer, options={"aside_choice": "smallest"})
    for wink in ("blue-1", "red-1", "blue-1"):
        state = h.shot_that_stays(state, wink)
    after = h.shot_that_stays(state, "red-1")
    assert after.phase == "shot"
    assert not h.covers(after).is_squopped("green-3")
    assert h.covers(after).is_squopped("yellow-3")


def pile_due(**options: Any) -> State:
    """Red's compulsory shot; Green 3 under Blue 3, Yellow 3 under Red 3, Yellow 4 under Red 4 as well."""
    winks: dict[str, Any] = {
        **h.potted_except("green", "green-3"), **h.potted_except("yellow", "yellow-3", "yellow-4"),
        "green-3": (200, 100), "yellow-3": (-200, 100), "yellow-4": (-100, 250),
        "blue-3": (204, 100), "red-4": (-104, 250), "red-3": (-204, 100), "red-1": (300, -100),
    }  # fmt: skip
    return h.state_from_position(winks, "red", options=options, free_turns=0)


def test_potting_the_freed_wink() -> None:
    """TW-9c9: another wink is moved aside; in a free turn they go on uncounted, unless the option ends them."""
    state = pile_due()
    after, verdict = h.shot(state, "red-3").pot("yellow-3").to("red-3", -300, 0).judged()
    assert h.cites_rule(verdict, "TW-9c9")
    assert "yellow-3" in after.book.potted
    assert h.covers(after).playable_winks(h.YELLOW) == ("yellow-4",)
    free_turn = squopped_out({**BEFORE, "yellow-4": (0, 250), "blue-4": (4, 250)})
    free_turn = h.shot_that_stays(free_turn, "blue-1")
    left = free_turn.book.episode.left  # type: ignore[union-attr]
    goes_on = h.shot(free_turn, "red-3").pot("yellow-3").to("red-3", -300, 0).then()
    assert goes_on.book.episode.left == left - 1  # type: ignore[union-attr]
    cease = squopped_out({**BEFORE, "yellow-4": (0, 250), "blue-4": (4, 250)}, options={"free_turn_pot": "cease"})
    ended = h.shot(h.shot_that_stays(cease, "blue-1"), "red-3").pot("yellow-3").to("red-3", -300, 0).then()
    assert ended.phase == "aside"


def test_own_wink_before_the_partners() -> None:
    """TW-9c10: after potting the freed wink the shooter moves his own squopper, his partner's only if he has none."""
    own = h.shot(pile_due(), "red-3").pot("yellow-3").to("red-3", -300, 0).then()
    assert not h.covers(own).is_squopped("yellow-4")
    assert h.covers(own).is_squopped("green-3")
    winks: dict[str, Any] = {
        **POTTED, "green-3": (200, 100), "yellow-3": (-200, 100), "blue-3": (204, 100), "red-3": (-204, 100),
        "blue-1": (300, -100),
    }  # fmt: skip
    state = h.state_from_position(winks, "red", free_turns=0)
    partner = h.shot(state, "red-3").pot("yellow-3").to("red-3", -300, 0).then()
    assert not h.covers(partner).is_squopped("green-3")
    assert partner.phase == "shot"


def test_no_squopping_again_before_a_shot() -> None:
    """TW-9c11: until the next player of the freed pair who can play has had a shot, not another; else it is moved aside
    at once."""
    state, _ = h.apply_action(
        h.shot_that_stays(due(), "red-1"), MoveAside(winks=("blue-3",))
    )  # Green 3 is free; Yellow passes, Blue plays
    assert (state.to_play, state.book.protected) == (h.BLUE, 1)
    again, verdict = h.shot(state, "blue-1").to("blue-1", 204, 100).judged()
    assert h.cites_rule(verdict, "TW-9c11")
    assert not h.covers(again).is_squopped("green-3")
    assert again.to_play == h.GREEN
    assert again.book.episode is None
    played = h.shot_that_stays(again, "green-3")
    assert played.book.protected is None
    assert (played.to_play, played.book.episode) == (h.RED, None)
    squop = h.shot(played, "red-1").to("red-1", 204, 100).then()
    assert squop.book.episode is not None
    state = h.state_from_position({"blue-1": (100, 0), "green-1": (0, 100)}, protected=1)
    assert h.shot_that_stays(state, "blue-1").book.protected == 1
    assert h.shot_that_stays(h.shot_that_stays(state, "blue-1"), "green-1").book.protected is None


def test_own_upper_winks_are_freed_first() -> None:
    """TW-9c7: while an enemy's wink alone holds one down, none is moved together with the squopped pair's own."""
    winks = {**h.potted_except("green", "green-3", "green-4"), **h.potted_except("yellow", "yellow-3"),
             "green-3": (200, 100), "blue-3": (204, 100), "yellow-3": (-200, 100), "green-4": (-204, 100),
             "red-3": (-208, 100), "blue-1": (300, -100), "red-1": (-300, -100)}  # fmt: skip
    state = h.shot_that_stays(h.state_from_position(winks, "red", free_turns=0), "red-1")
    assert set(rules.legal_actions(state).actions) == {MoveAside(winks=("red-3",)), MoveAside(winks=("blue-3",))}


def test_squopping_again_as_a_foul() -> None:
    """TW-9c11: the option makes it a foul instead."""
    state = due()
    state = rules.State(options=rules.Options(resquop_remedy="foul"), scene=state.scene, book=state.book)
    state, _ = h.apply_action(h.shot_that_stays(state, "red-1"), MoveAside(winks=("blue-3",)))
    after = h.shot(state, "blue-1").to("blue-1", 204, 100).then()
    assert (after.phase, after.book.foul) == ("foul", "TW-9c11")


def test_freeing_in_free_turns_ends_them() -> None:
    """TW-9c12: the rest is lost, and the duty; an extra shot already earned is still played."""
    state = squopped_out()
    after, verdict = h.shot(state, "blue-3").to("blue-3", 100, 200).judged()
    assert h.cites_rule(verdict, "TW-9c12")
    assert after.book.episode is None
    assert after.book.protected == 1
    assert after.to_play == h.GREEN
    extra = h.shot(state, "blue-3").pot("blue-3").then()
    assert (extra.to_play, extra.book.episode) == (h.BLUE, None)
