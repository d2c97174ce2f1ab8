"""Background tasks: kept alive, logged when they fail, cancelled at the end."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

logger = logging.getLogger(__name__)


class Tasks:
    """A group of background tasks that outlives the calls that start them.

    Unlike `asyncio.TaskGroup`, a task that fails is logged and the others go on.
    """

    def __init__(self) -> None:
        # The event loop holds weak references only: without this set tasks could be collected.
        self._running: set[asyncio.Task[Any]] = set()

    def start(
        self, work: Coroutine[Any, Any, object], failed: Callable[[], None] | None = None
    ) -> None:
        """Run `work` in the background; call `failed` if it raises."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(lambda ended: self._ended(ended, failed))

    def _ended(self, task: asyncio.Task[Any], failed: Callable[[], None] | None) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a background task failed", exc_info=error)
            if failed is not None:
                failed()

    async def cancel(self) -> None:
        """Cancel all running tasks and wait until they have ended."""
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
