"""The browser of all tests of the page, and the page as wheels have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from scripts.minify_page import minified_page

from boxroom_server.web import assets

if TYPE_CHECKING:  # playwright may be missing; the tests are skipped then
    from collections.abc import AsyncIterator, Iterator

    from playwright.async_api import Browser


@pytest.fixture(scope="package", autouse=True)
def minified() -> Iterator[None]:
    """Servers in this process serve what wheels have, and not the sources of this checkout."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "page_files", minified_page)
        assets.page_assets.cache_clear()
        yield
    assets.page_assets.cache_clear()


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
