"""The table of keys, and everything that is made from it."""

from collections import Counter
from pathlib import Path

from prompt_toolkit.keys import KEY_ALIASES, Keys
from tests.cases import each

from boxroom_client.screen.keys.help_page import help_lines, keys_page
from boxroom_client.screen.keys.table import KEYS, KeyAction, When, label_of
from boxroom_client.shell.input.commands import COMMANDS

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "keys.md"


def test_every_action_has_a_key_and_every_key_exists() -> None:
    assert {key.action for key in KEYS} == set(KeyAction)
    for key in KEYS:
        for name in key.keys:
            known = KEY_ALIASES.get(name, name)
            assert len(known) == 1 or known == "space" or Keys(known) in Keys


def test_no_key_means_two_things_at_once() -> None:
    situations = {
        "on the board": {When.NO_TEXT, When.CHOOSING, When.BOARD},
        "an empty line, choosing": {When.NO_TEXT, When.CHOOSING},
        "an empty line": {When.NO_TEXT, When.LINE},
        "text": {When.TEXT, When.LINE},
    }
    for whens in situations.values():
        working = (key for key in KEYS if key.when in whens | {When.ANYWHERE})
        used = Counter(name for key in working for name in key.keys)
        assert [name for name, times in used.items() if times > 1] == []


def test_the_help_has_all_keys_and_commands() -> None:
    text = "\n".join(help_lines())
    for key in KEYS:
        assert key.shown in text
        assert key.help in text
    for command in COMMANDS:
        assert command.usage in text


@each("action", KeyAction)
def test_what_is_shown_for_an_action_is_on_its_key(action: KeyAction) -> None:
    assert label_of(action) in {key.shown for key in KEYS if key.action is action}


def test_the_page_in_the_repository_has_the_headings_of_the_site() -> None:
    headings = [
        [line for line in page.splitlines() if line.startswith("#")]
        for page in (PAGE.read_text(encoding="utf-8"), keys_page())
    ]
    assert headings[0] == headings[1]


def test_the_page_of_the_site_has_all_keys_and_commands() -> None:
    page = keys_page()
    for key in KEYS:
        assert f"- **{key.shown}** {key.help}\n" in page
    for command in COMMANDS:
        assert f"- `{command.usage}`: {command.help}\n" in page
