"""Paragraph 12: disturbance, fouls, turning over, and what forfeits the game."""

from __future__ import annotations

import pytest

from flicksim.base.errors import IllegalAction
from flicksim.games.tiddlywinks import rules, scoring
from flicksim.games.tiddlywinks.state import CallFoul, Clock, Decide, Disturb, Interfere, Obstruct, State, TurnOver
from flicksim.table.motion import SquidgerTouch

from .mat import BLUE, GREEN, RED, act, all_but, at, cites, position, shot, stay

WINKS = {"blue-3": (200, 0), "blue-4": (0, 300), "green-3": (0, 200), "red-3": (-200, 0), "yellow-3": (0, -200)}
BAD = (SquidgerTouch(piece="blue-3", begin=0.0, end=0.01), SquidgerTouch(piece="green-3", begin=0.005, end=0.01))


def refused(state: State, action: object) -> str:
    """The row by which an action is refused."""
    with pytest.raises(IllegalAction) as why:
        rules.check(state, action)
    return why.value.rule


def test_winks_moved_by_accident_go_back() -> None:
    """TW-12a: where they were before the shot; the shot itself stands."""
    state = position(WINKS)
    after = shot(state, "blue-3").to("blue-3", 100, 0).to("red-3", -150, 50).then()
    back, verdict = act(after, Disturb(winks=("red-3",)))
    assert cites(verdict, "TW-12a")
    assert at(back, "red-3") == at(state, "red-3")
    assert at(back, "blue-3") == pytest.approx((100, 0))
    assert back.to_play == GREEN
    assert refused(state, Disturb(winks=("red-3",))) == "TW-12a"
    assert refused(after, Disturb(winks=("red-1",))) == "TW-12a"
    behind = shot(state, "blue-3").to("red-5", 0, 100).then()
    assert behind.scene.piece("red-5") == state.scene.piece("red-5")


def test_an_obstructed_wink_is_set_where_agreed() -> None:
    """TW-12b: else where it would have rested, or by option where it lay."""
    state = position(WINKS)
    after = shot(state, "blue-3").to("blue-3", 100, 0).then()
    agreed, verdict = act(after, Obstruct(wink="blue-3", at=(0.05, 0.05)))
    assert cites(verdict, "TW-12b")
    assert at(agreed, "blue-3") == pytest.approx((50, 50))
    assert at(act(after, Obstruct(wink="blue-3"))[0], "blue-3") == pytest.approx((100, 0))
    other = shot(position(WINKS, options={"obstruct_fallback": "replay"}), "blue-3").to("blue-3", 100, 0).then()
    assert at(act(other, Obstruct(wink="blue-3"))[0], "blue-3") == pytest.approx((200, 0))
    for wrong in (
        Obstruct(wink="red-3"),
        Obstruct(wink="blue-3", at=(0.0, 0.0)),
        Obstruct(wink="blue-3", at=(1.0, 0.0)),
    ):
        assert refused(after, wrong) == "TW-12b"


def test_then_the_next_player_goes_on() -> None:
    """TW-12c: an extra shot earned before the obstruction is lost."""
    state = position(WINKS)
    after = shot(state, "blue-3").pot("blue-3").to("blue-4", 0, 310).then()
    assert after.to_play == BLUE
    gone_on, verdict = act(after, Obstruct(wink="blue-4"))
    assert cites(verdict, "TW-12c")
    assert gone_on.to_play == GREEN
    plain = shot(state, "blue-3").to("blue-3", 100, 0).then()
    assert act(plain, Obstruct(wink="blue-3"))[0].to_play == GREEN


def foul_shot(**options: object) -> tuple[State, State]:
    """Before and after a shot that pots Blue 3 and breaks TW-9b3."""
    state = position(WINKS, options=options)
    return state, shot(state, "blue-3").pot("blue-3").to("red-3", -100, 0).touched(*BAD).then()


def test_the_opponents_choose() -> None:
    """TW-12d: after a foul seen in the log or owned to; until then nothing else is played."""
    _, after = foul_shot()
    assert (after.phase, after.to_play, after.book.foul) == ("foul", GREEN, "TW-9b3")
    assert set(rules.choices(after).actions) == {Decide(replay=True), Decide(replay=False)}
    assert refused(after, shot(position(WINKS, "green"), "green-3").squidge) == "TW-12d"
    assert refused(after, Clock(seconds=1.0)) == "TW-12d"
    played = stay(position(WINKS), "blue-3")
    for how, rule in (("out_of_turn", "TW-7a"), ("other_wink", "TW-7b"), ("squopped", "TW-9a1"), ("stroke", "TW-9b2")):
        called, verdict = act(played, CallFoul(how=how))  # type: ignore[arg-type]
        assert (called.phase, called.to_play, called.book.foul) == ("foul", GREEN, rule)
        assert cites(verdict, "TW-12d")
    assert refused(position(WINKS), CallFoul(how="stroke")) == "TW-12d"


