"""Announcement of a server on the local network."""

from tests.cases import each

from boxroom_engine.wire.announcement import SERVICE_TYPE, properties, protocol_in
from boxroom_engine.wire.messages import PROTOCOL


def test_what_is_announced_is_understood() -> None:
    announced = {name.encode(): value.encode() for name, value in properties("1.2").items()}
    assert announced[b"version"] == b"1.2"
    assert protocol_in(announced) == PROTOCOL


@each(
    "number", [None, b"", b"-1", b"1.0", "\N{ARABIC-INDIC DIGIT ONE}".encode(), b"1" * 10, b"\xff"]
)
def test_a_protocol_that_is_no_number_is_none(number: bytes | None) -> None:
    assert protocol_in({b"protocol": number}) is None


def test_without_a_protocol_there_is_none() -> None:
    assert protocol_in({b"version": b"1.2"}) is None


def test_the_type_is_one_of_a_tcp_service() -> None:
    name, transport, domain, root = SERVICE_TYPE.split(".")
    assert name.startswith("_")
    assert len(name) <= 16  # RFC 6763, section 7.2
    assert (transport, domain, root) == ("_tcp", "local", "")
