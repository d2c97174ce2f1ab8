"""Promises of docs/explanation/security.md about peers, which hold through HAProxy as well.

The tests are those of the server alone. Their servers have HAProxy before them, with the project's
configuration, and their clients connect to HAProxy.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from tests.cluster.proxy import SMALL_BUFFERS, HaProxy
from tests.server import (
    test_floods,
    test_lobby,
    test_odd_peers,
    test_session,
    test_slow_readers,
    test_two_devices,
)
from tests.server.net import test_handshake
from tests.server.net.test_handshake import (  # noqa: F401
    test_a_page_gets_in_only_if_it_is_on_the_list,
    test_a_request_may_come_one_byte_after_the_other,
)
from tests.server.talk import Lobby, lobby
from tests.server.test_floods import (  # noqa: F401
    test_a_flood_ends_its_connection_and_no_other,
    test_pieces_end_at_the_longest_message,
    test_the_rest_of_a_flood_is_not_even_read,
)
from tests.server.test_lobby import (  # noqa: F401
    test_a_watcher_pays_for_what_it_is_sent,
    test_codes_are_guessed_as_slowly_as_passwords,
)
from tests.server.test_odd_peers import test_no_peer_can_cause_a_warning  # noqa: F401
from tests.server.test_session import (  # noqa: F401
    test_a_client_that_is_late_is_refused_sooner_and_then_cut_off,
    test_a_message_that_is_too_long_ends_the_conversation_and_no_other,
    test_a_name_belongs_to_whoever_came_with_it_first,
    test_a_new_connection_brings_no_new_measure_of_chat,
    test_binary_messages_are_answered_and_end_the_conversation,
    test_chat_has_a_measure_of_its_own_and_moves_go_on,
    test_from_one_address_come_so_many_new_names_and_all_the_old_ones,
    test_one_connection_that_is_too_fast_slows_nobody_else,
    test_text_that_is_no_utf8_is_refused_however_it_comes,
    test_who_says_nothing_is_let_go,
    test_who_talks_too_fast_is_told_and_who_goes_on_is_let_go,
)
from tests.server.test_slow_readers import (  # noqa: F401
    test_who_reads_nothing_is_cut_and_the_others_notice_nothing,
    test_who_reads_too_slowly_is_told_so_and_can_resume,
)
from tests.server.test_two_devices import (  # noqa: F401
    test_guesses_count_for_all_connections_of_a_client_and_a_right_code_gets_in,
)

from boxroom_server.server import Server

MODULES = (
    test_floods,
    test_handshake,
    test_lobby,
    test_odd_peers,
    test_session,
    test_slow_readers,
    test_two_devices,
)


class _Fronted:
    """A server with the port of the HAProxy before it."""

    def __init__(self, server: Server, port: int) -> None:
        self._server = server
        self.port = port

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)


@asynccontextmanager
async def fronted_lobby(**options: Any) -> AsyncIterator[Lobby]:
    """Run a server with HAProxy before it, which takes it for three."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with (
            lobby(trust_proxy="127.0.0.1", **options) as place,
            HaProxy(listening, [place.server.port] * 3, more=SMALL_BUFFERS) as proxy,
        ):
            place.server = cast("Server", _Fronted(place.server, proxy.port))
            yield place


@pytest.fixture(autouse=True)
def behind_haproxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in MODULES:
        monkeypatch.setattr(module, "lobby", fronted_lobby)
