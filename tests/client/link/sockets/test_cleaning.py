import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.link.sockets.cleaning import read_message
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import Audience, ChatLine, Member, Room
from boxroom_engine.room.text import clean
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.codec import MessageError, encode
from boxroom_engine.wire.messages import Done, Events, InRoom, Notice, ServerMessage

EVIL = "a\x1b]0;title\x07\u202eb\u200b\n\x9b31m"
CLEAN = "a]0;titleb 31m"


def test_what_was_evil_and_is_clean() -> None:
    assert clean(EVIL) == CLEAN


@each(
    "event, cleaned",
    [
        (ev.Said(EVIL, EVIL, 1), ev.Said(CLEAN, CLEAN, 1)),
        (ev.Sat(0, EVIL, EVIL), ev.Sat(0, CLEAN, CLEAN)),
        (ev.BotSat(0, EVIL, EVIL), ev.BotSat(0, CLEAN, CLEAN)),
        (ev.Joined(EVIL), ev.Joined(CLEAN)),
        (ev.Started(1, (EVIL, "b")), ev.Started(1, (CLEAN, "b"))),
        (ev.Revealed((ChatLine(1, EVIL, EVIL, 2),)), ev.Revealed((ChatLine(1, CLEAN, CLEAN, 2),))),
    ],
)
def test_no_text_in_an_event_is_left_as_it_was(event: ev.Event, cleaned: ev.Event) -> None:
    message = read_message(encode(Events(1, 2, (event,))))
    assert message == Events(1, 2, (cleaned,))


def test_a_snapshot_is_cleaned_through_and_through() -> None:
    evil = Room(EVIL, host=EVIL, members={EVIL: Member(EVIL)}, chat=(ChatLine(1, EVIL, EVIL, 2),))
    tame = Room(
        CLEAN, host=CLEAN, members={CLEAN: Member(CLEAN)}, chat=(ChatLine(1, CLEAN, CLEAN, 2),)
    )
    raw = encode(InRoom(EVIL, Audience.PLAYER, 0, snapshot(evil, Audience.PLAYER), 0))
    expected = InRoom(CLEAN, Audience.PLAYER, 0, snapshot(tame, Audience.PLAYER), 0)
    assert read_message(raw) == expected


@given(st.text(), st.text())
def test_clean_messages_stay_as_they_are(code: str, text: str) -> None:
    once = read_message(encode(Notice(clean(code), clean(text))))
    assert once == Notice(clean(code), clean(text))
    assert read_message(encode(once)) == once


@each("message", [Done(1, 2), Events(3, 4, (ev.Rotated(),))])
def test_messages_without_text_stay_as_they_are(message: ServerMessage) -> None:
    assert read_message(encode(message)) == message


@given(
    st.binary()
    | st.recursive(st.none() | st.text(), st.lists).map(lambda x: json.dumps(x).encode())
)
def test_what_is_no_message_is_a_message_error(raw: bytes) -> None:
    with pytest.raises(MessageError):
        read_message(raw)


@each(
    "later",
    [
        {"type": "what comes later", "x": [1]},
        {"type": "withdrew", "seat": 0, "why": "what comes later"},
    ],
)
def test_events_that_came_after_this_client_are_counted(later: dict[str, object]) -> None:
    raw = json.dumps(
        {"type": "events", "seq": 1, "at_ms": 2, "events": [later, {"type": "rotated"}]}
    )
    assert read_message(raw.encode()) == Events(1, 2, (ev.Hidden(), ev.Rotated()))


@each("in_event", [True, False])
def test_deep_fields_that_came_after_this_client_are_left_out(*, in_event: bool) -> None:
    levels = sys.getrecursionlimit() * 3 // 4
    deep = f'"x": {"[" * levels}{"]" * levels}'
    inside, outside = (f", {deep}", "") if in_event else ("", f", {deep}")
    events = f'[{{"type": "what comes later"}}, {{"type": "rotated"{inside}}}]'
    raw = f'{{"type": "events", "seq": 1, "at_ms": 2, "events": {events}{outside}}}'
    assert read_message(raw.encode()) == Events(1, 2, (ev.Hidden(), ev.Rotated()))


@each("wrong", [3, {}, {"type": 3}, {"type": "played", "seat": "a"}])
def test_events_that_are_wrong_are_refused(wrong: object) -> None:
    raw = json.dumps({"type": "events", "seq": 1, "at_ms": 2, "events": [wrong]})
    with pytest.raises(MessageError):
        read_message(raw.encode())


@each("levels", [10, 100, 300, 10_000])
def test_a_phrase_of_many_levels_is_a_message_or_an_error(levels: int) -> None:
    opening, closing = '{"key":"k","values":{"a":', "}}"
    deep = opening * levels + "1" + closing * levels
    raw = '{"type":"notice","code":"x","message":"y","phrase":' + deep + "}"
    try:
        assert isinstance(read_message(raw.encode()), Notice)
    except MessageError:
        assert levels > 100
