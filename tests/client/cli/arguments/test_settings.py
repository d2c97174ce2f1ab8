"""The server of the settings, the room to which its link leads, and the language."""

from pathlib import Path

import pytest
from tests.cases import each

from boxroom_client.cli.arguments.settings import in_room_of_link, server_address, speak
from boxroom_client.profile.config import SETTINGS, ResolvedSettings, resolve
from boxroom_client.servers.address import Address
from boxroom_client.shell.frontend import JoinOptions
from boxroom_common.exits import Failure, UsageError
from boxroom_common.phrases import say

LINK = "http://kiwa:8765/#den"


def settings(server: str | None, environ: dict[str, str] | None = None) -> ResolvedSettings:
    flags = {setting.name: None for setting in SETTINGS} | {"server": server}
    return resolve(flags, environ or {}, Path("no.toml"))


def test_a_link_leads_to_a_room_of_a_server() -> None:
    assert server_address(settings(LINK)) == Address("kiwa")
    assert in_room_of_link(JoinOptions(watch=True), settings(LINK)) == JoinOptions(
        "den", watch=True
    )
    assert in_room_of_link(JoinOptions("DEN"), settings(LINK)) == JoinOptions("den")


@each("server", ["kiwa", None])
def test_without_a_room_in_the_link_the_flag_has_it(server: str | None) -> None:
    assert in_room_of_link(JoinOptions("attic"), settings(server)) == JoinOptions("attic")


def test_two_rooms_are_an_error_that_names_both_and_their_places() -> None:
    both = "the link leads to the room den, and --room names attic"
    with pytest.raises(UsageError, match=f"^ADDRESS: {both}"):
        in_room_of_link(JoinOptions("attic"), settings(LINK))
    with pytest.raises(Failure, match=f"^BOXROOM_SERVER: {both}"):
        in_room_of_link(JoinOptions("attic"), settings(None, {"BOXROOM_SERVER": LINK}))


def test_a_password_in_the_environment_isnt_repeated() -> None:
    with pytest.raises(Failure) as raised:
        settings(None, {"BOXROOM_SERVER": "ws://ann:secret@kiwa"})
    assert str(raised.value).startswith("BOXROOM_SERVER: an address has no @")
    assert "secret" not in str(raised.value)


@each(
    "written, lang, close",
    [
        ("", "de_AT.UTF-8", "Schließen"),
        ("en", "de_AT.UTF-8", "Close"),
        ("DE", "C.UTF-8", "Schließen"),
        ("", "tlh.UTF-8", "Close"),
    ],
)
@pytest.mark.usefixtures("german")
def test_the_language_is_that_of_the_settings_or_of_the_system(
    written: str, lang: str, close: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", lang)
    speak(settings(None, {"BOXROOM_LANGUAGE": written}))
    assert say("close") == close