def test_he_plays_again() -> None:
    """TW-12e: all put back, what the foul earned or cost is gone; by option the winks stay and only he plays again."""
    before, after = foul_shot()
    again, _ = act(after, Decide(replay=True))
    assert again.scene == before.scene
    assert again.to_play == BLUE
    assert again.book.potted == ()
    stays_before, after = foul_shot(foul_replay_restores=False)
    again, _ = act(after, Decide(replay=True))
    assert again.scene == after.scene != stays_before.scene
    assert (again.to_play, again.book.potted, again.book.extra) == (BLUE, ("blue-3",), 0)
    state = position(WINKS)
    off = shot(state, "blue-3").off("blue-3", 914.4, 0).touched(*BAD).then()
    assert act(off, Decide(replay=True))[0].book.missing == ()
    assert act(off, Decide(replay=False))[0].book.missing == (BLUE,)
    assert again.book.clock == state.book.clock + 15.0  # the foul shot took its time (TW-11a)


def test_a_pot_out_by_a_foul_stands_where_the_winks_stay() -> None:
    """TW-12e, TW-10a: by option the winks stay: what they then are, stays too."""
    left = {**all_but("green", "green-4"), "green-4": (0, 300)}
    state = position({**WINKS, **left}, options={"foul_replay_restores": False})
    after = shot(state, "blue-3").pot("green-4").pot("green-3").touched(*BAD).then()
    again, _ = act(after, Decide(replay=True))
    assert (again.to_play, again.book.finished) == (BLUE, ((GREEN,),))


def test_or_the_winks_stay() -> None:
    """TW-12f: the shot counts as a fair one, extra shots included unless the option says otherwise."""
    _, after = foul_shot()
    kept, verdict = act(after, Decide(replay=False))
    assert cites(verdict, "TW-12f")
    assert (kept.to_play, kept.book.potted) == (BLUE, ("blue-3",))
    assert at(kept, "red-3") == pytest.approx((-100, 0))
    _, after = foul_shot(foul_keep_extras=False)
    kept, _ = act(after, Decide(replay=False))
    assert (kept.to_play, kept.book.potted) == (GREEN, ("blue-3",))


def test_turning_over() -> None:
    """TW-12g: one's own free wink, its place unchanged, the shot still to come."""
    state = position({**WINKS, "green-4": (0, 306)})
    turned, verdict = act(state, TurnOver(wink="blue-3"))
    assert cites(verdict, "TW-12g")
    assert turned.scene.piece("blue-3").face == -1
    assert at(turned, "blue-3") == at(state, "blue-3")
    assert turned.to_play == BLUE
    assert act(turned, TurnOver(wink="blue-3"))[0].scene == state.scene
    for wink in ("blue-4", "green-3", "blue-1"):
        assert refused(state, TurnOver(wink=wink)) == "TW-12g"
    squopping = position({**WINKS, "green-4": (0, 306)}, "green")
    assert refused(squopping, TurnOver(wink="green-4")) == "TW-12g"


def test_interference_forfeits() -> None:
    """TW-12h: all 7 points to the opponents; a wink taken from the pot goes back, as a foul of the last shot."""
    state = position({**WINKS, "blue-5": "pot"})
    for seat in (0, 2):
        over, verdict = act(state, Interfere(seat=seat, wink="green-3"))  # type: ignore[arg-type]
        assert cites(verdict, "TW-12h")
        assert scoring.pair_points(over.book.points) == (0, 7)
        assert rules.winning(over) == (1, 3)
        assert rules.to_play(over) is None
    after = stay(state, "blue-3")
    pot, _ = act(after, Interfere(seat=0, wink="blue-5"))
    assert (pot.phase, pot.to_play) == ("foul", GREEN)
    assert pot.scene == after.scene
    harmless, _ = act(after, Interfere(seat=2, wink="blue-1"))
    assert harmless.phase == "shot"


def test_impeding_forfeits() -> None:
    """TW-12i: the same forfeit."""
    over, verdict = act(position(WINKS), Interfere(seat=1))
    assert cites(verdict, "TW-12i")
    assert scoring.pair_points(over.book.points) == (7, 0)
    assert rules.winning(over) == (BLUE, RED)
