"""Explanations of the field's words, and the list of all."""

import pytest
from tests.cases import each

from boxroom_client.shell.output.glossary import explanation, words
from boxroom_engine.games.dots.theory.glossary import GLOSSARY


@each("text", ["control", "CONTROL", " Control "])
def test_a_word_is_found_in_any_case(text: str) -> None:
    assert (explanation(text) or "").startswith("Control: the power to make the other player")


def test_double_dealing_and_loony_need_not_be_followed_by_move() -> None:
    assert explanation("double dealing move") == explanation("double-dealing")
    assert explanation("loony") == explanation("loony move")
    assert explanation("neutral") is not None


def test_a_name_without_an_entry_is_found_where_it_is_explained() -> None:
    assert (explanation("half-hearted") or "").startswith("Handout: ")
    assert (explanation("long chain rule") or "").startswith("Parity: ")


def test_what_isnt_among_them_has_none() -> None:
    assert explanation("castling") is None


@pytest.mark.usefixtures("german")
def test_words_are_found_in_the_readers_language_and_in_english() -> None:
    assert (explanation("lange kette") or "").startswith("Lange Kette: eine Kette aus drei")
    assert explanation("long chain") == explanation("Lange Kette")
    assert "Opferzug" in next(words())


def test_the_list_names_all() -> None:
    first, *_ = words()
    assert all(word in first for word in GLOSSARY)
