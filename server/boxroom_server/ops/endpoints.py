"""What a server answers to plain HTTP: whether it is well, and what it has counted.

These are for programs that watch it, so none of it is needed for playing. The connections are
those of websockets, which reads the request and limits what it may be.
"""

import http
from collections.abc import Callable
from ipaddress import ip_address

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from boxroom_server.ops.readiness import Readiness

EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The text format that Prometheus and all who do as it does can read."""

_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers by which a proxy says that somebody else asks."""


class Endpoints:
    """Answers for `/healthz`, `/readyz` and `/metrics`.

    `exposition` gives the metrics as they are now. `metrics_apart` says whether they have an
    address of their own, and are nowhere else.
    """

    def __init__(
        self, readiness: Readiness, exposition: Callable[[], bytes], *, metrics_apart: bool
    ) -> None:
        self._readiness = readiness
        self._exposition = exposition
        self._metrics_apart = metrics_apart

    def answer_apart(self, connection: ServerConnection, request: Request) -> Response:
        """The answer on the address for those who watch, who may see everything."""
        response = self._response(connection, _path_of(request), shows_metrics=True)
        return _as_asked(connection, request, response)

    def answer_among_players(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        """The answer on the address where people play; None for who comes to play."""
        path = _path_of(request)
        if path == "/" or (path not in _PATHS and "Upgrade" in request.headers):
            return None
        address = connection.remote_address[0]
        shows_metrics = not self._metrics_apart and is_from_here(address, request.headers)
        response = self._response(connection, path, shows_metrics=shows_metrics)
        return _as_asked(connection, request, response)

    def _response(
        self, connection: ServerConnection, path: str, *, shows_metrics: bool
    ) -> Response:
        match path:
            case "/healthz":
                return connection.respond(http.HTTPStatus.OK, "ok\n")
            case "/readyz":
                return self._ready(connection)
            case "/metrics" if shows_metrics:
                return self._metrics(connection)
            case "/metrics":
                text = "Metrics are shown to this machine only, or on an address of their own.\n"
                return connection.respond(http.HTTPStatus.FORBIDDEN, text)
            case _:
                text = "There is nothing here. To play, use: boxroom join\n"
                return connection.respond(http.HTTPStatus.NOT_FOUND, text)

    def _ready(self, connection: ServerConnection) -> Response:
        if self._readiness.is_ready:
            return connection.respond(http.HTTPStatus.OK, "ready\n")
        text = "".join(f"Not ready: {reason}.\n" for reason in self._readiness.reasons)
        return connection.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, text)

    def _metrics(self, connection: ServerConnection) -> Response:
        response = connection.respond(http.HTTPStatus.OK, self._exposition().decode())
        _replace(response.headers, "Content-Type", EXPOSITION_TYPE)
        return response


def _path_of(request: Request) -> str:
    return request.path.partition("?")[0]


def is_from_here(address: str, headers: Headers) -> bool:
    """Whether a program on this machine asks from `address`, and not a proxy that runs on it."""
    return ip_address(address).is_loopback and not any(name in headers for name in _FORWARDED)


def _as_asked(connection: ServerConnection, request: Request, response: Response) -> Response:
    """`response` without its body for HEAD (RFC 9110, section 9.3.2); 405 but for GET and HEAD."""
    if request.method not in ("GET", "HEAD"):
        response = connection.respond(http.HTTPStatus.METHOD_NOT_ALLOWED, "Ask with GET or HEAD.\n")
        response.headers["Allow"] = "GET, HEAD"
    _replace(response.headers, "Cache-Control", "no-store")
    if request.method == "HEAD":
        response.body = b""
    return response


def _replace(headers: Headers, name: str, value: str) -> None:
    """Give `headers` one `name`: to set it would add another one."""
    headers.pop(name, None)
    headers[name] = value
