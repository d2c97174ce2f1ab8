"""`boxroom join` as users start it: a real server, real clients, all of them processes."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.e2e.piped import Piped, boxroom
from tests.e2e.serving import ServerProcess
from tests.e2e.terminal import CTRL_C, Terminal

from boxroom_client.profile.last_room import LastRoom
from boxroom_client.servers.address import Address

EDGES = [f"h{n}" for n in range(6)] + [f"v{n}" for n in range(6)]
"""Lines of a board of 2×2 boxes."""


@pytest.fixture(autouse=True)
def _own_identities(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))


@pytest.fixture
def address(server: ServerProcess) -> str:
    """Address of a running server."""
    return server.address


Start = Callable[..., Piped]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a client with these arguments."""
    with ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(Piped(*arguments))


def test_people_and_a_bot_play_and_play_again(address: str, start: Start) -> None:
    ada = start("join", address, "--name", "Ada")
    ada.wait_for("so this is a new one.")
    ada.type_lines("/set rows 2 cols 2 seats 3", "/bot greedy")
    ada.wait_for("greedy, a bot, sits down in seat 2.")
    bob = start("join", address, "--name", "Bob")
    bob.wait_for("Joining the room ")
    ada.wait_for("All seats are taken: /start starts the game.")
    dan = start("join", address, "--name", "Dan", "--watch")
    ada.wait_for("Dan comes in.")
    ada.type_lines("/start", "good luck")
    bob.wait_for("Ada: good luck")
    dan.type_lines("/spectators Bob is bad")
    dan.wait_for("Dan (to spectators): Bob is bad")
    for player in (ada, bob):
        player.type_lines(*EDGES)
    for player in (ada, bob):
        assert "Dan (to spectators)" not in player.wait_for("Type /rematch")
        player.wait_for("During the game the spectators said:")
        player.type_lines("/rematch")
    order = "Game 2 begins. In order of play: greedy, Bob and Ada."
    for member in (ada, bob, dan):
        member.wait_for(order)
    assert ada.close() == 0
    bob.wait_for("Ada leaves.")
    bob.type_lines("/quit")
    assert bob.close() == 0
    dan.interrupt()
    assert dan.close() == 130


def test_a_killed_client_comes_back_to_its_seat(address: str, start: Start) -> None:
    bob = start("join", address, "--name", "Bob")
    bob.type_lines("/set rows 2 cols 2")
    bob.wait_for("The host changes the settings")
    with Terminal("join", "--plain", address, "--name", "Ada") as ada:
        ada.wait_for("Joining the room ")
        bob.wait_for("All seats are taken")
        bob.type_lines("/start", "h0")
        ada.wait_for("Your turn, Ada.")
        os.kill(ada.pid, signal.SIGKILL)
        bob.wait_for("The connection of Ada is lost.")
    bob.type_lines("are you there?")
    with Terminal("join", "--plain", address, "--name", "Ada") as ada:
        ada.wait_for("Back to the room ")
        ada.wait_for("Your turn, Ada.")
        ada.wait_for("━━━")
        bob.wait_for("Ada is back.")
        ada.type("h1")
        bob.wait_for("Ada plays h1.")
        ada.press(CTRL_C)
        assert ada.wait_for_end() == 130
    bob.wait_for("Ada leaves.")
    assert bob.close() == 0


def test_where_the_last_room_is_gone_there_is_another(
    address: str, start: Start, tmp_path: Path
) -> None:
    LastRoom(Address.parse(address), "Ada", tmp_path).save("attic")
    ada = start("join", address, "--name", "Ada")
    ada.wait_for(
        "Back to the room attic, which you haven't left.\nThere is no room 'attic' here.\n"
    )
    ada.wait_for("so this is a new one.")
    assert ada.close() == 0
    assert LastRoom(Address.parse(address), "Ada", tmp_path).load() is None


def test_without_a_disk_one_plays_all_the_same(
    address: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(blocked))
    ada = start("join", address, "--name", "Ada")
    ada.wait_for("back to your seat.")
    ada.wait_for("You are the host.")
    assert ada.close() == 0


def test_in_a_terminal_one_chooses_among_rooms(address: str, start: Start) -> None:
    rooms = ("attic", "den")
    hosts = [
        start("join", address, "--create", "--room", room, "--name", f"Host of {room}")
        for room in rooms
    ]
    for host, room in zip(hosts, rooms, strict=True):
        host.wait_for(f"Room {room}:")
    with Terminal("join", "--plain", address, "--name", "Ada") as ada:
        ada.wait_for("Its number or name, or new>")
        assert "1  attic  Dots and Boxes (rows 5, cols 5, border none); waiting; 1 person" in (
            ada.text
        )
        ada.type("7")
        ada.wait_for("Type a number, 1 to 2, or the name of a room, or new.")
        ada.type("den")
        ada.wait_for("Room den: ")
        ada.type("/rooms")
        ada.wait_for("(you are here)")
        ada.type("/quit")
        ada.wait_for("y/N >")
        ada.type("y")
        assert ada.wait_for_end() == 0
    for host in hosts:
        assert host.close() == 0


