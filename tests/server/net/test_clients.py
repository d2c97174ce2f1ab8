"""Clients, their credit and their turns."""

import logging
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.net.manual_loop import ManualLoop

from boxroom_server.net.clients import (
    LATE_S,
    LATE_TOKENS,
    LEAST_TURN_WORK,
    MESSAGE_WORK,
    TURN_WORK,
    UNLIMITED_WORK,
    Client,
    Clients,
)

ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::1")
MOST_WORK = 2 * LEAST_TURN_WORK


class Worker:
    """The connections of one client, which always have more messages of `work` each."""

    def __init__(self, clients: Clients, number: int, connections: int, work: int) -> None:
        self.client = clients.at(f"192.0.2.{number}")
        self.done = 0
        """Work that was done for it."""
        self.messages: Counter[int] = Counter()
        """Messages of each connection."""
        self._clients = clients
        self._work = work
        for connection in range(connections):
            clients.connect(self.client)
            self._come_again(connection)

    def _come_again(self, connection: int) -> None:
        self._clients.wait(self.client, lambda: self._receive(connection))

    def _receive(self, connection: int) -> None:
        if self.client.credit > 0 or self._clients.begin_turn(self.client):
            self.done += self._work
            self.client.credit -= self._work
            self.messages[connection] += 1
        self._come_again(connection)


works = st.integers(MESSAGE_WORK, MOST_WORK)
loads = st.lists(st.tuples(st.integers(1, 30), works), min_size=2, max_size=6)


@given(loads)
def test_clients_that_wait_share_work_by_their_connections(
    load: list[tuple[int, int]],
) -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    workers = [Worker(clients, number, *each) for number, each in enumerate(load)]
    rounds = 20
    for _ in range(rounds):
        loop.run_round()
    everyone = sum(connections for connections, _ in load)
    for worker, (connections, work) in zip(workers, load, strict=True):
        share = max(LEAST_TURN_WORK, TURN_WORK * connections / everyone)
        assert abs(worker.done - rounds * share) <= 2 * share + work


@given(loads)
def test_no_round_takes_longer_than_its_turns(load: list[tuple[int, int]]) -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    workers = [Worker(clients, number, *each) for number, each in enumerate(load)]
    loop.run_round()
    for _ in range(10):
        before = [worker.done for worker in workers]
        loop.run_round()
        done = [worker.done - then for worker, then in zip(workers, before, strict=True)]
        assert sum(done) <= TURN_WORK + len(load) * (LEAST_TURN_WORK + MOST_WORK)


@given(connections=st.integers(1, 30), work=works)
def test_connections_of_a_client_have_equal_turns(connections: int, work: int) -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    clients.connect(clients.at(ADDRESSES[2]))
    worker = Worker(clients, 1, connections, work)
    for _ in range(20):
        loop.run_round()
    assert max(worker.messages.values()) - min(worker.messages.values()) <= 1


def two_clients(loop: ManualLoop) -> tuple[Clients, Client]:
    """Return the clients of a server, of which two have a connection, and the first of them."""
    clients = Clients(loop)
    client, other = (clients.at(address) for address in ADDRESSES[:2])
    for each in (client, other):
        clients.connect(each)
    return clients, client


def test_a_client_has_one_turn_without_waiting_and_then_waits() -> None:
    loop = ManualLoop()
    clients, client = two_clients(loop)
    client.credit = 0
    assert clients.begin_turn(client)
    client.credit = 0
    assert not clients.begin_turn(client)
    gone_on: list[int] = []
    clients.wait(client, lambda: gone_on.append(1))
    loop.run_round()
    assert gone_on
    assert client.credit == TURN_WORK / 2
    loop.run_round()
    assert not loop.timers, "and then nothing happens until a message comes"


def test_a_client_that_is_alone_is_limited_again_when_another_one_comes() -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    client, other = (clients.at(address) for address in ADDRESSES[:2])
    clients.connect(client)
    client.credit = 0
    assert clients.begin_turn(client)
    assert client.credit == UNLIMITED_WORK
    clients.connect(client)
    assert client.credit == UNLIMITED_WORK
    clients.connect(other)
    assert client.credit == LEAST_TURN_WORK


def test_those_who_wait_too_long_pay_more_tokens_until_they_wait_no_longer() -> None:
    loop = ManualLoop()
    clients, client = two_clients(loop)
    client.credit = -3 * TURN_WORK
    clients.wait(client, lambda: None)
    loop.run_round()
    assert client.tokens_per_message == 1
    loop.now_s += LATE_S + 1
    loop.run_round()
    assert client.tokens_per_message == LATE_TOKENS
    while loop.timers:
        loop.run_round()
    assert client.tokens_per_message == 1


def test_debts_stay_when_a_client_comes_back_and_are_forgotten_when_paid() -> None:
    loop = ManualLoop()
    clients, client = two_clients(loop)
    client.credit = -2 * LEAST_TURN_WORK
    clients.disconnect(client)
    assert clients.at(ADDRESSES[0]) is client
    while loop.timers:
        loop.run_round()
    assert len(clients) == 1
    assert clients.at(ADDRESSES[0]).credit == LEAST_TURN_WORK


@given(st.lists(st.sampled_from(ADDRESSES), max_size=20), st.data())
def test_clients_are_known_as_long_as_they_have_connections(
    addresses: list[str], data: st.DataObject
) -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    open_ones: list[tuple[str, Client]] = []
    for address in addresses:
        is_closed: bool = data.draw(st.booleans())
        if open_ones and is_closed:
            clients.disconnect(open_ones.pop()[1])
        else:
            client = clients.at(address)
            clients.connect(client)
            open_ones.append((address, client))
        if not len(open_ones) % 3:
            loop.run_round()
        for known, client in open_ones:
            assert clients.at(known) is client
            assert client.connections == sum(other is client for _, other in open_ones)
    while loop.timers:
        loop.run_round()
    assert len(clients) == len({address for address, _ in open_ones})


def test_a_failure_keeps_no_other_from_its_turn(caplog: pytest.LogCaptureFixture) -> None:
    loop = ManualLoop()
    clients = Clients(loop)
    client = clients.at(ADDRESSES[0])
    clients.connect(client)
    gone_on: list[int] = []

    def fail() -> None:
        raise RuntimeError

    client.credit = 0
    clients.wait(client, fail)
    clients.wait(client, lambda: gone_on.append(1))
    with caplog.at_level(logging.ERROR):
        loop.run_round()
    assert gone_on
    assert "a connection couldn't go on" in caplog.text
