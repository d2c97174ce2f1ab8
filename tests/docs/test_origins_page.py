"""All modules, names and pages to which docs/explanation/origins.md refers exist."""

import importlib
import re
import shlex
from functools import reduce
from itertools import takewhile
from pathlib import Path

from tests.cases import each

from boxroom_client.cli.commands import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
ITEMS = re.findall(
    r"^- (.*?): (.*?)(?=\n- |\n\n|\Z)",
    (DOCS / "explanation" / "origins.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
SPANS = {span for _, here in ITEMS for span in re.findall("`([^`]+)`", here)}
COMMAND_LINES = sorted(span for span in SPANS if span.startswith("boxroom "))
NAMES = sorted(span for span in SPANS if re.fullmatch(r"[a-z_]+(\.\w+)+", span))


def found(name: str) -> object:
    """Return the object with this name, in a module or in a class of one."""
    package = "boxroom" if name.startswith("lessons.") else "boxroom_engine"
    modules = list(takewhile(lambda part: part[0].islower(), name.split(".")))
    for end in range(len(modules), 0, -1):
        module = ".".join([package, *modules[:end]])
        try:
            imported: object = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
        return reduce(getattr, name.split(".")[end:], imported)
    raise LookupError(name)


def test_there_is_something_to_find() -> None:
    assert len(COMMAND_LINES) > 10
    assert len(NAMES) > 40


def test_every_item_has_a_place() -> None:
    assert [there for there, here in ITEMS if "`" not in here.partition(";")[0]] == []


@each("name", NAMES)
def test_every_name_is_found(name: str) -> None:
    assert found(name) is not None


@each("line", COMMAND_LINES)
def test_every_command_line_is_understood(line: str) -> None:
    _, command, *args = shlex.split(line)
    importlib.import_module(COMMANDS[command].module).parser().parse_args(args)
