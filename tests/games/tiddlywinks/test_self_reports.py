"""Paragraph 12 by people: what they may own up to, and the last shot judged anew for it."""

from typing import Any

import msgspec
import numpy as np
import pytest

from flicksim.ai.players import RandomPlayer
from flicksim.core.errors import IllegalAction
from flicksim.games.tiddlywinks import bot, rules, scoring
from flicksim.games.tiddlywinks import equipment as kit
from flicksim.games.tiddlywinks.state import (
    CallFoul,
    Clock,
    Decide,
    Disturb,
    Interfere,
    MoveAside,
    Obstruct,
    Pass,
    State,
    TurnOver,
)
from flicksim.scene.trajectory import SquidgerContact
from tests.games.tiddlywinks import helpers as h

FAR: dict[str, Any] = {"blue-3": (300, 100), "green-3": (100, -300), "red-3": (-300, -100), "yellow-3": (-100, 300)}
"""A wink of each colour, far from all."""
BAD = (SquidgerContact(piece="blue-3", begin=0.0, end=0.01), SquidgerContact(piece="green-3", begin=0.005, end=0.01))


def out_but_for(**winks: Any) -> dict[str, Any]:
    """Green and Yellow with one wink each, Green's squopped; more as said."""
    return {
        **h.potted_except("green", "green-3"),
        **h.potted_except("yellow", "yellow-3"),
        "green-3": (250, -150),
        "blue-3": (254, -150),
        "blue-1": (400, 200),
        "red-1": (-400, -200),
        **winks,
    }


# -- the shot is judged anew ----------------------------------------------------------------------------------------


def due() -> State:
    """Red must free a wink: Green's last lies under Blue 3, Yellow's under Red 3."""
    winks = out_but_for(**{"yellow-3": (-250, 150), "red-3": (-254, 150), "red-4": (-300, 250)})
    return h.state_from_position(winks, "red", free_turns=0)


def test_the_duty_is_looked_at_again_and_the_turn_is_over() -> None:
    """TW-12a, TW-12c, TW-9c7: what frees the pair while a wink is chosen ends the turn of him who shot."""
    cuffed = h.shot(due(), "red-3").to("red-3", -150, 250).to("red-4", -246, 150).then()
    assert cuffed.phase == "aside"
    after, verdict = h.apply_action(cuffed, Disturb(winks=("red-4",)))
    assert h.cites_rule(verdict, "TW-12a")
    assert (after.phase, after.to_play, after.book.episode) == ("shot", h.YELLOW, None)
    held = h.shot(due(), "red-3").to("red-3", -248, 150).then()
    assert held.phase == "aside"
    after, verdict = h.apply_action(held, Obstruct(wink="red-3", at=(-0.15, 0.25)))
    assert h.cites_rule(verdict, "TW-12b")
    assert (after.phase, after.to_play) == ("shot", h.YELLOW)


def test_what_was_moved_aside_stays_aside_where_it_still_must() -> None:
    """TW-9c7, TW-12a: the choice made after the shot is made again, unless there is nothing to choose any more."""
    state = h.shot(due(), "red-1").to("red-1", -400, -100).to("blue-1", 410, 200).then()
    state, _ = h.apply_action(state, MoveAside(winks=("blue-3",)))
    assert state.to_play == h.BLUE  # Green 3 is free; Yellow passes
    after, _ = h.apply_action(state, Disturb(winks=("blue-1",)))
    assert h.position_of_wink(after, "blue-1") == pytest.approx((400, 200))
    assert (after.phase, after.to_play) == ("shot", h.BLUE)
    assert h.position_of_wink(after, "blue-3") == h.position_of_wink(state, "blue-3")
    freed = h.shot(due(), "red-3").to("red-3", -150, 250).to("red-4", -246, 150).then()
    freed, _ = h.apply_action(freed, MoveAside(winks=("blue-3",)))
    after, _ = h.apply_action(freed, Disturb(winks=("red-4",)))
    assert after.to_play == h.YELLOW
    assert h.position_of_wink(after, "blue-3") == pytest.approx((254, -150))


