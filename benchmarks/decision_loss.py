"""Win probability that a search loses per decision, against 24 candidates simulated many times.

`python -m benchmarks.decision_loss tiddlywinks --games 2` plays games between bots, simulates every candidate of
every fourth decision `--tries` times with common random numbers, and lets the search of every grade choose there with
other seeds. Printed are the mean loss against the best candidate, its standard error, the share of decisions that lose
over .05, and processor time. The best of many means is overestimated a little, for all searches alike. With `--search
33,16,1` a search of so many shots, candidates and first tries is measured too.
"""

from collections.abc import Iterator, Sequence
from time import process_time

import msgspec
import numpy as np

from benchmarks import command_line
from flicksim.ai import GRADES, SearchConfig
from flicksim.ai.evaluation import SuccessiveElimination
from flicksim.core.random_streams import RandomStreams
from flicksim.core.type_aliases import Action, View
from flicksim.games import load
from flicksim.match import GameRolloutModel, PhysicsSimulator, open_match
from flicksim.match.match_factory import search_config_of
from flicksim.match.series import game_seed
from flicksim.referee import Game, parse_options
from flicksim.scene import Flick, Launch, Squidge

_BAD_LOSS = 0.05
"""Win probability from which a loss is counted."""


def positions(game: Game, grade: str, games: int, every: int, seed: int) -> Iterator[tuple[View, int]]:
    """Views and seats of every so manyth shot of bots' games."""
    for number in range(1, games + 1):
        seats = [f"bot:{grade}"] * max(2, game.seats[0])
        match = open_match(
            game, parse_options(game, []), seats, game_seed(seed, number),
            simulator=PhysicsSimulator() if game.uses_physics else None,
        )  # fmt: skip
        shots = [turn for turn in match.run() if isinstance(turn.meant, Flick | Squidge | Launch)]
        for turn in shots[::every]:
            yield game.rules.view(turn.before, turn.seat), turn.seat


def main(argv: Sequence[str] | None = None) -> int:
    """Command line entry point."""
    parser = command_line.parser("decision_loss", __doc__, games=2, every=4, tries=48, candidates=24, seed=1, search=[])
    parser.add_argument("game", choices=["penny-white", "tiddlywinks"], help="name of the game")
    parser.add_argument("--hand", default="expert", choices=list(GRADES), help="grade of hand of every player (expert)")
    args = parser.parse_args(argv)
    game, noise = load(args.game), GRADES[args.hand]
    model = GameRolloutModel(game)
    configs = {grade: config for grade in GRADES if (config := search_config_of(game, grade)) is not None}
    for text in args.search:
        shots, candidates, tries = map(int, text.split(","))
        configs[text] = msgspec.structs.replace(configs["world"], shots=shots, candidates=candidates, min_tries=tries)
    losses, seconds = ({name: list[float]() for name in configs} for _ in range(2))
    streams = RandomStreams(seed=args.seed)
    for number, (view, seat) in enumerate(positions(game, args.hand, args.games, args.every, args.seed)):
        first = model.candidates(view, streams.spawn(number, "candidates").generator(), args.candidates)
        chosen = dict[str, Action]()
        for name, config in configs.items():
            start = process_time()
            own = GameRolloutModel(game, use_learned=config.use_learned)
            chosen[name] = _choice(own, args.hand, config, view, seat, streams.spawn(number, name).generator())
            seconds[name].append(process_time() - start)
        actions = [*first, *(action for action in chosen.values() if action not in first)]
        outcomes = model.rollout(view, seat, actions, noise, args.tries, number)
        values = outcomes.win_probability.mean(axis=1)
        for name, action in chosen.items():
            losses[name].append(float(values.max() - values[actions.index(action)]))
    command_line.show_table(
        ("search", "positions", "lost per decision", "standard error", "over .05", "s per decision"),
        [
            (name, str(len(lost)), f"{np.mean(lost):.4f}", f"{np.std(lost) / len(lost) ** 0.5:.4f}",
             f"{np.mean(np.array(lost) > _BAD_LOSS):.2f}", f"{np.mean(seconds[name]):.2f}")
            for name, lost in losses.items()
        ],
        f"{game.title}, {args.hand} execution noise, seed {args.seed}",
    )  # fmt: skip
    return 0


def _choice(
    model: GameRolloutModel, hand: str, config: SearchConfig, view: View, seat: int, rng: np.random.Generator
) -> Action:
    """Action that a search chooses."""
    search = SuccessiveElimination(model, GRADES[hand], config, view, seat, rng)
    search.run()
    action = search.best_action
    assert action is not None
    return action


if __name__ == "__main__":
    raise SystemExit(main())
