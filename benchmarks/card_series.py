"""Seeded series of card games between two kinds of seats: who is stronger, how scores are spread, nothing ever lost.

    python benchmarks/card_series.py dominoes bot:expert bot:club --seats 4 --games 100 version=british

Seats alternate between the two kinds, and change over with every game; the seed of a game is its number. After every
turn the cards and tokens are counted, so that an illegal state stops the series.
"""

from __future__ import annotations

import argparse
from statistics import mean, pstdev, quantiles
from time import perf_counter

from flicksim.games import load
from flicksim.play import Match, open_match, parse_seat
from flicksim.play.series import wilson
from flicksim.referee import parse_options


def counted(match: Match, cards: int, tokens: int) -> None:
    """Stop when a card or a token is gone, or one too many; a new pack brings in 52 or 54."""
    zones = match.state.zones
    more = sum(len(zone) for zone in zones.piles.values()) - cards
    assert more >= 0, f"{-more} cards are gone"
    assert more % 54 == 0 or more % 52 == 0, f"{more} cards too many"
    assert sum(zones.purses.values()) == tokens, "tokens do not add up"
    assert match.over or match.choices().actions, "nothing can be done"


def main() -> None:
    """Play the series and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("dominoes", "tinkle"))
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    asked = parser.parse_intermixed_args()
    game, kinds = load(asked.game), (asked.one, asked.other)
    options = parse_options(game, asked.options)
    points: tuple[list[float], list[float]] = ([], [])
    wins, better, turns, began = [0.0, 0.0], [0, 0, 0], 0, perf_counter()
    for number in range(asked.games):
        order = [(seat + number) % 2 for seat in range(asked.seats)]
        match = open_match(game, options, [parse_seat(kinds[kind]) for kind in order], number)
        zones = match.state.zones
        cards, tokens = sum(len(zone) for zone in zones.piles.values()), sum(zones.purses.values())
        for _ in match.run():
            counted(match, cards, tokens)
        turns += len(match.turns)
        here: tuple[list[float], list[float]] = ([], [])
        for kind, score in zip(order, match.scores, strict=True):
            here[kind].append(float(score))
        for kind in (0, 1):
            points[kind].extend(here[kind])
        for seat in match.winners:
            wins[order[seat]] += 1.0 / len(match.winners)
        ahead = mean(here[0]) - mean(here[1])
        better[0 if ahead > 0 else 2 if ahead < 0 else 1] += 1
    spent = perf_counter() - began
    what = " ".join([asked.game, *asked.options])
    print(f"{what}, {asked.seats} seats, {asked.games} games, {turns} turns, {spent:.0f} s")
    for kind in (0, 1):
        cut = quantiles(points[kind], n=20, method="inclusive")
        spread = "  ".join(f"{5 * k + 5}% {cut[k]:g}" for k in (0, 4, 9, 14, 18))
        low, high = wilson(wins[kind] / asked.games, asked.games)
        print(
            f"  {kinds[kind]:14} wins {wins[kind]:7.1f} ({low:.1%} to {high:.1%})"
            f"  mean {mean(points[kind]):8.2f}  sd {pstdev(points[kind]):.2f}"
        )
        print(f"  {'':14} min {min(points[kind]):g}  {spread}  max {max(points[kind]):g}")
    print(f"  games in which the one's seats did better, level, worse: {better[0]}, {better[1]}, {better[2]}")


if __name__ == "__main__":
    main()
