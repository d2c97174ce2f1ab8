"""Messages that say something to people."""

import pytest

from boxroom_engine.phrases import Phrase
from boxroom_engine.room.decision import refusal
from boxroom_engine.wire.codec import decode_from_server, encode
from boxroom_engine.wire.messages import Notice, Refused
from boxroom_server.sentences import notice, refused

pytestmark = pytest.mark.usefixtures("german")


def test_a_refusal_has_its_phrase_and_is_english_in_a_process_that_is_not() -> None:
    error = refusal("seat_taken", name="Bob", seat=2)
    assert str(error) == "Bob sitzt auf Platz 3: Nimm einen anderen"
    sent = refused(7, error)
    said = Phrase("refusal.seat_taken", {"name": "Bob", "seat": 2})
    assert sent == Refused(7, "seat_taken", "Bob sits in seat 3: choose another one", said)
    assert decode_from_server(encode(sent)) == sent


def test_a_notice_as_well() -> None:
    sent = notice("bot_waits", bot="greedy")
    assert sent.message.startswith("greedy waits for its turn to think")
    assert sent.phrase == Phrase("notice.bot_waits", {"bot": "greedy"})


def test_a_message_without_a_phrase_is_as_before() -> None:
    assert encode(Refused(7, "stale", "late")) == (
        b'{"type":"refused","id":7,"code":"stale","message":"late"}'
    )
    assert decode_from_server(b'{"type":"notice","code":"x","message":"y"}') == Notice("x", "y")
