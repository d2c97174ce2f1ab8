"""The browser of all tests of the page."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.web.browser import CHROMIUM, NO_BROWSER, chromium


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests; each opens contexts of its own.

    The tests run in its event loop, of the scope `session`.
    """
    if CHROMIUM is None:
        pytest.skip(NO_BROWSER)
    async with chromium() as running:
        yield running
