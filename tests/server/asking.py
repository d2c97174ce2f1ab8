"""Plain HTTP requests, byte for byte, over a socket of the test's own."""

import asyncio
from typing import NamedTuple

from tests.server.talk import PATIENCE_S


class Answer(NamedTuple):
    """What came back; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: str


async def ask(port: int, path: str, method: str = "GET", *headers: str) -> Answer:
    """Ask the server on that port of this machine, and read until it hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", "")
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(PATIENCE_S):
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *named = head.split("\r\n")
    fields = (line.partition(": ") for line in named)
    return Answer(int(status.split()[1]), {name.lower(): text for name, _, text in fields}, body)
