"""The page over real sockets: status, headers, caching, compression, refusals."""

import asyncio
import gzip
import re
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each
from tests.certificates import Authority
from tests.server.http_requests import RawResponse, http_request, raw_request
from tests.server.talk import lobby
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_engine.wire.schema import schema_text
from boxroom_server.admin import messages as m
from boxroom_server.net.clients import HANDSHAKE_WORK, WORK_PER_BYTE
from boxroom_server.web.assets import Asset, page_assets
from boxroom_server.web.responses import accepts_gzip

ONE_LOOP = True
ASSETS = page_assets()
SCHEMA = "/protocol.schema.json"
MAIN = f"/assets/{ASSETS.version}/main.js"
PATHS = sorted(ASSETS.by_path)


def at(path: str) -> Asset:
    """Return the file at `path`."""
    return ASSETS.by_path[path]


# Files


@each("path", PATHS)
async def test_every_file_is_served_as_it_is(path: str) -> None:
    async with lobby() as place:
        answer = await raw_request(place.server.port, path)
        assert (answer.status, answer.body) == (200, at(path).body)
        assert answer.headers["content-length"] == str(len(at(path).body))
        assert answer.headers["content-type"] == at(path).content_type
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "content-encoding" not in answer.headers


@each("path", PATHS)
async def test_browsers_get_it_compressed(path: str) -> None:
    async with lobby() as place:
        answer = await raw_request(place.server.port, path, "GET", "Accept-Encoding: gzip, br")
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-length"] == str(len(answer.body))
        if answer.headers.get("content-encoding") == "gzip":
            assert len(answer.body) < len(at(path).body)
            assert gzip.decompress(answer.body) == at(path).body
        else:
            assert at(path).gzipped is None


async def test_the_page_is_at_the_address_whatever_the_query_and_the_host() -> None:
    async with lobby() as place:
        for path, host in (("/?from=qr", "localhost"), ("/", "elsewhere.example")):
            answer = await http_request(place.server.port, path, host=host)
            assert answer.status == 200
            assert "<title>Boxroom" in answer.body


async def test_the_page_is_at_the_address_of_each_game_too() -> None:
    async with lobby() as place:
        for link, status in (("x" * 22, 200), ("-_" * 11, 200), ("x" * 21, 404), ("%" * 22, 404)):
            answer = await http_request(place.server.port, f"/games/{link}?from=qr")
            assert answer.status == status
            assert ("<title>Boxroom" in answer.body) == (status == 200)


@each("path", ["/", "/favicon.ico", SCHEMA, MAIN])
async def test_head_has_the_headers_of_get_and_no_body(path: str) -> None:
    async with lobby() as place:
        head, got = [await raw_request(place.server.port, path, it) for it in ("HEAD", "GET")]
        assert head.body == b""
        assert head.status == 200
        assert without_date(head) == without_date(got)


def without_date(response: RawResponse) -> dict[str, str]:
    """Return the headers that don't change with the time."""
    return {name: text for name, text in response.headers.items() if name != "date"}


@each(
    "path",
    [
        "/index.html",
        "/main.js",
        "/page/main.js",
        "/assets",
        "/assets/",
        f"/assets/{ASSETS.version}/",
        f"/assets/{ASSETS.version}/../main.js",
        "/assets/0123456789abcdef/main.js",
    ],
)
async def test_there_is_nothing_else(path: str) -> None:
    async with lobby() as place:
        assert (await http_request(place.server.port, path)).status == 404


@each("path, allowed", [("/", "GET"), (MAIN, "GET, HEAD")])
async def test_other_methods_are_refused(path: str, allowed: str) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, path, "POST")
        assert (answer.status, answer.headers["allow"]) == (405, allowed)


async def test_authors_of_clients_get_the_schema_of_the_protocol() -> None:
    async with lobby() as place:
        answer = await raw_request(place.server.port, SCHEMA)
        assert answer.headers["content-type"] == "application/schema+json"
        assert answer.body.decode() == schema_text()


# Caching


async def test_files_in_the_folder_of_a_version_never_change_and_others_are_asked_for() -> None:
    async with lobby() as place:
        port = place.server.port
        main = await raw_request(port, MAIN)
        assert main.headers["cache-control"] == "public, max-age=31536000, immutable"
        for path in ("/", SCHEMA):
            assert (await raw_request(port, path)).headers["cache-control"] == "no-cache"


@each("path", ["/", "/favicon.ico", SCHEMA, MAIN])
async def test_who_has_this_version_is_told_so(path: str) -> None:
    async with lobby() as place:
        port, tag = place.server.port, at(path).etag
        for known in (tag, f'"old", {tag}', tag.removeprefix("W/"), "*"):
            answer = await raw_request(port, path, "GET", f"If-None-Match: {known}")
            assert (answer.status, answer.body) == (304, b"")
            assert answer.headers["etag"] == tag
            assert "cache-control" in answer.headers
            assert "content-length" not in answer.headers
        answer = await raw_request(port, path, "GET", 'If-None-Match: W/"old", "older"')
        assert (answer.status, answer.headers["etag"]) == (200, tag)


