"""The protocol as a JSON Schema, for clients in other languages; made from `messages`.

docs/protocol.schema.json is this schema. `scripts/write_schema.py` writes it anew, and a test
keeps it current.
"""

import inspect
import json
from typing import Any

import msgspec

from boxroom_engine.wire.messages import PROTOCOL, ClientMessage, ServerMessage

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The schema: every message and event under `$defs`, the unions of each side among them.

    A document that validates is a message of either side. To check one side only, refer to
    `#/$defs/ClientMessage` or `#/$defs/ServerMessage`.
    """
    (client, server), definitions = msgspec.json.schema_components(
        (ClientMessage, ServerMessage), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": DIALECT,
        "title": f"Boxroom protocol {PROTOCOL}",
        "description": "One message, a JSON object in a text frame; docs/protocol.md explains it.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {
            "ClientMessage": {"description": "What a client sends.", **client},
            "ServerMessage": {"description": "What a server sends.", **server},
            **{name: _with_clean_description(each) for name, each in definitions.items()},
        },
    }


def _with_clean_description(definition: dict[str, Any]) -> dict[str, Any]:
    """A copy of `definition` whose description, a docstring, has lost its indentation.

    Python 3.13 strips the indentation when it compiles a class, older versions don't.
    """
    if "description" not in definition:
        return definition
    return {**definition, "description": inspect.cleandoc(definition["description"])}


def schema_text() -> str:
    """The schema as the text of docs/protocol.schema.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
