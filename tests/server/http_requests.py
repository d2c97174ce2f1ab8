"""Plain HTTP requests over a bare socket."""

import asyncio
from typing import NamedTuple

from tests.server.talk import LIMIT_S, Lobby


class HttpResponse(NamedTuple):
    """An HTTP response; the names of `headers` are in lower case."""

    status: int
    headers: dict[str, str]
    body: str


class RawResponse(NamedTuple):
    """The same with its body as it was sent."""

    status: int
    headers: dict[str, str]
    body: bytes


def metrics_port(place: Lobby) -> int:
    """Return the port of the metrics server."""
    address = place.server.metrics_address
    assert address is not None
    return address[1]


async def http_request(
    port: int, path: str, method: str = "GET", *headers: str, host: str = "localhost"
) -> HttpResponse:
    """Send a request to that port of this machine, and read until the server closes."""
    response = await raw_request(port, path, method, *headers, host=host)
    return HttpResponse(response.status, response.headers, response.body.decode())


async def raw_request(
    port: int, path: str, method: str = "GET", *headers: str, host: str = "localhost"
) -> RawResponse:
    """Do the same for a body that may be compressed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = (f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "Connection: close", "", "")
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(LIMIT_S):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *header_lines = head.decode().split("\r\n")
    fields = (line.partition(": ") for line in header_lines)
    headers_by_name = {name.lower(): text for name, _, text in fields}
    return RawResponse(int(status.split()[1]), headers_by_name, body)
