"""Every ITW- rule of the rulebook, one test each: it fails when the rule is broken."""

from collections import Counter
from math import dist, radians
from typing import Any

import ice_helpers as h
import msgspec
import pytest

from flicksim.core.errors import InvalidOption
from flicksim.core.geometry import convex_separation, is_inside_convex
from flicksim.core.random_streams import RandomStreams
from flicksim.engine.pyramid_launch import simulate_volley
from flicksim.engine.settings import Settings
from flicksim.games.ice import GAME, bot, rules
from flicksim.games.ice.state import Action, Disturb, Load, State, Wait
from flicksim.games.ice.table_layout import SEATS, Options, kit, launcher_id, missiles, owner_of, seat_areas, size_of
from flicksim.referee import Verdict, check_seat_count, parse_options
from flicksim.scene import Launched, Pyramid, Size

MIDDLE = (0.45, 0.45)
RED, YELLOW = 0, 1


def points(*pieces: Pyramid, seats: int = 2, **options: Any) -> tuple[int, ...]:
    """Points of every seat for these pieces."""
    return rules.provisional_points(h.running_state(seats, pieces, **options))


def test_itw_1a_one_to_six_play() -> None:
    """ITW-1a: one plays for a score alone; none and seven are refused."""
    for seats in range(1, 7):
        assert h.initial_state(seats).seats == seats
        check_seat_count(GAME, seats)
    for wrong in (0, 7):
        with pytest.raises(InvalidOption, match=str(wrong)):
            check_seat_count(GAME, wrong)
    over, verdict = h.launch_and_adjudicate(h.running_state(1, hands={RED: ("red-large-1",)}), "red-large-1", MIDDLE)
    assert over.final == (3,)
    assert rules.leaders(over) == (0,)
    assert verdict.rule_ids[-1] == "ITW-7h"


def test_itw_1b_the_pieces_are_those_of_the_set_in_play() -> None:
    """ITW-1b: three sizes of square pyramids; others may be named, growing from small to large."""
    state = h.loaded_state(2, sizes_mm=(10.0, 18.0, 14.0, 25.0, 18.0, 32.0))
    assert [state.scene.kit.shape(size).base for size in ("small", "medium", "large")] == [0.010, 0.014, 0.018]
    wrong = msgspec.structs.replace(h.launch(state, "red-large-4"), size="small")
    assert h.refusal(state, wrong) == "ITW-1b"
    with pytest.raises(InvalidOption, match="grow from small"):
        parse_options(GAME, ["sizes_mm=30,40,20,30,12,20"])


def test_itw_2a_players_sit_round_a_table() -> None:
    """ITW-2a: a place for each, going round; the table is square unless it is round or said otherwise."""
    assert h.initial_state(2).scene.surface.outline == ((0.0, 0.0), (0.9, 0.0), (0.9, 0.9), (0.0, 0.9))
    for options in (Options(), Options(table="round"), Options(table_mm=(1200.0, 700.0))):
        for seats in range(1, 7):
            found = seat_areas(options, seats)
            assert len(found) == seats
            assert len({place.default_hold for place in found}) == seats
    circle = h.initial_state(3, table="round").scene.surface.outline
    assert all(abs((x - 0.45) ** 2 + (y - 0.45) ** 2 - 0.45**2) < 1e-9 for x, y in circle)


def test_itw_2b_each_has_fifteen_of_one_colour() -> None:
    """ITW-2b: five of each size, no piece in two sets."""
    every: list[str] = []
    for seat, colour in enumerate(SEATS):
        pieces = (*missiles(seat), launcher_id(seat))
        assert Counter(size_of(name) for name in pieces) == {"small": 5, "medium": 5, "large": 5}
        assert all(name.startswith(colour.lower()) and owner_of(name) == seat for name in pieces)
        every += pieces
    assert len(set(every)) == 90


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("deep", [100.0, 150.0])
def test_itw_2c_a_start_line_lies_in_front_of_each(seats: int, deep: float) -> None:
    """ITW-2c: so far in from the edge, with the table's middle on its far side."""
    for table in ("rectangle", "round"):
        options = Options(table=table, start_line_mm=deep)  # type: ignore[arg-type]
        for place in seat_areas(options, seats):
            (ax, ay), (bx, by) = place.start_line
            for t in (0.0, 0.5, 1.0):
                x, y = ax + (bx - ax) * t, ay + (by - ay) * t
                assert convex_separation([(x, y)] * 3, place.stash) <= 1e-9
            left = (bx - ax) * (0.45 - ay) - (by - ay) * (0.45 - ax)
            assert left > 0.0
            mx, my = (ax + bx) / 2, (ay + by) / 2
            in_from_edge = (
                0.45 - ((mx - 0.45) ** 2 + (my - 0.45) ** 2) ** 0.5
                if table == "round"
                else min(mx, my, 0.9 - mx, 0.9 - my)
            )
            assert in_from_edge == pytest.approx(deep / 1e3, abs=1e-3)


