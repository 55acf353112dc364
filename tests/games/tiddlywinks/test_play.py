"""Paragraph 7: turns, extra shots, potted winks, winks leaning on the pot; and the order in which all is settled."""

from math import cos, hypot, pi, sin
from random import Random

import msgspec
import pytest

from flicksim.core.errors import DidNotSettle
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks import rules
from flicksim.games.tiddlywinks.state import Pass
from flicksim.scene.flick import Squidge
from tests.games.tiddlywinks import helpers as h
from tests.scene.sampled_wink_distance import lowest_point, wink_distance

R, S = 23.8125, 7.9375  # pot and small wink, radii [mm]


def test_wink_states() -> None:
    """TW-D1: behind, in play, potted; only those in play squop, are squopped or count."""
    state = h.state_from_position({"blue-3": h.POT, "blue-4": h.POT, "green-3": (200, 0), "blue-5": (204, 0)})
    covers = rules.AdjudicationContext(state, state.scene).squops()
    assert covers.is_squopped("green-3")
    assert not any(covers.is_squopped(wink) or covers.is_squopping(wink) for wink in ("blue-3", "blue-4", "red-1"))
    assert not state.book.in_play("blue-3")
    assert not state.book.in_play("red-1")
    assert state.book.in_play("blue-5")


def test_order_of_settling() -> None:
    """TW-D4: boundary before squops before pot-out before free turns before the next player; judged only at rest."""
    winks = {
        **h.potted_except("blue", "blue-3"),
        "blue-3": (200, 0),
        "green-3": (300, 0),
        "green-4": (302, 0),
        "red-3": (0, 300),
    }
    state = h.state_from_position(winks)
    going = h.shot(state, "blue-3").pot("blue-3").off("red-3", 0, 457.2)
    after, verdict = going.judged()
    order = [rule for rule in verdict.rule_ids if rule in ("TW-7e", "TW-8b", "TW-10a", "TW-10e")]
    assert order == ["TW-7e", "TW-8b", "TW-10a", "TW-10e"]
    assert after.scene.has("red-3")
    assert after.to_play == h.GREEN
    with pytest.raises(DidNotSettle):
        rules.judge(state, going.squidge, going.done(settled=False))


def test_turns_go_clockwise() -> None:
    """TW-7a: Blue, Green, Red, Yellow; a player without a wink to play passes, one with none left is skipped; the game
    ends for nobody before it begins."""
    state = h.state_from_position(
        {"blue-1": (100, 100), "green-1": (100, -100), "red-1": (-100, -100), "yellow-1": (-100, 100)}
    )
    assert rules.view(state, h.GREEN) == state
    assert rules.scores(state) == (0, 0, 0, 0)
    order = []
    for wink in ("blue-1", "green-1", "red-1", "yellow-1", "blue-1"):
        order.append(rules.to_play(state))
        state = h.shot_that_stays(state, wink)
    assert order == [h.BLUE, h.GREEN, h.RED, h.YELLOW, h.BLUE]
    squopped = h.state_from_position(
        {**h.potted_except("green", "green-3"), "green-3": (200, 0), "red-3": (204, 0), "blue-1": (0, 200)}
    )
    after, verdict = h.shot(squopped, "blue-1").judged()
    assert after.to_play == h.RED
    assert any(reason.rule == "TW-7a" and "Green" in reason.text for reason in verdict.reasons)
    out = h.state_from_position({**h.potted_except("green"), "blue-1": (0, 200)}, finished=("green",))
    after, verdict = h.shot(out, "blue-1").judged()
    assert after.to_play == h.RED
    assert not any("Green" in reason.text for reason in verdict.reasons)


def test_only_own_winks_are_played() -> None:
    """TW-7b: neither a partner's nor an opponent's."""
    state = h.state_from_position({"blue-1": (100, 100), "red-1": (200, 0), "green-1": (0, 200)})
    for wink in ("red-1", "green-1", "yellow-1"):
        assert h.refusal(state, Squidge(piece=wink, speed=1.0, azimuth=0.0)) == "TW-7b"
    assert h.refusal(state, Squidge(piece="blue-1", speed=1.0, azimuth=0.0, start=(0.9, 0.4))) == "TW-7b"


def test_one_shot_a_turn() -> None:
    """TW-7c: then the next; declining is refused unless the option allows it."""
    state = h.state_from_position({"blue-1": (100, 100), "green-1": (0, 200)})
    assert h.shot_that_stays(state, "blue-1").to_play == h.GREEN
    assert h.refusal(state, Pass()) == "TW-7c"
    free = h.state_from_position({"blue-1": (100, 100)}, options={"allow_pass": True})
    assert Pass() in rules.legal_actions(free).actions
    declined, _ = h.apply_action(free, Pass())
    assert declined.to_play == h.GREEN
    assert declined.book.clock == free.book.clock + 15.0


