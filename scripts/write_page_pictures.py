"""Write docs/page-phone.png and docs/page-wide.png: one room on a phone and on a wide screen.

It needs Chromium, and takes a few seconds: `python -m scripts.write_page_pictures`.
"""

import asyncio
from pathlib import Path

from tests.web.browser import DESKTOP, PHONE, Visitor, chromium, serving, visitor

DOCS = Path(__file__).resolve().parents[1] / "docs"

MOVES = "h7 v8 h22 v21 h12 v14 h17 v3 h27 v26 h3 v12 h10 v16 h20 v6 h1 h6 v1 v2 v20 h15 h19 v17"
"""Moves of the two players, each in answer to the one before; some take boxes."""


async def write_pictures() -> None:
    """Have Ada and Bob play, and take a picture of each of their screens."""
    async with (
        chromium() as browser,
        serving() as server,
        visitor(browser, server, viewport=DESKTOP, color_scheme="dark") as ada,
    ):
        await ada.come_in("Ada")
        await ada.press("New room")
        await ada.press("Create the room")
        await ada.wait_for("1 seat is empty")
        code = await ada.page.evaluate("boxroom.picture.room")
        async with visitor(browser, server, path=f"/#{code}", viewport=PHONE) as bob:
            await bob.come_in("Bob")
            await ada.wait_for("All seats are taken.")
            await ada.press("Start the game")
            await bob.wait_for("Ada is to move")
            for move in MOVES.split():
                await play(move, ada, bob)
            await say(ada, "That chain is mine!")
            await bob.wait_for("That chain is mine!")
            await bob.page.screenshot(path=DOCS / "page-phone.png")
            await ada.page.screenshot(path=DOCS / "page-wide.png")


async def play(move: str, *players: Visitor) -> None:
    """Have the player whose turn it is draw a line."""
    for player in players:
        if await player.page.evaluate("boxroom.isMyTurn"):
            await player.play(move)
            break
    for player in players:
        await player.page.locator(f'[data-name="{move}"].drawn').wait_for(state="attached")


async def say(player: Visitor, text: str) -> None:
    """Have a player write a line of chat."""
    field = player.page.get_by_placeholder("Say something, or type a move")
    await field.fill(text)
    await field.press("Enter")


if __name__ == "__main__":
    asyncio.run(write_pictures())
