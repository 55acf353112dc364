"""Tables and flicks by what people call them: a sample, a position of a game, or a file, also one that is shipped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from flicksim.base.codec import from_json, from_plain, read_notation, to_plain
from flicksim.base.errors import BadInput, BadOption, FlicksimError, NoSuchName
from flicksim.base.kinds import Kinds, Options, Plain, Position
from flicksim.base.places import at_hand
from flicksim.games import with_positions
from flicksim.referee import Game, Positions, option_name, parse_options
from flicksim.table import Flick, Launch, PyramidScene, Scene, Squidge, samples

Shot = Flick | Squidge | Launch
"""One thing a hand does."""
_SAMPLE = "sample:"


def notation_of(game: Game) -> Positions:
    """The notation of a game's positions.

    Raises:
        BadOption: they cannot be.
    """
    if game.positions is None:
        able = ", ".join(one.name for one, _ in with_positions())
        raise BadOption(f"{game.title} has no notation for positions; there is one for {able}")
    return game.positions


def position_named(game: Game, word: str) -> Position:
    """A position of a game: a shipped one by its name, else a file.

    Raises:
        BadOption: the game has none, or none is called so. BadFile, BadInput: the file cannot be read.
    """
    notation, path = notation_of(game), at_hand(Path(word))
    if word in notation.names() or (not path.suffix and not path.exists()):
        return notation.shipped(word)  # or says which there are
    return notation.read(path)


def begun(game: Game, word: str, options: Sequence[str] | Mapping[str, Plain]) -> tuple[Position, Options]:
    """A position to begin at and its options, those given laid over its own.

    Raises:
        BadOption, BadScene, BadFile, BadInput: it cannot be read or played from.
    """
    position = position_named(game, word)
    given = to_plain(parse_options(game, options))
    named = options if isinstance(options, Mapping) else [option_name(option) for option in options]
    own = to_plain(position.options)
    own.update({name: given[name] for name in named})
    return position, from_plain(own, game.options, name="options")


def sample_named(word: str) -> tuple[Scene | PyramidScene, Shot] | None:
    """A sample, as `draw` or `sample:draw`: a table and what may be done on it; None where no sample is meant.

    Raises:
        NoSuchName: there is none; lists those there are.
    """
    name = word.removeprefix(_SAMPLE)
    return samples.shot(name) if name != word or name in samples.all_names() else None


def scene_named(word: str, beside: Path | None = None) -> Scene | PyramidScene:
    """A table: a sample's, a file with one in SI units, or a position, which lies as hands have put it right.

    A file is read once: it may be a pipe.

    Args:
        beside: the folder in which a file is looked for.

    Raises:
        NoSuchName: none of these; lists those there are. BadScene, BadFile, BadInput: it cannot be read, or lie so.
    """
    found = sample_named(word)
    if found is not None:
        return found[0]
    path = at_hand(Path(word) if beside is None else beside / word)
    for _, notation in with_positions():
        if word in notation.names():
            return _lying(notation, notation.shipped(word))
    if not path.suffix and not path.exists():
        positions = ", ".join(name for _, notation in with_positions() for name in notation.names())
        raise NoSuchName(
            f"no scene file and no position {word!r}; positions are {positions}; "
            f"samples are {', '.join(samples.all_names())}"
        )
    text = read_notation(path)
    plain = from_json(text, dict, name=str(path))
    if plain.get("scene") == "pyramids":
        return from_json(text, PyramidScene, name=str(path))
    if "surface" in plain or not {"winks", "white"} & set(plain):
        return from_json(text, Scene, name=str(path)).checked()
    _, notation = written_for(plain)
    return _lying(notation, from_json(text, notation.Position, name=str(path)))


def written_for(plain: Collection[str]) -> tuple[Game, Positions]:
    """The game whose notation of positions knows most of these words, with the notation; of none, the game that comes
    with most positions."""

    def known(one: tuple[Game, Positions]) -> tuple[int, int]:
        return len(set(plain) & set(one[1].Position.__struct_fields__)), len(one[1].names())

    return max(with_positions(), key=known)


def whose(word: str) -> Game:
    """The game that a position is of: one shipped by that name, or a file."""
    for game, notation in with_positions():
        if word in notation.names():
            return game
    plain: dict[str, object] = {}
    with suppress(FlicksimError):  # whoever reads it as a position says what is wrong with it
        plain = from_json(read_notation(at_hand(Path(word))), dict, name=word)
    return written_for(plain)[0]


def _lying(notation: Positions, position: Position) -> Scene:
    scene = notation.state_of(position).scene
    assert isinstance(scene, Scene)
    return scene


def shot_named(word: str, table: Scene | PyramidScene | None = None) -> Shot:
    """A flick, squidge or launch: a sample's, or a file; one that does not say what it is, is a finger's flick.

    Args:
        table: on which it is to be made.

    Raises:
        NoSuchName: no such sample. BadFile, BadInput: the file cannot be read, or holds no shot for that table.
    """
    path = at_hand(Path(word))
    found = None if path.exists() else sample_named(word)
    if found is not None:
        _check_table(word, "launch" if isinstance(found[1], Launch) else "", table)
        return found[1]
    text = read_notation(path)
    plain = from_json(text, dict, name=str(path))
    _check_table(word, plain.get("do"), table)
    if "do" not in plain and (more := set(Squidge.__struct_fields__) - set(Flick.__struct_fields__)) & set(plain):
        has = ", ".join(sorted(more & set(plain)))
        raise BadInput(f'{path}: a flick has no {has}; a squidge has, and begins with "do": "squidge"')
    kind: Kinds = Launch if plain.get("do") == "launch" else Flick | Squidge if "do" in plain else Flick
    shot: Shot = from_json(text, kind, name=str(path))
    return shot


def _check_table(word: str, what: object, table: Scene | PyramidScene | None) -> None:
    """See that what is done goes with the table it is done on."""
    if isinstance(table, PyramidScene) and what != "launch":
        raise BadInput(f'{word!r} is no launch; pyramids are launched (a file that says "do": "launch")')
    if isinstance(table, Scene) and what == "launch":
        raise BadInput(f'{word!r} is a launch; it needs a table with pyramids (a scene that says "pyramids")')
