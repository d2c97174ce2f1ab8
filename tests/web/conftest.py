"""The browser of all tests of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

if TYPE_CHECKING:  # playwright may be missing; the tests are skipped then
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests; each opens contexts of its own.

    The tests run in its event loop, of the scope `session`.
    """
    from tests.web.browser import CHROMIUM, NO_BROWSER, chromium

    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    async with chromium() as running:
        yield running
