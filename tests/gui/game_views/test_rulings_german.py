"""Tests of the German translations of rulings, prompts and self-reports."""

from collections.abc import Iterator

import pytest

from flicksim.games import load
from flicksim.gui.table_view import match_text
from flicksim.gui.toolkit import translation
from flicksim.gui.toolkit.translation import translate
from flicksim.match import open_match
from flicksim.referee import parse_options

RULINGS = """
Blue: take one of Red's pennies off, or decline.
Blue: no spot behind the 5 cm line is free; go on without.
Red penny 2 did not pass the 5 cm line and is taken off.
No spot behind the 5 cm line is free: Blue penny 2 is not flicked.
No spot behind the 5 cm line is free: Blue penny 1, Red penny 3 are lifted.
A coin that was not flicked was touched: everything is put back and Blue plays again.
A coin that was not flicked was touched: everything is put back and a point to Red, and Blue plays again.
The board was turned: everything is put back and a point to Red, and Blue plays again.
The board was knocked: everything is put back and Blue plays again.
End 3 is played again.
Blue wins the end with 1: 1 penny lies nearer the white than Red's best.
The game is drawn, 4 each.
The one agreed end has been played.
Blue takes the end.
Green: play an extra shot.
Green: play a shot that frees an opposing wink.
Green: play a free turn (2 left).
Green: the shot was foul (TW-9b1). Blue plays again, or the winks stay as they lie.
Green: move a squopping wink aside; the shortest way is that of Red 1 and Red 2.
Green and partner decide: Blue plays again, or the winks stay as they lie.
Blue 1 is moved 7.2 mm round the pot, clear of every wink.
The squidger touched Blue 1 and Red 2 at once; the first touch must be of one wink.
Blue played Red 2, which is not his.
Blue 1 was played though squopped.
The stroke broke off for 40 ms; it must be continuous.
The stroke was 60 mm long; it may be 50 mm.
The stroke took 1.20 s; it may take 1 s.
The squidger touched Red 2, which did not lie under Blue 1.
A wink of Green and Yellow is free again, which the shot had to bring.
A wink of Green and Yellow is free again, so the free turns cease at once.
A wink of Green and Yellow is free again: free turns cease.
Green 1 was freed but potted: another wink must be moved aside.
The shot freed no wink of Green and Yellow: a squopping wink must be moved aside.
Blue 1 and Red 2 moved aside round the pot.
Green 1 can be played again.
Green and Yellow must have a shot before being squopped again: Blue 1 moved aside.
Every wink Green and Yellow have left is squopped.
Blue and Red have 3 free turns, one for each of their free winks.
Blue and Red have 1 free turn, one for each of their free winks.
Blue and Red have no free turns: none of their winks is free.
Their next shot must free an opposing wink.
2 free turns left for Blue and Red.
1 free turn left for Blue and Red.
The free turns are used up: Blue and Red must free a wink with their next shot.
Blue 1 is squopped by Red 2 and Green 3.
Blue and Red have 1 free wink.
Blue and Red have no free winks.
Blue and Red have 4 free turns left.
Red's shot must free an opposing wink.
Squopping has no effect any more.
Blue has 1 turn left.
Time-limit points as it lies: Blue 7, Green 3, Red 0, Yellow 12.
That would be 7/2 for Blue and Red and 7/2 for Green and Yellow.
The last shot is owned to have been foul.
Blue 1 is turned over; it squops nothing and is not squopped.
20 s go by.
Nothing limits the length of the game any more.
Blue 1 moved by accident: back to the former place. The shot stands.
The winks stay as they lie; the shot counts as a fair one.
Everything is put back as it was and Blue plays again.
Blue plays again from where the winks lie now.
Blue impeded an opponent: the game ceases, all 7 points go to the opponents.
Blue interfered with Green 2: all 7 points go to the opponents.
Blue took Green 2: it goes back, behind its base line.
Blue took Green 2: it goes back, into the pot.
Blue took Green 2: it goes back, where it lay.
Blue declines his shot.
Blue 1 was obstructed and is set where both sides agree.
Blue 1 was obstructed and goes back, without agreement, to where it lay.
Blue 1 was obstructed and lies, without agreement, where it would have come to rest.
Won by potting out: one point goes to Blue and Red.
A pair freed just before was squopped again before it had a shot.
Blue has earned 2 extra shots.
It was obstructed: no extra shot is played, the next player takes his turn.
It was foul: Blue gets no extra shot from it.
Blue 1 did not cross its base line and stays behind it.
Blue 1 was disturbed behind its base line and is put back.
Blue 1 came to rest too near the mat's edge to be played and is put back, 22.225 mm in.
Blue 1 is out of the field and is put back, 22.225 mm in.
Blue 1 stays in the pot.
Blue 1 is brought in and lies on Green 2 and Red 1, 120 mm from the pot.
Blue 1 was squidged at the pot and is in it.
Blue and Red are level (12.00 mm): they squidge again.
Blue and Red are level (potted): they squidge again.
Blue and Red are level (off the field): they squidge again.
Blue is nearest (potted) and has the first squidge into play.
Blue sent a wink of his own off: the extra shot just earned is the one he misses.
Blue has another extra shot.
Blue has no wink to play his extra shot with.
Blue has no wink he may play: his turn passes.
Blue has all six winks potted: first.
Green and Red have all six winks potted: second together.
Squopping has no effect from now on.
Blue 1 balances on the rim: it is potted.
Blue 1 was knocked out of the pot and is put back.
Blue 1 leaned against the pot and is laid flat, just touching it.
Blue 1 leaned against the pot and is laid flat, just touching it, on top of Green 2.
Blue's shot was foul: it was not that player's turn.
Blue's shot was foul: it was not that player's wink.
Blue's shot was foul: the wink was squopped.
Blue's shot was foul: the stroke was not short and in one go.
A player interfered with a wink on purpose: in play, that forfeits the game.
A player impeded an opponent: that forfeits the game.
Time has gone by at the table.
Turn over a wink of one's own.
In Blue's shot winks were moved by accident: they go back.
In Blue's shot a moving wink was obstructed: it is set where both sides agree.
Potted out: Blue, Red. Squops no longer count; no limit on time.
Blue opened. 12:30 played, no time limit.
Time is up. To the end of Blue's turn, then 5 rounds.
Time is up: round 2 of 5.
Free turns: Blue and Red have 2 left.
Blue and Red must free an opposing wink with this shot.
Green and Yellow may not be squopped out before their next shot.
Extra shots after this one: 2.
Misses the next shot: Blue, Red.
Blue 1 (small, 15.9 mm), turned over, so darker
squopped by Red 2: may not be played (TW-9a1)
squops Red 2 and Green 3
Blue 1 on Red 2, tilted 4°
Blue 1 on the mat
Aimed at Green 2.
Green 2 cannot be reached from here.
Red held the launcher outside the own stash area; Red small 1 is handed back.
Red small 1 stays on the launcher; it is used again.
Red small 1 lands in Red's own stash area and is returned, to be used again.
Red small 1 is knocked off the table and goes back to Red.
Red small 1 is knocked into its owner's stash area and stays.
Red small 1 falls, as another piece is picked up, off the table and is out of the game.
Red small 1 falls, as another piece is picked up, into its owner's stash area and goes back to Red.
Red takes time until 4.0 s.
A hand moved red small 1: it goes back to where it lay.
Every missile has been launched; what stands is counted.
Red has 3 standing, for 5.
Red and Green win.
Everybody: stack a missile on your launcher.
Everybody holds a loaded launcher. Ready ... 3
All launch at once. Flick whenever you are loaded.
Loaded. The others are still stacking.
3. Red launches small 1 at 2.00 m/s
Red small stands on another: counts 2
Red small lies: counts nothing
Ann: nothing fits 6 or 1; pass.
Nobody has a double: [3-5] is turned up from the boneyard.
The fewest pips are tied: Ann and Bob win the round.
From the pool of 6, Ann takes 3, Bob takes 3.
From the pool of 7, Ann takes 3, Bob takes 3; 1 stay in it.
From the pool of 6, none is taken; 6 stay in it.
Nothing in your hand fits: you pass.
boneyard 13, in no hand
lands after 300 mm; 12 mm high, below the rim; ±1.2°, ±5 %
strikes the pot's rim after 300 mm; 60 mm high; ±1.2°, ±5 %
carries 300 mm to rim height; strikes the pot's wall after 320 mm; ±1.2°, ±5 %
once: Space, or pull back with the mouse
On the mat: a ring where a hit came to rest, a cross for a miss. 3 left the mat.
Shooting ... 20 to come.
It cannot be reached like this.
Ann keeps a last card and stays in.
The stock is out: the discards under the top one are shuffled.
Nobody has gone out in 100 turns each: the round is counted.
Ann cut 40 cards: 100 points.
Eight rounds are played; Ann won with 310.
All 2 rounds are played: Ann wins with 3.
The one agreed round is played: Ann wins with 3.
The one agreed round is played: Ann and Bob win with 0.
You have opened. A token buys the top discard and three stock cards.
The turn cannot end yet (TK-7b).
""".strip().splitlines()