def test_itw_2d_lines_are_marked_or_imaginary_and_never_in_play() -> None:
    """ITW-2d: drawn only when agreed; a launch goes the same either way."""
    assert h.initial_state(2).scene.surface.lines == ()
    assert [line.name for line in h.initial_state(2, markers=True).scene.surface.lines] == [
        "Red's start line",
        "Yellow's start line",
    ]
    ends_at = [
        h.play(h.loaded_state(2, markers=on), h.launch(h.loaded_state(2), "red-large-4"))[0].scene.pieces
        for on in (False, True)
    ]
    assert ends_at[0] == ends_at[1]


def test_itw_2e_the_stash_is_between_line_and_edge() -> None:
    """ITW-2e: kept off the table unless it is to stand there; then each piece is wholly in its owner's area."""
    assert h.initial_state(4).scene.pieces == ()
    state = h.initial_state(4, stash_bodies=True)
    assert len(state.scene.pieces) == 4 * 14
    for piece in state.scene.pieces:
        area = seat_areas(state.options, 4)[owner_of(piece.id)].stash
        assert all(is_inside_convex(corner, area) for corner in piece.footprint())
    after, _ = h.launch_and_adjudicate(h.loaded_state(4, stash_bodies=True), "red-large-4", MIDDLE)
    assert after.scene.piece("red-large-4").position == MIDDLE
    with pytest.raises(InvalidOption, match="stashes do not fit"):
        h.initial_state(6, stash_bodies=True, table_mm=(300.0, 300.0), start_line_mm=60.0)


def test_itw_2f_2g_the_launcher_never_scores_and_the_other_fourteen_are_missiles() -> None:
    """ITW-2f, ITW-2g: a large piece that is no missile, cannot be launched, and is on no count; five small, five
    medium, four large in every hand, and nobody else's."""
    state = h.loaded_state(2)
    assert size_of(launcher_id(RED)) == "large"
    assert all(launcher_id(seat) not in state.hands[seat] for seat in (RED, YELLOW))
    assert h.refusal(state, h.launch(state, launcher_id(RED))) == "ITW-2f"
    assert h.refusal(h.initial_state(2), Load(piece=launcher_id(RED))) in ("ITW-2f", "ITW-2g")
    stray = h.running_state(1, [h.pyramid(launcher_id(RED), MIDDLE)])
    assert rules.provisional_points(msgspec.structs.replace(stray, committed=())) == (0,)
    for hand in h.initial_state(6).hands:
        assert Counter(size_of(name) for name in hand) == {"small": 5, "medium": 5, "large": 4}
    seat = rules.to_play(state)
    other = missiles(1 - seat)[0]
    assert h.refusal(state, msgspec.structs.replace(h.launch(state, other), owner=seat)) == "ITW-2g"


def test_itw_2h_4a_the_game_starts_when_each_has_stacked_a_missile() -> None:
    """ITW-2h, ITW-4a: any one of the own; that one flies first; nobody waits or launches before all have."""
    state = h.initial_state(3)
    order = []
    while not state.started:
        seat = rules.to_play(state)
        assert h.refusal(state, Wait(until=3.0)) == "ITW-2h"
        assert h.refusal(state, h.launch(state, missiles(seat)[0])) == "ITW-4a"
        assert {action.piece for action in rules.legal_actions(state).actions} == set(missiles(seat))
        order.append(seat)
        state, verdict = h.play(state, Load(piece=missiles(seat)[2]))
        assert ("ITW-4a" in verdict.rule_ids) == state.started == (len(order) == 3)
    assert sorted(order) == [0, 1, 2]
    seat = rules.to_play(state)
    assert h.refusal(state, h.launch(state, missiles(seat)[5])) == "ITW-2h"
    assert h.refusal(state, h.launch(state, missiles(seat)[2])) == ""


def test_itw_3a_the_launch_is_all_there_is() -> None:
    """ITW-3a: once the game is on nothing else is offered; waiting is no launch yet, owning up undoes what was none."""
    state = h.loaded_state(2)
    assert rules.legal_actions(state).actions == ()
    assert rules.legal_actions(state).flicks
    assert h.refusal(state, "push it") == "ITW-3a"
    assert {kind.__name__ for kind in Action.__args__} == {"Launch", "Load", "Wait", "Disturb"}


def test_itw_3b_the_launcher_is_held_upright_where_there_is_room() -> None:
    """ITW-3b: over the table, upright; not through a piece that stands there."""
    state = h.running_state(1, [h.pyramid("red-large-1", (0.45, 0.075))], {RED: ("red-small-1",)})
    assert h.refusal(state, h.launch(state, "red-small-1", lift=0.08)) == ""
    held, missile = state.scene.launcher_and_missile(h.launch(state, "red-small-1"))
    assert (held.tilt, missile.tilt) == (0.0, 0.0)
    under = h.pyramid("red-large-1", (0.45, 0.075))
    over = h.pyramid("red-large-2", under.position, z=under.shape.stacking_height(under.shape), stands_on=(under.id,))
    tall = h.running_state(1, [under, over], {RED: ("red-small-1",)})
    assert h.refusal(tall, h.launch(tall, "red-small-1", lift=0.05, hold=(0.461, 0.075))) == "ITW-3b"
    assert h.refusal(tall, h.launch(tall, "red-small-1", lift=0.08, hold=(0.461, 0.075))) == ""