def test_a_pair_squopped_out_by_accident_loses_no_turn() -> None:
    """TW-12a, TW-9c1: with the cover goes the turn that was passed over."""
    winks = out_but_for(**{"yellow-3": (-250, 150), "red-3": (-248, 150), "blue-4": (300, -150)})
    del winks["blue-3"]
    state = h.shot(h.state_from_position(winks), "blue-1").to("blue-1", 350, 200).to("blue-4", 254, -150).then()
    assert state.book.episode is not None
    assert state.to_play == h.RED
    after, _ = h.apply_action(state, Disturb(winks=("blue-4",)))
    assert after.book.episode is None
    assert after.to_play == h.GREEN


def test_what_an_accident_sent_off_costs_nothing() -> None:
    """TW-12a, TW-12b, TW-8i: but for what the squidged wink sent off itself."""
    state = h.state_from_position({**FAR, "blue-4": (0, 350), "blue-5": (500, 0)})
    swept = h.shot(state, "blue-3").to("blue-3", 200, 100).off("blue-4", 0, 457.2).then()
    assert swept.book.missing == (h.BLUE,)
    after, verdict = h.apply_action(swept, Disturb(winks=("blue-4",)))
    assert h.position_of_wink(after, "blue-4") == pytest.approx((0, 350))
    assert after.book.missing == ()
    assert not h.cites_rule(verdict, "TW-8i")
    both = h.shot(state, "blue-3").off("blue-3", 914.4, 0).off("blue-4", 0, 457.2).then()
    after, _ = h.apply_action(both, Disturb(winks=("blue-4",)))
    assert after.book.missing == (h.BLUE,)
    met = h.shot(state, "blue-3").off("blue-3", 914.4, 0).then()
    after, _ = h.apply_action(met, Obstruct(wink="blue-3", at=(0.6, 0.2)))
    assert h.position_of_wink(after, "blue-3") == pytest.approx((600, 200))
    assert (after.book.missing, after.to_play) == ((), h.GREEN)


def test_a_wink_swept_into_the_pot_goes_back() -> None:
    """TW-12a, TW-3e, TW-7d, TW-10a: it never was potted: no extra shot from it, nobody has potted out."""
    others = {name: place for name, place in FAR.items() if not name.startswith("blue")}
    blue = {**h.potted_except("blue", "blue-3", "blue-4"), "blue-3": (60, 0), "blue-4": (0, 300)}
    state = h.state_from_position({**blue, **others})
    swept = h.shot(state, "blue-3").pot("blue-3").pot("blue-4").then()
    assert swept.book.finished == ((h.BLUE,),)
    after, _ = h.apply_action(swept, Disturb(winks=("blue-4",)))
    assert h.position_of_wink(after, "blue-4") == pytest.approx((0, 300))
    assert after.book.finished == ()
    assert "blue-4" not in after.book.potted
    assert (after.to_play, after.book.extra) == (h.BLUE, 0)
    own, _ = h.apply_action(
        h.shot(state, "blue-3").to("blue-3", 100, 0).pot("blue-4").then(), Disturb(winks=("blue-4",))
    )
    assert own.to_play == h.GREEN


def test_a_bring_in_is_set_where_agreed() -> None:
    """TW-12b, TW-8e: though it fell short; without agreement it lies where it would have, or goes back."""
    state = h.state_from_position(FAR)
    short = h.shot(state, "blue-4").to("blue-4", 890, 430).then()
    assert "blue-4" in short.book.behind
    after, _ = h.apply_action(short, Obstruct(wink="blue-4", at=(0.4, 0.0)))
    assert h.position_of_wink(after, "blue-4") == pytest.approx((400, 0))
    assert "blue-4" not in after.book.behind
    assert "blue-4" in h.apply_action(short, Obstruct(wink="blue-4"))[0].book.behind
    replay = h.state_from_position(FAR, options={"obstruct_fallback": "replay"})
    begin = kit.start_spot(replay.options, h.BLUE, "small")  # touching the line
    fair = (
        h.shot(replay, "blue-4", start=begin)
        .crossed("blue-4", h.BLUE, 850, 350, forward=True)
        .to("blue-4", 500, 0)
        .then()
    )
    assert "blue-4" not in fair.book.behind
    after, _ = h.apply_action(fair, Obstruct(wink="blue-4"))
    assert "blue-4" in after.book.behind
    assert h.position_of_wink(after, "blue-4") == h.position_of_wink(state, "blue-4")


