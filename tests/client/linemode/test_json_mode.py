"""Line mode for scripts: JSON objects about a room, and answers to lines."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.cases import each
from tests.client.fake_connection import FakeConnection, Pipe, small

from boxroom_client.linemode.json_mode import JsonMode, JsonPrinter
from boxroom_client.link.updates import (
    ConnectionLost,
    ConnectionRestored,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_common.exits import Exit
from boxroom_engine.phrases import verbatim
from boxroom_engine.wire.codec import decode_from_server

Objects = list[dict[str, Any]]


async def play(
    capsys: pytest.CaptureFixture[str],
    connection: FakeConnection,
    *lines: str,
    code: Exit = Exit.DONE,
    **options: Any,
) -> Objects:
    """Return the objects of a script of `lines`."""
    async with asyncio.timeout(20):
        mode = JsonMode(connection, Pipe(*lines), JsonPrinter(), **options)
        assert await mode.run() is code
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def of_type(objects: Objects, *types: str) -> Objects:
    return [shown for shown in objects if shown["type"] in types]


def events(objects: Objects) -> list[str]:
    return [event["type"] for shown in of_type(objects, "events") for event in shown["events"]]


async def test_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(1, 1), bots=["greedy"])
    objects = await play(capsys, connection, "/start", "h0", "h0", "h1", "v0", "v1")
    entered, *_, end = objects
    assert (entered["type"], entered["you"], entered["back"]) == ("in_room", "Ada", False)
    assert entered["room"]["phase"] == "waiting"
    assert events(objects)[0] == "started"
    assert events(objects)[-1] == "ended"
    answers = [(shown["line"], shown.get("code")) for shown in of_type(objects, "done", "refused")]
    assert answers[:3] == [("/start", None), ("h0", None), ("h0", "already_drawn")]
    assert len(answers) == 6
    assert end == {"type": "end", "code": "left", "message": "", "exit": 0}
    assert connection.left


async def test_messages_about_the_room_are_those_of_the_protocol(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2, hints=True), bots=["greedy"], start=True)
    objects = await play(capsys, connection, "h0", "/hint", "/board", "/say hi", "/resign")
    for message in of_type(objects, "events", "hint", "thinking"):
        decode_from_server(json.dumps(message).encode())
    assert of_type(objects, "hint")[0]["seat"] == 0
    numbers = [shown["seq"] for shown in of_type(objects, "events")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    rooms = of_type(objects, "in_room")
    assert len(rooms) == 2  # at the beginning, and for /board
    for room in rooms:
        assert not room.pop("back")
        decode_from_server(json.dumps({**room, "last_id": 0, "now_ms": 0}).encode())


async def test_an_answer_follows_the_events_of_its_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"])
    entered, said, done, *kicked, end = await play(
        capsys, connection, "/say hello", "", "/kick Bob"
    )
    assert [entered["type"], said["type"], end["type"]] == ["in_room", "events", "end"]
    assert done == {"type": "done", "line": "/say hello"}
    assert "kicked" in events(kicked)
    assert kicked[-1] == {"type": "done", "line": "/kick Bob"}


@each(
    "line, code",
    [
        ("/nope", "mistake"),
        ("/box 99", "mistake"),
        ("/size L", "mistake"),
        ("/theme light", "mistake"),
        ("/kick Nobody", "no_such_member"),
        ("/undo", "not_started"),
        ("h0", "not_started"),
    ],
)
async def test_refusals(capsys: pytest.CaptureFixture[str], line: str, code: str) -> None:
    connection = FakeConnection(small(2, 2), others=["Bob"])
    objects = await play(capsys, connection, line)
    (refused,) = of_type(objects, "refused")
    assert (refused["line"], refused["code"]) == (line, code)
    assert refused["message"]
    assert events(objects) == []


async def test_text_for_people_is_in_objects_too(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2), bots=["greedy"], start=True)
    lines = "/help", "/members", "/record", "/free", "/box 1", "/settings", "/invite", "/rooms"
    objects = await play(capsys, connection, *lines)
    texts = [shown["text"] for shown in of_type(objects, "text")]
    assert "12 lines are safe: h0–h5, v0–v5." in texts
    assert len(of_type(objects, "done", "refused")) == len(lines)


CHANGES: Sequence[Update] = (
    ConnectionLost("it is gone", 0.5),
    ConnectionRestored(),
    ServerSilent(),
    ServerResponding(),
    NoticeReceived("stopping", verbatim("The server stops.")),
    SessionEnded("gave_up", verbatim("It doesn't answer.")),
)


async def test_the_connection_and_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    connection = FakeConnection(small(2, 2))
    for update in CHANGES:
        connection.tell(update)
    objects = await play(capsys, connection, code=Exit.UNREACHABLE, watching=True)
    assert objects[1:] == [
        {"type": "lost", "message": "it is gone", "retry_s": 0.5},
        {"type": "back"},
        {"type": "silent"},
        {"type": "responding"},
        {"type": "notice", "code": "stopping", "message": "The server stops."},
        {"type": "end", "code": "gave_up", "message": "It doesn't answer.", "exit": 69},
    ]
