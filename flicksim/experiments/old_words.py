"""Translation of experiments and manifests of release 0.1.0 to the present names.

Only names change: values, order and meaning are the same. A results folder of that release keeps its column names.
"""

from collections.abc import Mapping, Sequence

import msgspec

from flicksim.core.errors import InvalidExperiment
from flicksim.core.serialization import fingerprint
from flicksim.core.type_aliases import JsonValue
from flicksim.engine.settings import OLD_KEYS as OLD_SETTING_KEYS

SETTING_KEYS = OLD_SETTING_KEYS
EXPERIMENT_KEYS = {"about": "description", "marks": "references"}
PARAMETER_KEYS = {"grid": "values", "steps": "linspace", "within": "truncate", "called": "name"}
REFERENCE_KEYS = {"says": "label", "at": "parameters"}
GAME_KEYS = {"played": "actions"}
AIM_KEYS = {"to": "target", "beyond": "overshoot", "effort": "speed_factor", "turn": "aim_offset"}
MEASURES = {
    "gap": "distance", "way": "displacement", "turned": "flipped", "off": "off_surface", "rest": "rest_position",
    "landing": "landing_point", "made": "executed", "worth": "win_chance",
}  # fmt: skip
"""Built-in measures, old name to new."""
COLUMN_ROLES = {"drawn": "random", "answer": "measure", "failed": "error"}
COLUMN_KINDS = {"share": "boolean"}
ERROR_COLUMN = "failed"
"""Name of the last column of results in the old names; it identifies a folder of that release."""

_OLD_FIELDS = {new: old for keys in (AIM_KEYS, SETTING_KEYS) for old, new in keys.items()}
_OLD_MEASURES = {new: old for old, new in MEASURES.items()}
_OLD_FIELD_ORDER = (
    "title", "about", "scene", "pyramids", "game", "flick", "hand", "hands", "pieces", "settings", "pairings",
    "measure", "shots", "seed", "marks",
)  # fmt: skip


def rename_keys(plain: Mapping[str, JsonValue], keys: Mapping[str, str]) -> dict[str, JsonValue]:
    """Translate the keys of a table.

    Raises:
        InvalidExperiment: an old key stands beside the new one.
    """
    for old, new in keys.items():
        if old in plain and new in plain:
            raise InvalidExperiment(f"{old!r} is the old name of {new!r}; give one of the two")
    return {keys.get(name, name): value for name, value in plain.items()}


def _renamed_columns(plain: Mapping[str, JsonValue], keys: Mapping[str, str]) -> dict[str, JsonValue]:
    """Translate names of columns; one that the experiment itself defined is kept."""
    return {keys[name] if name in keys and keys[name] not in plain else name: value for name, value in plain.items()}


def _renamed_parameters(value: JsonValue) -> JsonValue:
    """Translate the parameter specifications anywhere in a value."""
    if isinstance(value, list):
        return [_renamed_parameters(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value and value.keys() <= {*PARAMETER_KEYS, *PARAMETER_KEYS.values(), "uniform", "normal"}:
        return rename_keys(value, PARAMETER_KEYS)
    return {name: _renamed_parameters(item) for name, item in value.items()}


def rename_measure(text: str) -> str:
    """Translate the text of a measure: "gap white" is "distance white"."""
    name, blank, arguments = text.partition(" ")
    return f"{MEASURES.get(name, name)}{blank}{arguments}"


def rename_experiment(plain: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Translate an experiment as plain data; present names are kept.

    Raises:
        InvalidExperiment: an old key stands beside the new one.
    """
    renamed = rename_keys(plain, EXPERIMENT_KEYS)
    for group in ("hand", "flick", "pieces", "settings", "pairings"):
        if group in renamed:
            renamed[group] = _renamed_parameters(renamed[group])
    for group, keys in (("flick", AIM_KEYS), ("settings", SETTING_KEYS), ("game", GAME_KEYS)):
        if isinstance(renamed.get(group), dict):
            renamed[group] = rename_keys(renamed[group], keys)
    if isinstance(renamed.get("references"), list):
        renamed["references"] = [_renamed_reference(reference) for reference in renamed["references"]]
    return renamed


def _renamed_reference(reference: JsonValue) -> JsonValue:
    """Translate a reference value and the names of columns in it."""
    if not isinstance(reference, dict):
        return reference
    renamed = rename_keys(reference, REFERENCE_KEYS)
    if isinstance(renamed.get("measure"), str):
        name, dash, arguments = renamed["measure"].partition("_")
        renamed["measure"] = f"{MEASURES.get(name, name)}{dash}{arguments}"
    if isinstance(renamed.get("parameters"), dict):
        renamed["parameters"] = _renamed_columns(renamed["parameters"], AIM_KEYS)
    return renamed


def has_old_words(plain: Mapping[str, JsonValue]) -> bool:
    """True if an experiment as plain data has any old key or measure."""
    measures = plain.get("measure")
    texts = [text for text in measures if isinstance(text, str)] if isinstance(measures, list) else []
    return rename_experiment(plain) != plain or any(rename_measure(text) != text for text in texts)


def is_old_manifest(plain: Mapping[str, JsonValue]) -> bool:
    """True of a manifest whose results have the column names of release 0.1.0."""
    columns = plain.get("columns")
    last = columns[-1] if isinstance(columns, list) and columns else None
    return isinstance(last, dict) and last.get("name") == ERROR_COLUMN


def rename_manifest(plain: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Translate a manifest as plain data; names and titles of its columns stay.

    Raises:
        InvalidExperiment: an old key stands beside the new one.
    """
    renamed = dict(plain)
    if isinstance(renamed.get("experiment"), dict):
        renamed["experiment"] = rename_experiment(renamed["experiment"])
    renamed["columns"] = [_renamed_column(column) for column in renamed["columns"]]
    return renamed


def _renamed_column(column: JsonValue) -> JsonValue:
    if not isinstance(column, dict):
        return column
    translations = {"role": COLUMN_ROLES, "kind": COLUMN_KINDS}
    return {
        name: translations[name].get(value, value) if name in translations and isinstance(value, str) else value
        for name, value in column.items()
    }


def old_identity(experiment: Mapping[str, JsonValue]) -> str:
    """Fingerprint of an experiment in release 0.1.0, from its plain data in the old names."""
    fields = {**experiment, "shots": 1}
    ordered = {name: fields[name] for name in _OLD_FIELD_ORDER if name in fields}
    return fingerprint(msgspec.Raw(msgspec.json.encode(ordered)))


def draw_order(field: str) -> str:
    """Sort key of a field of the flick or of a setting: its old name, which decides the order of random draws."""
    return _OLD_FIELDS.get(field, field)


def old_path(path: Sequence[str]) -> tuple[str, ...]:
    """Path of an axis in the old names."""
    if path[0] in ("flick", "settings"):
        return (path[0], *(_OLD_FIELDS.get(name, name) for name in path[1:]))
    return tuple(path)


def old_measure(text: str) -> str:
    """Text of a measure in the old names."""
    name, blank, arguments = text.partition(" ")
    return f"{_OLD_MEASURES.get(name, name)}{blank}{arguments}"