def test_itw_3c_one_missile_at_a_time_sits_on_the_launchers_tip() -> None:
    """ITW-3c: axis on axis at its seat; no second one is stacked, and none goes up while one is in the air."""
    state = h.loaded_state(1)
    held, missile = state.scene.launcher_and_missile(h.launch(state, "red-large-4"))
    assert missile.position == held.position
    assert missile.z - held.z == pytest.approx(missile.shape.stacking_height(held.shape))
    assert h.refusal(state, Load(piece="red-small-1")) == "ITW-3c"


def test_itw_3d_the_flick_at_the_base_sends_it_up_and_away() -> None:
    """ITW-3d: every size of missile leaves upward and over its line, when flicked at the launcher's base."""
    for size, speed in (("small", 2.6), ("medium", 3.0), ("large", 3.6)):
        name = f"red-{size}-1"
        state = h.running_state(1, hands={RED: (name, "red-small-5")})
        setting = rules.simulation_setup(state, h.launch(state, name, speed=speed))
        (landing,) = simulate_volley(*setting, Settings()).trajectories
        (left,) = [event for event in landing.events if isinstance(event, Launched)]
        assert min(left.velocity) > 0.0
        assert landing.missile.y > 0.15
    with pytest.raises(ValueError, match="it is the launcher's base that is flicked"):
        h.launch(h.loaded_state(1), "red-large-4", height=0.02)


@pytest.mark.parametrize("thought", ["beginner", "club", "expert"])
def test_itw_3e_bots_aim_for_the_middle(thought: str) -> None:
    """ITW-3e: the first thing a bot thinks of on an empty table comes down about the middle.

    World class keeps to its own line instead, where what falls over mostly comes back (ITW-5g).
    """
    state, far = h.loaded_state(1), []
    for seed in range(12):
        (action,) = bot.for_grade(thought).candidates(state, RandomStreams(seed=seed).generator(), 1)
        after, _ = h.play(state, action)
        far.append(dist(after.scene.piece(action.piece).position, MIDDLE) if after.committed else 9.0)
    assert sorted(far)[6] < 0.2


def test_itw_4b_no_turns_launches_carry_times_and_come_down_in_order() -> None:
    """ITW-4b: two in the air at once are settled in the order in which they land, whoever flicked first."""
    state = h.running_state(
        2, hands={RED: ("red-small-1", "red-small-2"), YELLOW: ("yellow-large-1", "yellow-large-2")}
    )
    state = msgspec.structs.replace(state, order=(0, 1), ready=(0.0, 0.05))
    high = h.launch(state, "red-small-1", speed=5.0, slant=radians(85), time=0.0)
    state, verdict = h.play(state, high)
    assert verdict.ruling.fates == ()
    assert [there.piece for there in state.aloft] == ["red-small-1"]
    assert rules.to_play(state) == YELLOW
    low = h.launch(state, "yellow-large-1", speed=3.0, time=0.06)
    setting = rules.simulation_setup(state, low)
    down = simulate_volley(setting[0], msgspec.structs.replace(setting[1], until=None, pauses=()), Settings())
    assert [landing.launch.piece for landing in down.trajectories] == ["yellow-large-1", "red-small-1"]
    assert down.trajectories[1].before == down.trajectories[0].after
    assert h.refusal(state, h.launch(state, "red-small-2", owner=RED)) == "ITW-4b"


def test_itw_4b_at_the_very_same_time_seats_come_in_the_order_drawn() -> None:
    """ITW-4b: the order is from the seed, and decides ties only."""
    orders = {rules.initial_state(Options(), 4, RandomStreams(seed=seed)).order for seed in range(30)}
    assert len(orders) > 5
    assert (
        rules.initial_state(Options(), 4, RandomStreams(seed=3)).order
        == rules.initial_state(Options(), 4, RandomStreams(seed=3)).order
    )
    state = h.loaded_state(4)
    assert rules.to_play(state) == state.order[0]
    later = msgspec.structs.replace(state, ready=tuple(0.0 if seat == state.order[3] else 1.0 for seat in range(4)))
    assert rules.to_play(later) == state.order[3]


def test_itw_4b_people_take_their_time() -> None:
    """ITW-4b: waiting hands the next launch to whoever is ready before; waiting back in time is refused."""
    state = h.loaded_state(2)
    seat = rules.to_play(state)
    after, _ = h.play(state, Wait(until=5.0))
    assert rules.to_play(after) == 1 - seat
    assert h.refusal(after, Wait(until=-1.0)) == "ITW-4b"
    assert h.refusal(after, Wait(until=1e9)) == "ITW-4b"


