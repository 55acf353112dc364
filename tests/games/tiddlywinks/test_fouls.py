"""Paragraph 12: disturbance, fouls, turning over, and what forfeits the game."""

import pytest

from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.state import CallFoul, Clock, Decide, Disturb, Interfere, Obstruct, State, TurnOver
from flicksim.scene.trajectory import SquidgerContact
from tests.games.tiddlywinks import helpers as h

WINKS = {"blue-3": (200, 0), "blue-4": (0, 300), "green-3": (0, 200), "red-3": (-200, 0), "yellow-3": (0, -200)}
BAD = (SquidgerContact(piece="blue-3", begin=0.0, end=0.01), SquidgerContact(piece="green-3", begin=0.005, end=0.01))


def test_winks_moved_by_accident_go_back() -> None:
    """TW-12a: where they were before the shot; the shot itself stands."""
    state = h.state_from_position(WINKS)
    after = h.shot(state, "blue-3").to("blue-3", 100, 0).to("red-3", -150, 50).then()
    back, verdict = h.apply_action(after, Disturb(winks=("red-3",)))
    assert h.cites_rule(verdict, "TW-12a")
    assert h.position_of_wink(back, "red-3") == h.position_of_wink(state, "red-3")
    assert h.position_of_wink(back, "blue-3") == pytest.approx((100, 0))
    assert back.to_play == h.GREEN
    assert h.refusal(state, Disturb(winks=("red-3",))) == "TW-12a"
    assert h.refusal(after, Disturb(winks=("red-1",))) == "TW-12a"
    behind = h.shot(state, "blue-3").to("red-5", 0, 100).then()
    assert behind.scene.piece("red-5") == state.scene.piece("red-5")


def test_an_obstructed_wink_is_set_where_agreed() -> None:
    """TW-12b: else where it would have rested, or by option where it lay."""
    state = h.state_from_position(WINKS)
    after = h.shot(state, "blue-3").to("blue-3", 100, 0).then()
    agreed, verdict = h.apply_action(after, Obstruct(wink="blue-3", at=(0.05, 0.05)))
    assert h.cites_rule(verdict, "TW-12b")
    assert h.position_of_wink(agreed, "blue-3") == pytest.approx((50, 50))
    assert h.position_of_wink(h.apply_action(after, Obstruct(wink="blue-3"))[0], "blue-3") == pytest.approx((100, 0))
    other = (
        h.shot(h.state_from_position(WINKS, options={"obstruct_fallback": "replay"}), "blue-3")
        .to("blue-3", 100, 0)
        .then()
    )
    assert h.position_of_wink(h.apply_action(other, Obstruct(wink="blue-3"))[0], "blue-3") == pytest.approx((200, 0))
    for wrong in (
        Obstruct(wink="red-3"),
        Obstruct(wink="blue-3", at=(0.0, 0.0)),
        Obstruct(wink="blue-3", at=(1.0, 0.0)),
    ):
        assert h.refusal(after, wrong) == "TW-12b"


def test_then_the_next_player_goes_on() -> None:
    """TW-12c: an extra shot earned before the obstruction is lost."""
    state = h.state_from_position(WINKS)
    after = h.shot(state, "blue-3").pot("blue-3").to("blue-4", 0, 310).then()
    assert after.to_play == h.BLUE
    gone_on, verdict = h.apply_action(after, Obstruct(wink="blue-4"))
    assert h.cites_rule(verdict, "TW-12c")
    assert gone_on.to_play == h.GREEN
    plain = h.shot(state, "blue-3").to("blue-3", 100, 0).then()
    assert h.apply_action(plain, Obstruct(wink="blue-3"))[0].to_play == h.GREEN


def foul_shot(**options: object) -> tuple[State, State]:
    """Before and after a shot that pots Blue 3 and breaks TW-9b3."""
    state = h.state_from_position(WINKS, options=options)
    return state, h.shot(state, "blue-3").pot("blue-3").to("red-3", -100, 0).touched(*BAD).then()


