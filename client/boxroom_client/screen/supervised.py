"""Running a screen with something going on beside it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from prompt_toolkit.application import Application

Work = Coroutine[Any, Any, Any]


async def run(app: Application[Any], *beside: Work | None) -> Any:
    """What `app` is left with, or None when nothing more can be typed.

    What is `beside` goes on as long. Should it fail, the screen is closed and the failure
    raised; should it come to a result but None, the screen is closed with that.
    """
    works = [work for work in beside if work is not None]
    tasks: list[asyncio.Task[Any]] = []

    def begin() -> None:
        for work in works:
            task = asyncio.create_task(work)
            task.add_done_callback(lambda ended: _close_after(app, ended))
            tasks.append(task)

    try:
        # Before it runs, the screen can't be closed.
        return await app.run_async(begin, set_exception_handler=False)
    except EOFError:
        return None
    finally:
        for work in works[len(tasks) :]:
            work.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _close_after(app: Application[Any], ended: asyncio.Task[Any]) -> None:
    if ended.cancelled() or app.is_done:
        return
    if (error := ended.exception()) is not None:
        app.exit(exception=error)
    elif ended.result() is not None:
        app.exit(result=ended.result())
