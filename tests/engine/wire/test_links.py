"""Links to the page and to rooms on it."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.wire.links import GAME_LINK, MOST_CHARS, PageUrl, masked, new_pad


@each(
    "text, written, origin",
    [
        ("https://play.example.org", "https://play.example.org/", "https://play.example.org"),
        ("HTTPS://Play.Example.org:443/", "https://play.example.org/", "https://play.example.org"),
        ("http://192.0.2.1:8765", "http://192.0.2.1:8765/", "http://192.0.2.1:8765"),
        ("http://192.0.2.1:80/", "http://192.0.2.1/", "http://192.0.2.1"),
        ("http://[2001:DB8:0::1]:80", "http://[2001:db8::1]/", "http://[2001:db8::1]"),
        ("http://::1", "http://[::1]/", "http://[::1]"),
        ("https://A.example.", "https://a.example/", "https://a.example"),
        (" https://a.example/Box/Room ", "https://a.example/Box/Room/", "https://a.example"),
    ],
)
def test_an_address_is_written_as_browsers_write_it(text: str, written: str, origin: str) -> None:
    page = PageUrl.parse(text)
    assert (str(page), page.origin) == (written, origin)
    assert PageUrl.parse(written) == page


@each(
    "text",
    [
        "",
        "play.example.org",
        "ws://a.example",
        "https://",
        "https://a b",
        "https://a/?x",
        "https://a/#room",
        "https://me@a",
        "http://::1:x",
        "http://[::1",
        "http://[1:2]",
        "http://[fe80::1%25eth0]",
        "http://..",
        "http://-a.example",
        "http://a.example:\u0663",
        "https://a:0",
        "https://a:65536",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_address_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="like https://play"):
        PageUrl.parse(text)


def test_of_one_that_is_too_long_the_limit_is_told() -> None:
    longest = "https://a.example/" + "a" * (MOST_CHARS - 18)
    assert str(PageUrl.parse(longest)) == f"{longest}/"
    with pytest.raises(ValueError, match="at most 200 characters"):
        PageUrl.parse(f"{longest}a")


def test_the_password_in_an_address_isnt_repeated() -> None:
    with pytest.raises(ValueError, match="leave out user name and password") as raised:
        PageUrl.parse("https://ann:secret@a.example")
    assert "secret" not in str(raised.value)


def test_the_code_of_a_room_is_the_fragment() -> None:
    assert PageUrl("192.0.2.1", 8765).to_room("kiwa-tobe") == "http://192.0.2.1:8765/#kiwa-tobe"
    assert PageUrl("a.example", 443, secure=True).to_room("Zoë 2") == (
        "https://a.example/#Zo%C3%AB%202"
    )


@given(st.from_regex(GAME_LINK, fullmatch=True), st.sampled_from(["/", "/boxroom/", "/games/"]))
def test_the_address_of_a_game_is_read_as_it_is_written(link: str, path: str) -> None:
    for page in (PageUrl("192.0.2.1", 8765, path=path), PageUrl("a.example", 443, True, path)):
        assert PageUrl.of_game(page.to_game(link)) == (page, link)


def test_other_addresses_lead_to_no_game() -> None:
    link = "dQw4w9WgXcQ-_dQw4w9WgA"
    for other in ("https://a.example/", f"games/{link}", link, f"https://a.example/games/{link}x"):
        assert PageUrl.of_game(other) is None


@given(st.text())
def test_whatever_the_code_is_the_link_is_ascii_and_has_it(code: str) -> None:
    code = code.encode(errors="ignore").decode()
    link = PageUrl("a.example", 443, secure=True).to_room(code)
    assert link.isascii()
    assert unquote(urlsplit(link).fragment) == code


# Identities

SECRETS = st.from_regex(r"[0-9A-Za-z_-]{16,200}", fullmatch=True)


@given(SECRETS)
def test_a_pad_masks_and_unmasks(secret: str) -> None:
    pad = new_pad(secret)
    assert masked(masked(secret, pad), pad) == secret
    assert masked(pad, secret) == masked(secret, pad)


def test_masked_secrets_are_what_the_page_about_the_protocol_says() -> None:
    assert masked("0129ABYZabyz-_00", "_" * 16) == "_-zsrqTSRQ3210__"
    assert masked("0129ABYZabyz-_00", "0" * 16) == "0129ABYZabyz-_00"


@each("secret, pad", [("a", "aa"), ("a secret", "12345678"), ("a", "\u00e4")])
def test_what_cant_be_masked_is_an_error(secret: str, pad: str) -> None:
    with pytest.raises(ValueError, match=r"substring|argument"):
        masked(secret, pad)


def test_the_link_for_an_identity_has_pad_code_and_room_in_its_fragment() -> None:
    page = PageUrl("192.0.2.1", 8765)
    link = page.for_identity("pad", "c0de", "Zoë 2", watch=False)
    assert link == "http://192.0.2.1:8765/#identity=pad.c0de&room=Zo%C3%AB%202"
    assert page.for_identity("pad", "c0de", "Zoë 2", watch=True) == f"{link}&watch=1"
    strange = page.for_identity("pad", "a&b\x1b", "den", watch=False)
    assert strange.endswith("#identity=pad.a%26b%1B&room=den")
