"""With tiles and cards, too, points fly to the score and the turn is handed over."""

from __future__ import annotations

from flicksim.cards import Meld
from flicksim.games.tinkle.moves import Tinkle
from flicksim.play import Turn
from flicksim.ui.cards.screen import CardScreen
from flicksim.ui.frame.app import App

from ..at_cards import cards, sit


def _played(screen: CardScreen, until: type | None = None) -> Turn:
    """Moves of random players until one of a kind is made, or a round is closed."""
    match = screen.match
    for _ in range(3000):
        turn = match.play(match.ask())
        if until is not None and isinstance(turn.made, until):
            return turn
        if until is None and getattr(turn.verdict.ruling, "closed", None) is not None:
            return turn
    raise AssertionError("it never came")


def test_the_points_of_a_round_fly_to_those_who_won_them(app: App) -> None:
    screen = sit(app, cards("dominoes", "random", "random", "random", options=("rounds=2",)))
    cloth = screen.cloth
    turn = _played(screen)
    gained = [after - before for before, after in zip(turn.before.scores, turn.after.scores, strict=True)]
    won = cloth.won(turn)
    assert [words for words, _, _ in won] == [f"+{more}" for more in gained if more > 0]
    assert won
    places = [cloth.scored(seat) for seat, more in enumerate(gained) if more]
    assert [end for _, _, end in won] == places
    assert all(app.surface.get_rect().collidepoint(end) for end in places)


def test_cards_put_down_fly_as_points_and_tokens_into_the_jar(app: App) -> None:
    screen = sit(app, cards("tinkle", "random", "random", "random"))
    cloth = screen.cloth
    token = _played(screen, Tinkle)
    [(words, begin, end)] = cloth.won(token)
    assert words == f"−{token.made.count}"
    assert (begin, end) == (cloth.scored(token.seat), cloth.table.jar.center)  # type: ignore[attr-defined]
    meld = _played(screen, Meld)
    [(words, _, end)] = cloth.won(meld)
    assert int(words) > 0
    assert end == cloth.scored(meld.seat)


def test_what_was_won_is_seen_to_fly_and_the_turn_is_handed_over(app: App) -> None:
    screen = sit(app, cards("dominoes", "random", "random", "random", options=("rounds=2",)))
    app.preferences.pace = 0
    turn = _played(screen)
    screen.course.turn, screen.course.stage = turn, "hold"
    screen.course.changed()
    assert screen.effects.busy
    assert "chime" in screen.sounds.played
    screen.course.stage = "think"
    screen.effects.forget()
    screen.announced = None
    screen.hand_over()
    assert screen.effects.banner is not None
    app.preferences.pace = 2
    screen.effects.forget()
    screen.announced = None
    screen.hand_over()
    assert not screen.effects.busy
