"""Web pages that may open WebSockets: all kinds of origins and hosts."""

import pytest
from tests.cases import each
from tests.server.talk import lobby
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from boxroom_server.net.origins import AllowedPages
from boxroom_server.options import Options

ONE_LOOP = True


def allows(origin: str, host: str, options: Options | None = None) -> bool:
    """Return whether a server with these options allows a page."""
    return AllowedPages.of(options or Options()).allow([origin], [host])


@each(
    "host",
    [
        "192.0.2.1:8765",
        "127.0.0.1:8765",
        "[2001:db8::1]:8765",
        "localhost:8765",
        "my-pc.local:8765",
    ],
)
def test_the_own_page_is_allowed_by_names_that_no_stranger_can_direct_here(host: str) -> None:
    assert allows(f"http://{host}", host)
    assert not allows(f"https://{host}", host)
    assert not allows(f"http://{host}:1", host)
    assert not allows(f"http://{host}", host, Options(no_web=True))
    with_tls = Options(tls_cert="a", tls_key="b")
    assert not allows(f"http://{host}", host, with_tls)
    assert allows(f"https://{host}", host, with_tls)


def test_pages_by_other_names_are_not() -> None:
    host = "rebound.example:8765"
    assert not allows(f"http://{host}", host)
    assert not allows("http://192.0.2.1:8765", host)
    assert not allows(f"http://{host}", "192.0.2.1:8765")
    assert not allows("null", "192.0.2.1:8765")


def test_names_that_the_operator_gives_are() -> None:
    host = "Games.example:8765"
    options = Options(web_names="boxroom,games.example")
    assert allows(f"http://{host}", host, options)
    assert not allows(f"http://evil.{host}", f"evil.{host}", options)
    assert not allows(f"http://{host}", "192.0.2.1:8765", options)


def test_the_name_that_the_server_is_bound_to_is() -> None:
    options = Options(host="Games.lan")
    assert allows("http://games.lan:8765", "games.lan:8765", options)
    assert not allows("http://evil.games.lan", "evil.games.lan", options)
    assert not allows("http://", "", Options())


def test_the_public_url_is_allowed_whatever_name_a_proxy_passes_on() -> None:
    options = Options(public_url="https://play.example.org/boxroom/")
    for host in ("127.0.0.1:8765", "play.example.org", "boxroom:8765"):
        assert allows("https://play.example.org", host, options)
        assert not allows("https://evil.example.org", host, options)
        assert not allows("https://play.example.org:8443", host, options)
        assert not allows("http://play.example.org:81", host, options)
    assert allows("http://play.example.org", "play.example.org", options)
    assert not allows("http://play.example.org", "127.0.0.1:8765", options)


@each("no_web", [False, True])
def test_origins_that_are_listed_are_allowed_with_and_without_a_page(*, no_web: bool) -> None:
    options = Options(origins="https://example.org", no_web=no_web)
    assert allows("https://EXAMPLE.org", "rebound.example", options)
    assert not allows("https://example.org:444", "rebound.example", options)


def test_programs_that_send_no_origin_are_allowed_under_any_name() -> None:
    assert AllowedPages().allow([], ["rebound.example"])
    assert AllowedPages().allow([], [])


def test_of_several_headers_all_have_to_be_right() -> None:
    own = "http://192.0.2.1"
    pages = AllowedPages.of(Options())
    assert pages.allow([own, own], ["192.0.2.1"])
    assert not pages.allow([own, "http://evil.example"], ["192.0.2.1"])
    assert not pages.allow([own], ["192.0.2.1", "192.0.2.1"])
    assert not pages.allow([own], [])


async def test_the_page_that_a_browser_has_from_here_connects() -> None:
    async with lobby(web_names="boxroom") as place:
        port = place.server.port
        for name in ("127.0.0.1", "localhost", "boxroom", "attic.local"):
            url, origin = f"ws://{name}:{port}", f"http://{name}:{port}"
            headers = {"Origin": origin}
            async with connect(url, host="127.0.0.1", port=port, additional_headers=headers):
                pass


async def test_a_page_that_had_its_own_name_point_here_does_not() -> None:
    async with lobby() as place:
        port = place.server.port
        name = "rebound.example"
        with pytest.raises(InvalidStatus) as refused:
            await connect(
                f"ws://{name}:{port}",
                host="127.0.0.1",
                port=port,
                additional_headers={"Origin": f"http://{name}:{port}"},
            )
        assert refused.value.response.status_code == 403
        assert b"lets no page of that origin in" in refused.value.response.body
