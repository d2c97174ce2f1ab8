"""Write docs/mirror-vectors.json: pictures of rooms before and after events, to test mirrors with.

Rooms of the engine play the scenes of `mirror_scenes`. A vector is one JSON object in one line.
"""

from collections.abc import Container, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace
from scripts.mirror_scenes import SCENES, Scene
from tests.engine.room.hosting import names

from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import CHAT_TAIL, Audience, ChatTo, Member, Room
from boxroom_engine.room.view import Snapshot, has_private, snapshot, view_of_member
from boxroom_engine.wire.messages import Events

FILE = Path(__file__).resolve().parents[1] / "docs" / "mirror-vectors.json"


class MirrorVector(Struct, frozen=True):
    """A picture of a room, what its audience receives then, and the picture after that."""

    scene: str
    """Name of the function in `mirror_scenes`."""
    audience: Audience
    before: Snapshot
    events: Events
    after: Snapshot


def all_vectors() -> Iterator[MirrorVector]:
    """Yield the vectors of all scenes, without those that show nothing new."""
    shown: set[tuple[Audience, str]] = set()
    for scene in SCENES:
        for entry, before, after in telling_entries(scene, shown):
            kinds = names(entry.events)
            player, spectator = (
                vector(scene, entry, before, after, audience) for audience in Audience
            )
            yield player
            if has_private(entry) and (sender := after.members.get(entry.member or "")):
                yield vector(
                    scene, entry, before, after, after.audience(sender.name), member=sender
                )
            differs = replace(spectator, audience=Audience.PLAYER) != player
            if differs or (Audience.SPECTATOR, kinds) not in shown:
                yield spectator
            shown |= {(audience, kinds) for audience in Audience}


def telling_entries(
    scene: Scene, shown: Container[tuple[Audience, str]]
) -> Iterator[tuple[ev.Entry, Room, Room]]:
    """Yield the entries of a scene's log and the rooms around them, without dull ones.

    The way to the first game is shown once, in the first scene that takes it.
    """
    log = scene().log
    room = Room("attic")
    for entry in log:
        before, room = room, evolve_entry(room, entry)
        is_new = before.game_number or (Audience.PLAYER, names(entry.events)) not in shown
        if is_new and is_telling(entry, before):
            yield entry, before, room


def vector(
    scene: Scene,
    entry: ev.Entry,
    before: Room,
    after: Room,
    audience: Audience,
    *,
    member: Member | None = None,
) -> MirrorVector:
    """Return the vector of one entry for one audience, or a member of it."""
    seen = tuple(view_of_member(event, audience, member) for event in entry.events)
    return MirrorVector(
        scene.__name__,
        audience,
        snapshot(before, audience, member),
        Events(entry.seq, entry.at_ms, seen),
        snapshot(after, audience, member),
    )


def is_telling(entry: ev.Entry, before: Room) -> bool:
    """Whether an entry is worth a vector: most lines of chat and moves that take nothing aren't."""
    match entry.events:
        case (ev.Said(to=ChatTo.ALL, name=""),):
            return len(before.chat) in (0, CHAT_TAIL)
        case (ev.Said(),):
            return len(before.unrevealed) in (0, CHAT_TAIL)
        case (ev.Played(taken=(), by=ev.PLAYER, deadline_ms=None),):
            return before.undo is not None or len(before.tokens) < 2
        case _:
            return True


def vectors_text() -> str:
    """Return the text of docs/mirror-vectors.json."""
    lines = [encode(vector).decode() for vector in all_vectors()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(vectors_text(), encoding="utf-8")
