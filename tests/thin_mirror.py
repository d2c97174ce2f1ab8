"""The mirror of docs/examples/mirror.py, which knows no rules, beside the engine's own."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from boxroom_engine.room import events as ev
from boxroom_engine.room.view import Snapshot
from boxroom_engine.wire.messages import Events

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "mirror.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mirror", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mirror = _loaded()


def as_json(message: Any) -> dict[str, Any]:
    """Return a message, or a part of one, as a client decodes it."""
    decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(message))
    return decoded


class ThinMirror:
    """A client's picture of a room, from a snapshot on."""

    def __init__(self, seen: Snapshot) -> None:
        self._room: dict[str, Any] = mirror.picture(as_json(seen))

    def follow(self, entry: ev.Entry) -> None:
        """Apply the events of `entry`, which its audience sees."""
        mirror.apply(self._room, as_json(Events(entry.seq, entry.at_ms, entry.events)))

    def equals(self, seen: Snapshot) -> bool:
        """Whether a new snapshot would say the same."""
        return bool(self._room == mirror.picture(as_json(seen)))
