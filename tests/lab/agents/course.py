"""Both sides of the protocol for agents as the course has them; they share no code with ours.

`CourseAgent` is an agent that draws random lines; `referee` lets two agents play each other, and
tolerates no mistake. Lines are sets of triples, (row, column, orientation), and a game is computed
afresh for every line.

`python course.py PORT` starts such an agent.
"""

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

Line = tuple[int, int, str]
Message = dict[str, Any]


def lines_of(rows: int, columns: int) -> set[Line]:
    """Return every line of a board."""
    across = {(row, column, "h") for row in range(rows + 1) for column in range(columns)}
    down = {(row, column, "v") for row in range(rows) for column in range(columns + 1)}
    return across | down


def boxes_of(drawn: set[Line], rows: int, columns: int) -> int:
    """Return the number of complete boxes."""
    return sum(
        {(r, c, "h"), (r + 1, c, "h"), (r, c, "v"), (r, c + 1, "v")} <= drawn
        for r in range(rows)
        for c in range(columns)
    )


class CourseAgent:
    """An agent that answers with random lines, and records all messages.

    With `answers` it sends these instead, one after the other, and nothing for a None.
    """

    def __init__(self, seed: int = 1, answers: list[str | None] | None = None) -> None:
        # All messages received.
        self.told: list[Message] = []
        self._rng = random.Random(seed)
        self._answers = answers
        # By name, the player that it is, and the free lines.
        self._games: dict[str, tuple[int, set[Line]]] = {}

    async def talk(self, connection: ServerConnection) -> None:
        """Handle all messages of a connection."""
        with suppress(ConnectionClosed):
            async for text in connection:
                message = json.loads(text)
                self.told.append(message)
                answer = self._answer(message)
                if answer is not None:
                    await connection.send(answer)

    @asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator[int]:
        """Listen, and return the port."""
        async with serve(self.talk, "127.0.0.1", port) as server:
            yield next(iter(server.sockets)).getsockname()[1]

    def _answer(self, message: Message) -> str | None:
        match message["type"]:
            case "start":
                self._games[message["game"]] = (message["player"], lines_of(*message["grid"]))
                return self._line(message["game"]) if message["player"] == 1 else None
            case "action":
                me, free = self._games[message["game"]]
                free.remove((*message["location"], message["orientation"]))
                return self._line(message["game"]) if message["nextplayer"] == me else None
            case _:
                del self._games[message["game"]]
                return None

    def _line(self, game: str) -> str | None:
        if self._answers is not None:
            return self._answers.pop(0)
        row, column, orientation = self._rng.choice(sorted(self._games[game][1]))
        answer = {"type": "action", "location": [row, column], "orientation": orientation}
        return json.dumps(answer)


async def referee(
    urls: tuple[str, str], rows: int, columns: int, *, limit_s: float, tells_end: bool = True
) -> int:
    """Let the two agents at `urls` play, and return the winner; 0 is a draw.

    With `tells_end`, the end message has the fields of the last action; without it, they are left
    out, as by some servers.

    Raises:
        AssertionError: an illegal line, an unexpected answer, or a late one.
    """
    drawn: set[Line] = set()
    score = [0, 0]
    mover = 0
    async with connect(urls[0]) as first, connect(urls[1]) as second:
        agents = (first, second)
        name = f"{rows}x{columns}"
        for player, agent in enumerate(agents, 1):
            start = {"type": "start", "player": player, "timelimit": limit_s}
            await agent.send(json.dumps({**start, "grid": [rows, columns], "game": name}))
        while True:
            async with asyncio.timeout(limit_s):
                answer = json.loads(await agents[mover].recv())
            assert set(answer) == {"type", "location", "orientation"}, answer
            assert answer["type"] == "action"
            line = (*answer["location"], answer["orientation"])
            assert line in lines_of(rows, columns) - drawn, answer
            before = boxes_of(drawn, rows, columns)
            drawn.add(line)
            taken = boxes_of(drawn, rows, columns) - before
            score[mover] += taken
            player = mover + 1
            mover = mover if taken else 1 - mover
            is_over = sum(score) == rows * columns
            told = {**answer, "game": name, "player": player, "score": score}
            if is_over:
                break
            for agent in agents:
                await agent.send(json.dumps({**told, "nextplayer": mover + 1}))
        winner = 0 if score[0] == score[1] else 1 + (score[1] > score[0])
        end = {**told, "nextplayer": 0} if tells_end else {"game": name}
        for agent in agents:
            await agent.send(json.dumps({**end, "type": "end", "winner": winner}))
        return winner


async def _listen(port: int) -> None:
    async with CourseAgent().listening(port) as chosen:
        print(chosen, flush=True)
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(_listen(int(sys.argv[1])))
