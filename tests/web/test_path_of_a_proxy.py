"""The page below a path of another site, which a proxy takes off before it passes requests on."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.cluster.proxy import haproxy
from tests.web.browser import LIMIT_MS, visitor_at
from tests.web.rooms import create_room, saving

pytestmark = pytest.mark.asyncio(loop_scope="session")

expect.set_options(timeout=LIMIT_MS)

SITE = """
defaults
    mode http
    timeout connect 5s
    timeout client 30s
    timeout server 30s
    timeout tunnel 1h
frontend site
    bind fd@{site}
    http-request deny unless {{ path_beg /fun/ }}
    http-request replace-path /fun(/.*) \\1
    default_backend boxroom
backend boxroom
    server boxroom 127.0.0.1:{server}
"""


@asynccontextmanager
async def passing_on(site: socket.socket, server: int, folder: Path) -> AsyncIterator[None]:
    """Run HAProxy, which listens at the socket `site` already."""
    configuration = folder / "haproxy.cfg"
    configuration.write_text(SITE.format(site=site.fileno(), server=server))
    command = (haproxy(), "-f", str(configuration))
    process = await asyncio.create_subprocess_exec(*command, pass_fds=[site.fileno()])
    try:
        yield
    finally:
        process.kill()
        await process.wait()


async def test_a_game_and_its_link_below_a_path(browser: Browser, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as site:
        address = f"http://127.0.0.1:{site.getsockname()[1]}/fun/"
        async with (
            saving(tmp_path / "data", public_url=address) as server,
            passing_on(site, server.port, tmp_path),
            visitor_at(browser, address) as ada,
        ):
            await ada.come_in("Ada")
            code = await create_room(ada, rows=1, cols=1)
            async with visitor_at(browser, f"{address}#{code}") as bob:
                await bob.come_in("Bob")
                await ada.press("Start the game")
                for player, line in ((ada, "h0"), (bob, "h1"), (ada, "v0"), (bob, "v1")):
                    await player.play(line)
                await ada.press("Share")
            link = await ada.page.get_by_role("dialog").get_by_role("textbox").input_value()
            assert link.startswith(f"{address}games/")
            async with visitor_at(browser, link) as eve:
                await expect(eve.page.locator(".line.drawn")).to_have_count(4)
                await eve.press("Close")
                await eve.come_in("Eve")
                await eve.wait_for("I have a code")
                assert eve.page.url == address
