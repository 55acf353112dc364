"""Rules that every game must keep, whichever it is. A new game is tested here without a word added."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from flicksim import games
from flicksim.cards import Dealer
from flicksim.core.errors import InvalidInput, InvalidOption
from flicksim.core.serialization import Value, from_builtins, from_json, to_builtins, to_json
from flicksim.match import Match, PhysicsSimulator
from flicksim.referee import Game, check_seat_count, options_of, parse_options
from tests.matches import new_match

SEEDS = (1, 2, 3, 4)
MOST_TURNS = 50_000

every_game = pytest.mark.parametrize("game", [games.load(name) for name in games.names()], ids=games.names())
every_match = pytest.mark.parametrize(
    ("name", "seats", "seed"),
    [
        pytest.param(name, seats, seed, marks=[pytest.mark.long] if seed > (2 if seats == few else 1) else [])
        for name in games.names()
        for few, many in [games.load(name).seats]
        for seats in sorted({few, many})
        for seed in SEEDS
    ],
)


def begin(game: Game, seats: int, seed: int, **options: Any) -> Match:
    return new_match(game.name, *["random"] * seats, seed=seed, **options)


@cache
def played(name: str, seats: int, seed: int) -> Match:
    """Game between random players."""
    match = begin(games.load(name), seats, seed)
    for turn in match.run():
        assert turn.number <= MOST_TURNS, "the game does not end"
    return match


def test_names_are_what_load_takes() -> None:
    for name in games.names():
        assert games.load(name).name == name
    with pytest.raises(InvalidOption, match="bowls"):
        games.load("bowls")


@every_game
def test_game_description_is_complete(game: Game) -> None:
    assert game.title
    assert game.summary
    assert game.sources
    assert game.rules_version >= 1
    assert game.category in ("table", "cards")
    low, high = game.seats
    assert 1 <= low <= high <= len(game.seat_names)
    assert len(set(game.seat_names)) == len(game.seat_names)
    for count in (low - 1, high + 1):
        with pytest.raises(InvalidOption, match=str(count)):
            check_seat_count(game, count)


@every_game
def test_rule_ids_are_unique_and_options_exist(game: Game) -> None:
    ids = [row.id for row in game.rulebook]
    assert len(ids) == len(set(ids))
    assert all(row.text.endswith(".") for row in game.rulebook)
    known = {option.name for option in options_of(game)}
    assert {row.option for row in game.rulebook if row.option} <= known


@every_game
def test_every_option_has_help_and_an_allowed_default(game: Game) -> None:
    defaults = parse_options(game, [])
    assert defaults == game.options()
    for option in options_of(game):
        assert option.help, f"{option.name} needs a description"
        assert option.allowed
        assert parse_options(game, {option.name: to_builtins(defaults)[option.name]}) == defaults
    assert from_json(to_json(defaults), game.options) == defaults


@every_game
def test_every_allowed_option_value_parses_from_the_shell(game: Game) -> None:
    """DO-X3 has a "none" that is a word and not the lack of one; elsewhere "none" is no value."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(game.options)}
    for option in options_of(game):
        for word in option.allowed.split(" | "):
            if " " in word or "," in word:
                continue
            said = getattr(parse_options(game, [f"{option.name}={word}"]), option.name)
            literal = any(word in get_args(part) for part in _parts(kinds[option.name]))
            assert (
                said == word
                if literal
                else to_builtins(said) == {"true": True, "false": False, "none": None}.get(word, said)
            )


def _parts(kind: Any) -> Iterator[Any]:
    """A type and all it is made of."""
    yield kind
    for part in get_args(kind):
        if not isinstance(part, str):
            yield from _parts(part)


@every_game
def test_invalid_values_are_refused_by_every_option(game: Game) -> None:
    for option in options_of(game):
        for nonsense in ("nonsense!", "1e999", "nan", "-1e18", "[]", "{}", "1,2,3,4,5,6,7", ""):
            with pytest.raises(InvalidOption, match=option.name):
                parse_options(game, [f"{option.name}={nonsense}"])
        for plain in (float("nan"), float("inf"), object(), {"a": 1}, [[[]]]):
            with pytest.raises(InvalidOption):
                parse_options(game, {option.name: plain})
        with pytest.raises(InvalidOption, match="twice"):
            parse_options(game, [f"{option.name}=1", f"{option.name}=1"])
    with pytest.raises(InvalidOption, match="colour"):
        parse_options(game, ["colour=blue"])
    with pytest.raises(InvalidOption, match="name=value"):
        parse_options(game, ["colour"])


