"""The messages of the protocol's schema as types, by which those of the page are checked."""

import json
from collections.abc import Mapping
from typing import Any

from boxroom_engine.wire.schema import schema

SCALARS = {"integer": "number", "number": "number", "string": "string"}
SCALARS |= {"boolean": "boolean", "null": "null"}


def declarations() -> str:
    """Return a type of TypeScript for each definition of the schema, under its name."""
    definitions = schema()["$defs"]
    return "".join(f"export type {name} = {type_of(each)};\n" for name, each in definitions.items())


def type_of(part: Mapping[str, Any]) -> str:
    """Return the type of the values that a schema allows, but for bounds and patterns.

    Raises:
        ValueError: the schema has a form that isn't known here.
    """
    match part:
        case {"$ref": path}:
            return str(path).rpartition("/")[2]
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": choices}:
            return " | ".join(map(type_of, choices))
        case {"prefixItems": items, "items": False}:
            return f"[{', '.join(map(type_of, items))}]"
        case {"type": "array", "items": items}:
            return f"({type_of(items)})[]"
        case {"type": "object", "properties": properties}:
            required = part.get("required", ())
            fields = (
                f"{name}{'' if name in required else '?'}: {type_of(each)}"
                for name, each in properties.items()
            )
            return f"{{ {'; '.join(fields)} }}"
        case {"type": "object", "additionalProperties": values}:
            return f"Record<string, {type_of(values)}>"
        case {"type": name} if name in SCALARS:
            return SCALARS[name]
    raise ValueError(f"this form of a schema isn't known: {part}")
