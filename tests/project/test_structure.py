"""The source tree keeps the rules by which a stranger finds the way in it."""

import ast
import builtins
from pathlib import Path

import pytest
from scripts import structure
from tests.cases import each

FOLDERS = ("engine", "server", "client", "lab", "public", "tests", "benchmarks", "scripts")

MOST_MODULES = 15
MOST_COMMANDS_OR_BOTS = 20
COMMANDS_OR_BOTS = {"boxroom_client.cli", "boxroom_server.cli", "boxroom_engine.bots"}

ONE_FOR_EACH_GAME = {"Position", "Grid", "Board", "Drawable"}
"""Classes that every game may have under the same name."""

ONE_FOR_EACH_EXERCISE = {"Game"}
"""Classes to which an exercise gives the names that people already know from it."""

each_package = each("package", structure.PACKAGES)


@each("folder", FOLDERS)
def test_docstrings_say_what_a_thing_is_or_does(folder: str) -> None:
    mistakes = [
        f"{path.relative_to(structure.ROOT)}:{docstring.line}: {mistake}"
        for path in structure.python_files(structure.ROOT / folder)
        for docstring in structure.docstrings(path)
        for mistake in docstring.mistakes
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
        if path.stem == "__init__"
        and len((ast.get_docstring(structure.parsed_once(path)) or "").split()) < 10
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
        node.name
        for path in structure.python_files(structure.PACKAGES[package])
        for node in ast.walk(structure.parsed_once(path))
        if isinstance(node, ast.ClassDef) and node.bases and all(map(_is_builtin_error, node.bases))
    ]
    assert roots == (["BoxroomError"] if package == "boxroom_engine" else [])


def _is_builtin_error(base: ast.expr) -> bool:
    found = getattr(builtins, ast.unparse(base), None)
    return isinstance(found, type) and issubclass(found, Exception)


# The rules themselves


def _mistakes(source: str) -> list[str]:
    found = structure.docstrings_in(Path("module.py"), ast.parse(source))
    return [mistake for docstring in found for mistake in docstring.mistakes]


@each(
    "opening",
    ["What", "Who", "Whom", "Whose", "Whatever", "Where", "Which", "By which", "To which", "How"],
)
def test_riddles_are_found(opening: str) -> None:
    mistake = [f"opens with {' '.join(f'{opening} it'.split()[:2])!r}"]
    assert _mistakes(f'"""{opening} it is."""') == mistake
    assert _mistakes(f'x = 1\n"""{opening} it is."""') == mistake
    assert _mistakes(f'def f():\n    """{opening} it is."""') == mistake
    assert not _mistakes('"""Returns what it is."""')


@each("word", ["somebody", "Nobody", "whoever"])
def test_a_missing_actor_is_found(word: str) -> None:
    assert _mistakes(f'"""It waits; {word} comes."""') == [f"says {word!r}"]


@each("text", ["See `Base`.", "See `Base.f`; at once.", "Do nothing.", "Return none.", "True."])
def test_a_docstring_without_content_is_found(text: str) -> None:
    assert _mistakes(f'def f():\n    """{text}"""') == [f"says only {text!r}"]


@each(
    "annotation, text, count",
    [
        ("bool", "Whether it is.", 0),
        ("str", "Whether it is.", 1),
        ("int", "How many there are.", 0),
        ("tuple[int, ...]", "How long they are.", 0),
        ("str", "How many there are.", 1),
        ("int", "How it is.", 1),
    ],
)
def test_whether_is_for_bools_and_how_many_for_numbers(
    annotation: str, text: str, count: int
) -> None:
    assert len(_mistakes(f'def f() -> {annotation}:\n    """{text}"""')) == count
    assert len(_mistakes(f'class C:\n    f: {annotation}\n    """{text}"""')) == count


def test_cycles_are_found() -> None:
    edges = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str](), "e": {"a"}}
    assert structure.cycles(edges) == [["b", "c"]]


def test_the_counts_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    structure.print_counts(["boxroom_common"])
    assert "boxroom_common\n  modules and packages at the top" in capsys.readouterr().out