def test_itw_4c_one_by_one_the_next_when_the_last_is_at_rest() -> None:
    """ITW-4c: not while the own missile is up or rolling; any size may be next."""
    state = h.running_state(1, hands={RED: ("red-small-1", "red-large-1")})
    after, _ = h.launch_and_adjudicate(state, "red-small-1", MIDDLE, lasts=1.5)
    assert after.ready[RED] == 1.5
    assert h.refusal(after, h.launch(after, "red-large-1", time=1.4)) == "ITW-4c"
    assert h.refusal(after, h.launch(after, "red-large-1", time=1.5)) == ""
    flying = msgspec.structs.replace(state, aloft=(h.launch(state, "red-small-1", owner=RED, time=0.0),))
    assert rules.to_play(flying) is None


@pytest.mark.parametrize(("more", "ready"), [((), 2.5), (("red-large-1",), 1.0)])
def test_itw_4c_an_empty_hand_waits_until_all_in_the_air_is_at_rest(more: tuple[str, ...], ready: float) -> None:
    """ITW-4c: a returned missile is launched again at once by a hand with others, and last of all by one without."""
    state = h.running_state(2, hands={RED: ("red-small-1", *more), YELLOW: ("yellow-small-1", "yellow-small-2")})
    other = h.launch(state, "yellow-small-1", owner=YELLOW, time=0.0)
    state = msgspec.structs.replace(state, aloft=(other,))
    mine = h.launch(state, "red-small-1", time=0.0)
    result = h.simultaneous(
        state, h.landings_result(state, mine, None, lasts=1.0), h.landings_result(state, other, MIDDLE, lasts=2.5)
    )
    after, _ = h.play(state, mine, result)
    assert "red-small-1" in after.hands[RED]
    assert after.ready == (ready, 2.5)


def test_itw_4d_it_ends_when_all_missiles_of_all_have_been_played() -> None:
    """ITW-4d: not while anybody has one left or in the air."""
    state = h.running_state(2, hands={RED: ("red-small-1",), YELLOW: ("yellow-small-1",)})
    state, _ = h.launch_and_adjudicate(msgspec.structs.replace(state, order=(0, 1)), "red-small-1", MIDDLE)
    assert state.final is None
    assert rules.to_play(state) == YELLOW
    state, _ = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.45))
    assert state.final == (1, 1)
    assert rules.to_play(state) is None
    assert h.refusal(state, h.launch(state, "red-small-1")) == "ITW-4d"


def test_itw_5a_the_launcher_is_held_over_ones_own_stash_area() -> None:
    """ITW-5a: held elsewhere the missile is handed back, wherever it lands; or the launch is refused, if so agreed."""
    state = h.running_state(2, hands={RED: ("red-small-1",)})
    after, verdict = h.launch_and_adjudicate(state, "red-small-1", MIDDLE, hold=(0.45, 0.30))
    assert "ITW-5a" in verdict.rule_ids
    assert after.hands[RED] == ("red-small-1",)
    assert after.committed == ()
    assert h.launch_and_adjudicate(state, "red-small-1", MIDDLE, hold=(0.45, 0.14))[0].committed == ("red-small-1",)
    strict = h.running_state(2, hands={RED: ("red-small-1",)}, bad_hold="refuse")
    assert h.refusal(strict, h.launch(strict, "red-small-1", hold=(0.45, 0.30))) == "ITW-5a"
    assert h.refusal(strict, h.launch(strict, "red-small-1", hold=(0.45, 0.14))) == ""


def test_itw_5b_the_stash_area_lies_between_edge_and_line_and_may_overlap_a_neighbours() -> None:
    """ITW-5b: on a square table with four seats the corners belong to two."""
    found = seat_areas(Options(), 4)
    assert is_inside_convex((0.45, 0.149), found[0].stash)
    assert not is_inside_convex((0.45, 0.151), found[0].stash)
    corner = (0.05, 0.05)
    assert sum(is_inside_convex(corner, place.stash) for place in found) == 2
    assert all(not is_inside_convex(MIDDLE, place.stash) for place in found)


def test_itw_5c_legal_only_beyond_ones_own_line() -> None:
    """ITW-5c: at rest and wholly beyond it; by options with its middle, or where it first touches."""
    state = h.running_state(1, hands={RED: ("red-large-1", "red-small-1")})
    half = kit(Options()).large.base / 2
    for y, stays in ((0.15 + half + 0.001, True), (0.15 + half - 0.001, False), (0.15 - half, False)):
        after, verdict = h.launch_and_adjudicate(state, "red-large-1", (0.45, y))
        assert (after.committed == ("red-large-1",)) == stays
        assert ("ITW-5c" in verdict.rule_ids) == stays
    by_middle = h.running_state(1, hands={RED: ("red-large-1", "red-small-1")}, line="middle")
    for y, stays in ((0.151, True), (0.149, False)):
        assert (h.launch_and_adjudicate(by_middle, "red-large-1", (0.45, y))[0].committed != ()) == stays
    by_touch = h.running_state(1, hands={RED: ("red-large-1", "red-small-1")}, landing="first_touch")
    assert h.launch_and_adjudicate(by_touch, "red-large-1", (0.45, 0.1), first=(0.45, 0.2))[0].committed != ()
    assert h.launch_and_adjudicate(by_touch, "red-large-1", (0.45, 0.2), first=(0.45, 0.1))[0].committed == ()


