"""Codec of messages, and its errors for bytes that aren't a message."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.wire.strategies import (
    any_of,
    client_messages,
    message_kinds,
    server_messages,
    structs_in,
)

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import RequestedSettings, Settings, granted
from boxroom_engine.wire import messages as wire
from boxroom_engine.wire.codec import (
    MessageError,
    decode_from_client,
    decode_from_server,
    encode,
)

few = settings(max_examples=settings().max_examples // 2)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


class TestRoundTrip:
    @given(client_messages)
    def test_of_what_clients_say(self, message: wire.ClientMessage) -> None:
        assert decode_from_client(encode(message)) == message

    @given(server_messages)
    def test_of_what_servers_say(self, message: wire.ServerMessage) -> None:
        assert decode_from_server(encode(message)) == message

    @each("kind", message_kinds(ev.Event))
    def test_of_every_event(self, kind: type[ev.Event]) -> None:
        @few
        @given(any_of(kind))
        def check(event: ev.Event) -> None:
            message = wire.Events(1, 0, (event,))
            assert decode_from_server(encode(message)) == message

        check()

    @given(client_messages | server_messages)
    def test_messages_are_objects_with_a_type_in_one_line_of_utf_8(self, message: Any) -> None:
        raw = encode(message)
        assert json.loads(raw.decode())["type"] == message.__struct_config__.tag
        assert b"\n" not in raw


def test_types_are_unambiguous_on_each_side() -> None:
    for union in (wire.ClientMessage, wire.ServerMessage, ev.Event):
        tags = [kind.__struct_config__.tag for kind in message_kinds(union)]
        assert len(set(tags)) == len(tags)


@each(
    "message, raw",
    [
        (cmd.Play(1, 0, "h3", 7), b'{"type":"play","id":1,"seat":0,"move":"h3","ply":7}'),
        (cmd.Sit(2), b'{"type":"sit","id":2}'),
        (cmd.Say(3, "hi"), b'{"type":"say","id":3,"text":"hi"}'),
        (wire.ListRooms(4), b'{"type":"list_rooms","id":4}'),
        (wire.Done(1, 12), b'{"type":"done","id":1,"seq":12}'),
        (
            wire.Events(12, 9, (ev.Said("Ada", "hi", 9),)),
            (
                b'{"type":"events","seq":12,"at_ms":9,"events":[{"type":"said","member":"Ada",'
                b'"text":"hi","at_ms":9}]}'
            ),
        ),
    ],
)
def test_messages_are_short(message: Any, raw: bytes) -> None:
    assert encode(message) == raw


PLAY: dict[str, Any] = {"type": "play", "id": 5, "seat": 0, "move": "h3", "ply": 7}


def dumps(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode()


def is_message(raw: bytes, decode: Callable[[bytes], Any] = decode_from_client) -> bool:
    try:
        decode(raw)
    except MessageError:
        return False
    return True


def error_of(raw: bytes, decode: Callable[[bytes], Any] = decode_from_client) -> MessageError:
    with pytest.raises(MessageError) as caught:
        decode(raw)
    assert str(caught.value)
    return caught.value


class TestBadMessages:
    @each(
        "raw",
        [
            b"",
            b" ",
            b"\x00",
            b"\xff",
            b"\xef\xbb\xbf{}",
            b"null",
            b"1",
            b'"play"',
            b"[]",
            b"{}",
            b'{"type":"play"',
            b'{"type":"play"}x',
            b'{"type":NaN}',
            b'{"type":null}',
            b'{"type":"dance","id":1}',
            b"[" * 100_000,
            b'{"x":' * 100_000,
            b'{"type":"play","id":' + b"9" * 10_000 + b"}",
        ],
    )
    def test_are_errors_with_a_reason(self, raw: bytes) -> None:
        error_of(raw)

    @each(
        "change",
        [
            {"seat": -1},
            {"seat": 10**30},
            {"seat": 0.5},
            {"seat": 0.0},
            {"seat": "0"},
            {"seat": True},
            {"seat": None},
            {"seat": [0]},
            {"seat": float("nan")},
            {"seat": float("inf")},
            {"ply": -1},
            {"ply": 2**31 + 1},
            {"move": 3},
            {"move": None},
            {"move": "x" * 4001},
            {"colour": "red"},
            {"x": [[[[]]]]},
        ],
    )
    def test_say_which_one_they_are(self, change: dict[str, Any]) -> None:
        raw = dumps({**PLAY, **change})
        assert error_of(raw).id == (0 if b"NaN" in raw or b"Infinity" in raw else 5)

    @each("field", ["seat", "move", "ply"])
    def test_no_field_may_be_missing(self, field: str) -> None:
        error = error_of(dumps({name: PLAY[name] for name in PLAY if name != field}))
        assert error.id == 5
        assert field in str(error)

    @each("message_id", [0, -1, 2**53, 10**30, 1.5, "1", None, [1]])
    def test_an_id_that_is_none_counts_as_none(self, message_id: object) -> None:
        assert error_of(dumps({**PLAY, "id": message_id})).id == 0

    @each(
        "raw, field",
        [
            (b'{"type":"leave","id":5,"type":"leave"}', "type"),
            (b'{"type":"leave","id":5,"type":"stand"}', "type"),
            (b'{"id":5,"id":5,"type":"leave"}', "id"),
            (b'{"type":"say","id":5,"text":"one","\\u0074ext":"two"}', "text"),
            (b'{"type":"say","id":5,"text":"\\t:","text" : "\\":"}', "text"),
            (b'{"type":"configure","id":5,"settings":{"seats":2,"seats":3}}', "seats"),
            (b'{"type":"configure","id":5,"settings":{"options":{"rows":1,"rows":2}}}', "rows"),
            (
                b'{"type":"hello","protocol":1,"name":"Ada","secret":"0123456789abcdef","id":5,'
                b'"later":[{"new":%s,"new":2}]}' % (b"9" * 10_000),
                "new",
            ),
        ],
    )
    def test_no_field_may_appear_twice(self, raw: bytes, field: str) -> None:
        error = error_of(raw)
        assert error.id == 5
        if field != "type":  # which msgspec may find itself
            assert str(error) == f"the field {field!r} appears twice"

    @given(client_messages, st.data())
    def test_nor_in_any_message(self, message: wire.ClientMessage, data: st.DataObject) -> None:
        fields = json.loads(encode(message))
        name = data.draw(st.sampled_from(list(fields)))
        raw = json.dumps(fields)
        assert is_message(raw.encode())
        doubled = f"{raw[:-1]}, {json.dumps(name)}: {json.dumps(fields[name])}}}"
        assert not is_message(doubled.encode())

    def test_bad_utf_8_in_a_text(self) -> None:
        assert error_of(b'{"type":"say","id":5,"text":"\xff"}').id == 5

    def test_a_lone_surrogate_in_a_text(self) -> None:
        error_of(b'{"type":"say","id":5,"text":"\\ud800"}')

    def test_deep_nesting_in_a_field(self) -> None:
        # Python 3.14 limits the bytes on its stack, not the levels: 100,000 of them are read.
        deep = b"[" * 1_000_000 + b"]" * 1_000_000
        assert "nested" in str(error_of(b'{"x":' + deep + b',"type":"play","id":5}'))

    def test_a_reason_never_repeats_a_whole_message(self) -> None:
        assert len(str(error_of(dumps({**PLAY, "type": "x" * 10_000})))) <= 300

    @given(st.binary())
    def test_any_bytes_are_a_message_or_an_error(self, raw: bytes) -> None:
        for decode in (decode_from_client, decode_from_server):
            if not is_message(raw, decode):
                error_of(raw, decode)

    @given(client_messages, st.data())
    def test_a_message_with_a_few_bytes_changed_is_a_message_or_an_error(
        self, message: wire.ClientMessage, data: st.DataObject
    ) -> None:
        raw = bytearray(encode(message))
        for _ in range(data.draw(st.integers(1, 3))):
            raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
        if not is_message(bytes(raw)):
            assert 0 <= error_of(bytes(raw)).id < 2**53

    @given(client_messages, st.data())
    def test_a_message_with_a_field_changed_is_a_message_or_an_error_with_its_id(
        self, message: wire.ClientMessage, data: st.DataObject
    ) -> None:
        fields = json.loads(encode(message))
        name = data.draw(st.sampled_from([name for name in fields if name != "id"]) | st.text())
        value = data.draw(json_values)
        raw = dumps({**fields, name: value})
        id_is_readable = name != "id" and b"NaN" not in raw and b"Infinity" not in raw
        if not is_message(raw) and id_is_readable:
            assert error_of(raw).id == fields.get("id", 0)


def test_servers_may_say_more_than_a_client_knows() -> None:
    assert decode_from_server(b'{"type":"done","id":1,"seq":2,"new":{"x":[1]}}') == wire.Done(1, 2)
    events = b'{"type":"events","seq":1,"at_ms":0,"events":[{"type":"rotated","new":1}],"new":0}'
    assert decode_from_server(events) == wire.Events(1, 0, (ev.Rotated(),))


def test_a_room_may_have_settings_that_its_client_does_not_know() -> None:
    events = b'{"type":"events","seq":1,"at_ms":0,"events":[{"type":"configured","settings":%s}]}'
    configured = ev.Configured(Settings(seats=3))
    assert decode_from_server(events % b'{"seats":3,"new":1}') == wire.Events(1, 0, (configured,))


def test_nobody_is_given_other_settings_than_were_asked_for() -> None:
    for asked in (
        {"type": "configure", "id": 7},
        {"type": "create_room", "id": 7, "token": "t" * 8},
    ):
        assert error_of(dumps({**asked, "settings": {"seats": 3, "new": 1}})).id == 7


def test_structs_that_clients_send_know_all_their_fields() -> None:
    for kind in structs_in(wire.ClientMessage):
        # A hello may be of a later protocol; its number says so, not its fields.
        assert kind.__struct_config__.forbid_unknown_fields == (kind is not wire.Hello), kind
        assert kind.__struct_config__.frozen, kind
    for kind in structs_in(wire.ServerMessage):
        assert not kind.__struct_config__.forbid_unknown_fields, kind


def test_settings_that_were_granted_are_those_that_were_asked_for() -> None:
    settings = Settings(options={"rows": 3}, seats=3, clock_s=9)
    assert granted(RequestedSettings.of(settings)) == settings
