"""`python -m boxroom_server.ops.health_check`: the health check of a container.

It asks the server on this machine for `/healthz`, with TLS or without, whichever the server speaks.
It doesn't verify the certificate, which is for the name under which people come.
"""

import ssl
import sys
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection

from boxroom_engine.wire.ports import DEFAULT_PORT

ANSWER_S = 2.0
"""How long each of the two may take."""


def is_healthy(port: int = DEFAULT_PORT) -> bool:
    """Return whether a server answers at `port` of this machine."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return any(
        _answers(connection)
        for connection in (
            HTTPConnection("127.0.0.1", port, timeout=ANSWER_S),
            HTTPSConnection("127.0.0.1", port, timeout=ANSWER_S, context=context),
        )
    )


def _answers(connection: HTTPConnection) -> bool:
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if is_healthy() else 1)