def test_the_opponents_choose() -> None:
    """TW-12d: after a foul seen in the log or owned to; until then nothing else is played."""
    _, after = foul_shot()
    assert (after.phase, after.to_play, after.book.foul) == ("foul", h.GREEN, "TW-9b3")
    assert set(rules.legal_actions(after).actions) == {Decide(replay=True), Decide(replay=False)}
    assert h.refusal(after, h.shot(h.state_from_position(WINKS, "green"), "green-3").squidge) == "TW-12d"
    assert h.refusal(after, Clock(seconds=1.0)) == "TW-12d"
    played = h.shot_that_stays(h.state_from_position(WINKS), "blue-3")
    for how, rule in (("out_of_turn", "TW-7a"), ("other_wink", "TW-7b"), ("squopped", "TW-9a1"), ("stroke", "TW-9b2")):
        called, verdict = h.apply_action(played, CallFoul(how=how))  # type: ignore[arg-type]
        assert (called.phase, called.to_play, called.book.foul) == ("foul", h.GREEN, rule)
        assert h.cites_rule(verdict, "TW-12d")
        decide = "Green and partner decide: Blue plays again, or the winks stay as they lie."  # not "he": Green
        assert decide in [reason.text for reason in verdict.reasons]
    assert h.refusal(h.state_from_position(WINKS), CallFoul(how="stroke")) == "TW-12d"


def test_he_plays_again() -> None:
    """TW-12e: all put back, what the foul earned or cost is gone; by option the winks stay and only he plays again."""
    before, after = foul_shot()
    again, _ = h.apply_action(after, Decide(replay=True))
    assert again.scene == before.scene
    assert again.to_play == h.BLUE
    assert again.book.potted == ()
    stays_before, after = foul_shot(foul_replay_restores=False)
    again, _ = h.apply_action(after, Decide(replay=True))
    assert again.scene == after.scene != stays_before.scene
    assert (again.to_play, again.book.potted, again.book.extra) == (h.BLUE, ("blue-3",), 0)
    state = h.state_from_position(WINKS)
    off = h.shot(state, "blue-3").off("blue-3", 914.4, 0).touched(*BAD).then()
    assert h.apply_action(off, Decide(replay=True))[0].book.missing == ()
    assert h.apply_action(off, Decide(replay=False))[0].book.missing == (h.BLUE,)
    assert again.book.clock == state.book.clock + 15.0  # the foul shot took its time (TW-11a)


def test_a_foul_of_the_squidge_off_is_played_again_from_behind_the_line() -> None:
    """TW-12e, TW-6b: by option the winks stay, but a squidge-off is squidged from behind the line."""
    state = h.shot(h.initial_state(foul_replay_restores=False), "blue-3").to("blue-3", 100, 0).then()
    foul = h.shot(state, "green-3").to("green-3", 0, 100).to("blue-3", 120, 0).touched(*BAD).then()
    again, _ = h.apply_action(foul, Decide(replay=True))
    assert (again.phase, again.to_play, again.book.shots) == ("squidge_off", h.GREEN, ("blue-3",))
    assert again.scene.piece("green-3") == state.scene.piece("green-3")
    assert h.position_of_wink(again, "blue-3") == pytest.approx((120, 0))


def test_after_a_foul_in_the_last_squidge_off_the_clock_waits_or_the_winner_opens() -> None:
    """TW-11a, TW-12e, TW-12f, TW-6d: played again, what the clock showed since is forgotten with what it opened; left
    standing, the first squidge into play is no extra shot, also where a foul earns none."""
    state = h.initial_state(foul_keep_extras=False)
    for wink, place in (("blue-3", (80, 0)), ("green-3", (0, 200)), ("red-3", (-200, 0)), ("yellow-3", (0, -50))):
        state = h.shot(state, wink).to(wink, *place).then()
    late, _ = h.apply_action(state, Clock(seconds=5000.0))
    assert late.book.laps == 6
    again, _ = h.apply_action(h.apply_action(late, CallFoul(how="stroke"))[0], Decide(replay=True))
    assert (again.phase, again.to_play, again.book.clock) == ("squidge_off", h.YELLOW, 0.0)
    former_state, _ = h.apply_action(h.apply_action(state, CallFoul(how="stroke"))[0], Decide(replay=False))
    assert (former_state.phase, former_state.to_play, former_state.book.opener) == ("shot", h.YELLOW, h.YELLOW)


def test_a_pot_out_by_a_foul_stands_where_the_winks_stay() -> None:
    """TW-12e, TW-10a: by option the winks stay: what they then are, stays too."""
    left = {**h.potted_except("green", "green-4"), "green-4": (0, 300)}
    state = h.state_from_position({**WINKS, **left}, options={"foul_replay_restores": False})
    after = h.shot(state, "blue-3").pot("green-4").pot("green-3").touched(*BAD).then()
    again, _ = h.apply_action(after, Decide(replay=True))
    assert (again.to_play, again.book.finished) == (h.BLUE, ((h.GREEN,),))


