"""A whole Boxroom client in a page: joins a room by name and plays random moves.

python minimal_client.py ws://localhost:8765/ kiwa-tobe Robin
"""

import asyncio
import json
import random
import secrets
import sys

from websockets.asyncio.client import connect


async def main(url: str, room: str, name: str) -> None:
    async with connect(url, compression=None) as socket:

        async def send(**message: object) -> None:
            await socket.send(json.dumps(message))

        await send(type="hello", protocol=1, name=name, secret=secrets.token_urlsafe(32))
        await send(type="join_room", id=1, room=room)
        next_id, seat, ply, free = 2, -1, 0, list[str]()
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "refused":
                print("refused:", message["message"])
                return
            if message["type"] == "in_room":
                options = {"rows": 5, "cols": 5} | message["room"]["settings"].get("options", {})
                seats = message["room"]["seats"]
                seat = next(i for i, holder in enumerate(seats) if holder.get("member") == name)
            for event in message.get("events", ()):
                to_move = event.get("to_move")
                if event["type"] == "started":
                    rows, cols, ply, to_move = options["rows"], options["cols"], 0, 0
                    free = [f"h{i}" for i in range((rows + 1) * cols)]
                    free += [f"v{i}" for i in range(rows * (cols + 1))]
                elif event["type"] == "played":
                    ply += 1
                    free.remove(event["move"])
                elif event["type"] == "withdrew":
                    ply += 1
                elif event["type"] == "ended":
                    print("scores:", event["scores"], "winners:", event["winners"])
                    return
                if to_move == seat and free:
                    move = random.choice(free)
                    await send(type="play", id=next_id, seat=seat, move=move, ply=ply)
                    next_id += 1


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
