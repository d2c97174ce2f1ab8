"""The source tree keeps the rules by which a stranger finds the way in it."""

import ast
import builtins
import subprocess
import sys
from pathlib import Path

import pytest
from scripts import structure

FOLDERS = ("engine", "server", "client", "tests", "benchmarks", "scripts")

MOST_MODULES = 15
MOST_COMMANDS_OR_BOTS = 20
COMMANDS_OR_BOTS = {"boxroom_client.cli", "boxroom_server.cli", "boxroom_engine.bots"}

ONE_FOR_EACH_GAME = {"Position", "Grid", "Board", "Drawable"}
"""Classes that every game may have under the same name."""

ONE_FOR_EACH_EXERCISE = {"Game"}
"""Classes to which an exercise gives the names that people already know from it."""

each_package = pytest.mark.parametrize("package", structure.PACKAGES)


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_say_what_a_thing_is_or_does(folder: str) -> None:
    mistakes = [
        f"{path.relative_to(structure.ROOT)}:{each.line}: {mistake}"
        for path in structure.python_files(structure.ROOT / folder)
        for each in structure.docstrings(path)
        for mistake in each.mistakes
    ]
    assert mistakes == []


@each_package
def test_packages_are_small(package: str) -> None:
    too_large = {
        name: size
        for name, size in structure.package_sizes(package).items()
        if size > (MOST_COMMANDS_OR_BOTS if name in COMMANDS_OR_BOTS else MOST_MODULES)
    }
    assert too_large == {}


@each_package
def test_packages_say_what_lives_there(package: str) -> None:
    silent = [
        str(path.relative_to(structure.ROOT))
        for path in structure.python_files(structure.PACKAGES[package])
        if path.stem == "__init__" and len(_introduction(path).split()) < 10
    ]
    assert silent == []


@each_package
def test_no_modules_import_one_another(package: str) -> None:
    assert structure.cycles(structure.imports(package)) == []


@each_package
def test_no_packages_import_one_another(package: str) -> None:
    assert structure.package_cycles(package) == {}


@each_package
def test_a_public_class_name_stands_for_one_thing(package: str) -> None:
    assert structure.repeated_classes(package).keys() <= ONE_FOR_EACH_GAME | ONE_FOR_EACH_EXERCISE


@each_package
def test_exceptions_have_one_root(package: str) -> None:
    roots = [
        each.name
        for path in structure.python_files(structure.PACKAGES[package])
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.ClassDef) and each.bases and all(map(_is_builtin_error, each.bases))
    ]
    assert roots == (["BoxroomError"] if package == "boxroom_engine" else [])


def _is_builtin_error(base: ast.expr) -> bool:
    found = getattr(builtins, ast.unparse(base), None)
    return isinstance(found, type) and issubclass(found, Exception)


def _introduction(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


# The rules themselves


def _mistakes(source: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    return [mistake for each in structure.docstrings(path) for mistake in each.mistakes]


@pytest.mark.parametrize(
    "opening",
    ["What", "Who", "Whom", "Whose", "Whatever", "Where", "Which", "By which", "To which", "How"],
)
def test_riddles_are_found(opening: str, tmp_path: Path) -> None:
    assert _mistakes(f'"""{opening} it is."""', tmp_path) == [
        f"opens with {' '.join(f'{opening} it'.split()[:2])!r}"
    ]
    assert _mistakes(f'x = 1\n"""{opening} it is."""', tmp_path)
    assert _mistakes(f'def f():\n    """{opening} it is."""', tmp_path)
    assert not _mistakes('"""Returns what it is."""', tmp_path)


@pytest.mark.parametrize("word", ["somebody", "Nobody", "whoever"])
def test_a_missing_actor_is_found(word: str, tmp_path: Path) -> None:
    assert _mistakes(f'"""It waits; {word} comes."""', tmp_path) == [f"says {word!r}"]


@pytest.mark.parametrize(
    "text", ["See `Base`.", "See `Base.f`; at once.", "Do nothing.", "Return none.", "True."]
)
def test_a_docstring_without_content_is_found(text: str, tmp_path: Path) -> None:
    assert _mistakes(f'def f():\n    """{text}"""', tmp_path) == [f"says only {text!r}"]


def test_whether_is_for_bools_and_how_many_for_numbers(tmp_path: Path) -> None:
    for annotation, text, count in [
        ("bool", "Whether it is.", 0),
        ("str", "Whether it is.", 1),
        ("int", "How many there are.", 0),
        ("tuple[int, ...]", "How long they are.", 0),
        ("str", "How many there are.", 1),
        ("int", "How it is.", 1),
    ]:
        function = f'def f() -> {annotation}:\n    """{text}"""'
        attribute = f'class C:\n    f: {annotation}\n    """{text}"""'
        assert len(_mistakes(function, tmp_path)) == count
        assert len(_mistakes(attribute, tmp_path)) == count


def test_cycles_are_found() -> None:
    edges = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str](), "e": {"a"}}
    assert structure.cycles(edges) == [["b", "c"]]


def test_the_counts_are_printed() -> None:
    command = [sys.executable, str(structure.ROOT / "scripts" / "structure.py")]
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert "boxroom_engine\n  modules and packages at the top" in printed
