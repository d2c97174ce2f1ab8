"""Calls for attention: the title, and notifications that nothing typed by others can break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.fake_connection import LIMITS, small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.profile.setting_values import NOTIFICATIONS
from boxroom_client.screen.attention import has_other_people, notification, window_title
from boxroom_engine.room import commands as cmd


@pytest.mark.parametrize("kind", NOTIFICATIONS)
@given(text=st.text(st.characters(codec="utf-8"), max_size=300))
def test_a_notification_is_one_sequence_whatever_was_typed(kind: str, text: str) -> None:
    made = notification(kind, text)
    if kind == "off":
        assert made == ""
        return
    assert made.startswith("\x1b]")
    assert made.endswith("\x07")
    inside = made[2:-1]
    assert inside.isprintable() or not any(
        ord(char) < 32 or 127 <= ord(char) < 160 for char in inside
    )
    assert inside.count(";") == {"osc9": 1, "osc777": 3}[kind]
    assert len(inside) < 400


def test_a_long_notification_is_cut() -> None:
    assert notification("osc9", "word " * 100).endswith("…\x07")


def test_other_people_are_those_at_other_keyboards() -> None:
    hosted = HostedRoom(small(seats=3), limits=LIMITS, others=("Bob",))
    assert has_other_people(hosted.room, "Ada")
    hosted.ask("Bob", cmd.Stand)
    assert not has_other_people(hosted.room, "Ada")
    hosted.ask("Ada", cmd.SeatBot, bot="greedy")
    hosted.ask("Ada", cmd.Sit, name="Ann")
    assert not has_other_people(hosted.room, "Ada")
    assert has_other_people(hosted.room, "Bob")


def test_the_title_names_the_room_unless_it_is_our_turn() -> None:
    hosted = HostedRoom(small(), limits=LIMITS, others=("Bob",))
    code = hosted.room.code
    assert window_title(hosted.room, "Ada") == f"{code} – Boxroom"
    hosted.ask("Ada", cmd.Start)
    assert window_title(hosted.room, "Ada") == "● your turn – Boxroom"
    assert window_title(hosted.room, "Bob", ascii_only=True) == f"{code} - Boxroom"
