"""A whole Boxroom client in a page: joins a room by name and plays random moves.

python minimal_client.py ws://localhost:8765/ kiwa-tobe Robin
"""

import asyncio
import json
import random
import secrets
import sys
from typing import Literal
from urllib.parse import urlsplit

from websockets.asyncio.client import connect


def lines(rows: int, cols: int, **_: object) -> list[str]:
    """Return the names of all lines, in any order."""
    names = [f"h{i}" for i in range((rows + 1) * cols)]
    names += [f"v{i}" for i in range(rows * (cols + 1))]
    return random.sample(names, len(names))


def proxy_for(url: str) -> Literal[True] | None:
    """Return the proxies of the environment (True), but none for a server on this machine."""
    return None if urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1") else True


async def main(url: str, room: str, name: str) -> None:
    async with connect(url, compression=None, proxy=proxy_for(url)) as socket:

        async def send(**message: object) -> None:
            await socket.send(json.dumps(message))

        await send(type="hello", protocol=1, name=name, secret=secrets.token_urlsafe(32))
        await send(type="join_room", id=1, room=room)
        last_id, seat, ply, free = 1, -1, 0, list[str]()
        async for text in socket:
            message = json.loads(text)
            our_turn = False
            if message["type"] == "in_room":  # we have come in, or a move was taken back
                now = message["room"]
                mine = (i for i, it in enumerate(now["seats"]) if it.get("member") == name)
                seat = next(mine, -1)
                free = lines(**{"rows": 5, "cols": 5} | now["settings"].get("options", {}))
                free = [line for line in free if line not in now.get("tokens", [])]
                ply = now.get("ply", len(now.get("tokens", [])))
                our_turn = now.get("to_move") == seat
            elif message["type"] == "refused":
                if message["code"] not in ("already_drawn", "stale"):
                    print("refused:", message["message"])
                    return
                our_turn = message["code"] == "already_drawn"  # the border has drawn that line
            for event in message.get("events", ()):
                if event["type"] == "started":
                    ply, our_turn = 0, seat == 0
                elif event["type"] in ("played", "withdrew"):
                    ply, our_turn = ply + 1, event["to_move"] == seat
                    free = [line for line in free if line != event.get("move")]
                elif event["type"] == "ended":
                    print("scores:", event["scores"], "winners:", event["winners"])
                    return
            if our_turn and free:
                last_id += 1
                await send(type="play", id=last_id, seat=seat, move=free.pop(), ply=ply)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
