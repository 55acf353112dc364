"""Seeded series of card games between two kinds of players: win rates, score distribution, and a check of the cards.

    python benchmarks/card_series.py dominoes bot:expert bot:club --seats 4 --games 100 version=british

Seats alternate between the two kinds, and change over with every game; the seed of a game is its number. After every
turn the cards and tokens are counted; a wrong count stops the series.
"""

import argparse
from statistics import mean, pstdev, quantiles
from time import perf_counter

from flicksim.games import load
from flicksim.match import Match, open_match, parse_seat
from flicksim.match.series import wilson_interval
from flicksim.referee import parse_options


def check_card_count(match: Match, cards: int, tokens: int) -> None:
    """Fail if a card or a token is missing or added; a new pack adds 52 or 54 cards."""
    zones = match.state.zones
    extra = sum(len(zone) for zone in zones.piles.values()) - cards
    assert extra >= 0, f"{-extra} cards are missing"
    assert extra % 54 == 0 or extra % 52 == 0, f"{extra} cards too many"
    assert sum(zones.purses.values()) == tokens, "tokens do not add up"
    assert match.is_over or match.legal_actions().actions, "no legal action"


def main() -> None:
    """Play the series and print the statistics."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("dominoes", "tinkle"))
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("options", nargs="*")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    args = parser.parse_intermixed_args()
    game, kinds = load(args.game), (args.first, args.second)
    options = parse_options(game, args.options)
    points: tuple[list[float], list[float]] = ([], [])
    wins, better, turns, start = [0.0, 0.0], [0, 0, 0], 0, perf_counter()
    for number in range(args.games):
        order = [(seat + number) % 2 for seat in range(args.seats)]
        match = open_match(game, options, [parse_seat(kinds[kind]) for kind in order], number)
        zones = match.state.zones
        cards, tokens = sum(len(zone) for zone in zones.piles.values()), sum(zones.purses.values())
        for _ in match.run():
            check_card_count(match, cards, tokens)
        turns += len(match.turns)
        game_points: tuple[list[float], list[float]] = ([], [])
        for kind, score in zip(order, match.scores, strict=True):
            game_points[kind].append(float(score))
        for kind in (0, 1):
            points[kind].extend(game_points[kind])
        for seat in match.winners:
            wins[order[seat]] += 1.0 / len(match.winners)
        ahead = mean(game_points[0]) - mean(game_points[1])
        better[0 if ahead > 0 else 2 if ahead < 0 else 1] += 1
    elapsed = perf_counter() - start
    title = " ".join([args.game, *args.options])
    print(f"{title}, {args.seats} seats, {args.games} games, {turns} turns, {elapsed:.0f} s")
    for kind in (0, 1):
        cut = quantiles(points[kind], n=20, method="inclusive")
        spread = "  ".join(f"{5 * k + 5}% {cut[k]:g}" for k in (0, 4, 9, 14, 18))
        low, high = wilson_interval(wins[kind] / args.games, args.games)
        print(
            f"  {kinds[kind]:14} wins {wins[kind]:7.1f} ({low:.1%} to {high:.1%})"
            f"  mean {mean(points[kind]):8.2f}  sd {pstdev(points[kind]):.2f}"
        )
        print(f"  {'':14} min {min(points[kind]):g}  {spread}  max {max(points[kind]):g}")
    print(f"  games in which the first player's seats did better, equal, worse: {better[0]}, {better[1]}, {better[2]}")


if __name__ == "__main__":
    main()
