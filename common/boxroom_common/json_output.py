"""JSON on standard output: the convention of all `--json` (docs/reference/commands.md).

Each output is one object, or one in each line, and the first one names its `format`. A *seat* is an
index from 0, as in the protocol; what is called a *player* counts from 1, as people do.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any


def format_name(kind: str, version: int) -> str:
    """Return the `format` of an output; the version grows when a field gets another meaning."""
    return f"boxroom-{kind}-{version}"


def print_json(fields: Mapping[str, Any]) -> None:
    """Print `fields` as one line."""
    sys.stdout.write(json_line(fields))
    sys.stdout.flush()


def json_line(fields: Mapping[str, Any]) -> str:
    """Return `fields` as one line with its end."""
    return f"{json.dumps(fields, separators=(',', ':'))}\n"


def player_of(seat: int | None) -> int | None:
    """Return a seat as people count it; None stays None."""
    return None if seat is None else seat + 1
