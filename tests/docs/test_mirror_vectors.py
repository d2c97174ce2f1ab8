"""docs/mirror-vectors.json is current and right, and so is the mirror in docs/examples."""

import json
import os
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from scripts.write_mirror_vectors import FILE, MirrorVector, vectors_text
from tests.cases import each
from tests.engine.room.hosting import names
from tests.engine.wire.strategies import message_kinds
from tests.thin_mirror import mirror

from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import CHAT_TAIL, Audience
from boxroom_engine.room.view import room_from_snapshot, snapshot

MOST_BYTES = 620_000

TEXT = FILE.read_text(encoding="utf-8")
VECTORS = msgspec.json.decode(TEXT, type=list[MirrorVector])
EVENTS = [(vector, event) for vector in VECTORS for event in vector.events.events]


def test_the_committed_vectors_are_current() -> None:
    """`python -m scripts.write_mirror_vectors`, or BOXROOM_UPDATE_GOLDEN=1, updates them."""
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        FILE.write_text(vectors_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == vectors_text()


def test_the_file_has_a_vector_in_each_line_and_is_small() -> None:
    first, *lines, last = TEXT.splitlines()
    assert (first, last) == ("[", "]")
    assert [json.loads(line.rstrip(",")) for line in lines] == json.loads(TEXT)
    assert len(TEXT) < MOST_BYTES


def test_every_audience_has_every_event_that_it_may_receive() -> None:
    kinds = set(message_kinds(ev.Event))
    for audience in Audience:
        assert {type(event) for vector, event in EVENTS if vector.audience is audience} == kinds


@each("vector", VECTORS)
def test_the_engine_comes_from_each_picture_to_the_next(vector: MirrorVector) -> None:
    room = room_from_snapshot(vector.before)
    assert vector.events.seq == room.seq + 1
    for event in vector.events.events:
        room = evolve(room, event, vector.events.at_ms)
    # A mirror knows what its audience sees, and a spectator's snapshot hides nothing of it.
    known = replace(snapshot(room, Audience.SPECTATOR), private=room.private)
    assert known == vector.after


@each("vector", json.loads(TEXT))
def test_the_mirror_in_the_examples_does_as_well(vector: dict[str, Any]) -> None:
    room = mirror.picture(vector["before"])
    mirror.apply(room, vector["events"])
    assert room == mirror.picture(vector["after"])


def test_the_mirror_in_the_examples_finds_a_gap() -> None:
    vector = json.loads(TEXT)[0]
    room = mirror.picture(vector["before"])
    with pytest.raises(ValueError, match="missing"):
        mirror.apply(room, vector["events"] | {"seq": 3})


def has(audience: Audience, kinds: str, **after: Any) -> bool:
    """Whether there is a vector with these types of events, after which the room is so."""
    return any(
        vector.audience is audience
        and names(vector.events.events) == kinds
        and all(getattr(vector.after, name) == value for name, value in after.items())
        for vector in VECTORS
    )


def test_the_telling_cases_are_there() -> None:
    player = Audience.PLAYER
    taken = [
        (len(vector.before.taken), len(vector.after.taken))
        for vector, event in EVENTS
        if isinstance(event, ev.Undone)
    ]
    assert (1, 0) in taken
    assert (1, 1) in taken
    assert has(player, "rematch_wanted rotated started")
    sizes = {
        (len(vector.before.seats), len(vector.after.seats))
        for vector, event in EVENTS
        if isinstance(event, ev.Configured)
    }
    assert any(before > after for before, after in sizes)
    assert any(before < after for before, after in sizes)
    assert has(player, "bot_sat kicked", phase="playing")
    assert has(player, "withdrew kicked", phase="playing")
    woken = {
        vector.after.deadline_ms is None for vector, event in EVENTS if type(event) is ev.Woken
    }
    assert woken == {True, False}
    assert has(player, "withdrew ended revealed")
    assert has(player, "played stood_in")
    assert has(player, "grace_over stood_in host_passed")
    assert has(player, "hidden")
    assert any(seat.missed for vector in VECTORS for seat in vector.after.seats)
    unbarred = [event for _, event in EVENTS if event == ev.Unbarred("Zoe")]
    assert len(unbarred) == len(Audience)
    tails = [
        vector
        for vector in VECTORS
        if len(vector.before.chat) == len(vector.after.chat) == CHAT_TAIL
        and vector.before.chat != vector.after.chat
    ]
    assert {vector.audience for vector in tails} == set(Audience)
    for vector in tails:
        assert all(one.seq < other.seq for one, other in pairwise(vector.after.chat))
