"""docs/reference/protocol.md is true: its example of a conversation is held, and its clients play.

`BOXROOM_UPDATE_GOLDEN=1` writes the conversation anew.
"""

import asyncio
import json
import os
import random
import re
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from tests.server.manual_clock import ManualClock
from websockets.asyncio.client import ClientConnection, connect

from boxroom_server.options import Options
from boxroom_server.server import serve

ONE_LOOP = True
DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "reference" / "protocol.md"
EXAMPLE = DOCS / "examples" / "conversation.txt"

Said = dict[str, object]

CONVERSATION: tuple[tuple[str, Said], ...] = (
    ("A", {"type": "hello", "protocol": 1, "name": "Ada", "secret": "Ada's long random secret"}),
    (
        "A",
        {
            "type": "create_room",
            "id": 1,
            "token": "a-random-token",
            "settings": {"options": {"rows": 1, "cols": 1}},
        },
    ),
    ("B", {"type": "hello", "protocol": 1, "name": "Bob", "secret": "Bob's long random secret"}),
    ("B", {"type": "list_rooms", "id": 1}),
    ("B", {"type": "join_room", "id": 2, "room": "?"}),
    ("A", {"type": "start", "id": 2}),
    ("A", {"type": "play", "id": 3, "seat": 0, "move": "h0", "ply": 0}),
    ("B", {"type": "play", "id": 3, "seat": 1, "move": "h0", "ply": 1}),
    ("B", {"type": "play", "id": 4, "seat": 1, "move": "h1", "ply": 1}),
    ("B", {"type": "say", "id": 5, "text": "v0 gives me the box"}),
    ("A", {"type": "play", "id": 4, "seat": 0, "move": "v0", "ply": 2}),
    ("B", {"type": "play", "id": 6, "seat": 1, "move": "v1", "ply": 3}),
)


async def talk() -> str:
    """Return the messages sent and received, a line each, in the order of each client."""
    lines: list[str] = []
    options = Options(host="127.0.0.1", port=0)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            serve(options, clock=ManualClock(), rng=random.Random(1))
        )
        url = f"ws://127.0.0.1:{server.port}/"
        sockets = {name: await stack.enter_async_context(connect(url)) for name in "AB"}
        room: object = None
        for name, said in CONVERSATION:
            message = said | ({"room": room} if said.get("room") == "?" else {})
            lines.append(f"{name}→ {dump(message)}")
            await sockets[name].send(dump(message))
            for answer in await up_to_answer(sockets[name]):
                lines.append(f"{name}← {shown(answer)}")
                if answer["type"] == "rooms":
                    room = answer["rooms"][0]["room"]  # type: ignore[index]
    return "\n".join(lines)


async def up_to_answer(socket: ClientConnection) -> list[Said]:
    """Receive messages up to the answer to the last one that was sent."""
    heard: list[Said] = []
    while not heard or heard[-1]["type"] not in ("welcome", "done", "refused", "rooms"):
        async with asyncio.timeout(20):
            heard.append(json.loads(await socket.recv()))
    return heard


def dump(message: Said) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def shown(answer: Said) -> str:
    """Return an answer as the example shows it: without the description of the games."""
    if answer["type"] != "welcome":
        return dump(answer)
    assert answer["games"]
    return dump(answer | {"games": []}).replace("[]", "[…]")


async def test_the_conversation_of_the_example_is_a_real_one() -> None:
    real = f"{await talk()}\n"
    if os.environ.get("BOXROOM_UPDATE_GOLDEN"):
        EXAMPLE.write_text(real, encoding="utf-8")
        return
    assert EXAMPLE.read_text(encoding="utf-8") == real


def test_the_limits_on_the_page_are_the_defaults() -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## Limits\n")
    limits, _, _ = rest.partition("\n## ")
    named: list[tuple[str, str]] = []
    for limit in limits.split("\n- ")[1:]:
        flags = re.findall(r"`--([\w-]+)`", limit)
        numbers = re.findall(r"(?<![/\w])\d+(?:\.\d+)?", limit)
        named += zip(flags, numbers[: len(flags)], strict=True)  # each flag's number, in order
    assert len(named) > 20
    for flag, number in named:
        assert float(number) == getattr(Options(), flag.replace("-", "_")), flag


async def test_the_first_client_plays_a_bot() -> None:
    client = DOCS / "examples" / "first_client.py"
    async with serve(Options(host="127.0.0.1", port=0)) as server:
        player = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                client,
                f"ws://127.0.0.1:{server.port}",
                "Robin's long random secret",
            ),
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(30):
            out, _ = await player.communicate()
        assert re.fullmatch(r"boxes: \[\d, \d\]\n", out.decode())


async def test_the_minimal_client_plays_a_whole_game() -> None:
    async with serve(Options(host="127.0.0.1", port=0)) as server:
        url = f"ws://127.0.0.1:{server.port}/"
        client = str(DOCS / "examples" / "minimal_client.py")
        async with connect(url) as host:
            for message in (
                {"type": "hello", "protocol": 1, "name": "Host", "secret": "h" * 16},
                {
                    "type": "create_room",
                    "id": 1,
                    "token": "a-random-token",
                    "room": "table",
                    "settings": {"options": {"rows": 2, "cols": 2}},
                    "watch": True,
                },
            ):
                await host.send(dump(message))
                await up_to_answer(host)
            behind_a_proxy = {**os.environ, "https_proxy": "http://127.0.0.1:1", "no_proxy": ""}
            players = [
                await asyncio.create_subprocess_exec(
                    *(sys.executable, client, url, "table", name),
                    stdout=asyncio.subprocess.PIPE,
                    env=behind_a_proxy,
                )
                for name in ("Robin", "Sam")
            ]
            seated = 0
            while seated < 2:
                seated += (await host.recv()).count('"sat"')  # type: ignore[arg-type]
            await host.send(dump({"type": "start", "id": 2}))
            for player in players:
                out, _ = await player.communicate()
                assert player.returncode == 0
                assert out.startswith(b"scores: [")
