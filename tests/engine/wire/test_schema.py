"""The schema in the package is current, and agrees with the codec."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from tests.cases import each
from tests.engine.wire.strategies import client_messages, server_messages

import boxroom_engine.wire
from boxroom_engine.room import commands as cmd
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire.codec import MessageError, decode_from_client, encode
from boxroom_engine.wire.schema import SCHEMA_FILE, schema, schema_text

FILE = Path(boxroom_engine.wire.__file__).with_name(SCHEMA_FILE)

few = settings(max_examples=50)


def validator(side: str) -> jsonschema.Draft202012Validator:
    one_side = {**schema(), "anyOf": [{"$ref": f"#/$defs/{side}"}]}
    return jsonschema.Draft202012Validator(one_side)


from_client = validator("ClientMessage")
from_server = validator("ServerMessage")


def test_the_committed_schema_is_current() -> None:
    """`python scripts/write_schema.py`, or this test with BOXROOM_UPDATE_GOLDEN=1, updates it."""
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        FILE.write_text(schema_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == schema_text()


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@few
@given(client_messages)
def test_what_clients_say_is_valid(message: wire.ClientMessage) -> None:
    from_client.validate(json.loads(encode(message)))


@few
@given(server_messages)
def test_what_servers_say_is_valid(message: wire.ServerMessage) -> None:
    from_server.validate(json.loads(encode(message)))


PLAY = json.loads(encode(cmd.Play(1, 0, "h3", 7)))


@each(
    "change",
    [
        {"type": "dance"},
        {"id": 0},
        {"id": 2**53},
        {"seat": -1},
        {"seat": "0"},
        {"seat": None},
        {"ply": 0.5},
        {"move": 3},
        {"move": "x" * 4001},
        {"colour": "red"},
    ],
)
def test_what_the_codec_refuses_is_invalid(change: dict[str, Any]) -> None:
    changed = {**PLAY, **change}
    assert not from_client.is_valid(changed)
    with pytest.raises(MessageError):
        decode_from_client(json.dumps(changed).encode())
