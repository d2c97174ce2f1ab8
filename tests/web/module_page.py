"""A page with modules of ours and nothing else, in a real Chromium, without a server.

It has the content security policy of a page of ours, so that a style or markup that the policy
forbids shows as an error on the console.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, CDPSession, Page, Route
from tests.web.browser import PHONE

from boxroom_server.web.page_files import source_files

ROOT = Path(__file__).parents[2]

ADDRESS = "http://modules.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'"
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

INDEX = """<!doctype html><html lang="en"><head><title>Modules</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/start.js"></script></head><body><main></main></body></html>"""

READY = "document.documentElement.className = 'ready';\n"


@dataclass
class ModulePage:
    """The page, its touches, and what it said about errors."""

    page: Page
    touches: CDPSession
    errors: list[str] = field(default_factory=list)


@asynccontextmanager
async def module_page(browser: Browser, script: str) -> AsyncIterator[ModulePage]:
    """Open the page at a phone; `script` is a module that imports others, such as `/dom.js`."""
    sources = source_files()
    pages = sources | {"": INDEX.encode(), "start.js": (script + READY).encode()}

    async def answer(route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS).strip("/")
        if name not in pages:
            await route.fulfill(status=204)
            return
        await route.fulfill(
            body=pages[name],
            content_type=TYPES[Path(name).suffix or ".html"],
            headers={"content-security-policy": POLICY},
        )

    async with await browser.new_context(viewport=PHONE, has_touch=True) as context:
        page = await context.new_page()
        shown = ModulePage(page, await context.new_cdp_session(page))
        page.on("console", lambda message: shown.errors.append(message.text))
        page.on("pageerror", lambda error: shown.errors.append(str(error)))
        await page.route("**/*", answer)
        await page.goto(ADDRESS)
        await page.locator("html.ready").wait_for(state="attached")
        yield shown
