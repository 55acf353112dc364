"""Tests of the texts of rulings: the wink, its place, and no repetition."""

from flicksim.games.tiddlywinks import rules

from .helpers import initial_state, potted_except, shot, state_from_position, texts


def test_an_ordinary_shot_is_reported_with_its_wink_and_place() -> None:
    """TW-7c: one shot a turn, and what came of it."""
    state = state_from_position({"blue-1": (100, 100), "green-1": (200, -100)})
    _, verdict = shot(state, "blue-1").to("blue-1", 150.0, 0.0).judged()
    assert texts(verdict.reasons, "TW-7c") == ["Blue 1 rests 115 mm from the pot."]


def test_a_shot_followed_by_a_pass_is_reported_too() -> None:
    """TW-7a: that the next player passes does not hide what was played."""
    state = state_from_position(
        {"blue-1": (0, 150), "green-3": (200, 0), "red-3": (204, 0), **potted_except("green", "green-3")}
    )
    _, verdict = shot(state, "blue-1").judged()
    assert [reason.rule for reason in verdict.reasons][:2] == ["TW-7c", "TW-7a"]


def test_a_pot_is_reported_once_and_every_extra_shot_is_prompted() -> None:
    """TW-7d: potted, an extra shot; said once, and NOW says so; the second of two is said when it comes."""
    state = state_from_position({"blue-1": (100, 100), "blue-3": (100, 0), "blue-4": (60, 0), "green-1": (200, -100)})
    after, verdict = shot(state, "blue-3").pot("blue-3").judged()
    assert len(texts(verdict.reasons, "TW-7d")) == 1
    assert rules.legal_actions(after).prompt == "Blue: play an extra shot."
    after, verdict = shot(after, "blue-1").judged()
    assert rules.legal_actions(after).prompt == "Green: play a shot."
    after, verdict = shot(state, "blue-3").pot("blue-3").pot("blue-4").judged()
    assert "2 extra shots" in texts(verdict.reasons, "TW-7d")[0]
    after, verdict = shot(after, "blue-1").judged()
    assert texts(verdict.reasons, "TW-7d") == ["Blue has another extra shot."]
    assert rules.legal_actions(after).prompt == "Blue: play an extra shot."
    after, _ = shot(after, "blue-1").judged()
    assert after.to_play == 1


def test_a_squidge_off_shot_reports_its_distance() -> None:
    """TW-6b, TW-6d: the distance that decides is said at once."""
    state = initial_state()
    _, verdict = shot(state, "blue-3").to("blue-3", 100.0, 0.0).judged()
    assert texts(verdict.reasons, "TW-6b") == ["Blue 3 was squidged at the pot and is 68.25 mm from it."]
    _, verdict = shot(state, "blue-3").pot("blue-3").judged()
    assert texts(verdict.reasons, "TW-6b") == ["Blue 3 was squidged at the pot and is in it."]
