"""Options of a server, and their validation."""

from dataclasses import fields
from ipaddress import ip_network
from typing import Any

import pytest
from tests.cases import each
from tests.engine.bots.choosy import Choosy

from boxroom_engine.bots.levels import LEVELS
from boxroom_engine.bots.registry import BOTS
from boxroom_server.options import Flag, Options, parse_networks


def test_every_option_says_what_it_is() -> None:
    for option in fields(Options):
        assert Flag.of(option).help, option.name


def test_what_is_not_as_by_default_is_told() -> None:
    assert Options().changed() == {}
    assert Options(port=0, rooms=7, bot_s=2.0).changed() == {"port": 0, "rooms": 7}


def test_metrics_have_a_server_with_a_host_or_a_port_for_them() -> None:
    assert not Options().has_metrics_server
    assert Options(metrics_host="127.0.0.1").has_metrics_server
    assert Options(metrics_port=9464).has_metrics_server


def test_metrics_are_asked_for_by_the_names_of_their_options() -> None:
    options = Options(metrics_host="Attic.example", metrics_names="boxroom, Cellar.example,")
    names = {"attic.example", "boxroom", "cellar.example"}
    assert options.allowed_metrics_names() == names


def test_rooms_have_the_limits_and_the_bots_of_each_game() -> None:
    options = Options(seats=3, members=4, board=5, name_chars=6, chat_chars=7, grace_s=1.5)
    limits = options.room_limits()
    assert (limits.seats, limits.members, limits.longest_game) == (3, 4, 5)
    assert (limits.name_chars, limits.chat_chars, limits.grace_ms) == (6, 7, 1500)
    for game, bots in limits.bots.items():
        assert limits.stand_in in bots
        levels = [bot for bot in LEVELS if bot in bots]
        named = limits.bots_named_to_people(game)
        assert (named[: len(levels)], set(named)) == (levels, set(bots))


def test_rooms_leave_the_options_of_bots_to_their_registry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BOTS, "choosy", Choosy())
    limits = Options().room_limits()
    assert limits.plain_bot("choosy:ply=08") == "choosy:ply=8"
    with pytest.raises(ValueError, match="choosy: ply must be 0 to 50, not 51"):
        limits.plain_bot("choosy:ply=51")
    with pytest.raises(ValueError, match="the bot greedy has no options: write just greedy"):
        limits.plain_bot("greedy:ply=3")


def test_clients_are_told_the_link_to_the_page() -> None:
    assert Options().page_link() == ""
    assert Options(public_url="HTTPS://A.example/b").page_link() == "https://a.example/b/"
    assert Options(no_web=True).page_link() is None


@each(
    "written, why",
    [
        ({"tls_cert": "a.pem"}, "tls_cert and tls_key go together"),
        ({"tls_key": "a.pem"}, "tls_cert and tls_key go together"),
        ({"trust_proxy": "everybody"}, "a network is like"),
        ({"origins": "everywhere"}, "an origin is like"),
        ({"web_names": "a:80"}, "a host name is like"),
        ({"public_url": "play.example.org"}, "the address of a page is like https://play"),
        ({"no_web": True, "public_url": "https://a.example"}, "no_web serves no page"),
        ({"no_web": True, "web_names": "a.example"}, "no_web serves no page"),
        ({"handshake_s": 0.0}, "handshake_s is 0.1 to 1000000000, not 0.0"),
    ],
)
def test_what_makes_no_sense_is_told(written: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Options(**written)


def test_networks_are_separated_by_commas() -> None:
    assert parse_networks("") == ()
    assert parse_networks("10.0.0.0/8,::1") == (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@each("text", ["10.0.0.1/8", "proxy.example.org", "10.0.0.0/8;::1", "10/99"])
def test_a_malformed_network_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"a network is like 10\.0\.0\.0/8"):
        parse_networks(text)
