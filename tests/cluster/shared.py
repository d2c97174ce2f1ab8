"""One etcd member for all tests of a process, each of which has a prefix of its own."""

import atexit
import itertools
import logging
import os
import shutil
import subprocess
import tempfile
import time
from functools import cache

from tests.cluster.etcd import LIMIT_S, need_etcd
from tests.faults.server_process import free_port

from boxroom_server.storage.etcd.address import EtcdAddress, parse_address

_numbers = itertools.count(1)


def _is_of_this_test(record: logging.LogRecord) -> bool:
    """Return False for what gRPC reports of an event loop of a test before.

    It has one queue for all event loops of a process. The end of a call that was cancelled may come
    when its loop is closed already, and is then reported to the loop that runs. A server has one.
    """
    error = record.exc_info[1] if record.exc_info else None
    is_closed = isinstance(error, RuntimeError) and str(error) == "Event loop is closed"
    return not (is_closed and "PollerCompletionQueue._handle_events" in record.getMessage())


logging.getLogger("asyncio").addFilter(_is_of_this_test)


def new_address() -> EtcdAddress:
    """Return the address of an etcd in which nothing is saved; skip where there is no etcd."""
    need_etcd()
    return parse_address(f"etcd://{_endpoint()}/test{os.getpid()}-{next(_numbers)}")


@cache
def _endpoint() -> str:
    """Start the member, which ends with this process, and return its address."""
    folder = tempfile.mkdtemp(prefix="boxroom-etcd-")
    endpoint, peer = f"127.0.0.1:{free_port()}", f"http://127.0.0.1:{free_port()}"
    member = subprocess.Popen(
        [
            "etcd",
            f"--data-dir={folder}/data",
            f"--listen-client-urls=http://{endpoint}",
            f"--advertise-client-urls=http://{endpoint}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def end() -> None:
        member.kill()
        member.wait()
        shutil.rmtree(folder)

    atexit.register(end)
    health = ["etcdctl", f"--endpoints={endpoint}", "endpoint", "health"]
    deadline_s = time.monotonic() + LIMIT_S
    environment = {**os.environ, "ETCDCTL_API": "3"}
    while subprocess.run(health, capture_output=True, check=False, env=environment).returncode:
        assert time.monotonic() < deadline_s, "etcd doesn't start"
    return endpoint
