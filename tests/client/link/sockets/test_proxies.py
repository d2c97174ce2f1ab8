"""The way to a server: directly, or through a real proxy."""

import os
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.cases import each
from tests.certificates import Authority
from tests.client.http_proxy import HttpProxy, http_proxy
from tests.client.update_reader import quick_backoff

from boxroom_client.link.connection import Create, RoomConnection, list_rooms
from boxroom_client.link.errors import Unreachable
from boxroom_client.link.greeting import introduced
from boxroom_client.link.sockets.proxies import is_exempt, proxy_for
from boxroom_client.profile.identity import Identity
from boxroom_client.servers.address import Address
from boxroom_engine.room.room import Settings
from boxroom_lab.agents.connection import AgentConnection
from boxroom_server.options import Options
from boxroom_server.server import Server, serve

ANN = Identity.make("Ann")
PROXY = "http://proxy.test:3128"
ELSEWHERE = "play.test"
"""A name that only the proxy of these tests knows."""


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serve(Options(host="127.0.0.1", port=0)) as server:
        yield server


@pytest.fixture
async def proxy(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HttpProxy]:
    async with http_proxy() as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        yield proxy


async def why_not(address: Address) -> str:
    with pytest.raises(Unreachable) as error:
        await list_rooms(address, ANN, limit_s=5)
    return str(error.value)


# The choice of the proxy


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost.", "LOCALHOST", "board.localhost", "127.0.0.1", "127.9.8.7"),
        *("::1", "::ffff:127.0.0.1", "169.254.7.7", "fe80::1", "fe80::1%eth0"),
    ],
)
@pytest.mark.parametrize("secure", [True, False])
def test_addresses_of_this_machine_and_network_are_reached_directly(
    monkeypatch: pytest.MonkeyPatch, host: str, *, secure: bool
) -> None:
    for kind in ("ws", "wss", "http", "https", "all", "socks"):
        monkeypatch.setenv(f"{kind}_proxy", PROXY)
    assert proxy_for(Address(host, secure=secure)) is None


