"""HTTP endpoints for monitoring programs: health check, readiness check, metrics.

websockets parses the requests and limits their size; no endpoint is needed for playing.
"""

import http
from collections.abc import Callable
from ipaddress import ip_address

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from boxroom_server.net.handshake import text_response
from boxroom_server.ops.readiness import Readiness

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Content type of the Prometheus text format."""

_PATHS = frozenset({"/healthz", "/readyz", "/metrics"})

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers by which a proxy shows that it forwards another client's request."""


class Endpoints:
    """Responses for `/healthz`, `/readyz` and `/metrics`.

    `metrics_text` returns the current metrics. With `has_metrics_server` they are served on an
    address of their own only.
    """

    def __init__(
        self, readiness: Readiness, metrics_text: Callable[[], bytes], *, has_metrics_server: bool
    ) -> None:
        self._readiness = readiness
        self._metrics_text = metrics_text
        self._has_metrics_server = has_metrics_server

    def respond_on_metrics_address(self, request: Request) -> Response:
        """Return the response to a request to the metrics server, which shows metrics to all."""
        return _for_method(request, self._response(_path_of(request), shows_metrics=True))

    def respond_on_game_address(self, address: str, request: Request) -> Response | None:
        """Return the response to a request to the game server; None for a WebSocket request.

        `address` is the IP address that the connection comes from.
        """
        path = _path_of(request)
        if path == "/" or (path not in _PATHS and "Upgrade" in request.headers):
            return None
        shows_metrics = not self._has_metrics_server and is_local(address, request.headers)
        return _for_method(request, self._response(path, shows_metrics=shows_metrics))

    def _response(self, path: str, *, shows_metrics: bool) -> Response:
        match path:
            case "/healthz":
                return text_response(http.HTTPStatus.OK, "ok\n")
            case "/readyz":
                return self._ready()
            case "/metrics" if shows_metrics:
                return self._metrics()
            case "/metrics":
                text = "Metrics are shown to this machine only, or on an address of their own.\n"
                return text_response(http.HTTPStatus.FORBIDDEN, text)
            case _:
                text = "There is nothing here. To play, use: boxroom join\n"
                return text_response(http.HTTPStatus.NOT_FOUND, text)

    def _ready(self) -> Response:
        if self._readiness.is_ready:
            return text_response(http.HTTPStatus.OK, "ready\n")
        text = "".join(f"Not ready: {reason}.\n" for reason in self._readiness.reasons)
        return text_response(http.HTTPStatus.SERVICE_UNAVAILABLE, text)

    def _metrics(self) -> Response:
        response = text_response(http.HTTPStatus.OK, self._metrics_text().decode())
        _replace(response.headers, "Content-Type", METRICS_TYPE)
        return response


def _path_of(request: Request) -> str:
    return request.path.partition("?")[0]


def is_local(address: str, headers: Headers) -> bool:
    """Return whether a program on this machine has sent the request, and not for another client."""
    is_loopback = bool(address) and ip_address(address).is_loopback
    return is_loopback and not any(name in headers for name in _FORWARDED)


def _for_method(request: Request, response: Response) -> Response:
    """Return `response`, without body for HEAD (RFC 9110, section 9.3.2); 405 for other methods."""
    if request.method not in ("GET", "HEAD"):
        response = text_response(http.HTTPStatus.METHOD_NOT_ALLOWED, "Ask with GET or HEAD.\n")
        response.headers["Allow"] = "GET, HEAD"
    _replace(response.headers, "Cache-Control", "no-store")
    if request.method == "HEAD":
        response.body = b""
    return response


def _replace(headers: Headers, name: str, value: str) -> None:
    """Set the only header `name`: assigning would add another one."""
    headers.pop(name, None)
    headers[name] = value
