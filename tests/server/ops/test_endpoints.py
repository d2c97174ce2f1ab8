"""HTTP endpoints for monitoring programs, over real sockets."""

import random

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.http_requests import http_request
from tests.server.manual_clock import ManualClock
from tests.server.talk import lobby
from websockets.asyncio.client import connect
from websockets.datastructures import Headers

from boxroom_server.ops.endpoints import is_local
from boxroom_server.ops.metrics import Metrics
from boxroom_server.ops.readiness import Readiness
from boxroom_server.options import Options
from boxroom_server.server import VERSION, Server
from boxroom_server.storage.memory.storage import memory_storage

# Well and ready


@pytest.mark.parametrize("path", ["/healthz", "/healthz?verbose"])
async def test_a_server_that_answers_is_well(path: str) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, path)
        assert (answer.status, answer.body) == (200, "ok\n")
        assert answer.headers["server"] == f"boxroom/{VERSION}"
        assert answer.headers["cache-control"] == "no-store"


async def test_it_is_ready_while_nothing_speaks_against_it() -> None:
    readiness = Readiness()
    async with lobby(readiness=readiness) as place:
        assert (await http_request(place.server.port, "/readyz"))[::2] == (200, "ready\n")
        readiness.set("saving", "the disk is full")
        answer = await http_request(place.server.port, "/readyz")
        assert (answer.status, answer.body) == (503, "Not ready: the disk is full.\n")
        assert (await http_request(place.server.port, "/healthz")).status == 200
        readiness.clear("saving")
        assert (await http_request(place.server.port, "/readyz")).status == 200


async def test_a_server_is_not_ready_before_it_listens() -> None:
    readiness = Readiness()
    options, clock, rng = Options(host="127.0.0.1", port=0), ManualClock(), random.Random(1)
    server = Server(options, memory_storage(), clock, rng, metrics=Metrics(), readiness=readiness)
    assert readiness.reasons == ("the server is starting",)
    await server.start()
    assert readiness.is_ready
    await server.stop()


async def test_a_server_that_was_stopped_is_not_ready() -> None:
    readiness = Readiness()
    async with lobby(readiness=readiness):
        assert readiness.is_ready
    assert readiness.reasons == ("the server is stopping",)


# Metrics


async def test_metrics_are_text_that_prometheus_reads() -> None:
    async with lobby() as place:
        await place.create("Ada")
        answer = await http_request(place.server.port, "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    values = {
        sample.name: sample.value
        for family in text_string_to_metric_families(answer.body)
        for sample in family.samples
    }
    assert values["boxroom_connections"] == 1
    assert values["boxroom_rooms"] == 1
    assert values["boxroom_rooms_playing"] == 0
    assert values["boxroom_members"] == 1
    assert values["boxroom_unread_bytes"] == 0
    assert values["boxroom_ready"] == 1


async def test_metrics_are_not_shown_through_a_proxy_on_this_machine() -> None:
    async with lobby() as place:
        header = "X-Forwarded-For: 127.0.0.1"
        answer = await http_request(place.server.port, "/metrics", "GET", header)
        assert answer.status == 403
        assert "to this machine only" in answer.body


@pytest.mark.parametrize(
    ("address", "headers", "expected"),
    [
        ("127.0.0.1", {}, True),
        ("127.8.9.1", {}, True),
        ("::1", {}, True),
        ("192.168.1.20", {}, False),
        ("2001:db8::1", {}, False),
        ("192.168.1.20", {"X-Forwarded-For": "127.0.0.1"}, False),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, False),
        ("::1", {"Via": "1.1 attic"}, False),
    ],
)
def test_only_this_machine_itself_is_here(
    address: str, headers: dict[str, str], expected: bool
) -> None:
    assert is_local(address, Headers(headers)) is expected


# Everything else


@pytest.mark.parametrize("path", ["/favicon.ico", "/healthz/no", "/metrics/", "//"])
async def test_what_is_not_there_is_a_sentence_and_no_websocket_error(path: str) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, path)
        assert (answer.status, answer.body) == (
            404,
            "There is nothing here. To play, use: boxroom join\n",
        )


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/nothing"])
async def test_head_is_answered_as_get_without_a_body(path: str) -> None:
    async with lobby() as place:
        head = await http_request(place.server.port, path, "HEAD")
        got = await http_request(place.server.port, path, "GET")
        assert head.body == ""
        assert head.status == got.status
        assert head.headers["content-type"] == got.headers["content-type"]
        if path != "/metrics":  # which changes from one request to the next
            assert head.headers["content-length"] == str(len(got.body))


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/nothing"])
@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS"])
async def test_other_methods_are_refused_with_those_that_are_allowed(
    path: str, method: str
) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, path, method)
        assert (answer.status, answer.body) == (405, "Ask with GET or HEAD.\n")
        assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/", "/boxroom"])
async def test_who_comes_to_play_gets_in_wherever_a_proxy_has_put_the_server(path: str) -> None:
    async with lobby() as place:
        url = f"ws://127.0.0.1:{place.server.port}{path}"
        async with connect(url, compression=None) as client:
            await client.send(
                '{"type":"hello","protocol":1,"name":"Ada","secret":"0123456789abcdef"}'
            )
            assert '"welcome"' in str(await client.recv())


async def test_watching_disturbs_nobody() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        for path in ("/healthz", "/readyz", "/metrics", "/nothing"):
            await http_request(place.server.port, path)
            await ada.do("say", text="hello")
