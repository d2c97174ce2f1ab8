"""HTTP responses with the files of the page: caching, compression and security headers."""

import http
import re
from email.utils import formatdate

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from boxroom_server.net.handshake import KEEP_ALIVE
from boxroom_server.web.assets import GAMES, Asset, Assets

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        # Covers the WebSocket of the same host, too (CSP 3), in all browsers since 2022.
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Rights of the page: its own files and its own server, no inline script or style, no frame."""

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb")
)

_OF_GAME = re.compile(rf"^{GAMES}[0-9A-Za-z_-]{{22}}$")
_IMMUTABLE = "public, max-age=31536000, immutable"
_NO_WEIGHT = re.compile(r"\s*q=0(\.0*)?\s*")  # of a coding that is refused
_REVALIDATED = "no-cache"  # may be kept, but not shown without asking


class PageResponses:
    """Responses to requests for the files in `assets`.

    `is_secure` says that browsers come by HTTPS: elsewhere they ignore one of the headers, and
    complain about it.
    """

    def __init__(self, assets: Assets, *, is_secure: bool) -> None:
        self._assets = assets
        self._is_secure = is_secure

    def respond(self, request: Request) -> Response | None:
        """Return the response to a request for a file; None to any other request.

        Others are requests for a WebSocket, which are for the same path as the page; those that a
        proxy has robbed of their `Upgrade` count as such, so that they don't get a page.
        """
        if request.method not in ("GET", "HEAD") or _is_for_websocket(request):
            return None
        path = _OF_GAME.sub(GAMES, request.path.partition("?")[0])
        asset = self._assets.by_path.get(path)
        if asset is None:
            return None
        if _has(request, asset):
            return self._response(http.HTTPStatus.NOT_MODIFIED, self._headers(path, asset))
        response = self._with_body(request, self._headers(path, asset), asset)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _with_body(self, request: Request, headers: Headers, asset: Asset) -> Response:
        body = asset.body
        if asset.gzipped is not None and accepts_gzip(request.headers.get_all("Accept-Encoding")):
            body = asset.gzipped
            headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(body))
        headers["Content-Type"] = asset.content_type
        return self._response(http.HTTPStatus.OK, headers, body)

    def _headers(self, path: str, asset: Asset) -> Headers:
        headers = Headers(
            {
                "Date": formatdate(usegmt=True),
                "Connection": KEEP_ALIVE,
                "Cache-Control": _IMMUTABLE if path.startswith("/assets/") else _REVALIDATED,
                "ETag": asset.etag,
                "Vary": "Accept-Encoding",
                "X-Content-Type-Options": "nosniff",
                "Cross-Origin-Resource-Policy": "same-origin",
            }
        )
        if asset.is_document:
            headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
            headers["Referrer-Policy"] = "no-referrer"
            headers["Permissions-Policy"] = PERMISSIONS_POLICY
            if self._is_secure:
                headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return headers

    @staticmethod
    def _response(status: http.HTTPStatus, headers: Headers, body: bytes = b"") -> Response:
        return Response(status.value, status.phrase, headers, body)


def accepts_gzip(sent: list[str]) -> bool:
    """Return whether a client with these `Accept-Encoding` headers can read gzip.

    `*` stands for all that they don't name (RFC 9110, section 12.5.3).
    """
    codings = (each.partition(";") for each in ",".join(sent).lower().split(","))
    is_accepted = {name.strip(): not _NO_WEIGHT.fullmatch(weight) for name, _, weight in codings}
    names = ("gzip", "x-gzip", "*")
    return next((is_accepted[name] for name in names if name in is_accepted), False)


def _has(request: Request, asset: Asset) -> bool:
    """Return whether the client has `asset` in this version (RFC 9110, section 13.1.2)."""
    sent = ",".join(request.headers.get_all("If-None-Match"))
    tags = {tag.strip().removeprefix("W/") for tag in sent.split(",")}
    return not tags.isdisjoint({asset.etag.removeprefix("W/"), "*"})


def _is_for_websocket(request: Request) -> bool:
    return "Upgrade" in request.headers or "Sec-WebSocket-Key" in request.headers
