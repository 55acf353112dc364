"""Lookup of scenes and actions by name: samples, game positions, shipped assets and files."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import structs

from flicksim.core.atomic_files import path_exists
from flicksim.core.errors import FlicksimError, InvalidInput, InvalidOption, NameNotFound, name_invalid_scene
from flicksim.core.paths import resolve_asset
from flicksim.core.serialization import (
    from_builtins,
    from_json,
    read_document,
    read_json_object,
    refuse_pipe,
    to_builtins,
)
from flicksim.core.type_aliases import ActionTypes, JsonValue, Options, Position, State
from flicksim.games import games_with_positions
from flicksim.referee import Game, PositionNotation, option_name, parse_options
from flicksim.scene import Flick, Launch, PyramidScene, Scene, Squidge, samples

Shot = Flick | Squidge | Launch
"""Shot: a flick, squidge or launch."""
_SAMPLE = "sample:"


def position_notation(game: Game) -> PositionNotation:
    """Return the position notation of a game.

    Raises:
        InvalidOption: it has none.
    """
    if game.positions is None:
        others = ", ".join(other.name for other, _ in games_with_positions())
        raise InvalidOption(f"{game.title} has no notation for positions; there is one for {others}")
    return game.positions


def load_position(game: Game, name_or_path: str) -> Position:
    """Load a position of a game: a built-in one by its name, or a file.

    Raises:
        InvalidOption: the game has no notation, or no such position. InvalidFile, InvalidInput: the file is invalid.
    """
    notation, path = position_notation(game), resolve_asset(Path(name_or_path))
    if name_or_path in notation.builtin_names() or (not path.suffix and not path_exists(path)):
        return notation.load_builtin(name_or_path)  # or lists them
    return notation.load(path)


def load_start(
    game: Game, name_or_path: str, options: Sequence[str] | Mapping[str, JsonValue]
) -> tuple[Position, Options]:
    """Load a start position and its options, overridden by the given ones.

    Raises:
        InvalidOption, InvalidScene, InvalidFile, InvalidInput: it cannot be read or played from.
    """
    position = load_position(game, name_or_path)
    given = to_builtins(parse_options(game, options))
    overridden = options if isinstance(options, Mapping) else [option_name(option) for option in options]
    merged = to_builtins(position.options) | {name: given[name] for name in overridden}
    settled = from_builtins(merged, game.options, name="options")
    with name_invalid_scene(name_or_path):
        position_notation(game).start_state(structs.replace(position, options=settled))
    return position, settled


def load_start_state(game: Game, name_or_path: str) -> tuple[Position, State]:
    """Load a position of a game, and the state to play on from.

    Raises:
        InvalidOption, InvalidScene, InvalidFile, InvalidInput: it cannot be read or played from.
    """
    position = load_position(game, name_or_path)
    with name_invalid_scene(name_or_path):
        return position, position_notation(game).start_state(position)[0]


def find_sample(name_or_path: str) -> tuple[Scene | PyramidScene, Shot] | None:
    """Find a sample scene and its shot, as `draw` or `sample:draw`; None where the name is not that of a sample.

    Raises:
        NameNotFound: no such `sample:`; lists the samples.
    """
    name = name_or_path.removeprefix(_SAMPLE)
    return samples.sample_shot(name) if name != name_or_path or name in samples.all_sample_names() else None


def load_scene_by_name(name_or_path: str, base_folder: Path | None = None) -> Scene | PyramidScene:
    """Load the scene of a sample, a scene file in SI units, or a position, with its corrections applied.

    A file is read once, so that it may be a pipe.

    Args:
        base_folder: folder of a relative path; the current one where None.

    Raises:
        NameNotFound: none of these; lists the names.
        InvalidScene, InvalidFile, InvalidInput: it cannot be read, or is impossible.
    """
    found = find_sample(name_or_path)
    if found is not None:
        return found[0]
    path = resolve_asset(Path(name_or_path) if base_folder is None else base_folder / name_or_path)
    for _, notation in games_with_positions():
        if name_or_path in notation.builtin_names():
            return _scene_of(notation, notation.load_builtin(name_or_path))
    if not path.suffix and not path_exists(path):
        positions = ", ".join(name for _, notation in games_with_positions() for name in notation.builtin_names())
        raise NameNotFound(
            f"no scene file and no position {name_or_path!r}; positions are {positions}; "
            f"samples are {', '.join(samples.all_sample_names())}"
        )
    text = read_json_object(path, "scene")
    fields = from_json(text, dict, name=str(path))
    with name_invalid_scene(str(path)):
        if fields.get("scene") == "pyramids":
            return from_json(text, PyramidScene, name=str(path)).validated()
        if "surface" in fields or not {"winks", "white", "hands"} & set(fields):
            return from_json(text, Scene, name=str(path)).validated()
        _, notation = best_matching_notation(fields)
        return _scene_of(notation, from_json(text, notation.Position, name=str(path)))


def best_matching_notation(fields: Collection[str]) -> tuple[Game, PositionNotation]:
    """Return the game, with its notation, whose positions have most of these fields; of equals that with most built-in
    positions."""

    def score(entry: tuple[Game, PositionNotation]) -> tuple[int, int]:
        notation = entry[1]
        return len(set(fields) & set(notation.Position.__struct_fields__)), len(notation.builtin_names())

    return max(games_with_positions(), key=score)


def game_of_position(name_or_path: str) -> Game:
    """Return the game of a position: of a built-in one by its name, or of a file.

    Raises:
        NameNotFound: no such position or file; lists the positions. InvalidFile: it is a pipe; it is read again later.
    """
    names = {name: game for game, notation in games_with_positions() for name in notation.builtin_names()}
    if name_or_path in names:
        return names[name_or_path]
    path = resolve_asset(Path(name_or_path))
    refuse_pipe(path)
    if not path.suffix and not path_exists(path):
        raise NameNotFound(f"no position {name_or_path!r}; there are {', '.join(names)}, or give a file")
    fields: dict[str, object] = {}
    with suppress(FlicksimError):  # reading it as a position will raise the error
        fields = from_json(read_document(path), dict, name=name_or_path)
    return best_matching_notation(fields)[0]


def _scene_of(notation: PositionNotation, position: Position) -> Scene:
    scene = getattr(notation.to_state(position), "scene", None)
    if not isinstance(scene, Scene):
        raise InvalidInput(f"the position {position.title!r} has no pieces to flick; `flicksim analyse` evaluates it")
    return scene


def load_shot(name_or_path: str, table: Scene | PyramidScene | None = None) -> Shot:
    """Load the shot of a sample or a file; without a `do` field it is a flick.

    Args:
        table: scene for which it must be suitable.

    Raises:
        NameNotFound: no such sample or file; lists the samples.
        InvalidFile, InvalidInput: the file cannot be read, or holds no shot for that table.
    """
    path = resolve_asset(Path(name_or_path))
    found = None if path_exists(path) else find_sample(name_or_path)
    if found is not None:
        _check_table(name_or_path, "launch" if isinstance(found[1], Launch) else "", table)
        return found[1]
    if not path.suffix and not path_exists(path):
        raise NameNotFound(
            f"no shot file and no sample {name_or_path!r}; samples are {', '.join(samples.all_sample_names())}"
        )
    text = read_json_object(path, "shot")
    fields = from_json(text, dict, name=str(path))
    _check_table(name_or_path, fields.get("do"), table)
    if "do" not in fields and (extra := (set(Squidge.__struct_fields__) - set(Flick.__struct_fields__)) & set(fields)):
        raise InvalidInput(
            f'{path}: a flick has no {", ".join(sorted(extra))}; a squidge has, and begins with "do": "squidge"'
        )
    kind: ActionTypes = Launch if fields.get("do") == "launch" else Flick | Squidge if "do" in fields else Flick
    shot: Shot = from_json(text, kind, name=str(path))
    return shot


def _check_table(name: str, action_type: object, table: Scene | PyramidScene | None) -> None:
    """Check that the type of a shot suits the scene."""
    if isinstance(table, PyramidScene) and action_type != "launch":
        raise InvalidInput(f'{name!r} is no launch; pyramids are launched (a file that says "do": "launch")')
    if isinstance(table, Scene) and action_type == "launch":
        raise InvalidInput(f'{name!r} is a launch; it needs a table with pyramids (a scene that says "pyramids")')
