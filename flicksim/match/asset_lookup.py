"""Lookup of scenes and actions by name: samples, game positions, shipped assets and files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption, NameNotFound
from flicksim.core.paths import resolve_asset
from flicksim.core.serialization import from_builtins, from_json, read_document, to_builtins
from flicksim.core.type_aliases import ActionTypes, JsonValue, Options, Position
from flicksim.games import games_with_positions
from flicksim.referee import Game, PositionNotation, option_name, parse_options
from flicksim.scene import Flick, Launch, PyramidScene, Scene, Squidge, samples

Shot = Flick | Squidge | Launch
"""One thing a hand does."""
_SAMPLE = "sample:"


def position_notation(game: Game) -> PositionNotation:
    """The notation of a game's positions.

    Raises:
        InvalidOption: they cannot be.
    """
    if game.positions is None:
        able = ", ".join(one.name for one, _ in games_with_positions())
        raise InvalidOption(f"{game.title} has no notation for positions; there is one for {able}")
    return game.positions


def load_position(game: Game, name_or_path: str) -> Position:
    """A position of a game: a shipped one by its name, else a file.

    Raises:
        InvalidOption: the game has none, or none is called so. InvalidFile, InvalidInput: the file cannot be read.
    """
    notation, path = position_notation(game), resolve_asset(Path(name_or_path))
    if name_or_path in notation.builtin_names() or (not path.suffix and not path.exists()):
        return notation.load_builtin(name_or_path)  # or says which there are
    return notation.load(path)


def load_start(
    game: Game, name_or_path: str, options: Sequence[str] | Mapping[str, JsonValue]
) -> tuple[Position, Options]:
    """A position to begin at and its options, those given laid over its own.

    Raises:
        InvalidOption, InvalidScene, InvalidFile, InvalidInput: it cannot be read or played from.
    """
    position = load_position(game, name_or_path)
    given = to_builtins(parse_options(game, options))
    named = options if isinstance(options, Mapping) else [option_name(option) for option in options]
    own = to_builtins(position.options)
    own.update({name: given[name] for name in named})
    return position, from_builtins(own, game.options, name="options")


def find_sample(name_or_path: str) -> tuple[Scene | PyramidScene, Shot] | None:
    """A sample, as `draw` or `sample:draw`: a table and what may be done on it; None where no sample is meant.

    Raises:
        NameNotFound: there is none; lists those there are.
    """
    name = name_or_path.removeprefix(_SAMPLE)
    return samples.sample_shot(name) if name != name_or_path or name in samples.all_sample_names() else None


def load_scene_by_name(name_or_path: str, base_folder: Path | None = None) -> Scene | PyramidScene:
    """A table: a sample's, a file with one in SI units, or a position, which lies as hands have put it right.

    A file is read once: it may be a pipe.

    Args:
        base_folder: the folder in which a file is looked for.

    Raises:
        NameNotFound: none of these; lists those there are.
        InvalidScene, InvalidFile, InvalidInput: it cannot be read, or lie so.
    """
    found = find_sample(name_or_path)
    if found is not None:
        return found[0]
    path = resolve_asset(Path(name_or_path) if base_folder is None else base_folder / name_or_path)
    for _, notation in games_with_positions():
        if name_or_path in notation.builtin_names():
            return _scene_of(notation, notation.load_builtin(name_or_path))
    if not path.suffix and not path.exists():
        positions = ", ".join(name for _, notation in games_with_positions() for name in notation.builtin_names())
        raise NameNotFound(
            f"no scene file and no position {name_or_path!r}; positions are {positions}; "
            f"samples are {', '.join(samples.all_sample_names())}"
        )
    text = read_document(path)
    plain = from_json(text, dict, name=str(path))
    if plain.get("scene") == "pyramids":
        return from_json(text, PyramidScene, name=str(path))
    if "surface" in plain or not {"winks", "white"} & set(plain):
        return from_json(text, Scene, name=str(path)).validated()
    _, notation = best_matching_notation(plain)
    return _scene_of(notation, from_json(text, notation.Position, name=str(path)))


def best_matching_notation(plain: Collection[str]) -> tuple[Game, PositionNotation]:
    """The game whose notation of positions knows most of these words, with the notation; of none, the game that comes
    with most positions."""

    def known(one: tuple[Game, PositionNotation]) -> tuple[int, int]:
        return len(set(plain) & set(one[1].Position.__struct_fields__)), len(one[1].builtin_names())

    return max(games_with_positions(), key=known)


def game_of_position(name_or_path: str) -> Game:
    """The game that a position is of: one shipped by that name, or a file."""
    for game, notation in games_with_positions():
        if name_or_path in notation.builtin_names():
            return game
    plain: dict[str, object] = {}
    with suppress(FlicksimError):  # whoever reads it as a position says what is wrong with it
        plain = from_json(read_document(resolve_asset(Path(name_or_path))), dict, name=name_or_path)
    return best_matching_notation(plain)[0]


def _scene_of(notation: PositionNotation, position: Position) -> Scene:
    scene = notation.to_state(position).scene
    assert isinstance(scene, Scene)
    return scene


def load_shot(name_or_path: str, table: Scene | PyramidScene | None = None) -> Shot:
    """A flick, squidge or launch: a sample's, or a file; one that does not say what it is, is a finger's flick.

    Args:
        table: on which it is to be made.

    Raises:
        NameNotFound: no such sample or file; lists the samples.
        InvalidFile, InvalidInput: the file cannot be read, or holds no shot for that table.
    """
    path = resolve_asset(Path(name_or_path))
    found = None if path.exists() else find_sample(name_or_path)
    if found is not None:
        _check_table(name_or_path, "launch" if isinstance(found[1], Launch) else "", table)
        return found[1]
    if not path.suffix and not path.exists():
        raise NameNotFound(
            f"no shot file and no sample {name_or_path!r}; samples are {', '.join(samples.all_sample_names())}"
        )
    text = read_document(path)
    plain = from_json(text, dict, name=str(path))
    _check_table(name_or_path, plain.get("do"), table)
    if "do" not in plain and (more := set(Squidge.__struct_fields__) - set(Flick.__struct_fields__)) & set(plain):
        has = ", ".join(sorted(more & set(plain)))
        raise InvalidInput(f'{path}: a flick has no {has}; a squidge has, and begins with "do": "squidge"')
    kind: ActionTypes = Launch if plain.get("do") == "launch" else Flick | Squidge if "do" in plain else Flick
    shot: Shot = from_json(text, kind, name=str(path))
    return shot


def _check_table(word: str, action_type: object, table: Scene | PyramidScene | None) -> None:
    """See that what is done goes with the table it is done on."""
    if isinstance(table, PyramidScene) and action_type != "launch":
        raise InvalidInput(f'{word!r} is no launch; pyramids are launched (a file that says "do": "launch")')
    if isinstance(table, Scene) and action_type == "launch":
        raise InvalidInput(f'{word!r} is a launch; it needs a table with pyramids (a scene that says "pyramids")')
