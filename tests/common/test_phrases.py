"""Sentences as data: the tables of all languages, and the words of phrases."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_common.phrases import (
    ENGLISH,
    LANGUAGES,
    is_known,
    language_of_system,
    say,
    table,
    translator,
)
from boxroom_engine.bots.levels import LEVELS
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.games.registry import KINDS
from boxroom_engine.phrases import Phrase, Value, phrase

ROOT = Path(__file__).parents[2]
SOURCES = ("engine", "common", "server", "client", "lab")

PLURAL_FORMS = {"one", "other"}


def texts(entry: str | Mapping[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def places(entry: str | Mapping[str, str]) -> set[str]:
    return {name for text in texts(entry) for name in re.findall(r"\{(\w+)(?::\w+|\+1)?\}", text)}


def test_all_languages_have_the_same_keys_places_and_plural_forms() -> None:
    english = table(ENGLISH)
    for language in LANGUAGES:
        assert table(language).keys() == english.keys(), language
        for key, entry in table(language).items():
            assert places(entry) == places(english[key]), (language, key)
            assert isinstance(entry, str) or entry.keys() == PLURAL_FORMS, (language, key)


def test_tables_are_sorted_and_have_no_empty_text() -> None:
    for language in LANGUAGES:
        assert list(table(language)) == sorted(table(language))
        assert all(all(texts(entry)) for entry in table(language).values())


KEYS = {
    ".js": re.compile(r"\bt\(\s*'([\w.-]+)'"),
    ".py": re.compile(r"\b(?:say|phrase|Phrase)\(\s*\"([\w.-]+)\""),
}


def test_every_phrase_in_the_code_has_words() -> None:
    said = [
        (path.name, key)
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*")
        if path.suffix in KEYS
        for key in KEYS[path.suffix].findall(path.read_text(encoding="utf-8"))
    ]
    assert len(said) > 200
    assert [(name, key) for name, key in said if key not in table(ENGLISH)] == []


PREFIXES = {"phrase": "", "refusal": "refusal.", "notice": "notice."}
"""Beginnings of the keys of phrases, by the function that makes one of the rest of a key."""


def calls_in(folder: str) -> Iterator[ast.Call]:
    """Yield the calls in the code of `folder` that make phrases of literal keys."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name(name), [ast.Constant()]) if name in PREFIXES:
                    yield node


@each("folder", ["engine", "common", "server", "client", "lab"])
def test_every_phrase_gets_the_values_that_it_needs(folder: str) -> None:
    for call in calls_in(folder):
        assert isinstance(call.func, ast.Name)
        assert isinstance(call.args[0], ast.Constant)
        key = PREFIXES[call.func.id] + str(call.args[0].value)
        entry = table(ENGLISH)[key]
        number = set() if isinstance(entry, str) else {"n"}
        assert {keyword.arg for keyword in call.keywords} == places(entry) | number, key


def test_every_refusal_and_game_error_in_the_tables_is_raised() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*.py")
    )
    kinds = ("refusal.", "notice.", "move.", "option.", "bot.", "name.", "ended.")
    keys = [key for key in table(ENGLISH) if key.startswith(kinds)]
    assert len(keys) > 150
    unused = {key for key in keys if f'"{key}"' not in source}
    assert [key for key in unused if f'"{key.partition(".")[2]}"' not in source] == []


def test_rooms_raise_no_sentence_of_one_language() -> None:
    sentences = [
        (path.name, node.value)
        for path in (ROOT / "engine/boxroom_engine/room").rglob("*.py")
        for raised in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(raised, ast.Raise)
        for node in ast.walk(raised)
        if isinstance(node, ast.Constant) and " " in str(node.value)
    ]
    # An error in this program, which no player reads.
    assert sentences == [("evolve.py", "entry "), ("evolve.py", " can't follow seq ")]


REFUSALS = {"CommandRefused", "HelloRejected", "refusal", "notice", "verbatim"}