def test_what_fell_on_a_wink_comes_down_when_it_goes_back() -> None:
    """TW-12a: the shot stands, also for the wink that came to lie on the one that goes back."""
    state = h.state_from_position({**FAR, "green-4": (0, -200)})
    after = h.shot(state, "blue-3").to("green-4", 200, -100).to("blue-3", 204, -100).then()
    assert after.scene.piece("blue-3").lies_on == ("green-4",)
    back, _ = h.apply_action(after, Disturb(winks=("green-4",)))
    assert h.position_of_wink(back, "green-4") == pytest.approx((0, -200))
    assert back.scene.piece("blue-3").lies_on == ()
    assert h.position_of_wink(back, "blue-3") == pytest.approx((204, -100))
    assert back.scene.problems() == []


def test_the_squidge_off_can_be_put_right() -> None:
    """TW-12a, TW-6d: a wink that lies measured goes back, also after the last of the heat."""
    state = h.initial_state()
    for wink, place in (("blue-3", (80, 0)), ("green-3", (0, 200)), ("red-3", (-200, 0))):
        state = h.shot(state, wink).to(wink, *place).then()
    middle = h.shot(h.initial_state(), "blue-3").to("blue-3", 80, 0).then()
    middle = h.shot(middle, "green-3").to("green-3", 0, 200).to("blue-3", 300, 0).then()
    back, _ = h.apply_action(middle, Disturb(winks=("blue-3",)))
    assert h.position_of_wink(back, "blue-3") == pytest.approx((80, 0))
    assert (back.to_play, back.book.shots) == (h.RED, ("blue-3", "green-3"))
    state = h.shot(state, "yellow-3").to("yellow-3", 0, -100).to("blue-3", 300, 0).then()
    assert state.book.opener == h.YELLOW
    back, _ = h.apply_action(state, Disturb(winks=("blue-3",)))
    assert (back.book.opener, back.to_play) == (h.BLUE, h.BLUE)
    assert set(back.book.behind) == {piece.id for piece in back.scene.pieces}


# -- after the last shot --------------------------------------------------------------------------------------------


def last_round(**options: Any) -> State:
    """Blue has the last turn of the game."""
    return h.state_from_position({**FAR, "blue-4": (0, 350)}, "blue", opener="blue", laps=1, options=options)


def test_the_last_shot_of_the_game_can_be_put_right() -> None:
    """TW-12j, TW-11d: the totals are counted again as the winks lie then."""
    over = h.shot(last_round(), "blue-3").to("blue-3", 200, 100).to("blue-4", -98, 300).then()
    assert over.to_play is None
    assert scoring.time_limit_points(over.options, over.scene, over.book) == (2, 1, 1, 0)
    assert Disturb(winks=()) in [one.action for one in rules.legal_actions(over).self_reports]
    after, verdict = h.apply_action(over, Disturb(winks=("blue-4",)))
    assert after.to_play is None
    assert scoring.time_limit_points(after.options, after.scene, after.book) == (2, 1, 1, 1)
    assert sum(after.book.points) == 7
    assert tuple(a + b for a, b in zip(over.book.points, verdict.ruling.points, strict=True)) == after.book.points