def test_a_shot_that_must_free_is_not_declined() -> None:
    """TW-9c6, TW-7c: option or not; before, free turns may be."""
    winks = {**h.potted_except("green", "green-3"), **h.potted_except("yellow", "yellow-3"), "green-3": (200, 100),
             "blue-3": (204, 100), "yellow-3": (-200, 100), "red-3": (-204, 100), "red-1": (-300, -100)}  # fmt: skip
    state = h.state_from_position(winks, "red", free_turns=0, options={"allow_pass": True})
    assert rules.legal_actions(state).actions == ()
    assert h.refusal(state, Pass()) == "TW-9c6"
    free = h.state_from_position(winks, "red", free_turns=1, options={"allow_pass": True})
    assert Pass() in rules.legal_actions(free).actions
    after, _ = h.apply_action(free, Pass())
    assert after.book.episode.left == 0


def test_everybody_declining_ends_by_time() -> None:
    """TW-7c, TW-11a: what is declined takes its time, so such a game ends."""
    state = h.state_from_position(
        {"blue-1": (100, 100)}, opener="blue", options={"allow_pass": True, "time_limit_s": 60.0}
    )
    for _ in range(40):
        if state.to_play is not None:
            state, _ = h.apply_action(state, Pass())
    assert state.phase == "over"


def test_who_declines_has_had_his_shot() -> None:
    """TW-9c11: a pair freed just before is safe till its next player has shot or declined."""
    state = h.state_from_position({"blue-1": (100, 0), "green-1": (0, 100)}, protected=1, options={"allow_pass": True})
    ours, _ = h.apply_action(state, Pass())
    assert ours.book.protected == 1
    assert h.apply_action(ours, Pass())[0].book.protected is None


def test_extra_shots() -> None:
    """TW-7d: one for each own wink potted, chained; none for a partner's or an opponent's, none by another's shot."""
    state = h.state_from_position({"blue-3": (100, 100), "blue-4": (120, 100), "red-3": (0, 200), "green-3": (0, 300)})
    one = h.shot(state, "blue-3").pot("blue-3").then()
    assert (one.to_play, one.book.extra) == (h.BLUE, 0)
    assert h.shot_that_stays(one, "blue-4").to_play == h.GREEN
    two = h.shot(state, "blue-3").pot("blue-3").pot("blue-4").then()
    assert (two.to_play, two.book.extra) == (h.BLUE, 1)
    again = h.shot(two, "blue-5").pot("blue-5").then()
    assert (again.to_play, again.book.extra) == (h.BLUE, 1)
    for other in ("red-3", "green-3"):
        assert h.shot(state, "blue-3").pot(other).to("blue-3", 90, 0).then().to_play == h.GREEN


def test_potted_only_at_rest_in_the_pot() -> None:
    """TW-1c, TW-7e: what rests inside is potted; what bounced out again is not. Nothing but potting brings him on."""
    state = h.state_from_position({"blue-3": (100, 100)})
    inside = h.shot(state, "blue-3").pot("blue-3").then()
    assert (inside.book.potted, inside.to_play) == (("blue-3",), h.BLUE)
    out = h.shot(state, "blue-3").to("blue-3", 60, 0).then()
    assert out.book.potted == ()
    assert out.to_play == h.GREEN


def rim(wink: str, on: tuple[str, ...] = ()) -> dict[str, object]:
    size = kit.SIZES[kit.kind_of(wink)]
    return {"x": R / 1000, "y": 0.0, "z": 0.0381 + size.thickness / 2, "support": "rim", "lies_on": on}


def test_balanced_on_the_rim_is_potted() -> None:
    """TW-7f: by the rim alone; propped by a wink on the mat it leans and is laid flat."""
    state = h.state_from_position({"blue-3": (100, 100), "green-3": (R + S + 0.1, 0)})
    on_rim = h.shot(state, "blue-3").set("blue-3", **rim("blue-3")).then()
    assert on_rim.book.potted == ("blue-3",)
    assert on_rim.scene.piece("blue-3").support == "rim"
    assert on_rim.to_play == h.BLUE
    assert not rules.AdjudicationContext(on_rim, on_rim.scene).squops().is_squopped("green-3")
    propped = h.shot(state, "blue-3").set("blue-3", **rim("blue-3", ("green-3",)), tilt=0.3, lean=0.0).then()
    assert propped.book.potted == ()
    assert propped.scene.piece("blue-3").support == "surface"