@pytest.fixture
def lacking(german: None) -> Iterator[set[str]]:  # noqa: ARG001
    """Sentences without a German translation, collected while German is shown."""
    translation.missing_messages = missing = set[str]()
    yield missing
    translation.missing_messages = None


@pytest.mark.parametrize("ruling", RULINGS)
def test_rulings_have_german_translations(ruling: str, lacking: set[str]) -> None:
    assert translate(ruling) != ruling
    assert not lacking, sorted(lacking)


@pytest.mark.parametrize(
    ("name", "seats", "options", "turns"),
    [
        ("penny-white", 2, ["ends=2", "pennies=2"], 20),
        ("ice", 3, [], 30),
        ("tiddlywinks", 4, ["time_limit_s=60", "rounds=1"], 40),
        ("dominoes", 6, ["version=american", "rounds=2"], 60),
        ("tinkle", 3, [], 60),
    ],
)
def test_displayed_texts_of_a_game_are_german(
    name: str, seats: int, options: list[str], turns: int, lacking: set[str]
) -> None:
    game = load(name)
    match = open_match(game, parse_options(game, options), ["random"] * seats, 3)
    for _ in range(turns):
        if match.is_over:
            break
        translate(match_text.ruling_text(match, match.legal_actions().prompt))
        turn = match.play(match.ask_player())
        for reason in turn.verdict.reasons:
            translate(match_text.ruling_text(match, reason.text))
        translate(match_text.ruling_text(match, match_text.turn_text(game, turn)))
    assert not lacking, sorted(lacking)


def test_a_squopped_wink_of_a_position_is_reported_in_german(lacking: set[str]) -> None:
    """TW-9a1: it was "Blau 1 is deckt Rot 2 zu", put together from "{one} squopped {other}."."""
    assert translate("Blue 1 is squopped by Red 2.") == "Blau 1 ist von Rot 2 zugedeckt."
    assert not lacking
