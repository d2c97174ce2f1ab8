"""HTTP endpoints for monitoring programs: health check, readiness check, metrics.

websockets parses the requests and limits their size; no endpoint is needed for playing.
"""

import http
from collections.abc import Callable, Collection

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from boxroom_engine.wire.origins import is_trusted_host
from boxroom_server.clock import Clock
from boxroom_server.net.handshake import text_response
from boxroom_server.ops.haproxy import STATE_HEADER, HaProxyView
from boxroom_server.ops.readiness import Readiness

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Content type of the Prometheus text format."""


class Endpoints:
    """Responses for `/healthz`, `/readyz` and, on the metrics address, `/metrics`.

    `metrics_text` returns the current metrics; requests for them name this server by an IP
    address, as localhost, or by one of `metrics_names`.
    """

    def __init__(
        self,
        readiness: Readiness,
        clock: Clock,
        metrics_text: Callable[[], bytes],
        *,
        metrics_names: Collection[str],
    ) -> None:
        self._readiness = readiness
        self._haproxy = HaProxyView(clock)
        self._metrics_text = metrics_text
        self._metrics_names = metrics_names

    def respond_on_metrics_address(self, request: Request) -> Response:
        """Return the response to a request to the metrics server."""
        path = _path_of(request)
        if path != "/metrics":
            return _for_method(request, self._response(path, request))
        hosts = request.headers.get_all("Host")
        if len(hosts) != 1 or not is_trusted_host(hosts[0], self._metrics_names):
            text = "Ask for metrics by an IP address, localhost, or a name in --metrics-names.\n"
            return _for_method(request, text_response(http.HTTPStatus.FORBIDDEN, text))
        return _for_method(request, self._metrics())

    def respond_on_game_address(self, request: Request) -> Response | None:
        """Return the response to a request to the game server; None for a WebSocket request."""
        path = _path_of(request)
        return None if path == "/" else _for_method(request, self._response(path, request))

    def _response(self, path: str, request: Request) -> Response:
        match path:
            case "/healthz":
                return text_response(http.HTTPStatus.OK, "ok\n")
            case "/readyz":
                return self._ready(request)
            case _:
                text = "There is nothing here. To play, use: boxroom join\n"
                return text_response(http.HTTPStatus.NOT_FOUND, text)

    def _ready(self, request: Request) -> Response:
        if self._readiness.is_ready:
            self._haproxy.forget()
            return text_response(http.HTTPStatus.OK, "ready\n")
        status = http.HTTPStatus.SERVICE_UNAVAILABLE
        state = ";".join(request.headers.get_all(STATE_HEADER))
        if self._readiness.is_leaving or (
            self._readiness.only_cannot_save and self._haproxy.keeps_sessions(state)
        ):
            status = http.HTTPStatus.NOT_FOUND
        text = "".join(f"Not ready: {reason}.\n" for reason in self._readiness.reasons)
        return text_response(status, text)

    def _metrics(self) -> Response:
        response = text_response(http.HTTPStatus.OK, self._metrics_text().decode())
        _replace(response.headers, "Content-Type", METRICS_TYPE)
        return response


def _path_of(request: Request) -> str:
    return request.path.partition("?")[0]


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