@pytest.mark.parametrize("host", ["192.168.1.5", "10.0.0.1", "example.org", "localhost.org", "::2"])
def test_all_others_are_reached_by_the_proxy(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("https_proxy", PROXY)
    for secure in (True, False):
        assert str(proxy_for(Address(host, secure=secure))) == f"the proxy {PROXY} (of https_proxy)"


@pytest.mark.parametrize(
    ("variables", "secure", "source"),
    [
        (("http_proxy",), True, None),
        (("http_proxy",), False, "http_proxy"),
        (("http_proxy", "https_proxy"), False, "https_proxy"),
        (("all_proxy", "https_proxy"), True, "https_proxy"),
        (("ALL_PROXY",), True, "ALL_PROXY"),
        (("HTTPS_PROXY", "wss_proxy"), True, "wss_proxy"),
        (("https_proxy", "HTTPS_PROXY"), True, "https_proxy"),
        (("ws_proxy",), True, None),
    ],
)
def test_the_most_special_variable_counts(
    monkeypatch: pytest.MonkeyPatch, variables: tuple[str, ...], source: str | None, *, secure: bool
) -> None:
    for name in variables:
        monkeypatch.setenv(name, PROXY)
    proxy = proxy_for(Address("example.org", secure=secure))
    assert (proxy.source if proxy is not None else None) == source


def test_an_empty_variable_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv("https_proxy", "")
    assert proxy_for(Address("example.org", secure=True)) is None


@each(
    "no_proxy, host, is_listed",
    [
        ("*", "example.org", True),
        ("other.org,*", "example.org", True),
        ("example.org", "example.org", True),
        ("EXAMPLE.org", "play.Example.org", True),
        ("example.org", "example.org.", True),
        (".example.org", "play.example.org", True),
        (".example.org", "example.org", True),
        ("*.example.org", "play.example.org", True),
        ("example.org", "myexample.org", False),
        ("a.org b.org", "b.org", True),
        (" a.org , b.org ", "b.org", True),
        ("", "example.org", False),
        ("example.org:8765", "example.org", True),
        ("example.org:80", "example.org", False),
        ("192.168.1.5", "192.168.1.5", True),
        ("192.168.1.5:8765", "192.168.1.5", True),
        ("192.168.0.0/16", "192.168.1.5", True),
        ("192.168.1.7/16", "192.168.1.5", True),
        ("192.168.0.0/16", "10.0.0.1", False),
        ("192.168.0.0/16", "example.org", False),
        ("2001:db8::/32", "2001:db8::7", True),
        ("2001:db8::7", "2001:db8::7", True),
        ("[2001:db8::7]", "2001:db8::7", True),
        ("[2001:db8::7]:8765", "2001:db8::7", True),
        ("[2001:db8::7]:80", "2001:db8::7", False),
        ("2001:db8::/32", "192.168.1.5", False),
    ],
)
def test_no_proxy(no_proxy: str, host: str, *, is_listed: bool) -> None:
    assert is_exempt(host, 8765, no_proxy) is is_listed


# Through it


async def test_a_room_is_entered_through_the_proxy(server: Server, proxy: HttpProxy) -> None:
    there = Address(ELSEWHERE, server.port)
    async with introduced(there, "Ann") as ann:
        request = Create(Settings(), "kiwa")
        async with RoomConnection(there, ann, request, backoff=quick_backoff()) as connection:
            assert connection.me == "Ann"
    asked = {request.partition("\r\n")[0] for request in proxy.requests}
    assert asked == {f"CONNECT {ELSEWHERE}:{server.port} HTTP/1.1"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_is_reached_without_it(
    server: Server, proxy: HttpProxy, host: str
) -> None:
    assert await list_rooms(Address(host, server.port), ANN) == ()
    assert proxy.requests == []


async def test_with_tls_to_the_server_and_to_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    files = authority.issue(ELSEWHERE, "127.0.0.1")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.chain, files.key)
    async with (
        serve(Options(host="127.0.0.1", port=0, **files.options)) as server,
        http_proxy(tls=context) as proxy,
    ):
        monkeypatch.setenv("WSS_PROXY", f"https://127.0.0.1:{proxy.port}")
        there = Address(ELSEWHERE, server.port, secure=True, ca_file=str(authority.file))
        reason = await why_not(there)
        assert reason.startswith(f"the proxy https://127.0.0.1:{proxy.port} (of WSS_PROXY)")
        assert "can't be reached by TLS" in reason
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        assert await list_rooms(there, ANN) == ()
        assert len(proxy.requests) == 1


async def test_an_agent_is_reached_by_the_same_rule(server: Server, proxy: HttpProxy) -> None:
    for host, requests in (("localhost", 0), (ELSEWHERE, 1)):
        await (await AgentConnection.open(Address(host, server.port))).close()
        assert len(proxy.requests) == requests


# Failures


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("407 Who are you", "wants another user and password: HTTP 407 Who are you"),
        ("403 Forbidden", "refuses a connection to play.test:8765: HTTP 403 Forbidden"),
        ("502 Bad Gateway", "can't reach play.test:8765: HTTP 502 Bad Gateway"),
        (None, "fails: did not receive a valid HTTP response from proxy"),
    ],
)
async def test_a_proxy_that_refuses_is_named(
    monkeypatch: pytest.MonkeyPatch, answer: str | None, reason: str
) -> None:
    sent = f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n" if answer else "SMTP ready\r\n"
    async with http_proxy(sent.encode()) as proxy:
        monkeypatch.setenv("ALL_PROXY", f"ann:secret%21@127.0.0.1:{proxy.port}")
        sentence = await why_not(Address(ELSEWHERE))
        named = f"the proxy http://127.0.0.1:{proxy.port} (of ALL_PROXY)"
        assert sentence == f"{named} {reason}; NO_PROXY lists the hosts that need no proxy"
        assert "Proxy-Authorization: Basic YW5uOnNlY3JldCE=" in proxy.requests[0]
        with pytest.raises(Unreachable, match="of ALL_PROXY"):
            await AgentConnection.open(Address(ELSEWHERE))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:1", "(of https_proxy) can't be reached: nothing answers there"),
        ("http://no-such-host.invalid:3128", "(of https_proxy) can't be reached: "),
        ("http://ann:hush@127.0.0.1:1", "the proxy http://127.0.0.1:1 (of https_proxy)"),
        ("socks5h://ann:hush@127.0.0.1:1", "without the Python package python-socks"),
        ("ftp://ann:hush@proxy.test", "https_proxy isn't the URL of a proxy: scheme ftp"),
        ("http://ann:hush@", "https_proxy isn't the URL of a proxy"),
        ("http://proxy.test:port", "https_proxy isn't the URL of a proxy"),
        ("http://ann:hu/hush@proxy.test", "https_proxy isn't the URL of a proxy"),
        ("http://[::1", "https_proxy isn't the URL of a proxy"),
        ("http://.ann..test", "(of https_proxy) can't be reached"),
        ("http://proxy.test/path", "https_proxy isn't the URL of a proxy: path"),
    ],
)
async def test_a_proxy_that_cant_be_used_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str, reason: str
) -> None:
    monkeypatch.setenv("https_proxy", url)
    sentence = await why_not(Address("example.org", secure=True))
    assert reason in sentence
    assert "hush" not in sentence


async def test_a_proxy_that_is_silent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with http_proxy(b"") as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        there = Address(ELSEWHERE)
        with pytest.raises(Unreachable) as error:
            await list_rooms(there, ANN, limit_s=0.05)
        named = f"through the proxy http://127.0.0.1:{proxy.port} (of https_proxy)"
        assert str(error.value) == f"{there} doesn't answer within 0.05 seconds, {named}"


async def test_a_server_that_fails_behind_the_proxy_is_named_with_it(
    proxy: HttpProxy, server: Server
) -> None:
    sentence = await why_not(Address(ELSEWHERE, server.port, path="/elsewhere"))
    assert "/elsewhere doesn't let us in: HTTP 404" in sentence
    assert sentence.endswith(f", through the proxy http://127.0.0.1:{proxy.port} (of https_proxy)")