def test_the_link_to_a_room_joins_it(
    address: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("attic", "Zoë 2"):
        host = start("join", address, "--create", "--room", room, "--name", f"Host of {room}")
        host.wait_for(f"Room {room}:")
    link = f"http://{address}/#Zo%C3%AB%202"
    ada = start("join", f"<{link}>", "--name", "Ada")
    ada.wait_for("Room Zoë 2:")
    monkeypatch.setenv("BOXROOM_SERVER", link)
    bob = start("join", "--name", "Bob")
    bob.wait_for("Room Zoë 2:")
    robot = start("robot", "greedy", "--name", "Carl")
    robot.wait_for("Carl is in the room Zoë 2.")
    failed = boxroom("join", "--room", "attic")
    assert failed.returncode == 2
    assert failed.stderr.startswith(
        "boxroom: BOXROOM_SERVER: the link leads to the room Zoë 2, and"
    )


def test_a_private_room_wants_its_password(address: str, start: Start) -> None:
    ada = start("join", address, "--create", "--room", "den", "--password", "sesame")
    ada.wait_for("Room den:")
    arguments = ("join", address, "--room", "den", "--name", "Bob")
    refused = boxroom(*arguments)
    assert refused.returncode == 1
    assert refused.stderr.endswith("--password PASSWORD gives it.\n")
    bob = start(*arguments, "--password", "sesame")
    bob.wait_for("Room den:")
    assert bob.close() == 0
    assert ada.close() == 0


def test_in_a_terminal_a_missing_password_is_asked_for(address: str, start: Start) -> None:
    ada = start("join", address, "--create", "--room", "den", "--password", "sesame")
    ada.wait_for("It asks them for the password")
    with Terminal("join", address, "--room", "den", "--name", "Bob") as bob:
        bob.wait_for("This room is private.")
        bob.press("guess\r")
        bob.wait_for("that isn't its password")
        bob.press("sesame")
        bob.wait_for("******")
        bob.press("\r")
        ada.wait_for("Bob comes in.")
    with Terminal("join", "--plain", address, "--room", "den", "--name", "Cy") as cy:
        cy.wait_for("Password (Enter: none)>")
        cy.type("sesame")
        ada.wait_for("Cy comes in.")
        assert "sesame" not in cy.text
    with Terminal("join", address, "--name", "Dan") as dan:
        dan.wait_for("a private room")
        dan.press("p")
        dan.wait_for("Private rooms aren't listed.")
        dan.press("dem\r")
        dan.wait_for("There is no room 'dem' here")
        dan.press("den\r")
        dan.wait_for("This room is private.")
        dan.press("\x1b")
        dan.wait_for("no open rooms")
        dan.press("p")
        dan.wait_for("Private rooms aren't listed.")
        dan.press("den\r")
        dan.wait_for("This room is private.")
        dan.press("sesame")
        dan.wait_for("******")
        dan.press("\r")
        dan.wait_for("Room den:")
        ada.wait_for("Dan comes in.")
    assert ada.close() == 0


def test_a_name_that_somebody_has_is_refused_or_avoided(
    address: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    ada = start("join", address)
    ada.wait_for("You are the host.")
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path / "another machine"))
    refused = boxroom("join", address, "--name", "Ada")
    assert refused.returncode == 1
    assert "--name NAME gives another." in refused.stderr
    other = start("join", address)
    other.wait_for("Joining the room ")
    ada.wait_for("ada 2 comes in.")
    assert other.close() == 0
    assert ada.close() == 0


def test_in_a_terminal_a_taken_name_leads_to_a_question(
    address: str,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LOGNAME", "pi")
    host = start("join", address)
    host.wait_for("You are the host.")
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path / "another machine"))
    with Terminal("join", address) as ada:
        ada.wait_for("pi is somebody else's name here")
        ada.wait_for("pi 2")
        ada.press("\x15Ada\r")  # Ctrl-U, and another name than the one that is proposed
        ada.wait_for("Enter joins one")
    with Terminal("join", "--plain", address, "--name", "pi") as bob:
        bob.wait_for("Another name (Enter: Ada)>")  # the name of the last time
        bob.type("pi/2")
        bob.wait_for("can't be a name")
        bob.type("PI")
        bob.wait_for("PI is somebody else's name here")
        bob.type("PI 2")
        host.wait_for("PI 2 comes in.")
    assert not list((tmp_path / "another machine").rglob("*-pi-????????????????.json"))


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["127.0.0.1:1"], 69, "nothing answers at 127.0.0.1:1"),
        (["ftp://kiwa"], 2, "http:// or https://"),
        (["127.0.0.1:1/#den", "--room", "attic"], 2, "the link leads to the room den, and --room"),
        (["127.0.0.1:1", "--name", "!"], 2, "can't be a name"),
    ],
)
def test_what_is_wrong_with_an_address_or_a_name(arguments: list[str], code: int, why: str) -> None:
    failed = boxroom("join", *arguments)
    assert failed.returncode == code
    assert why in failed.stderr


def test_a_room_that_isnt_there_is_a_failure(address: str) -> None:
    failed = boxroom("join", address, "--room", "attic")
    assert failed.returncode == 1
    assert failed.stderr.endswith("--create makes it.\n")
    failed = boxroom("join", address, "--watch")
    assert (failed.returncode, failed.stderr) == (1, "boxroom: there is no open room to watch\n")