def test_a_foul_in_the_last_shot_is_decided_after_it() -> None:
    """TW-12j, TW-12d: the game goes on for that long, and further where he plays again."""
    over = h.shot(last_round(), "blue-3").to("blue-3", 200, 100).then()
    called, verdict = h.apply_action(over, CallFoul(how="stroke"))
    assert (called.phase, called.to_play) == ("foul", h.GREEN)
    assert called.book.points == (0, 0, 0, 0)
    assert verdict.ruling.points == tuple(-points for points in over.book.points)
    assert h.apply_action(called, Decide(replay=False))[0].book.points == over.book.points
    again, _ = h.apply_action(called, Decide(replay=True))
    assert (again.phase, again.to_play) == ("shot", h.BLUE)
    assert h.refusal(over, TurnOver(wink="blue-3")) == "TW-11d"
    assert h.refusal(over, Clock(seconds=1.0)) == "TW-11d"


def test_a_forfeited_game_stays_over() -> None:
    """TW-12i: there is no last shot to speak of any more."""
    over, _ = h.apply_action(h.shot_that_stays(h.state_from_position(FAR), "blue-3"), Interfere(seat=h.RED))
    assert rules.legal_actions(over).self_reports == ()
    assert h.refusal(over, CallFoul(how="stroke")) == "TW-11d"


# -- only the last shot ---------------------------------------------------------------------------------------------


