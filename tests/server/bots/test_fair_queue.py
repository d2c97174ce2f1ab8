"""Fair shares of one worker: however others ask, each client and room gets its turns."""

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_server.bots.fair_queue import Asker, FairQueue

CLIENTS = "ABCDE"

rooms_of_clients = st.lists(st.integers(1, 6), min_size=1, max_size=5)
"""Number of rooms of each client."""


def askers_of(rooms: list[int]) -> list[Asker]:
    return [
        Asker(client, f"{client}{room}")
        for client, count in zip(CLIENTS, rooms, strict=False)
        for room in range(count)
    ]


def turns(queue: FairQueue[Asker], costs: Iterator[float]) -> Iterator[tuple[Asker, float]]:
    """Yield turns and their costs; each asker waits for its next turn at once."""
    while (asker := queue.take()) is not None:
        queue.add(asker, asker)
        cost = next(costs)
        queue.charge(asker, cost)
        yield asker, cost


@given(rooms_of_clients, st.randoms(use_true_random=False))
def test_of_k_clients_none_waits_longer_than_k_turns_nor_its_rooms_longer_than_all_of_them(
    rooms: list[int], rng: random.Random
) -> None:
    queue, askers = FairQueue[Asker](), askers_of(rooms)
    rng.shuffle(askers)
    for asker in askers:
        queue.add(asker, asker)
    last_client, last_room = dict.fromkeys(CLIENTS, -1), {asker.room: -1 for asker in askers}
    for turn, (asker, _) in enumerate(islice(turns(queue, repeat(1.0)), 60)):
        assert turn - last_client[asker.client] <= len(rooms)
        wait = len(rooms) * rooms[CLIENTS.index(asker.client)]
        assert turn - last_room[asker.room] <= wait
        last_client[asker.client] = last_room[asker.room] = turn
    assert all(60 - last <= len(rooms) for last in list(last_client.values())[: len(rooms)])


@given(rooms_of_clients, st.lists(st.floats(0.0, 2.0), min_size=50, max_size=50))
def test_clients_and_rooms_that_wait_all_the_time_get_the_same_time(
    rooms: list[int], costs: list[float]
) -> None:
    queue = FairQueue[Asker]()
    for asker in askers_of(rooms):
        queue.add(asker, asker)
    used: defaultdict[str, float] = defaultdict(float)
    for asker, cost in islice(turns(queue, iter(costs)), len(costs)):
        used[asker.client] += cost
        used[asker.room] += cost
        for name in used:
            assert abs(used[name] - min_of_its_kind(used, rooms, name)) <= 2.0 + 1e-9


def min_of_its_kind(used: dict[str, float], rooms: list[int], name: str) -> float:
    """Return the least time of any client, or of any room of the same client."""
    if len(name) == 1:
        return min(used.get(client, 0.0) for client in CLIENTS[: len(rooms)])
    return min(used.get(f"{name[0]}{room}", 0.0) for room in range(rooms[CLIENTS.index(name[0])]))


@given(rooms_of_clients, st.integers(0, 20), st.floats(0.01, 2.0))
def test_a_client_that_comes_waits_for_one_turn_of_each_other_at_most(
    rooms: list[int], before: int, cost: float
) -> None:
    queue = FairQueue[Asker]()
    for asker in askers_of(rooms):
        queue.add(asker, asker)
    served = turns(queue, repeat(cost))
    for _ in range(before):
        next(served)
    late = Asker("late", "attic")
    queue.add(late, late)
    waited = next(turn for turn, (asker, _) in enumerate(served) if asker == late)
    assert waited <= len(rooms)


@each("idle_turns", [0, 100])
def test_time_without_waiting_earns_nothing(idle_turns: int) -> None:
    queue, busy, idle = FairQueue[Asker](), Asker("A", "attic"), Asker("B", "cellar")
    queue.add(busy, busy)
    served = turns(queue, repeat(1.0))
    for _ in range(idle_turns):
        next(served)
    queue.add(idle, idle)
    last = [next(served)[0] for _ in range(20)]
    assert last.count(idle) == 10


def test_a_client_with_few_moves_has_more_time_for_each_of_them() -> None:
    queue, other = FairQueue[int](), Asker("B", "cellar")
    assert queue.share("A") == 1.0
    for number in range(99):
        queue.add(Asker("A", f"room {number}"), number)
    assert queue.share("A") == 0.01
    assert queue.share("B") == 0.5
    queue.add(other, 99)
    assert queue.share("A") == 0.005
    assert queue.share("B") == 0.25
    assert queue.share("C") == pytest.approx(1 / 3)


operations = st.lists(
    st.tuples(st.sampled_from(["add", "take", "discard", "charge"]), st.integers(0, 8)), max_size=60
)


@given(operations)
def test_every_item_is_taken_once_in_the_order_of_its_room(todo: list[tuple[str, int]]) -> None:
    queue = FairQueue[int]()
    waiting: list[tuple[Asker, int]] = []  # in the order in which they came
    for number, (operation, which) in enumerate(todo):
        asker = Asker(CLIENTS[which // 3], f"room {which}")
        its = [item for other, item in waiting if other == asker]
        match operation:
            case "add":
                queue.add(asker, number)
                waiting.append((asker, number))
            case "take":
                taken = queue.take()
                assert (taken is None) == (not waiting)
                for other, item in waiting:
                    if item == taken:
                        assert item == next(it for its, it in waiting if its == other)
                waiting = [pair for pair in waiting if pair[1] != taken]
            case "discard":
                queue.discard(asker, its[-1] if its else -1)
                waiting = [pair for pair in waiting if not its or pair[1] != its[-1]]
            case _:
                queue.charge(asker, 0.5)
        assert len(queue) == len(waiting)
        assert 0.0 < queue.share(asker.client) <= 1.0
    left = [queue.take() for _ in waiting]
    assert sorted(left) == sorted(item for _, item in waiting)  # type: ignore[type-var]
    assert queue.take() is None


@each("others", [0, 3])
def test_those_that_are_gone_are_forgotten(others: int) -> None:
    queue = FairQueue[int]()
    for number in range(2_000):
        for it in [*range(others), number + others]:
            queue.add(Asker(f"client {it}", "attic"), it)
        for _ in range(others + 1):
            taken = queue.take()
            queue.charge(Asker(f"client {taken}", "attic"), 1.0)
    assert len(queue._shares._used_s) < 200
    assert not queue._clients
