"""Pages and terminals at several servers behind HAProxy, of which any one is gone suddenly."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from playwright.async_api import Browser
from tests.cluster.proxy import HaProxy
from tests.cluster.shared import new_address
from tests.e2e.terminal import Terminal
from tests.faults.server_process import ServerProcess, free_port
from tests.web.browser import DESKTOP, serving, visitor_at
from tests.web.rooms import create_room

from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_server import server as server_module
from boxroom_server.admin.messages import RoomDetails, ShowRoom, decode_answer, encode
from boxroom_server.web.assets import INDEX, make_assets, page_assets
from boxroom_server.web.page_files import page_files

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_VISITS = 20
"""Pages that are opened at most until each of two versions was loaded."""


async def test_a_page_loads_while_servers_have_two_versions_of_it(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = page_files()
    newer = make_assets({**files, INDEX: files[INDEX] + b"<!-- newer -->\n"})
    versions = {newer.version, page_assets().version}
    async with AsyncExitStack() as stack:
        older_server = await stack.enter_async_context(serving())
        monkeypatch.setattr(server_module, "page_assets", lambda: newer)
        newer_server = await stack.enter_async_context(serving())
        ports = (older_server.port, newer_server.port, free_port())
        proxy = await stack.enter_async_context(HaProxy(free_port(), ports))
        seen: set[str] = set()
        for number in range(MOST_VISITS):
            # Guests stay, as HAProxy chooses the server by the number of connections.
            visit = visitor_at(browser, f"http://127.0.0.1:{proxy.port}/")
            guest = await stack.enter_async_context(visit)
            await guest.come_in(f"Guest {number}")
            await guest.page.wait_for_function("() => boxroom.state.isOnline")
            document = await guest.page.content()
            seen |= {each for each in versions if each in document}
            if seen == versions:
                break
        assert seen == versions


class Cluster:
    """Three servers on one etcd, HAProxy, and who is connected to which of them."""

    def __init__(self, servers: dict[Path, ServerProcess], proxy: HaProxy) -> None:
        self.servers = servers
        """By their sockets for operators."""
        self.proxy = proxy

    async def server_of(self, name: str, room: str) -> ServerProcess:
        """Return the server that a member of a room is connected to."""
        for path, server in self.servers.items():
            with suppress(
                FileNotFoundError, ConnectionRefusedError
            ):  # it was killed, or is starting
                shown = await ask(path, ShowRoom(room))
                if any(it.name == name and it.address is not None for it in shown.members):
                    return server
        raise AssertionError(f"{name} is connected to no server")


async def ask(path: Path, request: ShowRoom) -> RoomDetails:
    """Return the answer of a server to an operator."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(encode(request))
    answer = decode_answer(await reader.readline())
    writer.close()
    await writer.wait_closed()
    assert isinstance(answer, RoomDetails), answer
    return answer


@asynccontextmanager
async def cluster(folder: Path) -> AsyncIterator[Cluster]:
    """Run the servers and HAProxy while the context lasts."""
    address = new_address()
    store = f"etcd://{address.endpoints[0]}/{address.prefix}"
    servers = {}
    for number in range(3):
        path = folder / f"{number}.socket"
        flags = ("--store", store, "--trust-proxy", "127.0.0.1", "--admin-socket", str(path))
        servers[path] = ServerProcess(free_port(), folder / f"server{number}.log", *flags)
    async with AsyncExitStack() as stack:
        await asyncio.gather(*map(stack.enter_async_context, servers.values()))
        ports = [server.port for server in servers.values()]
        yield Cluster(servers, await stack.enter_async_context(HaProxy(free_port(), ports)))


async def in_terminal(wait: Callable[[], object]) -> None:
    """Wait for something at a terminal, while everything else goes on."""
    await asyncio.to_thread(wait)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the person at the terminal."""
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path / "games"))
    return tmp_path


async def test_a_terminal_and_a_page_come_back_to_another_server(
    browser: Browser, home: Path
) -> None:
    async with (
        cluster(home) as made,
        visitor_at(browser, f"http://127.0.0.1:{made.proxy.port}/", viewport=DESKTOP) as bob,
    ):
        await bob.come_in("Bob")
        room = await create_room(bob, rows=3, cols=3)
        with Terminal(
            "join", f"127.0.0.1:{made.proxy.port}", "--room", room, "--name", "Ada"
        ) as ada:
            await in_terminal(lambda: ada.wait_for("Ada"))
            await bob.wait_for("All seats are taken.")
            await bob.press("Start the game")
            lines = iter(f"h{number}" for number in range(12))

            async def play_two() -> None:
                """Let Bob, and then Ada, make a move that takes no box."""
                move = next(lines)
                await bob.play(move)
                await in_terminal(lambda: ada.wait_for(f"Bob plays {move}."))
                answer = next(lines)
                ada.type(answer)
                await bob.wait_for(f"Ada plays {answer}.")

            await play_two()
            first = await made.server_of("Ada", room)
            await first.kill()
            await in_terminal(lambda: ada.wait_for("Connected again."))
            await play_two()
            second = await made.server_of("Bob", room)
            await second.kill()
            await play_two()
            await first.start()
            third = await made.server_of("Bob", room)
            assert await third.stop() == 0
            await in_terminal(lambda: ada.wait_for("The server is stopping."))
            await play_two()
            assert await made.server_of("Ada", room) is first
            assert await made.server_of("Bob", room) is first
        bob.forgive_failures()