def test_itw_5d_landed_in_the_own_stash_area_it_is_returned() -> None:
    """ITW-5d: it is in hand again, and off the table before anything else comes down."""
    state = h.running_state(1, hands={RED: ("red-large-1", "red-small-1")})
    after, verdict = h.launch_and_adjudicate(state, "red-large-1", (0.45, 0.1))
    assert "ITW-5d" in verdict.rule_ids
    assert set(after.hands[RED]) == {"red-large-1", "red-small-1"}
    assert after.lift == ("red-large-1",)
    again, _ = h.play(after, h.launch(after, "red-small-1"))
    assert not again.scene.has("red-large-1")


def test_itw_5e_off_the_table_it_is_returned_overhanging_it_stays() -> None:
    """ITW-5e: only what has fallen is off."""
    state = h.running_state(1, hands={RED: ("red-small-1",)})
    after, verdict = h.launch_and_adjudicate(state, "red-small-1", None)
    assert "ITW-5e" in verdict.rule_ids
    assert after.hands[RED] == ("red-small-1",)
    over, verdict = h.launch_and_adjudicate(state, "red-small-1", (0.45, 0.899))
    assert over.committed == ("red-small-1",)
    assert "ITW-5e" not in verdict.rule_ids


def test_itw_5f_5g_a_returned_missile_is_used_again_and_a_miss_costs_nothing() -> None:
    """ITW-5f, ITW-5g: as often as it takes, also one that stayed on the launcher; what stands counts the same."""
    state = h.running_state(1, [h.pyramid("red-large-1", (0.6, 0.6))], {RED: ("red-small-1",)})
    clean, _ = h.launch_and_adjudicate(state, "red-small-1", MIDDLE)
    for kept in (False, False, False, True):
        before = rules.provisional_points(state)
        state, verdict = h.launch_and_adjudicate(state, "red-small-1", None, kept=kept)
        assert ("ITW-5f" in verdict.rule_ids) == kept
        assert (state.hands[RED], state.final) == (("red-small-1",), None)
        assert rules.provisional_points(state) == before
        assert verdict.ruling.points == (0,)
    state, _ = h.launch_and_adjudicate(state, "red-small-1", MIDDLE)
    assert state.final == clean.final == (4,)


def test_itw_6a_a_start_line_concerns_only_its_owner() -> None:
    """ITW-6a: on the neighbour's line, straddling it, a missile stays; on the own it is returned."""
    state = h.running_state(
        2, hands={RED: ("red-large-1", "red-small-1"), YELLOW: ("yellow-large-1", "yellow-small-1")}
    )
    assert h.launch_and_adjudicate(state, "red-large-1", (0.45, 0.75))[0].committed == ("red-large-1",)
    assert h.launch_and_adjudicate(state, "red-large-1", (0.45, 0.15))[0].committed == ()
    other = msgspec.structs.replace(state, ready=(9.0, 0.0))
    assert h.launch_and_adjudicate(other, "yellow-large-1", (0.45, 0.15))[0].committed == ("yellow-large-1",)


def test_itw_6b_in_an_opponents_area_and_outside_ones_own_it_is_legal() -> None:
    """ITW-6b: it stays; in a corner that is in both, the own area prevails."""
    state = h.running_state(4, hands={RED: ("red-large-1", "red-small-1")})
    across, verdict = h.launch_and_adjudicate(state, "red-large-1", (0.45, 0.85))
    assert across.committed == ("red-large-1",)
    assert "ITW-6b" in verdict.rule_ids
    assert h.launch_and_adjudicate(state, "red-large-1", (0.05, 0.05))[0].committed == ()
    assert h.launch_and_adjudicate(state, "red-large-1", (0.05, 0.30))[0].committed == ("red-large-1",)


def test_itw_6c_a_piece_played_is_not_taken_back() -> None:
    """ITW-6c: no action takes it; knocked off it goes back to its owner, into his stash area it stays."""
    scorer = h.pyramid("red-large-1", MIDDLE)
    hands = {YELLOW: ("yellow-small-1", "yellow-small-2")}
    state = msgspec.structs.replace(h.running_state(2, [scorer], hands), ready=(0.0, 1.0))
    assert h.refusal(state, h.launch(state, "red-large-1", owner=YELLOW)) == "ITW-2g"
    off, verdict = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), gone=("red-large-1",))
    assert "ITW-6c" in verdict.rule_ids
    assert off.hands[RED] == ("red-large-1",)
    assert off.committed == ("yellow-small-1",)
    moved = h.lying_on_side("red-large-1", (0.45, 0.08))
    into, verdict = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), also=(moved,))
    assert "ITW-6c" in verdict.rule_ids
    assert set(into.committed) == {"red-large-1", "yellow-small-1"}
    lost = msgspec.structs.replace(h.running_state(2, [scorer], hands, knock_off="lost"), ready=(0.0, 1.0))
    gone, _ = h.launch_and_adjudicate(lost, "yellow-small-1", (0.3, 0.4), gone=("red-large-1",))
    assert (gone.hands[RED], gone.committed) == ((), ("yellow-small-1",))
    back = msgspec.structs.replace(h.running_state(2, [scorer], hands, knock_into_stash="return"), ready=(0.0, 1.0))
    home, _ = h.launch_and_adjudicate(back, "yellow-small-1", (0.3, 0.4), also=(moved,))
    assert home.hands[RED] == ("red-large-1",)
    assert home.lift == ("red-large-1",)


