"""A real kernel, as a notebook runs its cells in."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from tests.e2e.terminal import LIMIT_S


class Kernel:
    """A running kernel; leaving the context ends it."""

    def __init__(self) -> None:
        self._manager = KernelManager(kernel_name="python3")
        self._manager.start_kernel()
        client = self._manager.client()
        assert isinstance(client, BlockingKernelClient)
        self._client = client
        self._client.start_channels()
        self._client.wait_for_ready(timeout=LIMIT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def start(self, code: str) -> "Cell":
        """Begin to run a cell."""
        return Cell(self._client, self._client.execute(code))

    def run(self, code: str) -> "Cell":
        """Run a cell to its end."""
        cell = self.start(code)
        cell.wait_for(lambda: cell.is_done)
        return cell

    def interrupt(self) -> None:
        """Do what a notebook's stop button does."""
        self._manager.interrupt_kernel()


class Cell:
    """A cell that runs or has run, with what stands below it."""

    def __init__(self, client: BlockingKernelClient, request: str) -> None:
        self._client = client
        self._request = request
        self.printed = ""
        """The text that it has printed."""
        self.shown: list[dict[str, str]] = []
        """The displays below it, by their MIME types; an updated one is there again."""
        self.result: dict[str, str] = {}
        """The value of its last expression, by MIME types."""
        self.error = ""
        """The name and the text of the exception that ended it."""
        self.is_done = False

    def wait_for(self, is_so: Callable[[], bool]) -> None:
        """Read its messages until a condition is met."""
        until_s = time.monotonic() + LIMIT_S
        while not is_so():
            assert time.monotonic() < until_s, self.printed
            self._take(self._client.get_iopub_msg(timeout=LIMIT_S))

    def _take(self, message: dict[str, Any]) -> None:
        if message["parent_header"].get("msg_id") != self._request:
            return
        content = message["content"]
        match message["msg_type"]:
            case "stream":
                self.printed += content["text"]
            case "display_data" | "update_display_data":
                self.shown.append(content["data"])
            case "execute_result":
                self.result = content["data"]
            case "error":
                self.error = f"{content['ename']}: {content['evalue']}"
            case "status" if content["execution_state"] == "idle":
                self.is_done = True
            case _:
                pass
