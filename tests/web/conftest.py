"""The browser of all tests of the page, and the page as wheels have it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from scripts.minify_page import minified_page

from boxroom_server.web import assets

if TYPE_CHECKING:  # playwright may be missing; the tests are skipped then
    from collections.abc import AsyncIterator, Iterator

    from playwright.async_api import Browser


_page_of_wheels = cache(minified_page)


@pytest.fixture(scope="module", autouse=True)
def minified() -> Iterator[None]:
    """Servers in this process serve what wheels have, and not the sources of this checkout.

    Tests of other folders that run later in the same process get the sources.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "page_files", _page_of_wheels)
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
