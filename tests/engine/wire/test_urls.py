"""Hosts that stand for the machine itself. Parsing is tested with addresses and links."""

from tests.cases import each

from boxroom_engine.wire.urls import is_loopback


@each(
    "host",
    ["localhost", "games.localhost", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"],
)
def test_names_of_the_machine_itself(host: str) -> None:
    assert is_loopback(host)


@each("host", ["192.168.1.5", "example.org", "2001:db8::1"])
def test_names_of_machines_for_others(host: str) -> None:
    assert not is_loopback(host)
