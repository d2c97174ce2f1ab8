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
        last_id, seat, ply, free = 1, -1, 0, list[str]()
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "in_room":
                seats = message["room"]["seats"]
                mine = (i for i, holder in enumerate(seats) if holder.get("member") == name)
                seat = next(mine, -1)
                options = {"rows": 5, "cols": 5} | message["room"]["settings"].get("options", {})
            elif message["type"] == "refused" and message["code"] != "already_drawn":
                print("refused:", message["message"])
                return
            our_turn = message["type"] == "refused"  # that line was drawn by the border
            for event in message.get("events", ()):
                if event["type"] == "started":
                    rows, cols, ply, our_turn = options["rows"], options["cols"], 0, seat == 0
                    free = [f"h{i}" for i in range((rows + 1) * cols)]
                    free += [f"v{i}" for i in range(rows * (cols + 1))]
                    random.shuffle(free)
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
