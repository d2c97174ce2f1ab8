"""Running a screen with something going on beside it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from prompt_toolkit.application import Application

Work = Coroutine[Any, Any, None]


async def run(app: Application[Any], beside: Work | None = None) -> Any:
    """What `app` is left with, or None when nothing more can be typed.

    `beside` goes on as long. Should it fail, the screen is closed and the failure raised.
    """
    if beside is None:
        return await _run(app)
    task = asyncio.create_task(beside)
    task.add_done_callback(lambda ended: _close_after(app, ended))
    try:
        return await _run(app)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _run(app: Application[Any]) -> Any:
    try:
        return await app.run_async(set_exception_handler=False)
    except EOFError:
        return None


def _close_after(app: Application[Any], ended: asyncio.Task[None]) -> None:
    if ended.cancelled() or not app.is_running or app.is_done:
        return
    if (error := ended.exception()) is not None:
        app.exit(exception=error)