def test_or_the_winks_stay() -> None:
    """TW-12f: the shot counts as a fair one, extra shots included unless the option says otherwise."""
    _, after = foul_shot()
    kept, verdict = h.apply_action(after, Decide(replay=False))
    assert h.cites_rule(verdict, "TW-12f")
    assert (kept.to_play, kept.book.potted) == (h.BLUE, ("blue-3",))
    assert h.position_of_wink(kept, "red-3") == pytest.approx((-100, 0))
    _, after = foul_shot(foul_keep_extras=False)
    kept, _ = h.apply_action(after, Decide(replay=False))
    assert (kept.to_play, kept.book.potted) == (h.GREEN, ("blue-3",))


def test_turning_over() -> None:
    """TW-12g: one's own free wink, also one behind its line, its place unchanged, the shot still to come."""
    state = h.state_from_position({**WINKS, "green-4": (0, 306)})
    turned, verdict = h.apply_action(state, TurnOver(wink="blue-3"))
    assert h.cites_rule(verdict, "TW-12g")
    assert turned.scene.piece("blue-3").face == -1
    assert h.position_of_wink(turned, "blue-3") == h.position_of_wink(state, "blue-3")
    assert turned.to_play == h.BLUE
    assert h.apply_action(turned, TurnOver(wink="blue-3"))[0].scene == state.scene
    behind, _ = h.apply_action(state, TurnOver(wink="blue-1"))
    assert behind.scene.piece("blue-1").face == -1
    brought = h.shot(behind, "blue-1").crossed("blue-1", h.BLUE, 850, 350, forward=True).to("blue-1", 500, 0).then()
    assert brought.scene.piece("blue-1").face == -1
    potted = h.state_from_position({**WINKS, "green-4": (0, 306), "blue-5": "pot"})
    for wink in ("blue-4", "green-3", "blue-5"):
        assert h.refusal(potted, TurnOver(wink=wink)) == "TW-12g"
    measured = h.state_from_position({"blue-3": (100, 0)}, "green", phase="squidge_off")
    assert h.refusal(h.book(measured, to_play=h.BLUE, turn=h.BLUE), TurnOver(wink="blue-3")) == "TW-12g"
    assert h.apply_action(measured, TurnOver(wink="green-3"))[0].scene.piece("green-3").face == -1
    squopping = h.state_from_position({**WINKS, "green-4": (0, 306)}, "green")
    assert h.refusal(squopping, TurnOver(wink="green-4")) == "TW-12g"


def test_interference_forfeits() -> None:
    """TW-12h, TW-12i: all 7 points to the opponents, also for impeding; a wink taken from the pot goes back, as a foul
    of the last shot."""
    state = h.state_from_position({**WINKS, "blue-5": "pot"})
    for seat in (0, 2):
        over, verdict = h.apply_action(state, Interfere(seat=seat, wink="green-3"))  # type: ignore[arg-type]
        assert h.cites_rule(verdict, "TW-12h")
        assert scoring.pair_points(over.book.points) == (0, 7)
        assert rules.leaders(over) == (1, 3)
        assert rules.to_play(over) is None
    after = h.shot_that_stays(state, "blue-3")
    pot, _ = h.apply_action(after, Interfere(seat=0, wink="blue-5"))
    assert (pot.phase, pot.to_play) == ("foul", h.GREEN)
    assert pot.scene == after.scene
    harmless, verdict = h.apply_action(after, Interfere(seat=2, wink="blue-1"))
    assert harmless.phase == "shot"
    assert "behind its base line" in str(verdict)
    over, verdict = h.apply_action(h.state_from_position(WINKS), Interfere(seat=1))
    assert h.cites_rule(verdict, "TW-12i")
    assert scoring.pair_points(over.book.points) == (7, 0)
    assert rules.leaders(over) == (h.BLUE, h.RED)


def test_interference_in_the_squidge_off() -> None:
    """TW-12h, TW-3e: no wink is in play then; what was taken goes back where it lay, and the verdict says where."""
    state = h.state_from_position({"blue-3": (100, 0), "red-3": "pot"}, "green", phase="squidge_off")
    for wink, where in (("blue-3", "where it lay"), ("red-3", "where it lay"), ("blue-4", "behind its base line")):
        after, verdict = h.apply_action(state, Interfere(seat=1, wink=wink))
        assert where in str(verdict)
        assert after.scene == state.scene
        assert after.phase == "squidge_off"
    off = h.shot(state, "green-3").off("green-3", 914.4, 0).then()
    assert "behind its base line" in str(h.apply_action(off, Interfere(seat=0, wink="green-3"))[1])
