"""Lines for people who start a server: commands, links, QR codes."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.cases import each

from boxroom_common.qr_codes import qr_lines
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_server.cli import how_to_join as module
from boxroom_server.cli.how_to_join import Places, how_to_join, qr_codes
from boxroom_server.net.origins import AllowedPages
from boxroom_server.options import Options
from boxroom_server.server import Server

ON_THE_LAN = ["192.168.1.3", "2001:db8::2"]
WITH_TLS: Any = {"tls_cert": "a.pem", "tls_key": "a.key"}
A, B = PageUrl("192.168.1.3", 8765), PageUrl("192.168.100.103", 8765)


def plain(line: str) -> str:
    """Return `line` without escape sequences."""
    return re.sub("\x1b[^m]*m", "", line)


def places(*hosts: str, port: int = DEFAULT_PORT, is_local: bool = False, **options: Any) -> Places:
    return Places(port, hosts, Options(**options), is_local)


def test_every_host_has_a_command_and_a_link() -> None:
    assert list(how_to_join(places("192.168.1.3", "2001:db8::2", "localhost"))) == [
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


def test_another_port_is_shown_and_a_zone_has_no_link() -> None:
    assert list(how_to_join(places("::1", "fe80::1%eth0", port=4000)))[1:-1] == [
        "  boxroom join [::1]:4000",
        "  boxroom join [fe80::1%eth0]:4000",
        "In a browser, with nothing to install, they open:",
        "  http://[::1]:4000/",
    ]


@pytest.mark.parametrize(
    ("host", "bound", "hosts", "is_local"),
    [
        ("", ["0.0.0.0", "::"], [*ON_THE_LAN, "localhost"], False),
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.1"], True),
        ("[::1]", ["::1"], ["::1"], True),
        ("LocalHost", ["127.0.0.1", "::1"], ["localhost"], True),
        ("Games.lan", ["192.168.1.3"], ["games.lan", "192.168.1.3"], False),
        ("Games.lan", ["127.0.1.1"], ["games.lan"], True),
    ],
)
def test_the_hosts_are_those_of_the_sockets(
    host: str, bound: list[str], hosts: list[str], is_local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reachable_hosts(bound: list[str]) -> list[str]:
        return [*ON_THE_LAN, "localhost"] if "0.0.0.0" in bound else bound

    monkeypatch.setattr(module, "reachable_hosts", reachable_hosts)
    fake = SimpleNamespace(port=1, bound_addresses=bound, is_certified_for=lambda host: True)
    found = Places.of(cast("Server", fake), Options(host=host))
    assert (found.hosts, found.is_local) == (hosts, is_local)


def test_the_link_by_a_name_leads_to_a_page_that_may_connect() -> None:
    options = Options(host="Games.lan.")
    (link,) = Places(DEFAULT_PORT, ["games.lan"], options).links
    assert str(link) == "http://games.lan:8765/"
    assert AllowedPages.of(options).allow([link.origin], ["games.lan:8765"])


@each("port, written", [(443, ""), (DEFAULT_PORT, ":8765")])
def test_with_tls_the_names_are_those_in_the_certificate(port: int, written: str) -> None:
    lines = list(how_to_join(places("games.lan", port=port, **WITH_TLS)))
    assert lines[1:-1] == [
        f"  boxroom join wss://games.lan{written}",
        "or by another name in the certificate.",
        "In a browser, with nothing to install, they open:",
        f"  https://games.lan{written}/",
    ]


def test_with_tls_and_none_of_its_hosts_in_the_certificate_only_the_operator_knows_a_name() -> None:
    lines = list(how_to_join(places(**WITH_TLS), qr_columns=80))
    assert lines[1:-1] == [
        "wss:// and a name in the certificate.",
        "In a browser: https:// and a name in the certificate; --public-url shows it here.",
    ]


def test_without_the_page_there_are_no_links() -> None:
    without = Places(DEFAULT_PORT, ["localhost"], Options(no_web=True))
    lines = list(how_to_join(without, qr_columns=80))
    assert lines[1:] == ["  boxroom join localhost", "Ctrl-C stops the server."]


def test_the_public_url_replaces_the_links_of_addresses() -> None:
    behind_proxy = places("localhost", is_local=True, public_url="https://play.example.org")
    assert behind_proxy.links == [PageUrl("play.example.org", 443, secure=True)]
    lines = list(how_to_join(behind_proxy, qr_columns=80))
    assert "  https://play.example.org/" in lines
    codes = [plain(line) for line in lines]
    assert [line for line in codes if "█" in line] == [
        line for line in qr_lines("https://play.example.org/") if "█" in line
    ]


def test_codes_are_for_addresses_that_phones_reach() -> None:
    local, by_ipv6 = ("localhost", "127.0.0.1", "::1"), "2001:db8::2"
    assert places("192.168.1.3", by_ipv6, *local).links_for_phones == [A]
    assert places(by_ipv6, *local).links_for_phones == [PageUrl(by_ipv6, DEFAULT_PORT)]
    assert places(*local).links_for_phones == []
    assert places("games.lan", is_local=True).links_for_phones == []


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
