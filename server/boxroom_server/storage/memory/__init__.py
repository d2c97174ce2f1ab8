"""Storage in memory, for `boxroom serve --memory` and tests: all of it ends with the process.

It implements the protocols of `boxroom_server.storage`, and has no rules and no files. The
server, its commands and tests may import it.
"""
