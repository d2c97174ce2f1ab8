"""The page on a home screen, as a real browser reads its manifest."""

import pytest
from playwright.async_api import Browser
from tests.web.browser import serving, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("path", ["/", f"/games/{'x' * 22}"])
async def test_the_browser_finds_an_app_that_it_can_install(browser: Browser, path: str) -> None:
    async with serving() as server, visitor(browser, server, path=path) as ada:
        session = await ada.context.new_cdp_session(ada.page)
        read = await session.send("Page.getAppManifest")
        assert read["errors"] == []
        assert read["url"].endswith("/home_screen/boxroom.webmanifest")
        manifest = read["manifest"]
        page = f"http://127.0.0.1:{server.port}/"
        assert {manifest[key] for key in ("id", "startUrl", "scope")} == {page}
        assert [icon["sizes"] for icon in manifest["icons"]] == ["192x192", "512x512", "512x512"]
        installed = await session.send("Page.getInstallabilityErrors")
        assert installed["installabilityErrors"] == []