@each(
    "sent, accepted",
    [
        ([], False),
        ([""], False),
        (["gzip"], True),
        (["br", "GZip;q=0.5"], True),
        (["deflate, gzip;q=1.0"], True),
        (["*"], True),
        (["gzip;q=0"], False),
        (["gzip; q=0.000, br"], False),
        (["identity"], False),
        (["gzippy"], False),
        (["*;q=0, gzip"], True),
        (["identity", "gzip;q=0, *"], False),
        (["br, *;q=0"], False),
        (["gzip;q=0.001"], True),
        ([",;,q=0"], False),
    ],
)
def test_compression_is_for_clients_that_accept_it(sent: list[str], *, accepted: bool) -> None:
    assert accepts_gzip(sent) is accepted


# Security


@each("path", ["/", "/favicon.ico"])
async def test_documents_may_do_only_what_the_page_needs(path: str) -> None:
    async with lobby() as place:
        headers = (await raw_request(place.server.port, path)).headers
        policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
        assert policy == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self'",
            "connect-src": "'self'",
            "manifest-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
            "trusted-types": "'none'",
        }
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "microphone=()" in headers["permissions-policy"]


@each(
    "options, sent",
    [
        ({}, None),
        ({"public_url": "http://192.0.2.1:8080"}, None),
        ({"public_url": "https://play.example.org"}, "same-origin"),
    ],
)
async def test_a_header_that_browsers_refuse_without_https_is_sent_with_it(
    options: dict[str, Any], sent: str | None
) -> None:
    async with lobby(**options) as place:
        headers = (await raw_request(place.server.port, "/")).headers
        assert headers.get("cross-origin-opener-policy") == sent


async def test_over_tls_the_page_comes_and_connects(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with lobby(**authority.issue().options) as place:
        url, context = f"localhost:{place.server.port}", authority.trusting()
        fetch = partial(urllib.request.urlopen, f"https://{url}/", context=context, timeout=20)
        with await asyncio.to_thread(fetch) as response:
            assert response.read() == at("/").body
            assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        headers = {"Origin": f"https://{url}"}
        async with connect(f"wss://{url}", ssl=context, additional_headers=headers):
            pass


def test_the_document_has_no_script_or_style_of_its_own() -> None:
    document = at("/").body.decode()
    assert document.count("<script") == document.count('<script type="module" async src=')
    assert "<style" not in document
    assert " style=" not in document
    assert not re.search(r"\son\w+\s*=", document), "a handler of events in an attribute"


async def test_a_banned_address_gets_no_page() -> None:
    async with lobby() as place:
        await place.server.admin_commands.execute(m.Ban("127.0.0.1", "spam"), lambda: None)
        for path in ("/", "/favicon.ico", MAIN):
            answer = await http_request(place.server.port, path)
            assert (answer.status, answer.body) == (
                403,
                "your address is banned from this server\n",
            )
        assert (await http_request(place.server.port, "/healthz")).status == 200


async def test_connections_beyond_the_limit_get_no_page() -> None:
    async with lobby(connections_per_address=1) as place:
        ada = await place.create("Ada")
        assert (await http_request(place.server.port, "/")).status == 429
        await ada.do("say", text="hello")


async def test_bytes_are_charged_to_the_clients_share_of_work() -> None:
    async with lobby() as place:
        await place.call("Ada")
        client = place.server._admission.clients.at("127.0.0.1")
        before = client.credit = 1e9
        await raw_request(place.server.port, "/")
        work = HANDSHAKE_WORK + WORK_PER_BYTE * len(at("/").body)
        assert before - client.credit == pytest.approx(work)


async def test_through_a_proxy_they_are_charged_to_the_client_behind_it() -> None:
    async with lobby(trust_proxy="127.0.0.1", connections_per_address=1) as place:
        url = f"ws://127.0.0.1:{place.server.port}"
        async with connect(url, additional_headers={"X-Forwarded-For": "192.0.2.1"}):
            for address, status in (("192.0.2.1", 429), ("192.0.2.2", 200)):
                forwarded = f"X-Forwarded-For: {address}"
                answer = await http_request(place.server.port, "/", "GET", forwarded)
                assert answer.status == status


# Beside the WebSocket


async def test_the_same_path_opens_websockets() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        assert (await http_request(place.server.port, "/")).status == 200
        await ada.do("say", text="hello")
        await place.call("Bob")


@each("header", ["Upgrade: websocket", "Sec-WebSocket-Key: AAAA"])
async def test_half_a_request_for_a_websocket_gets_no_page(header: str) -> None:
    async with lobby() as place:
        answer = await http_request(place.server.port, "/", "GET", header)
        assert answer.status == 426
        assert answer.headers["upgrade"] == "websocket"


async def test_without_the_page_all_is_as_if_there_were_none() -> None:
    async with lobby(no_web=True) as place:
        port = place.server.port
        assert (await http_request(port, "/")).status == 426
        for path in ("/favicon.ico", SCHEMA, MAIN):
            assert (await http_request(port, path)).status == 404
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{port}{MAIN}")
        assert refused.value.response.status_code == 404
        await place.create("Ada")
