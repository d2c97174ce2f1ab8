"""The page and a server that sends what the real one never does."""

import asyncio
import json
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import Browser, WebSocketRoute, expect
from tests.web.browser import Visitor, serving, visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

NASTY = "<img src=x onerror=alert(1)>\u202e\u200b\x1b[2J" + "x" * 10_000
"""Markup, the other direction, a blank without width, and an escape code; and it is long."""

WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "server": NASTY,
    "name": "Ada",
    "games": [
        {
            "game": "dots",
            "title": NASTY,
            "bots": [NASTY],
            "options": [{"name": NASTY, "help": NASTY, "default": "", "choices": [NASTY]}],
        }
    ],
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
    "chat": [
        {"seq": 1, "member": NASTY, "text": NASTY, "at_ms": 1},
        {"seq": 2, "member": NASTY, "text": "good luck", "at_ms": 2},
    ],
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

LISTED = {"room": NASTY, "phase": "waiting", "settings": {}, "people": 1, "empty_seats": 1}
"""A room in the list of open rooms."""


class StrangeServer:
    """A server that is right up to the room, and then sends `messages`.

    It welcomes with `greeting`, lists `rooms`, and refuses everything else.
    """

    def __init__(
        self,
        *messages: str,
        greeting: dict[str, Any] = WELCOME,
        rooms: Sequence[dict[str, Any]] = (),
        room: dict[str, Any] = ROOM,
    ) -> None:
        self._messages = messages
        self._greeting = greeting
        self._rooms = rooms
        self._room = room
        self.has_answered = asyncio.Event()
        """Set as soon as a page has been sent what was wanted."""

    def accept(self, socket: WebSocketRoute) -> None:
        """Answer a page over a new connection, and the messages in its handshake."""
        socket.on_message(lambda message: self._answer(socket, json.loads(message)))
        for offered in socket.protocols:
            _, _, early = offered.partition(".")
            if early:
                self._answer(socket, json.loads(urlsafe_b64decode(early + "==")))

    def _answer(self, socket: WebSocketRoute, asked: dict[str, Any]) -> None:
        def send(kind: str, **fields: Any) -> None:
            socket.send(json.dumps({"type": kind, "id": asked.get("id"), **fields}))

        match asked["type"]:
            case "hello":
                socket.send(json.dumps(self._greeting))
            case "list_rooms":
                send("rooms", rooms=self._rooms)
            case "join_room" if asked["room"] == ROOM["room"]:
                send("in_room", you="Ada", audience="player", last_id=0, room=self._room)
                send("done", seq=self._room["seq"])
                for each in self._messages:
                    socket.send(each)
                self.has_answered.set()
            case _:
                send("refused", code="wrong_password", message=NASTY)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Visitor]:
    """One page for all tests: each has it loaded anew, by `visit`, and it remembers nothing."""
    async with serving() as server, visitor(browser, server) as guest:
        await guest.page.add_init_script("if (origin !== 'null') localStorage.clear()")
        yield guest
        forgive(guest)  # what came after the last look, as a page connects again and again


def forgive(page: Visitor) -> None:
    """Forget the page's own complaints about strange messages."""
    page.complaints = [text for text in page.complaints if not text.startswith(TOLD)]


async def visit(page: Visitor, server: StrangeServer, room: str = "") -> None:
    """Come as Ada to a strange server, by the link to a room or to none."""
    origin = await page.page.evaluate("location.origin")
    await page.page.goto("about:blank")
    await page.page.route_web_socket(lambda url: True, server.accept)
    await page.page.goto(f"{origin}/#{quote(room)}")
    await page.come_in("Ada")


async def check_shown(page: Visitor) -> None:
    """Check that nothing became markup, and that every button can be reached."""
    assert await page.page.locator("img").count() == 0
    hidden = await page.page.evaluate(
        """() => [...document.querySelectorAll('button')]
          .filter((button) => button.checkVisibility())
          .map((button) => [button.textContent.slice(0, 20), button.getBoundingClientRect()])
          .filter(([, box]) => box.width < 1 || box.left < 0 || box.right > innerWidth)
          .map(([text]) => text)"""
    )
    assert hidden == []
    assert await page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def open_settings(page: Visitor) -> None:
    """Open a sheet, which only a page that is alive can do."""
    await page.page.locator(".room, .lobby").first.wait_for()
    await page.press("Settings")
    await page.page.get_by_role("dialog").wait_for()


@pytest.mark.parametrize(
    "message",
    [
        *STRANGE_MESSAGES,
        *(json.dumps({"type": "events", "seq": 6, "events": [event]}) for event in STRANGE_EVENTS),
    ],
    ids=lambda message: message[-40:],
)
async def test_a_strange_message(page: Visitor, message: str) -> None:
    server = StrangeServer(message)
    await visit(page, server, "den")
    await server.has_answered.wait()
    await open_settings(page)
    await check_shown(page)
    forgive(page)
    assert page.complaints == []


async def test_a_nasty_refusal_of_the_greeting(page: Visitor) -> None:
    refused = {"type": "refused", "code": "bad_name", "message": NASTY}
    await visit(page, StrangeServer(greeting=refused))
    await expect(page.page.locator(".problem")).to_have_text(NASTY)
    await check_shown(page)


async def test_nasty_texts_in_the_lobby(page: Visitor) -> None:
    await visit(page, StrangeServer(rooms=[LISTED]))
    await expect(page.page.locator(".rooms strong")).to_have_text(NASTY)
    await check_shown(page)
    await page.page.locator(".rooms").get_by_role("button", name="Join").click()
    await expect(page.page.locator("form.card label")).to_contain_text("<img")
    await check_shown(page)
    await page.press("Cancel")
    await page.press("New room")
    await expect(page.page.locator(".room-form .help")).to_have_text(NASTY)
    await check_shown(page)


@pytest.mark.parametrize("phase", ["waiting", "playing", "over"])
async def test_nasty_texts_in_a_room(page: Visitor, phase: str) -> None:
    notice = {"type": "notice", "code": "other", "message": NASTY}
    room = {**ROOM, "room": NASTY, "phase": phase, "to_move": 1, "winners": [1]}
    await visit(page, StrangeServer(json.dumps(notice), room=room), "den")
    await expect(page.page.locator(".journal .chat").first).to_contain_text(NASTY)
    first_letter, last_letter = await page.page.locator(".journal .chat").last.evaluate(
        """(line) => [0, 8].map((at) => {
          const range = new Range();
          range.setStart(line.lastChild, at);
          range.setEnd(line.lastChild, at + 1);
          return range.getBoundingClientRect().x;
        })"""
    )
    assert first_letter < last_letter
    await expect(page.page.locator(".toasts p")).to_have_text(NASTY)
    # Who waits sees the invitation in the room.
    for sheet in ("Players", "Settings", *(["Invite"] if phase != "waiting" else [])):
        await check_shown(page)
        await page.press(sheet)
        await check_shown(page)
        await page.press("Close")