def test_knocked_out_winks_go_back() -> None:
    """TW-7g: with no second extra shot, and no fine when off the mat."""
    state = h.state_from_position({"blue-3": h.POT, "blue-4": (100, 100), "blue-5": h.POT})
    for going in (
        h.shot(state, "blue-4").to("blue-3", 200, 0).to("blue-4", 60, 0),
        h.shot(state, "blue-4").off("blue-3", 914.4, 0).to("blue-4", 60, 0),
    ):
        after, verdict = going.judged()
        assert h.cites_rule(verdict, "TW-7g")
        assert after.scene.piece("blue-3").support == "pot"
        assert "blue-3" in after.book.potted
        assert after.book.missing == ()
        assert after.to_play == h.GREEN


LEAN = {"support": "leaning", "tilt": 1.0, "z": 0.0075}


@pytest.mark.parametrize("base", [47.625, 38.0])
def test_leaning_winks_are_laid_flat(base: float) -> None:
    """TW-7h: on the same bearing, just touching the pot, a tapered one too."""
    state = h.state_from_position({"blue-3": (100, 100)}, options={"pot_base_diameter_mm": base})
    after, verdict = h.shot(state, "blue-3").set("blue-3", x=0.0, y=-0.030, lean=-pi / 2, **LEAN).judged()
    piece = after.scene.piece("blue-3")
    pot = kit.pot(state.options)
    assert h.cites_rule(verdict, "TW-7h")
    assert (piece.tilt, piece.support, piece.lies_on) == (0.0, "surface", ())
    assert piece.x == pytest.approx(0.0)
    assert hypot(piece.x, piece.y) == pytest.approx(pot.outer_radius(piece.thickness) + piece.radius, abs=1e-6)
    assert after.book.potted == ()
    over = h.shot(state, "blue-3").set("blue-3", x=0.018, y=0.0, lean=0.0, **LEAN).then().scene.piece("blue-3")
    assert over.y == pytest.approx(0.0)
    assert over.x > 0.026
    foot = h.shot(state, "blue-3").set("blue-3", x=0.0, y=0.018, lean=0.0, **LEAN).then().scene.piece("blue-3")
    assert foot.x > 0.004  # on the side of its foot


def test_leaners_are_laid_flat_from_the_lowest() -> None:
    """TW-7h: of two on the same bearing the upper one comes to lie on the lower."""
    state = h.state_from_position({"blue-3": (100, 100), "green-3": (0, 300)})
    both = h.shot(state, "blue-3").set("green-3", x=0.030, y=0.0, lean=0.0, support="leaning", tilt=1.0, z=0.0075)
    both.pieces["blue-3"] = msgspec.structs.replace(both.pieces["green-3"], id="blue-3", owner=0, z=0.012)
    after = both.then()
    assert after.scene.piece("blue-3").lies_on == ("green-3",)
    assert after.scene.piece("green-3").lies_on == ()


def test_laid_flat_even_on_another_wink() -> None:
    """TW-7i: it then squops what lies there, never lies under it."""
    state = h.state_from_position({"blue-3": (100, 100), "green-3": (R + S + 2, 0), "green-4": (300, 0)})
    after, verdict = h.shot(state, "blue-3").set("blue-3", x=0.030, y=0.0, lean=0.0, **LEAN).judged()
    covers = rules.AdjudicationContext(after, after.scene).squops()
    assert h.cites_rule(verdict, "TW-7i")
    assert covers.covering("green-3") == ("blue-3",)
    assert not covers.is_squopped("blue-3")
    assert h.position_of_wink(after, "green-3") == pytest.approx((R + S + 2, 0))


def test_laid_flat_on_two_winks_it_is_in_neither() -> None:
    """TW-7i: on top of whatever lies there, to .05 mm, whichever way the two lie about it."""
    dice, most, on_both = Random(3), 0.0, 0
    for _ in range(60):
        around = [
            (far * cos(direction), far * sin(direction))
            for side in (-1, 1)
            for direction, far in [(side * dice.uniform(0.24, 0.4), R + S + dice.uniform(2.0, 12.0))]
        ]
        state = h.state_from_position({"blue-3": (200, 200), "green-3": around[0], "green-4": around[1]})
        after = h.shot(state, "blue-3").set("blue-3", x=0.030, y=0.0, lean=0.0, **LEAN).then().scene
        laid, others = after.piece("blue-3"), [after.piece("green-3"), after.piece("green-4")]
        gaps = {other.id: wink_distance(laid, other) for other in others}
        most = max(most, -lowest_point(laid), *(-gap for gap in gaps.values()), *(gaps[name] for name in laid.lies_on))
        on_both += len(laid.lies_on) == 2
    assert on_both > 30
    assert most < 5e-5