def test_the_next_shot_closes_the_one_before() -> None:
    """TW-12j: so does one declined; time that goes by and a wink turned over do not."""
    state = h.state_from_position(FAR, options={"allow_pass": True})
    moved = h.shot(state, "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    put_right = Disturb(winks=("yellow-3",))
    rules.check_action(moved, put_right)
    assert h.refusal(h.shot_that_stays(moved, "green-3"), put_right) == "TW-12a"
    declined, _ = h.apply_action(moved, Pass())
    for action, row in ((put_right, "TW-12a"), (Obstruct(wink="blue-3"), "TW-12b"), (CallFoul(how="stroke"), "TW-12d")):
        assert h.refusal(declined, action) == row
    later, _ = h.apply_action(h.apply_action(moved, TurnOver(wink="green-3"))[0], Clock(seconds=100.0))
    after, _ = h.apply_action(later, put_right)
    assert h.position_of_wink(after, "yellow-3") == pytest.approx((-100, 300))
    assert after.scene.piece("green-3").face == -1
    assert after.book.clock == later.book.clock == 115.0
    assert after.to_play == h.GREEN


def test_a_wink_goes_back_as_it_lay() -> None:
    """TW-12a: the same side up, on what it lay on."""
    state = h.state_from_position({**FAR, "yellow-4": (-104, 300)})
    moved = h.shot(state, "blue-3").to("yellow-4", 0, 250)
    moved.pieces["yellow-4"] = msgspec.structs.replace(moved.pieces["yellow-4"], face=-1)
    after, _ = h.apply_action(moved.then(), Disturb(winks=("yellow-4",)))
    assert after.scene.piece("yellow-4") == state.scene.piece("yellow-4")
    assert h.covers(after).is_squopped("yellow-3")


def test_time_that_went_by_still_ends_the_game() -> None:
    """TW-11b, TW-12j: the limit reached after the shot is reached after the shot put right."""
    state = h.state_from_position(FAR, opener="green", clock=1100.0)
    moved = h.shot(state, "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    late, _ = h.apply_action(moved, Clock(seconds=200.0))
    assert late.book.laps == 6
    after, _ = h.apply_action(late, Disturb(winks=("yellow-3",)))
    assert (after.book.laps, after.book.clock) == (6, late.book.clock)


def test_several_self_reports_of_one_shot() -> None:
    """TW-12a, TW-12b: what was put right stays so."""
    state = h.state_from_position({**FAR, "blue-4": (0, 350)})
    moved = h.shot(state, "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).off("blue-4", 0, 457.2).then()
    one, _ = h.apply_action(moved, Disturb(winks=("yellow-3",)))
    assert one.book.missing == (h.BLUE,)
    assert h.refusal(one, Disturb(winks=("yellow-3",))) == "TW-12a"
    two, _ = h.apply_action(one, Disturb(winks=("blue-4",)))
    three, _ = h.apply_action(two, Obstruct(wink="blue-3", at=(0.1, 0.1)))
    assert [h.position_of_wink(three, wink) for wink in ("yellow-3", "blue-4", "blue-3")] == [
        pytest.approx(place) for place in ((-100, 300), (0, 350), (100, 100))
    ]
    assert three.book.missing == ()


def test_what_cannot_go_back() -> None:
    """TW-12a: the wink squidged, one that did not move, one whose place is taken, none at all."""
    state = h.state_from_position({**FAR, "green-4": (0, -200)})
    after = h.shot(state, "blue-3").to("green-4", 200, -100).to("blue-3", 5, -200).then()
    for winks in ((), ("blue-3",), ("red-3",), ("green-4",), ("pink-1",)):
        assert h.refusal(after, Disturb(winks=winks)) == ("TW-4a" if winks == ("pink-1",) else "TW-12a")
    assert h.refusal(after, Obstruct(wink="red-3")) == "TW-12b"
    with pytest.raises(IllegalAction, match="was squidged, and the shot stands"):
        rules.check_action(after, Disturb(winks=("blue-3",)))


def test_while_a_foul_is_decided_nothing_is_put_right() -> None:
    """TW-12d, TW-12f: the decision comes first; a foul left standing is not asked about again."""
    state = h.state_from_position(FAR, options={"foul_keep_extras": False})
    foul = h.shot(state, "blue-3").pot("blue-3").to("yellow-3", -100, 320).touched(*BAD).then()
    put_right = Disturb(winks=("yellow-3",))
    assert h.refusal(foul, put_right) == "TW-12d"
    former_state, _ = h.apply_action(foul, Decide(replay=False))
    assert former_state.to_play == h.GREEN
    after, verdict = h.apply_action(former_state, put_right)
    assert (after.phase, after.to_play) == ("shot", h.GREEN)
    assert h.cites_rule(verdict, "TW-12f")
    assert "blue-3" in after.book.potted
    keeping = h.shot(h.state_from_position(FAR), "blue-3").pot("blue-3").to("yellow-3", -100, 320).touched(*BAD).then()
    former_state, verdict = h.apply_action(keeping, Decide(replay=False))
    assert verdict.rule_ids == ("TW-12f",)  # all else was said when it was played
    after, _ = h.apply_action(former_state, put_right)
    assert (after.phase, after.to_play) == ("shot", h.BLUE)


def test_no_extra_shot_from_a_foul_left_standing_while_a_wink_is_chosen() -> None:
    """TW-12f, TW-9c7: by option, also where the shooter has to move a wink aside first."""
    winks = out_but_for(**{"yellow-3": (-250, 150), "red-3": (-254, 150), "red-4": (50, 0)})
    state = h.state_from_position(winks, "red", free_turns=0, options={"foul_keep_extras": False})
    log = tuple(SquidgerContact(piece=wink, begin=0.001 * k, end=0.01) for k, wink in enumerate(("red-4", "blue-1")))
    foul = h.shot(state, "red-4").pot("red-4").touched(*log).then()
    former_state, _ = h.apply_action(foul, Decide(replay=False))
    assert (former_state.phase, former_state.book.extra) == ("aside", 0)
    assert h.apply_action(former_state, MoveAside(winks=("red-3",)))[0].to_play == h.YELLOW


def test_a_restored_wink_may_make_the_shot_foul() -> None:
    """TW-9c11, TW-12d: judged anew, the shot is foul by the same rows as any."""
    winks = out_but_for(**{"yellow-3": (-250, 150), "red-3": (-254, 150)})
    winks["blue-3"] = (300, -150)
    state = h.state_from_position(winks, protected=1, options={"resquop_remedy": "foul"})
    after = h.shot(state, "blue-3").to("blue-3", 254, -150).to("red-3", -300, 150).then()
    assert (after.phase, after.to_play) == ("shot", h.RED)
    foul, _ = h.apply_action(after, Disturb(winks=("red-3",)))
    assert (foul.phase, foul.to_play, foul.book.foul) == ("foul", h.GREEN, "TW-9c11")


# -- who may say it -------------------------------------------------------------------------------------------------


def said(state: State) -> dict[str, set[str]]:
    """Actions offered now, by kind: the fields to be chosen."""
    return {
        type(one.action).__name__: {pick.field for pick in one.fields}
        for one in rules.legal_actions(state).self_reports
    }


def test_what_is_offered_when() -> None:
    """TW-12a to TW-12j: of the last shot, once there is one; the rest at any time, while the game goes on."""
    state = h.state_from_position(FAR)
    assert set(said(state)) == {"Interfere", "TurnOver", "Clock"}
    moved = h.shot(state, "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    assert said(moved) == {
        "Disturb": {"winks"}, "Obstruct": {"wink", "at"}, "CallFoul": set(), "Interfere": {"seat"},
        "TurnOver": {"wink"}, "Clock": {"seconds"},
    }  # fmt: skip
    by_kind = {type(one.action).__name__: one for one in rules.legal_actions(moved).self_reports}
    assert by_kind["Disturb"].fields[0].options == ("yellow-3",)
    assert by_kind["Obstruct"].fields[0].options == ("blue-3", "yellow-3")
    assert by_kind["TurnOver"].fields[0].options == tuple(f"green-{k}" for k in range(1, 7))
    assert [one.action.how for one in rules.legal_actions(moved).self_reports if isinstance(one.action, CallFoul)] == [
        "out_of_turn", "other_wink", "squopped", "stroke",
    ]  # fmt: skip
    foul = h.shot(state, "blue-3").to("blue-3", 200, 100).touched(*BAD).then()
    assert set(said(foul)) == {"Interfere"}
    choosing = h.shot(due(), "red-3").to("red-3", -248, 150).then()
    assert choosing.phase == "aside"
    assert set(said(choosing)) == {"Obstruct", "CallFoul", "Interfere", "Clock"}
    assert set(said(h.initial_state())) == {"Interfere", "TurnOver"}
    assert set(said(h.shot(last_round(), "blue-3").to("blue-3", 0, 200).then())) == {
        "Obstruct",
        "CallFoul",
        "Interfere",
    }


def test_whatever_is_offered_is_allowed() -> None:
    """TW-12j: each thing offered, filled in with anything there is to choose, passes the rules and is judged."""
    state = h.shot(h.state_from_position(FAR), "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    tried = 0
    for one in rules.legal_actions(state).self_reports:
        wholes: list[dict[str, Any]] = [{}]
        for pick in one.fields:
            values: tuple[Any, ...] = {
                "one": pick.options, "some": tuple((name,) for name in pick.options), "point": ((0.2, 0.3), None),
                "number": (30.0,),
            }[pick.kind]  # fmt: skip
            wholes = [{**total, pick.field: value} for total in wholes for value in values]
        for total in wholes:
            after, verdict = h.apply_action(state, one.with_choices(total))
            assert verdict.reasons
            assert after != state or one.action == Interfere(seat=0)
            tried += 1
    assert tried > 100


def test_only_people_are_offered_it() -> None:
    """TW-12h: neither a bot nor a random player thinks of owning up, before the end or after."""
    state = h.shot(h.state_from_position(FAR), "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    theirs = (Disturb, Obstruct, CallFoul, Interfere, TurnOver, Clock)
    rng = np.random.default_rng(4)
    offered = rules.legal_actions(state)
    assert not any(isinstance(action, theirs) for action in (*offered.actions, *bot.candidates(state, rng, 40)))
    player = RandomPlayer(rules.check_action)
    assert not any(isinstance(player.choose(state, offered, rng), theirs) for _ in range(200))


def test_what_a_bot_imagines_can_be_asked_too() -> None:
    """TW-12j: the search state has no potted winks, and no self-reports about them."""
    state = bot.search_state(h.state_from_position({**FAR, "blue-4": "pot"}))
    after = h.shot(state, "blue-3").to("blue-3", 200, 100).to("yellow-3", -100, 320).then()
    assert not after.scene.has("blue-4")
    disturb = next(one for one in rules.legal_actions(after).self_reports if isinstance(one.action, Disturb))
    assert disturb.fields[0].options == ("yellow-3",)
