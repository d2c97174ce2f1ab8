"""A server that runs as users start it is found on the network, until it stops."""

import asyncio
import re
import signal
import subprocess

from tests.e2e.terminal import LIMIT_S, PROGRAM
from tests.loopback import LOOPBACK, needs_multicast

from boxroom_client.servers.discovery import Discovery
from boxroom_engine.wire.messages import PROTOCOL

SERVE = ("serve", "--memory", "--host", "127.0.0.1", "--port", "0", "--announce-on", *LOOPBACK)


@needs_multicast
async def test_a_server_is_found_while_it_runs() -> None:
    server = await asyncio.create_subprocess_exec(*PROGRAM, *SERVE, stdout=subprocess.PIPE)
    try:
        async with asyncio.timeout(LIMIT_S), Discovery(LOOPBACK) as discovery:
            assert server.stdout is not None
            found = re.search(rb"port (\d+)", await server.stdout.readline())
            assert found is not None
            port = int(found[1])

            def here() -> dict[int, int]:
                return {one.address.port: one.protocol for one in discovery.servers}

            while port not in here():
                await discovery.changed()
            assert here()[port] == PROTOCOL
            server.send_signal(signal.SIGTERM)
            while port in here():
                await discovery.changed()
            out, _ = await server.communicate()
    finally:
        if server.returncode is None:
            server.kill()
            await server.wait()
    assert server.returncode == 0
    assert re.search(rb"^Announced on the local network as Boxroom on ", out, re.MULTILINE)
