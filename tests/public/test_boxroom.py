"""The public names: which they are, what they take, and how quickly `import boxroom` is done."""

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from tests.cases import each

import boxroom
import boxroom.lessons.noughts
import boxroom.lessons.stonehenge
import boxroom.robots
from boxroom_common.version import VERSION

MODULES = (boxroom, boxroom.robots, boxroom.lessons.noughts, boxroom.lessons.stonehenge)


@pytest.fixture
def golden_folder() -> str:
    return "public"


def described(value: object) -> str:
    """Return the members of a class, or the parameters of a function with their defaults."""
    if inspect.isclass(value):
        fields = {name for each in value.__mro__ for name in inspect.get_annotations(each)}
        return f" {' '.join(sorted(name for name in fields.union(dir(value)) if name[0] != '_'))}"
    if not inspect.isfunction(value):
        return ""
    signature = inspect.signature(value)
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def names_of(module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        value = getattr(module, name)
        errors = inspect.isclass(value) and issubclass(value, Exception)
        yield f"{module.__name__}.{name}{'' if errors else described(value)}".rstrip()


def test_public_names_stay(golden: Callable[[str, str], None]) -> None:
    """A change of this list may break programs: see docs/reference/compatibility.md."""
    golden("names", "".join(f"{line}\n" for module in MODULES for line in names_of(module)))


def test_editors_and_help_find_all_names() -> None:
    assert set(boxroom.__all__) <= set(dir(boxroom))


def test_a_name_that_there_is_not_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'boxroom' has no attribute 'nothing'"):
        _ = boxroom.nothing
    assert not hasattr(boxroom, "nothing")


@each("module", MODULES)
def test_everything_public_says_what_it_is(module: ModuleType) -> None:
    assert [
        name
        for name in module.__all__
        if inspect.isroutine(value := getattr(module, name)) or inspect.isclass(value)
        if not inspect.getdoc(value)
    ] == []


def in_another_process(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_import_loads_nothing_else_of_boxroom() -> None:
    program = "import boxroom, sys; print(*(name for name in sys.modules if 'boxroom' in name))"
    assert in_another_process("-c", program).split() == ["boxroom"]


def test_the_module_runs_the_command() -> None:
    assert in_another_process("-m", "boxroom", "--version") == f"boxroom {VERSION}\n"
    assert boxroom.__version__ == VERSION
