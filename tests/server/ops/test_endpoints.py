"""HTTP endpoints for monitoring programs, over real sockets."""

import random

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.cases import each
from tests.server.http_requests import http_request, metrics_port
from tests.server.manual_clock import ManualClock
from tests.server.talk import lobby
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_common.version import VERSION
from boxroom_server.ops.metrics import Metrics
from boxroom_server.ops.readiness import Readiness
from boxroom_server.options import Options
from boxroom_server.server import Server
from boxroom_server.storage.memory.storage import memory_storage

ONE_LOOP = True

# Well and ready


@each("path", ["/healthz", "/healthz?verbose"])
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
    async with lobby(metrics_host="127.0.0.1") as place:
        await place.create("Ada")
        answer = await http_request(metrics_port(place), "/metrics")
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


async def test_players_never_see_metrics_from_wherever_they_ask() -> None:
    async with lobby() as place:
        assert (await http_request(place.server.port, "/metrics")).status == 404


async def test_a_page_that_pretends_to_be_on_this_machine_sees_no_metrics() -> None:
    async with lobby(metrics_host="127.0.0.1", metrics_names="scraped.example") as place:
        port = metrics_port(place)
        for host, status in (
            ("evil.example", 403),
            (f"evil.example:{port}", 403),
            ("Scraped.example:80", 200),
            (f"127.0.0.1:{port}", 200),
            ("printer.local", 403),
        ):
            assert (await http_request(port, "/metrics", host=host)).status == status
            assert (await http_request(port, "/healthz", host=host)).status == 200


# Everything else


@each("path", ["/healthz/no", "/metrics", "//", "/assets/", "/index.html"])
async def test_what_is_not_there_is_a_sentence_and_no_websocket_error(path: str) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, path)
        assert (answer.status, answer.body) == (
            404,
            "There is nothing here. To play, use: boxroom join\n",
        )


@each("path", ["/healthz", "/readyz", "/metrics", "/nothing"])
async def test_head_is_answered_as_get_without_a_body(path: str) -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        head = await http_request(metrics_port(place), path, "HEAD")
        got = await http_request(metrics_port(place), path, "GET")
        assert head.body == ""
        assert head.status == got.status
        assert head.headers["content-type"] == got.headers["content-type"]
        if path != "/metrics":  # which changes from one request to the next
            assert head.headers["content-length"] == str(len(got.body))


@each("path", ["/healthz", "/readyz", "/metrics", "/nothing"])
async def test_other_methods_are_refused_with_those_that_are_allowed(path: str) -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        for method in ("POST", "DELETE", "OPTIONS"):
            answer = await http_request(metrics_port(place), path, method)
            assert (answer.status, answer.body) == (405, "Ask with GET or HEAD.\n"), method
            assert answer.headers["allow"] == "GET, HEAD"


@each("path", ["/boxroom", "/boxroom/", "//", "/healthz", "/metrics"])
async def test_there_is_one_path_to_play(path: str) -> None:
    async with lobby() as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        with pytest.raises(InvalidStatus) as refused:
            await connect(url + path)
        assert refused.value.response.status_code == (200 if path == "/healthz" else 404)
        async with connect(f"{url}/?by=phone"):
            pass


async def test_watching_disturbs_nobody() -> None:
    async with lobby(metrics_host="127.0.0.1") as place:
        ada = await place.create("Ada")
        for path in ("/healthz", "/readyz", "/metrics", "/nothing"):
            await http_request(place.server.port, path)
            await http_request(metrics_port(place), path)
            await ada.do("say", text="hello")
