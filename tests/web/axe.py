"""The accessibility checker axe, on what the page shows, in every theme."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from axe_playwright_python.async_playwright import Axe
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

COLOURS: Mapping[str, Any] = MappingProxyType({"runOnly": ["color-contrast"]})

RULES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {"light": {}} | dict.fromkeys(("paper", "dark", "contrast"), COLOURS)
)
"""Options by theme: all rules in one, and in the others those about colours."""

SHOW_THEME = """theme => {
  const { settings, language } = boxroom.state;
  boxroom.dispatch({ type: 'settings_saved', settings: { ...settings, theme }, language });
}"""
"""Shows a theme, as if it had been chosen, and keeps nothing."""


async def check_with_axe(page: Page) -> None:
    """Check that axe finds nothing wrong in what the page shows, in any theme."""
    chosen = await page.evaluate("boxroom.state.settings.theme")
    if not await page.evaluate("'axe' in window"):  # half a megabyte, which a page keeps
        await page.evaluate(AXE_SCRIPT)
    axe = Axe("'it is there'")
    for theme, rules in RULES.items():
        await page.evaluate(SHOW_THEME, theme)
        await page.locator(f":root[data-theme={theme}]").wait_for()
        found = await axe.run(page, options={"resultTypes": ["violations"], **rules})
        assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
    await page.evaluate(SHOW_THEME, chosen)
