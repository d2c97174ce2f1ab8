"""Plain HTTP requests over a bare socket."""

import asyncio
from typing import NamedTuple

from tests.server.talk import LIMIT_S


class Answer(NamedTuple):
    """An HTTP response; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: str


async def ask(port: int, path: str, method: str = "GET", *headers: str) -> Answer:
    """Send a request to that port of this machine, and read until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", "")
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(LIMIT_S):
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *named = head.split("\r\n")
    fields = (line.partition(": ") for line in named)
    return Answer(int(status.split()[1]), {name.lower(): text for name, _, text in fields}, body)
