"""The table of keys of the replay, and everything that is made from it."""

from collections import Counter

from prompt_toolkit.key_binding import KeyBindings

from boxroom_client.screen.keys.help_page import keys_page, replay_help_lines
from boxroom_client.screen.keys.replay_table import REPLAY_KEYS, ReplayAction, footer_hints


def test_everything_has_a_key_and_every_key_exists() -> None:
    assert {key.action for key in REPLAY_KEYS} == set(ReplayAction)
    for key in REPLAY_KEYS:
        for name in key.keys:
            KeyBindings().add(name)  # raises ValueError for one that doesn't exist


def test_no_key_means_two_things() -> None:
    used = Counter(name for key in REPLAY_KEYS for name in key.keys)
    assert used.most_common(1)[0][1] == 1


def test_help_and_page_have_all_keys() -> None:
    text, page = "\n".join(replay_help_lines()), keys_page()
    for key in REPLAY_KEYS:
        assert f"{', '.join(key.shown)} " in text
        assert key.help in text
        assert f"- **{', '.join(key.shown)}** {key.help}" in page


def test_the_footer_says_how_to_go_on_and_how_to_leave() -> None:
    assert footer_hints()[0] == ("→", "next")
    assert footer_hints()[-1] == ("q", "leave")