@pytest.mark.parametrize(("had", "ready"), [(0.0, 2.0), (7.0, 7.0)])
def test_itw_6c_what_goes_back_is_launched_when_all_is_at_rest_and_the_hand_is_ready(had: float, ready: float) -> None:
    """ITW-6c, 4c: whichever of the two comes later."""
    state = h.running_state(2, [h.pyramid("red-large-1", MIDDLE)], {YELLOW: ("yellow-small-1", "yellow-small-2")})
    state = msgspec.structs.replace(state, ready=(had, 1.0))
    after, _ = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), gone=("red-large-1",), lasts=1.0)
    assert after.hands[RED] == ("red-large-1",)
    assert after.ready == (ready, 2.0)


def test_itw_6c_nudged_within_its_owners_stash_area_nothing_changes() -> None:
    """ITW-6c: it is not knocked into an area in which it lay already."""
    there, nudged = h.lying_on_side("red-large-1", (0.45, 0.08)), h.lying_on_side("red-large-1", (0.46, 0.085))
    hands = {YELLOW: ("yellow-small-1", "yellow-small-2")}
    state = msgspec.structs.replace(h.running_state(2, [there], hands, knock_into_stash="return"), ready=(0.0, 1.0))
    after, verdict = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), also=(nudged,))
    assert "ITW-6c" not in verdict.rule_ids
    assert after.hands[RED] == ()
    assert after.committed == ("red-large-1", "yellow-small-1")


def propped(**options: Any) -> State:
    """Yellow's leaves on Red's, which Red takes up again: nothing holds the yellow one on the table then."""
    prop = h.lying_on_side("red-large-1", (0.45, 0.031457313), -1.7277010184870447)
    leaning = h.pyramid(
        "yellow-small-1", (0.4517776576985036, 0.003586171263317316), radians(11.0), 1.9275382320254142,
        0.025154291370846765, stands_on=("red-large-1",),
    )  # fmt: skip
    state = h.running_state(2, [prop, leaning], {RED: ("red-small-1", "red-large-1")}, **options)
    return msgspec.structs.replace(state, committed=("yellow-small-1",), lift=("red-large-1",))


def test_itw_6c_what_falls_off_as_its_prop_is_picked_up_goes_back() -> None:
    """ITW-6c, 5e: it was knocked off by no missile, and is off the table all the same."""
    state = propped()
    assert not state.scene.problems()
    after, verdict = h.play(state, h.launch(state, "red-small-1", hold=(0.2, 0.075)))
    assert not after.scene.has("yellow-small-1")
    assert after.hands[YELLOW] == ("yellow-small-1",)
    assert "yellow-small-1" not in after.committed
    assert any(one.rule == "ITW-6c" and "picked up" in one.text for one in verdict.reasons)
    lost = propped(knock_off="lost")
    after, _ = h.play(lost, h.launch(lost, "red-small-1", hold=(0.2, 0.075)))
    assert (after.hands[YELLOW], "yellow-small-1" in after.committed) == ((), False)


def disturbed(state: State, *names: str) -> tuple[State, Verdict]:
    """Owned up to, through what people are offered."""
    (one,) = rules.legal_actions(state).self_reports
    (pick,) = one.fields
    assert set(names) <= set(pick.options)
    return h.play(state, one.with_choices({pick.field: names}))


def test_itw_3a_what_a_hand_moved_goes_back() -> None:
    """ITW-3a: nothing but a launch moves pieces; knocked off by a hand, a piece is in play again and in no hand."""
    mine, other = h.pyramid("red-large-1", MIDDLE), h.pyramid("red-medium-1", (0.6, 0.6))
    hands = {YELLOW: ("yellow-small-1", "yellow-small-2")}
    state = msgspec.structs.replace(h.running_state(2, [mine, other], hands), ready=(0.0, 1.0))
    assert rules.legal_actions(state).self_reports == ()
    shoved = h.lying_on_side("red-medium-1", (0.7, 0.6))
    after, _ = h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), gone=("red-large-1",), also=(shoved,))
    assert after.hands[RED] == ("red-large-1",)
    back, verdict = disturbed(after, "red-large-1")
    assert verdict.rule_ids == ("ITW-3a",)
    assert back.scene.piece("red-large-1") == mine
    assert back.scene.piece("red-medium-1") == shoved
    assert back.hands[RED] == ()
    assert set(back.committed) == {"red-large-1", "red-medium-1", "yellow-small-1"}
    both, _ = disturbed(back, "red-medium-1")  # one more may be named afterwards
    assert both.scene.piece("red-medium-1") == other
    assert rules.legal_actions(both).self_reports == ()