@every_match
def test_invariants_of_random_games(name: str, seats: int, seed: int) -> None:
    match = played(name, seats, seed)
    game, rules = match.game, match.rules
    ids = {row.id for row in game.rulebook}
    assert match.is_over
    assert match.winners
    assert set(match.winners) <= set(range(seats))
    before = rules.scores(match.opening)
    for turn in match.turns:
        assert 0 <= turn.seat < seats
        assert rules.to_play(turn.before) == turn.seat
        rules.check_action(turn.before, turn.meant)
        choices = rules.legal_actions(turn.before)
        assert choices.prompt
        assert choices.flicks or choices.actions
        assert turn.verdict.reasons
        assert set(turn.verdict.rule_ids) <= ids
        assert all(reason.text for reason in turn.verdict.reasons)
        after = rules.scores(turn.after)
        gained = turn.verdict.ruling.points
        assert all(isinstance(point, Fraction | int) for point in (*after, *gained))
        assert after == tuple(had + more for had, more in zip(before, gained, strict=True))
        assert turn.verdict.ruling.next == rules.to_play(turn.after)
        assert turn.verdict.ruling.is_over == (turn is match.turns[-1])
        before = after
    last = rules.legal_actions(match.state)
    assert not last.flicks
    assert not last.actions


@every_match
def test_what_is_owned_up_to_is_for_people_alone(name: str, seats: int, seed: int) -> None:
    """Every field to choose is one of the action, and only people are offered self-reports."""
    match = played(name, seats, seed)
    kinds: set[type] = set()
    for turn in match.turns:
        choices = match.rules.legal_actions(turn.before)
        for one in choices.self_reports:
            kinds.add(type(one.action))
            assert one.text
            assert one.action not in choices.actions
            assert {pick.field for pick in one.fields} <= set(one.action.__struct_fields__)
            assert all(pick.prompt and (pick.options or pick.kind in ("point", "number")) for pick in one.fields)
    assert not kinds & {type(turn.meant) for turn in match.turns}
    assert match.self_reports == ()  # nobody sits at the table


@every_match
def test_what_was_done_and_where_it_led_have_a_notation(name: str, seats: int, seed: int) -> None:
    """Of long games the first turns, one in seven, and all that cite rules as none before: states are large."""
    match = played(name, seats, seed)
    cited: set[tuple[str, ...]] = set()
    for turn in match.turns:
        values = [(action, match.game.action) for action in (turn.meant, turn.made)]
        if turn.number <= 200 or turn.number % 7 == 0 or turn.verdict.rule_ids not in cited:
            cited.add(turn.verdict.rule_ids)
            values += [(state, match.game.state) for state in (turn.before, turn.after)]
            assert from_builtins(to_builtins(turn.after), match.game.state) == turn.after
        for value, kind in values:
            text = to_json(value)
            again: Any = from_json(text, kind)
            assert again == value
            assert to_json(again) == text


@every_game
def test_states_cannot_be_changed_and_unknown_fields_are_refused(game: Game) -> None:
    state = begin(game, game.seats[0], 1).state
    assert isinstance(state, Value)
    with pytest.raises(AttributeError):
        setattr(state, msgspec.structs.fields(state)[0].name, None)
    with pytest.raises(InvalidInput, match="colour"):
        from_builtins({**to_builtins(state), "colour": "blue"}, game.state)
    with pytest.raises(InvalidInput):
        from_builtins({}, game.state)


def transcript(match: Match) -> Iterator[bytes]:
    yield to_json(match.opening)
    for turn in match.turns:
        yield to_json([turn.seat, turn.meant, turn.made, turn.verdict, turn.after])


@every_game
def test_the_same_seed_gives_the_same_transcript_and_another_seed_another(game: Game) -> None:
    """X-4"""
    seats = game.seats[0]
    again = begin(game, seats, SEEDS[0])
    list(again.run())
    first = list(transcript(played(game.name, seats, SEEDS[0])))
    assert list(transcript(again)) == first
    assert list(transcript(played(game.name, seats, SEEDS[1]))) != first


@every_game
def test_a_turn_taken_back_leaves_the_match_as_it_was(game: Game) -> None:
    match = begin(game, game.seats[0], 5)
    before = to_json(match.state)
    first = match.play(match.ask_player())
    assert match.undo() is first
    assert to_json(match.state) == before
    assert match.undo() is None
    assert match.play(match.ask_player()).made == first.made


@every_game
def test_rules_are_deterministic(game: Game) -> None:
    """The rules are pure: judging a finished turn again gives its verdict and its next state again, and changes
    nothing that they are given."""
    match = played(game.name, game.seats[0], SEEDS[0])
    assert isinstance(match.simulator, PhysicsSimulator if game.uses_physics else Dealer)
    for turn in match.turns:
        before = to_json(turn.before)
        assert match.rules.judge(turn.before, turn.made, turn.result) == turn.verdict
        assert match.rules.next_state(turn.before, turn.result, turn.verdict) == turn.after
        assert to_json(turn.before) == before


@every_game
def test_legality_does_not_depend_on_speed_and_direction(game: Game) -> None:
    """One table serves all flicks of a piece from a place; experiments shoot by the thousand from it."""
    match = played(game.name, game.seats[0], SEEDS[0])
    for turn in match.turns:
        if not hasattr(turn.meant, "azimuth"):
            continue
        other = msgspec.structs.replace(turn.meant, azimuth=-0.5 * turn.meant.azimuth, speed=0.5 * turn.meant.speed)
        match.rules.check_action(turn.before, other)
        assert (
            match.rules.simulation_setup(turn.before, other)[0]
            == match.rules.simulation_setup(turn.before, turn.meant)[0]
        )
