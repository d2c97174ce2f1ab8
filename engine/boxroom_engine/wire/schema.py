"""The JSON Schema of the protocol, generated from `messages`.

protocol.schema.json beside this module is this schema: `scripts/write_schema.py` writes it, and a
test checks that it is current. Programs find it in the package, and at a server that serves a page.
"""

import inspect
import json
from typing import Any

import msgspec

from boxroom_engine.wire.messages import PROTOCOL, ClientMessage, ServerMessage

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMA_FILE = "protocol.schema.json"
"""Name of the file in this package that holds the schema."""


def schema() -> dict[str, Any]:
    """Return the schema, with every message and event under `$defs`.

    A valid document is a message of either side. To check one side only, refer to
    `#/$defs/ClientMessage` or `#/$defs/ServerMessage`.
    """
    (client, server), definitions = msgspec.json.schema_components(
        (ClientMessage, ServerMessage), ref_template="#/$defs/{name}"
    )
    return {
        "$schema": DIALECT,
        "$id": f"urn:boxroom:protocol:{PROTOCOL}",
        "title": f"Boxroom protocol {PROTOCOL}",
        "description": "A JSON object in a text frame, as docs/reference/protocol.md explains.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {
            "ClientMessage": {"description": "Any message from a client to a server.", **client},
            "ServerMessage": {"description": "Any message from a server to a client.", **server},
            **{name: _with_clean_description(each) for name, each in definitions.items()},
        },
    }


def _with_clean_description(definition: dict[str, Any]) -> dict[str, Any]:
    """Return `definition` with its description, a docstring, free of indentation.

    Python 3.13 strips the indentation when it compiles a class, older versions don't.
    """
    if "description" not in definition:
        return definition
    return {**definition, "description": inspect.cleandoc(definition["description"])}


def schema_text() -> str:
    """Return the schema as the text of protocol.schema.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
