"""Close codes as metrics count them, from websockets' two protocol sides."""

from tests.cases import each
from websockets.frames import EXTERNAL_CLOSE_CODES, CloseCode
from websockets.protocol import Protocol, Side
from websockets.protocol import State as ConnectionState

from boxroom_engine.wire import messages
from boxroom_server.net.close_codes import LABELS, NO_PONG, ORDINARY, close_code, label


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
    assert label(server) == "1005"


def closed_by_server(code: int, reason: str = "") -> Protocol:
    server, _ = pair()
    server.send_close(code, reason)
    end(server)
    return server


def closed_by_client(code: int, reason: str = "") -> Protocol:
    server, client = pair()
    client.send_close(code, reason)
    deliver(client, server)
    end(server)
    return server


@each("name", [name for name in dir(messages) if name.startswith("CLOSE_")])
def test_each_code_of_the_protocol_is_counted_by_itself(name: str) -> None:
    code = getattr(messages, name)
    assert label(closed_by_server(code)) == str(code)


def test_a_peer_that_has_vanished_is_no_failure_of_the_server() -> None:
    assert NO_PONG.code == CloseCode.INTERNAL_ERROR
    assert label(closed_by_server(NO_PONG.code, NO_PONG.reason)) == "no_pong"
    assert label(closed_by_server(NO_PONG.code, "internal error")) == "1011"


def test_a_lost_connection_has_the_label_of_its_code() -> None:
    server, _ = pair()
    end(server)
    assert label(server) == label(None) == "1006"


def test_clients_can_count_as_nothing_that_the_server_did() -> None:
    assert label(closed_by_client(NO_PONG.code, NO_PONG.reason)) == "other"
    sent = {code: label(closed_by_client(code)) for code in EXTERNAL_CLOSE_CODES | {3000, 4001}}
    assert {code: it for code, it in sent.items() if it != "other"} == {1000: "1000", 1001: "1001"}


def test_codes_that_are_made_up_are_counted_together() -> None:
    labels = {label(closed_by_server(code)) for code in EXTERNAL_CLOSE_CODES}
    labels |= {label(closed_by_server(code)) for code in range(3000, 5000)}
    assert labels | {"no_pong", "1005", "1006", "1015"} == set(LABELS)
    assert len(LABELS) < 40


def test_what_happens_every_day_is_ordinary_and_trouble_is_not() -> None:
    assert {"1000", "1006", "no_pong"} <= ORDINARY <= set(LABELS)
    assert not ORDINARY & {"1011", "1008", "1013", "other"}