@each("folder", ["engine", "server"])
def test_nothing_is_refused_in_one_language(folder: str) -> None:
    refused = [
        node
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in REFUSALS
    ]
    assert len(refused) > 20
    parts = [part for call in refused for part in ast.walk(call) if isinstance(part, ast.Constant)]
    assert [part.value for part in parts if " " in str(part.value)] == []


def test_every_game_and_its_options_have_words() -> None:
    for kind in KINDS.values():
        assert is_known(kind.named)
        assert is_known(kind.rules)
        for option in kind.options:
            assert is_known(option.label)
            assert is_known(option.help)
            assert all(is_known(option.in_words(choice)) for choice in option.choices)
        for word in kind.abilities.glossary:
            assert say(f"word.{word}") == word
            assert is_known(phrase(f"meaning.{word}"))


def test_every_bot_and_its_options_have_words() -> None:
    for name, bot in BOTS.items():
        assert is_known(phrase(f"style.{name}"))
        assert all(is_known(option.help) for option in bot.options)
    assert all(is_known(phrase(f"level.{level}")) for level in LEVELS)


@each(
    "said, english, in_german",
    [
        (phrase("event.joined", name="Ada"), "Ada comes in.", "Ada kommt herein."),
        (phrase("prize_box", n=1), "1 box", "1 Kästchen"),
        (phrase("points", n=0), "0 points", "0 Punkte"),
        (phrase("refusal.not_your_seat", seat=0), "seat 1 isn't yours", "Platz 1 gehört dir nicht"),
        (
            phrase("event.took", name="Ada", what=phrase("prize_box", n=2), move="h3"),
            "Ada takes 2 boxes (h3).",
            "Ada bekommt 2 Kästchen (h3).",
        ),
        (
            phrase("result.share", names=["Ada", "Ben", phrase("event.bot_of", name="Cy")]),
            "Ada, Ben and The bot of Cy win together.",
            "Ada, Ben und Der Bot von Cy gewinnen zusammen.",
        ),
        (phrase("event.joined", name="{name}"), "{name} comes in.", "{name} kommt herein."),
        (phrase("event.joined"), "{name} comes in.", "{name} kommt herein."),
        (phrase("no.such", name="Ada"), "no.such", "no.such"),
    ],
)
def test_phrases_are_put_into_words(said: Phrase, english: str, in_german: str) -> None:
    assert translator("en")(said) == english
    assert translator("de")(said) == in_german


@pytest.mark.usefixtures("german")
def test_a_process_speaks_one_language() -> None:
    assert say("event.joined", name="Ada") == "Ada kommt herein."
    assert f"{phrase('prize_box', n=2)}" == "2 Kästchen"


@each(
    "environ, language",
    [
        ({}, "en"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_CH.UTF-8@euro"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "", "LC_ALL": "de.utf8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "tlh_QO.UTF-8"}, "en"),
    ],
)
def test_the_system_has_a_language(environ: Mapping[str, str], language: str) -> None:
    assert language_of_system(environ) == language


def test_the_engine_finds_its_words() -> None:
    code = "from boxroom_engine.phrases import phrase; print(phrase('points', n=2))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2 points\n"


def test_what_is_said_by_a_newer_program_may_be_unknown() -> None:
    assert is_known(phrase("event.took", what=phrase("points", n=2)))
    assert not is_known(phrase("event.took", what=phrase("new", n=2)))
    assert not is_known(phrase("new"))
    assert not is_known(phrase("event.took", what=["1", phrase("new")]))
    deep = phrase("points", n=2)
    for _ in range(10_000):
        deep = phrase("event.took", what=deep)
    assert not is_known(deep)


PARTS = st.text() | st.builds(Phrase, st.sampled_from(["and", "points"]))
VALUES: st.SearchStrategy[Value] = st.integers() | PARTS | st.lists(PARTS)
NAMES = st.sampled_from(["n", "name", "names"])


@given(st.sampled_from(sorted(table(ENGLISH))), st.dictionaries(NAMES, VALUES))
def test_no_value_is_too_strange(key: str, values: dict[str, Value]) -> None:
    for language in LANGUAGES:
        assert translator(language)(Phrase(key, values))
