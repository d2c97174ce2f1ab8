"""Sentences about a room: what to send to friends."""

from tests.cases import each
from tests.client.fake_connection import FakeConnection, small

from boxroom_client.link.updates import EnteredRoom, EventApplied
from boxroom_client.servers.address import Address
from boxroom_client.shell.output.describe import invitation, open_rooms
from boxroom_client.shell.output.report import ReportLine, RoomReporter
from boxroom_client.text_width import text_width
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Room, Settings
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.messages import RoomListed

LAN = Address("192.168.1.5")


def a_room(**settings: bool) -> Room:
    connection = FakeConnection(small(**settings))
    return connection.room


def test_columns_of_the_open_rooms_stay_in_line() -> None:
    names = ("den", "漢字", "각각", "नमस्ते")
    listed = [RoomListed(name, Settings(), "waiting", "Ada", 1, 0, 1, 0) for name in names]
    ends = {text_width(line.partition("Dots")[0]) for line in open_rooms(listed)}
    assert len(ends) == 1


@each(
    "address, line",
    [
        (LAN, "  boxroom join 192.168.1.5 --room kiwa"),
        (Address("192.168.1.5", 9000), "  boxroom join 192.168.1.5:9000 --room kiwa"),
        (Address("2001:db8::1"), "  boxroom join [2001:db8::1] --room kiwa"),
        (Address.parse("wss://example.org"), "  boxroom join wss://example.org --room kiwa"),
        (Address.parse("ws://a.org/b"), "  boxroom join ws://a.org:8765/b --room kiwa"),
    ],
)
def test_friends_get_a_line_to_type(address: Address, line: str) -> None:
    room = a_room()
    heading, command = invitation(room, address)
    assert heading == "Friends join with this line:"
    assert command == line.replace("kiwa", room.code)
    assert Address.parse(command.split()[2]) == address


def test_friends_without_a_terminal_get_a_link() -> None:
    room = a_room()
    *_, heading, link = invitation(room, LAN, LAN.page)
    assert heading == "Or they open this link in a browser; /qr shows it to a phone:"
    assert link == f"  http://192.168.1.5:8765/#{room.code}"


def test_of_a_private_room_it_says_that_a_password_is_needed() -> None:
    *_, password = invitation(a_room(private=True), LAN)
    assert password == "It asks them for the password, which you have to tell them."


def test_an_address_for_this_machine_only_is_called_so() -> None:
    *_, warning = invitation(a_room(), Address("localhost"))
    assert warning.startswith("That works on this machine only")


def test_a_link_for_this_machine_only_is_not_for_phones() -> None:
    here = Address("localhost")
    *_, heading, _, warning = invitation(a_room(), here, here.page)
    assert heading == "Or they open this link in a browser:"
    assert warning.startswith("That works on this machine only")


def test_a_public_link_works_for_others_though_the_line_does_not() -> None:
    page = PageUrl.parse("https://play.example.org")
    *_, heading, _, warning = invitation(a_room(), Address("localhost"), page)
    assert "/qr shows it" in heading
    assert warning.startswith("The line works on this machine only")


def test_a_file_of_an_authority_has_to_be_sent_too() -> None:
    address = Address("example.org", 443, secure=True, ca_file="my ca.pem")
    _, command, note = invitation(a_room(), address)
    assert "wss://example.org --ca 'my ca.pem' --room" in command
    assert "need that file" in note


def test_a_game_at_one_computer_has_no_guests() -> None:
    (sentence,) = invitation(a_room(), None)
    assert "boxroom host" in sentence


def test_the_host_who_waits_is_told_at_once_and_others_arent() -> None:
    connection = FakeConnection(small(seats=3), others=["Bob"])
    room = connection.room
    assert room is not None

    def said_to(name: str, address: Address | None) -> str:
        reporter = RoomReporter(room, name, has_panes=False, guests_address=address)
        reports = reporter.report(EnteredRoom(room, name, Audience.PLAYER, back=False))
        return "\n".join(each.text for each in reports if isinstance(each, ReportLine))

    assert f"\n  boxroom join 192.168.1.5 --room {room.code}" in said_to("Ada", LAN)
    assert "boxroom join" not in said_to("Bob", LAN)
    assert "boxroom" not in said_to("Ada", None)


def test_the_link_of_a_game_is_told_at_its_end_where_others_can_open_it() -> None:
    connection = FakeConnection(small(), others=["Bob"])
    room = connection.room
    assert room is not None
    link = "dQw4w9WgXcQ-_dQw4w9WgA"

    def said_at_the_end(page: PageUrl | None, link: str) -> str:
        started = evolve(room, ev.Started(1, ("Ada", "Bob"), link=link), 0)
        ended = ev.Ended((0, 0), (0,))
        reporter = RoomReporter(started, "Ada", has_panes=False, guests_page=page)
        reporter.report(EnteredRoom(started, "Ada", Audience.PLAYER, back=False))
        happened = EventApplied(started.seq + 1, ended, started, evolve(started, ended, 0), 0)
        reports = reporter.report(happened)
        return "\n".join(each.text for each in reports if isinstance(each, ReportLine))

    page = PageUrl("192.168.1.5", 8765)
    assert f"http://192.168.1.5:8765/games/{link}" in said_at_the_end(page, link)
    assert "/games/" not in said_at_the_end(None, link)
    assert "/games/" not in said_at_the_end(page, "")
