"""Administration of a running server, over a Unix socket that only its own user can open.

`messages` defines requests and answers, `commands` executes them, `service` is the socket; a
message is one line with one JSON object, and each line is answered with one line, in order. The
other end, `boxroom admin`, is `boxroom_server.cli.admin`; rules of rooms and games live elsewhere.
Only the server, its commands and tests import this package.
"""
