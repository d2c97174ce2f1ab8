"""Close codes as metrics count them, from websockets' two protocol sides."""

import pytest
from websockets.frames import CloseCode
from websockets.protocol import Protocol, Side
from websockets.protocol import State as ConnectionState

from boxroom_engine.wire import messages
from boxroom_server.net.close_codes import LABELS, ORDINARY, close_code, label


def pair() -> tuple[Protocol, Protocol]:
    """Return a server's and a client's side, after the handshake."""
    return Protocol(Side.SERVER), Protocol(Side.CLIENT)


def deliver(sender: Protocol, receiver: Protocol) -> None:
    for data in sender.data_to_send():
        if data:
            receiver.receive_data(data)
        else:
            receiver.receive_eof()


def end(server: Protocol) -> None:
    """Close the connection."""
    server.receive_eof()
    assert server.state is ConnectionState.CLOSED


def test_the_code_is_that_of_who_closed_first() -> None:
    server, client = pair()
    client.send_close(CloseCode.GOING_AWAY)
    deliver(client, server)
    end(server)
    assert close_code(server) == 1001

    server, client = pair()
    server.send_close(CloseCode.TRY_AGAIN_LATER)
    client.send_close(CloseCode.GOING_AWAY)
    deliver(client, server)
    end(server)
    assert close_code(server) == 1013


def test_a_reader_that_never_answers_was_closed_all_the_same() -> None:
    server, _ = pair()
    server.send_close(CloseCode.TRY_AGAIN_LATER)
    end(server)
    assert close_code(server) == 1013


def test_a_connection_that_was_lost_has_the_code_for_that() -> None:
    server, _ = pair()
    end(server)
    assert close_code(server) == 1006
    assert close_code(None) == 1006


def test_a_close_without_a_code_has_one_to_be_counted_by() -> None:
    server, client = pair()
    client.send_close()
    deliver(client, server)
    end(server)
    assert close_code(server) == 1005
    assert label(1005) == "1005"


@pytest.mark.parametrize("name", [name for name in dir(messages) if name.startswith("CLOSE_")])
def test_each_code_of_the_protocol_is_counted_by_itself(name: str) -> None:
    code = getattr(messages, name)
    assert label(code) == str(code)


def test_codes_that_clients_make_up_are_counted_together() -> None:
    labels = {label(code) for code in range(1000, 5000)}
    assert "other" in labels
    assert labels == set(LABELS)
    assert len(LABELS) < 40


def test_what_happens_every_day_is_ordinary_and_trouble_is_not() -> None:
    assert CloseCode.NORMAL_CLOSURE in ORDINARY
    assert CloseCode.INTERNAL_ERROR not in ORDINARY
    assert messages.CLOSE_TOO_FAST not in ORDINARY
