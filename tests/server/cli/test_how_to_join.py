"""Lines for people who start a server: commands, links, QR codes."""

import re

import pytest

from boxroom_common.qr_codes import qr_lines
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_server.cli import how_to_join as module
from boxroom_server.cli.how_to_join import how_to_join, links_for_phones, page_links, qr_codes
from boxroom_server.net.origins import AllowedPages
from boxroom_server.options import Options

ON_THE_LAN = ["192.168.1.3", "2001:db8::2"]
WITH_TLS = {"tls_cert": "a.pem", "tls_key": "a.key"}
A, B = PageUrl("192.168.1.3", 8765), PageUrl("192.168.100.103", 8765)


@pytest.fixture(autouse=True)
def on_the_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give this machine two addresses."""
    monkeypatch.setattr(module, "lan_addresses", lambda: ON_THE_LAN)


def plain(line: str) -> str:
    """Return `line` without escape sequences."""
    return re.sub("\x1b[^m]*m", "", line)


@pytest.mark.parametrize("host", ["", "0.0.0.0", "::"])
def test_all_addresses_have_a_command_and_a_link(host: str) -> None:
    assert list(how_to_join(DEFAULT_PORT, Options(host=host))) == [
        "Boxroom listens on port 8765. Others join with:",
        "  boxroom join 192.168.1.3",
        "  boxroom join [2001:db8::2]",
        "  boxroom join localhost",
        "In a browser, with nothing to install, they open:",
        "  http://192.168.1.3:8765/",
        "  http://[2001:db8::2]:8765/",
        "  http://localhost:8765/",
        "Ctrl-C stops the server.",
    ]


@pytest.mark.parametrize(("host", "shown"), [("::1", "[::1]"), ("10.0.0.1", "10.0.0.1")])
def test_one_address_has_one_of_each(host: str, shown: str) -> None:
    lines = list(how_to_join(4000, Options(host=host)))
    assert lines[1] == f"  boxroom join {shown}:4000"
    assert lines[3] == f"  http://{shown}:4000/"


def test_the_link_by_a_name_leads_to_a_page_that_may_connect() -> None:
    options = Options(host="Games.lan")
    (link,) = page_links(DEFAULT_PORT, options)
    assert str(link) == "http://games.lan:8765/"
    assert AllowedPages.of(options).allow([link.origin], ["games.lan:8765"])


@pytest.mark.parametrize(("port", "written"), [(443, ""), (DEFAULT_PORT, ":8765")])
def test_with_tls_only_the_operator_knows_the_link(port: int, written: str) -> None:
    lines = list(how_to_join(port, Options(tls_cert="a.pem", tls_key="a.key"), qr_columns=80))
    assert lines[1:-1] == [
        f"  boxroom join wss://192.168.1.3{written}",
        f"  boxroom join wss://[2001:db8::2]{written}",
        f"  boxroom join wss://localhost{written}",
        "or by another name in the certificate.",
        "In a browser: https:// and a name in the certificate; --public-url shows it here.",
    ]


def test_without_the_page_there_are_no_links() -> None:
    lines = list(how_to_join(DEFAULT_PORT, Options(no_web=True), qr_columns=80))
    assert lines[-2:] == ["  boxroom join localhost", "Ctrl-C stops the server."]
    assert len(lines) == 5


def test_the_public_url_replaces_the_links_of_addresses() -> None:
    options = Options(public_url="https://play.example.org")
    assert page_links(DEFAULT_PORT, options) == [PageUrl("play.example.org", 443, secure=True)]
    lines = list(how_to_join(DEFAULT_PORT, options, qr_columns=80))
    assert "  https://play.example.org/" in lines
    codes = [plain(line) for line in lines]
    assert [line for line in codes if "█" in line] == [
        line for line in qr_lines("https://play.example.org/") if "█" in line
    ]


def test_codes_are_for_addresses_that_phones_reach() -> None:
    local = [PageUrl("localhost", 80), PageUrl("127.0.0.1", 80), PageUrl("::1", 80)]
    by_ipv6 = PageUrl("2001:db8::2", 80)
    assert links_for_phones([A, by_ipv6, *local]) == [A]
    assert links_for_phones([by_ipv6, *local]) == [by_ipv6]
    assert links_for_phones(local) == []


def test_codes_are_side_by_side_with_their_links_above() -> None:
    first, *lines = [plain(line) for line in qr_codes([A, B], 80)]
    assert first.split() == [str(A), str(B)]
    of_a, of_b = qr_lines(str(A)), qr_lines(str(B))
    assert lines == [f"{left}  {right}" for left, right in zip(of_a, of_b, strict=True)]


def test_codes_are_below_one_another_where_there_is_little_room() -> None:
    lines = [plain(line) for line in qr_codes([A, B], 60)]
    half = len(lines) // 2
    assert lines[0].strip() == str(A)
    assert lines[half].strip() == str(B)
    assert lines[1:half] == qr_lines(str(A))
    assert lines[half + 1 :] == qr_lines(str(B))


def test_a_code_without_room_is_a_sentence_and_not_cut() -> None:
    width = len(qr_lines(str(A))[0])
    assert list(qr_codes([A], width - 1)) == [
        f"The QR code of {A} needs {width} columns; here are {width - 1}."
    ]
    assert len(list(qr_codes([A], width))) > 10


def test_a_link_that_is_longer_than_a_line_has_its_code_below() -> None:
    long = PageUrl("games.a-long-name.example.org", 443, secure=True, path="/boxroom/rooms/")
    code = qr_lines(str(long))
    columns = len(code[0]) + 3
    assert len(str(long)) > columns
    of_a, link, *lines = [plain(line) for line in qr_codes([A, long], columns)][-len(code) - 2 :]
    assert (of_a.strip(" "), link) == (qr_lines(str(A))[-1].strip(" "), str(long))
    assert [line.removeprefix(" ").rstrip() for line in lines] == [it.rstrip() for it in code]


def test_codes_of_different_sizes_keep_their_columns() -> None:
    long = PageUrl("games.a-long-name.example.org", 443, secure=True)
    lines = [plain(line) for line in qr_codes([A, long, A], 200)]
    assert len({len(line) for line in lines[1 : len(qr_lines(str(A)))]}) == 1
    assert lines[0].split() == [str(A), str(long), str(A)]
