"""docs/reference/protocol.md names all messages, events, fields, defaults and refusal codes."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import NODEFAULT, inspect
from tests.cases import each
from tests.engine.wire.strategies import message_kinds

from boxroom_engine.games.errors import MoveError
from boxroom_engine.games.geometry import BoardShape, Heap, HeapMove, ShapeKind
from boxroom_engine.games.registry import make_game
from boxroom_engine.room.accepted import COMMANDS_REMEMBERED
from boxroom_engine.room.events import Event
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import CHAT_TAIL, ChatLine, Member, SeatHolder
from boxroom_engine.room.room import Settings as RoomSettings
from boxroom_engine.room.view import Snapshot
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire.codec import decode_from_server

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")
Kind = type[msgspec.Struct]


def section(heading: str) -> str:
    """Return the text below `heading`, up to the next heading of its level or a higher one."""
    level = heading.split(maxsplit=1)[0]
    _, _, below = PAGE.partition(f"\n{heading}\n")
    assert below, heading
    return re.split(rf"\n#{{1,{len(level)}}} ", below)[0]


def words(text: str) -> set[str]:
    """Return the code spans in `text`, such as `seat` or `seat = null`."""
    return set(re.findall(r"`([^`\n]+)`", text))


def listed(text: str) -> dict[str, set[str]]:
    """Return the fields in the brackets behind names, as in "`abort`, `sat` (`seat`, `member`)".

    Names that are followed by the same brackets, or by none, are separated by commas.
    """
    names_and_fields = re.findall(
        r"((?:`[^`]+`, )*`[^`]+`)(?: \(((?:`[^`]+`(?:, )?)+)\))?", " ".join(text.split())
    )
    return {name: words(inside) for names, inside in names_and_fields for name in words(names)}


def items(heading: str) -> dict[str, set[str]]:
    """Return the names before the colons of the lists in a section, with their fields."""
    heads = re.findall(r"^- (`.*?): ", section(heading), re.MULTILINE | re.DOTALL)
    return {name: inside for head in heads for name, inside in listed(head).items()}


def events_listed() -> dict[str, set[str]]:
    return listed(section("### The events").partition("\n- ")[2].partition("\nBesides:")[0])


def fields(kind: Kind) -> Iterator[str]:
    """Yield the fields of `kind` as the page writes them, such as `seat` or `seat = null`."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        default: Any = field.default
        if field.default_factory is not NODEFAULT:
            default = field.default_factory()
        if default is NODEFAULT:
            yield field.encode_name
        else:
            yield f"{field.encode_name} = {json.dumps(msgspec.to_builtins(default))}"


def tag(kind: Kind) -> str:
    return str(kind.__struct_config__.tag)


@each("kind", message_kinds(Event))
def test_every_event_stands_in_the_list_with_its_fields(kind: Kind) -> None:
    assert events_listed()[tag(kind)] == set(fields(kind))


def test_the_list_has_no_other_events() -> None:
    assert set(events_listed()) == {tag(kind) for kind in message_kinds(Event)}


GREETINGS = {
    wire.Hello: "## Greeting",
    wire.Challenge: "### Without sending the secret",
    wire.TakeIdentity: "### Another device",
    wire.SeeGame: "### A game by its link",
}
"""Sections about the messages that come before all others, or are the first."""


@each("kind", message_kinds(wire.ClientMessage))
def test_every_message_of_a_client_stands_there_with_its_fields(kind: Kind) -> None:
    if kind in GREETINGS:
        assert set(items(GREETINGS[kind])) >= set(fields(kind))
        return
    listed = items("### Requests to the server") | items("### Commands in a room")
    assert listed[tag(kind)] == set(fields(kind)) - {"id"}


@each("kind", message_kinds(wire.ServerMessage))
def test_every_message_of_a_server_stands_there_with_its_fields(kind: Kind) -> None:
    quoted = words(PAGE)
    assert tag(kind) in quoted or f'"type":"{tag(kind)}"' in PAGE
    for field in fields(kind):
        assert field in quoted or f'"{field}":' in PAGE, field


@each(
    "kind, heading",
    [
        (Snapshot, "### The room"),
        (SeatHolder, "### The room"),
        (Member, "### The room"),
        (ChatLine, "### The room"),
        (RoomSettings, "### Requests to the server"),
        (wire.GameOffered, "### The games"),
        (wire.OptionOffered, "### The games"),
        (wire.RoomListed, "## Asking"),
        (wire.GameGeometry, "## Geometry"),
        (BoardShape, "## Geometry"),
        (Heap, "## Geometry"),
        (HeapMove, "## Geometry"),
    ],
)
def test_everything_inside_them_as_well(kind: Kind, heading: str) -> None:
    assert set(fields(kind)) <= words(section(heading))


def test_the_geometry_there_is_that_of_the_board() -> None:
    example = re.findall(r"```json\n(.*?)```", section("## Geometry"), re.DOTALL)[0]
    game = make_game("dots", {"rows": 1, "cols": 1, "border": "half"}, 2)
    assert decode_from_server(example.encode()) == wire.GameGeometry.of(4, game.geometry())
    assert {kind.value for kind in ShapeKind} <= words(section("## Geometry"))


def test_close_codes_are_named() -> None:
    named = set(re.findall(r"^- (\d{4}): ", section("## Closing"), re.MULTILINE))
    own = {str(code) for name, code in vars(wire).items() if name.startswith("CLOSE_")}
    assert own >= {code for code in named if code.startswith("4")}
    assert named >= {*own, "1003", "1009", "1011", "1012", "1013"}


def test_numbers_are_current() -> None:
    limits = RoomLimits()
    assert f"last {COMMANDS_REMEMBERED} " in section("### The ids of commands")
    assert f"last {CHAT_TAIL} messages" in section("### The room")
    assert f"1 to {limits.name_chars} letters" in section("## Greeting")


# Refusal codes


RAISED = {"CommandRefused", "HelloRejected", "refusal"}
"""Functions whose first argument is the code of a refusal, or begins with it."""


@cache
def codes_in(*folders: str) -> frozenset[str]:
    """Return the codes that the source passes to refusals and rejections of a hello."""
    found = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                code = node.args[0]
                if called in RAISED and isinstance(code, ast.Constant):
                    found.add(str(code.value).partition(".")[0])
    return frozenset(found)


def codes_of_games() -> set[str]:
    def below(kind: type[MoveError]) -> Iterator[type[MoveError]]:
        yield kind
        for other in kind.__subclasses__():
            yield from below(other)

    return {kind.code for kind in below(MoveError)}


def test_every_refusal_code_stands_in_the_list_and_no_other() -> None:
    raised = codes_in("engine/boxroom_engine/room", "server/boxroom_server") | codes_of_games()
    explained, _, shown = section("## Refusals").partition("Show the `message`")
    lists = re.findall(r"^- .*?: (.*?)(?=\n- |\Z)", shown, re.MULTILINE | re.DOTALL)
    assert set(items("## Refusals")) | set().union(*map(words, lists)) == raised
    assert explained


def test_every_refusal_of_a_room_is_tested() -> None:
    tested = {
        node.value
        for path in (ROOT / "tests" / "engine" / "room").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert codes_in("engine/boxroom_engine/room") - tested == set()
