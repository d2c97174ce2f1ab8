"""HAProxy's health checks of a server that can't save, over real sockets."""

from tests.cases import each
from tests.server.http_requests import http_request
from tests.server.talk import Lobby, lobby

from boxroom_server.ops.haproxy import SETTLED_MS, STATE_HEADER
from boxroom_server.ops.readiness import SAVING, Readiness

LAST = "weight=1/0; scur=0/0; qcur=0"
OTHERS = "weight=1/2; scur=3/7; qcur=0"
KEPT, ENDED = 404, 503


async def status(place: Lobby, state: str) -> int:
    """Return the status that HAProxy gets, which has the server in that `state`."""
    header = f"{STATE_HEADER}: {state}"
    return (await http_request(place.server.port, "/readyz", "GET", header)).status


def unsaved() -> Readiness:
    readiness = Readiness()
    readiness.set(SAVING, "etcd doesn't answer")
    return readiness


@each(
    "state",
    [
        f"NOLB; address=10.0.0.20; name=boxroom/node1; node=balancer; {LAST}",
        f"NOLB 1/2; address=10.0.0.20; name=boxroom/node1; {LAST}",
        f"DOWN; name=boxroom/node1; {LAST}",
        "UP 1/2; name=boxroom/node1; weight=1/1; scur=0/0; qcur=0",
        "UP; name=boxroom/node1; weight=100/100; scur=0/0; qcur=0",
    ],
)
async def test_sessions_stay_while_haproxy_can_use_no_other_server(state: str) -> None:
    async with lobby(readiness=unsaved()) as place:
        for _ in range(2):
            assert await status(place, state) == KEPT
            place.clock.advance(2 * SETTLED_MS / 1000)


@each("word", ["UP", "NOLB", "DOWN 1/2"])
async def test_they_end_when_another_one_was_usable_for_some_time(word: str) -> None:
    others, last = (f"{word}; name=boxroom/node1; {it}" for it in (OTHERS, LAST))
    if word == "UP":
        last = last.replace("1/0", "1/1")
    async with lobby(readiness=unsaved()) as place:
        for _ in range(2):  # in between none was
            assert await status(place, others) == KEPT
            place.clock.advance(SETTLED_MS / 1000 - 1)
            assert await status(place, others) == KEPT
            assert await status(place, last) == KEPT
            place.clock.advance(SETTLED_MS / 1000)
        assert await status(place, others) == KEPT
        place.clock.advance(SETTLED_MS / 1000)
        assert await status(place, others) == ENDED


async def test_the_time_begins_anew_when_the_server_could_save_in_between() -> None:
    readiness, others = unsaved(), f"NOLB; name=boxroom/node1; {OTHERS}"
    async with lobby(readiness=readiness) as place:
        assert await status(place, others) == KEPT
        readiness.clear(SAVING)
        place.clock.advance(SETTLED_MS / 1000)
        assert await status(place, others) == 200
        readiness.set(SAVING, "etcd doesn't answer")
        assert await status(place, others) == KEPT


@each("state", ["", "UP", "MAINT; weight=1/0; scur=0/0", "weight=1/0;", LAST])
async def test_what_is_no_state_keeps_none(state: str) -> None:
    async with lobby(readiness=unsaved()) as place:
        assert await status(place, state) == ENDED


async def test_a_server_that_stops_keeps_none() -> None:
    readiness = unsaved()
    readiness.set("stopping", "the server is stopping")
    async with lobby(readiness=readiness) as place:
        assert await status(place, f"NOLB; name=boxroom/node1; {LAST}") == ENDED