def test_itw_3a_what_cannot_lie_so_does_not_go_back() -> None:
    """ITW-3a: not where the missile lies now, not without what it rested on, not from under another; nor by option."""
    mine = h.pyramid("red-large-1", MIDDLE)
    hands = {YELLOW: ("yellow-small-1", "yellow-small-2")}

    def after(rest: Any, *pieces: Any, **options: Any) -> State:
        state = msgspec.structs.replace(h.running_state(2, [mine, *pieces], hands, **options), ready=(0.0, 1.0))
        return h.launch_and_adjudicate(
            state, "yellow-small-1", rest, also=(h.lying_on_side("red-large-1", (0.7, 0.6)),)
        )[0]

    there = after(h.pyramid("yellow-small-1", (0.459, 0.45)))
    assert h.refusal(there, Disturb(pieces=("red-large-1",))) == "ITW-3a"
    upon = after(h.leaning("yellow-small-1", (0.7, 0.6), 5.0, "red-large-1"))
    assert h.refusal(upon, Disturb(pieces=("red-large-1",))) == "ITW-3a"
    clear = after((0.3, 0.4))
    assert h.refusal(clear, Disturb(pieces=("red-large-1",))) == ""
    for wrong in ((), ("yellow-small-1",), ("red-large-9",), ("red-large-1", "yellow-small-2")):
        assert h.refusal(clear, Disturb(pieces=wrong)) == "ITW-3a"
    stands = after((0.3, 0.4), disturb="stands")
    assert rules.legal_actions(stands).self_reports == ()
    assert h.refusal(stands, Disturb(pieces=("red-large-1",))) == "ITW-3a"


def test_itw_3a_after_the_last_missile_too() -> None:
    """ITW-3a: it is counted anew."""
    state = h.running_state(2, [h.pyramid("red-large-1", MIDDLE)], {YELLOW: ("yellow-small-1",)})
    over, _ = h.launch_and_adjudicate(
        state, "yellow-small-1", (0.3, 0.4), also=(h.lying_on_side("red-large-1", (0.47, 0.45)),)
    )
    assert over.final == (0, 1)
    again, verdict = disturbed(over, "red-large-1")
    assert again.final == (3, 1)
    assert verdict.ruling.is_over
    assert verdict.ruling.points == (3, 0)


def test_itw_7a_points_are_what_bots_play_for() -> None:
    """ITW-7a: a table is worth more the more one has standing, and less the more the others have."""
    base = h.running_state(
        2, [h.lying_on_side("red-large-1", MIDDLE)], {RED: ("red-small-1",), YELLOW: ("yellow-small-1",)}
    )
    own = h.running_state(2, [h.pyramid("red-large-1", MIDDLE)], {RED: ("red-small-1",), YELLOW: ("yellow-small-1",)})
    other = h.running_state(
        2, [h.pyramid("yellow-large-1", MIDDLE)], {RED: ("red-small-1",), YELLOW: ("yellow-small-1",)}
    )
    assert bot.value(own, RED) > bot.value(base, RED) > bot.value(other, RED)


def test_itw_7b_7c_only_what_stands_at_the_end_earns_all_at_once() -> None:
    """ITW-7b, ITW-7c: nothing is scored before the very last landing; knocked over before it a piece earns nothing,
    whoever did it."""
    scorer, fallen = h.pyramid("red-large-1", MIDDLE), h.lying_on_side("red-large-1", (0.47, 0.45))
    state = h.running_state(2, [scorer], {YELLOW: ("yellow-small-1",)})
    assert rules.scores(state) == (0, 0)
    assert h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4))[0].final == (3, 1)
    assert h.launch_and_adjudicate(state, "yellow-small-1", (0.3, 0.4), also=(fallen,))[0].final == (0, 1)
    state = h.running_state(1, [scorer], {RED: ("red-small-1", "red-small-2")})
    state, verdict = h.launch_and_adjudicate(state, "red-small-1", (0.3, 0.4))
    assert (rules.scores(state), verdict.ruling.points) == ((0,), (0,))
    assert h.launch_and_adjudicate(state, "red-small-2", (0.3, 0.5), also=(fallen,))[0].final == (2,)
    state, verdict = h.launch_and_adjudicate(state, "red-small-2", (0.3, 0.5))
    assert (rules.scores(state), verdict.ruling.points) == ((5,), (5,))
    assert "ITW-7c" in verdict.rule_ids


def test_itw_7d_each_counts_the_own_colour() -> None:
    """ITW-7d: whoever launched or moved it; pieces handed back and stash pieces count for nobody."""
    assert points(h.pyramid("red-large-1", MIDDLE), h.pyramid("green-medium-1", (0.3, 0.3)), seats=3) == (3, 0, 2)
    assert rules.provisional_points(h.initial_state(2, stash_bodies=True)) == (0, 0)
    returned, _ = h.launch_and_adjudicate(
        h.running_state(1, hands={RED: ("red-large-1", "red-small-1")}), "red-large-1", (0.45, 0.1)
    )
    assert rules.provisional_points(returned) == (0,)


