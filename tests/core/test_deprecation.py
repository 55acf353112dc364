"""Old module and public names resolve to the new ones and warn; unknown names fail as usual."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import flicksim
from flicksim.core import deprecation
from tests.python_process import run_code

FRONT = {
    "Played": "GameResult", "Spread": "ParameterSpec", "ask": "run_experiment", "settle": "simulate",
    "settle_many": "simulate_batch",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _forget_old_names() -> Iterator[None]:
    """Old modules and names are found anew in each test."""
    yield
    for name in [name for name in sys.modules if deprecation.new_module(name) and name.startswith("flicksim.")]:
        if "Renamed" in type(sys.modules[name]).__name__:
            del sys.modules[name]
    for name in FRONT:
        vars(flicksim).pop(name, None)


@pytest.mark.parametrize(("old", "new"), FRONT.items())
def test_old_names_of_the_package_warn(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"flicksim\.{old} is now flicksim\.{new};") as warned:
        assert getattr(flicksim, old) is getattr(flicksim, new)
    assert getattr(flicksim, old) is getattr(flicksim, new)
    assert len(warned) == 1
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("module", "name", "new_module", "new"),
    [
        ("flicksim.table", "Scene", "flicksim.scene", "Scene"),
        ("flicksim.table", "Motion", "flicksim.scene", "Trajectory"),
        ("flicksim.table.motion", "Motion", "flicksim.scene.trajectory", "Trajectory"),
        ("flicksim.base.errors", "BadFile", "flicksim.core.errors", "InvalidFile"),
        ("flicksim.base.units", "degrees", "flicksim.core.units", "deg2rad"),
        ("flicksim.base.seeding", "Seeds", "flicksim.core.random_streams", "RandomStreams"),
        ("flicksim.lab", "Spread", "flicksim.experiments", "ParameterSpec"),
        ("flicksim.physics.settle", "settle", "flicksim.engine.simulate", "simulate"),
        ("flicksim.physics", "settle", "flicksim.engine", "simulate"),
        ("flicksim.door.shots", "settle_many", "flicksim.api.simulation", "simulate_batch"),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_modules_resolve_to_the_new_ones(module: str, name: str, new_module: str, new: str) -> None:
    assert getattr(importlib.import_module(module), name) is getattr(importlib.import_module(new_module), new)


def test_old_modules_warn_where_they_are_imported() -> None:
    with pytest.warns(DeprecationWarning, match=r"flicksim\.people is now flicksim\.profiles;") as warned:
        importlib.import_module("flicksim.people")
    assert len(warned) == 1


@pytest.mark.parametrize("package", ["cards", "challenges", "referee"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_packages_with_the_same_name_resolve_old_names(package: str) -> None:
    module = importlib.import_module(f"flicksim.{package}")
    for old, new in deprecation.renames()[1][package].items():
        assert getattr(module, old) is getattr(module, new)
        vars(module).pop(old)


def test_the_table_of_renames_is_valid() -> None:
    modules, names = deprecation.renames()
    for new in modules.values():
        spec = importlib.util.find_spec(f"flicksim.{new}")
        assert spec is not None, new
        assert Path(str(spec.origin)).is_file(), new  # and no alias of another
    missing = [
        f"{module}.{new}"
        for module, renamed in names.items()
        for new in renamed.values()
        if not hasattr(importlib.import_module(f"flicksim.{module}"), new)
    ]
    assert missing == []
    assert [old for old in modules if (Path(flicksim.__file__).parent / old.replace(".", "/")).is_dir()] == []


def test_old_keywords_warn() -> None:
    @deprecation.renamed_keywords(places="positions")
    def call(*, positions: int = 0) -> int:
        return positions

    with pytest.warns(DeprecationWarning, match=r"call\(places=\.\.\.\) is now positions="):
        assert call(places=3) == 3
    with pytest.raises(TypeError, match="which are one"):
        call(places=3, positions=4)


def test_settings_take_the_keywords_of_the_last_release() -> None:
    with pytest.warns(DeprecationWarning, match=r"Settings\(coarse=\.\.\.\) is now step_factor=") as warned:
        assert flicksim.Settings(coarse=3.0) == flicksim.Settings(step_factor=3.0)
    assert warned[0].filename == __file__
    with pytest.raises(TypeError, match="which are one"):
        flicksim.Settings(drag=1.0, drag_coefficient=1.0)


def test_unknown_names_fail_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"flicksim\.nowhere"):
        importlib.import_module("flicksim.nowhere")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        flicksim.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        flicksim.cards.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_the_table_is_read_when_an_old_name_is_used() -> None:
    code = "import flicksim; from flicksim.core import deprecation as d; print(d.renames.cache_info().currsize)"
    assert run_code(code).stdout.strip() == "0"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_unknown_names_of_old_modules_are_named() -> None:
    with pytest.raises(ImportError, match=r"cannot import name 'Nope' from 'flicksim\.table'"):
        exec("from flicksim.table import Nope", {})
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'flicksim\.table\.nope'$"):
        importlib.import_module("flicksim.table.nope")
    with pytest.raises(AttributeError, match=r"module 'flicksim\.table' has no attribute 'Nope'"):
        importlib.import_module("flicksim.table").Nope  # noqa: B018
