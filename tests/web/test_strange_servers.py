"""The page and a server that sends what the real one never does."""

import json
from typing import Any

import pytest
from playwright.async_api import Browser, WebSocketRoute
from tests.web.browser import serving, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

NASTY = "<img src=x onerror=alert(1)>\u202e\x1b[2J" + "x" * 5_000

WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "server": NASTY,
    "name": "Ada",
    "games": [{"game": "dots", "title": NASTY, "bots": [NASTY], "options": []}],
}

ROOM: dict[str, Any] = {
    "room": "den",
    "log": "1",
    "seq": 5,
    "phase": "playing",
    "settings": {"options": {"rows": 2, "cols": 2}},
    "host": "Ada",
    "seats": [{"glyph": 0, "name": "Ada", "member": "Ada"}, {"glyph": 1, "name": NASTY}],
    "members": [{"name": "Ada"}, {"name": NASTY}],
    "game_number": 1,
    "players": ["Ada", NASTY],
    "to_move": 0,
    "scores": [0, 0],
    "chat": [{"seq": 1, "member": NASTY, "text": NASTY, "at_ms": 1}],
}

STRANGE_EVENTS: list[Any] = [
    {"type": "played", "seat": 1, "move": "h99", "taken": [99], "to_move": 7, "scores": [1, 1]},
    {"type": "played", "seat": 9, "move": NASTY, "taken": [], "to_move": 0, "scores": []},
    {"type": "played"},
    {"type": "sat", "seat": 40, "member": "Ada", "name": "Ada"},
    {"type": "said", "member": NASTY, "text": NASTY, "at_ms": 0, "to": "nobody"},
    {"type": "ended", "scores": [], "winners": [12]},
    {"type": "undone", "keeps": 400, "ply": 1, "to_move": 5, "scores": [], "member": "Ada"},
    {"type": "configured", "settings": {"game": "chess", "seats": 0}},
    {"type": "configured", "settings": None},
    {"type": "host_passed"},
    {"type": "something new", "x": 1},
    {},
    None,
    7,
]

STRANGE_MESSAGES: list[str] = [
    "{",
    "[]",
    "null",
    '"welcome"',
    '{"type":"something new"}',
    '{"type":"events","seq":"six","events":{}}',
    '{"type":"events","seq":900,"at_ms":0,"events":[]}',
    '{"type":"in_room"}',
    '{"type":"in_room","you":"Ada","room":{"seats":{}}}',
    '{"type":"rooms","id":1,"rooms":7}',
    '{"type":"notice","code":"stopping","message":7,"retry_ms":"soon"}',
    '{"type":"hint","seat":7,"move":[],"ply":1,"game":1,"bot":null}',
    '{"type":"thinking"}',
    '{"type":"rooms_changed"}',
    '{"type":"resumed"}',
]

TOLD = "the server sent what this page does not understand: "
"""Beginning of the line on the console before the page connects anew."""

IN_ROOM = {"type": "in_room", "you": "Ada", "audience": "player", "last_id": 0, "room": ROOM}


async def show(browser: Browser, *messages: str) -> None:
    """Send messages to a page in a room; it must stay alive, and show nothing as markup."""

    def answer(socket: WebSocketRoute, message: str | bytes) -> None:
        asked = json.loads(message)
        if asked["type"] == "hello":
            socket.send(json.dumps(WELCOME))
        elif asked["type"] == "join_room":
            socket.send(json.dumps(IN_ROOM))
            socket.send(json.dumps({"type": "done", "id": asked["id"], "seq": 5}))
            for each in messages:
                socket.send(each)

    async with serving() as server, visitor(browser, server, path="/#den") as ada:
        await ada.page.route_web_socket(
            lambda url: True,
            lambda socket: socket.on_message(lambda message: answer(socket, message)),
        )
        await ada.page.reload()
        await ada.come_in("Ada")
        await ada.page.locator(".room, .lobby").first.wait_for()
        await ada.page.get_by_role("button", name="Settings").click()
        await ada.page.get_by_role("dialog").wait_for()
        assert await ada.page.locator("img").count() == 0
        ada.complaints = [text for text in ada.complaints if not text.startswith(TOLD)]


@pytest.mark.parametrize("event", STRANGE_EVENTS, ids=lambda event: json.dumps(event)[:40])
async def test_a_strange_event(browser: Browser, event: Any) -> None:
    await show(browser, json.dumps({"type": "events", "seq": 6, "at_ms": 1, "events": [event]}))


@pytest.mark.parametrize("message", STRANGE_MESSAGES)
async def test_a_strange_message(browser: Browser, message: str) -> None:
    await show(browser, message)