@pytest.mark.parametrize(("size", "pips"), [("small", 1), ("medium", 2), ("large", 3)])
def test_itw_7e_upright_pieces_count_their_pips(size: Size, pips: int) -> None:
    """ITW-7e: 1, 2, 3 within ten degrees of upright, also on top of an upright piece; on a side nothing."""
    name = f"red-{size}-1"
    assert points(h.pyramid(name, MIDDLE), seats=1) == (pips,)
    assert points(h.lying_on_side(name, MIDDLE), seats=1) == (0,)
    for tilt, counts in ((9.9, True), (10.1, False)):
        prop = h.pyramid("red-large-4", (0.48, 0.45))
        against = h.pyramid(name, MIDDLE, radians(tilt), leans_on=("red-large-4",))
        assert points(prop, against, seats=1) == (3 + pips * counts,)
        assert points(prop, against, seats=1, upright_deg=12.0) == (3 + pips,)
    top = h.pyramid(name, MIDDLE, z=0.03, stands_on=("red-large-4",))
    assert points(h.pyramid("red-large-4", MIDDLE), top, seats=1) == (3 + pips,)
    assert sum({"small": 1, "medium": 2, "large": 3}[size_of(piece)] for piece in missiles(0)) == 27


@pytest.mark.parametrize(("size", "doubled"), [("small", 2), ("medium", 4), ("large", 6)])
def test_itw_7f_7g_with_its_base_on_what_is_not_upright_a_piece_counts_double(size: Size, doubled: int) -> None:
    """ITW-7f, ITW-7g: 2, 4, 6 leaning by less than 60 degrees, on any colour, and the prop nothing, also of one colour;
    not with a side on it, not on what stands."""
    name, prop = f"red-{size}-1", h.lying_on_side("yellow-large-1", MIDDLE)
    for tilt, counts in ((0.0, True), (30.0, True), (59.9, True), (60.1, False)):
        assert points(prop, h.leaning(name, MIDDLE, tilt, prop.id))[RED] == doubled * counts
    assert points(prop, h.leaning(name, MIDDLE, 50.0, prop.id), lean_deg=45.0)[RED] == 0
    own = h.lying_on_side("red-large-2", MIDDLE)
    assert points(own, h.leaning(name, MIDDLE, 20.0, own.id), seats=1) == (doubled,)
    assert points(prop, h.pyramid(name, MIDDLE, radians(30.0), leans_on=(prop.id,)))[RED] == 0
    upright = h.pyramid("yellow-large-1", MIDDLE)
    assert points(upright, h.leaning(name, MIDDLE, 30.0, upright.id))[RED] == 0


@pytest.mark.parametrize(("option", "leaning_points", "straight_points"), [("scoreless", 0, 2), ("not_upright", 4, 4)])
def test_itw_7f_a_prop_that_itself_counts_doubles_nothing_or_by_an_option_does(
    option: str, leaning_points: int, straight_points: int
) -> None:
    """ITW-7f: a medium piece on a leaning one that counts as standing is worth its pips or nothing, or is doubled."""
    assert Options().prop == "scoreless"
    prop = h.lying_on_side("yellow-large-1", MIDDLE)
    first = h.leaning("red-large-1", MIDDLE, 30.0, prop.id)
    for tilt, more in ((30.0, leaning_points), (5.0, straight_points), (60.1, 0)):
        assert points(prop, first, h.leaning("red-medium-1", MIDDLE, tilt, first.id), prop=option) == (6 + more, 0)
    scoreless = h.leaning("red-large-1", MIDDLE, 70.0, prop.id)
    on_it = h.leaning("red-medium-1", MIDDLE, 30.0, scoreless.id)
    assert points(prop, scoreless, on_it, prop=option) == (4, 0)


def test_itw_7h_most_points_win_level_players_jointly() -> None:
    """ITW-7h: by points alone; by an option whoever has more standing wins a tie."""
    one = [
        h.pyramid("red-large-1", MIDDLE),
        h.pyramid("yellow-medium-1", (0.3, 0.3)),
        h.pyramid("yellow-small-1", (0.6, 0.3)),
    ]
    assert rules.leaders(h.running_state(3, one)) == (0, 1)
    assert rules.leaders(h.running_state(3, one, tie="upright")) == (1,)
    assert rules.leaders(
        h.running_state(3, [*one, h.pyramid("green-large-1", (0.6, 0.6)), h.pyramid("green-small-1", (0.7, 0.6))])
    ) == (2,)
    over, verdict = h.launch_and_adjudicate(h.running_state(2, one, {RED: ("red-small-1",)}), "red-small-1", (0.4, 0.6))
    assert over.final == (4, 3)
    assert verdict.reasons[-1].text == "Red wins."


def test_rows_of_the_rulebook_are_in_its_order() -> None:
    ids = [row.id for row in GAME.rulebook]
    assert len(ids) == 37
    assert ids == sorted(ids)
