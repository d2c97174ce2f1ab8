"""Plain forms of lines; `tests/web/js/look_alikes.test.js` tests the page with the same lines."""

import json
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from scripts import write_look_alikes
from tests.cases import each

from boxroom_client.shell.input.look_alike_table import TABLE
from boxroom_client.shell.input.look_alikes import plain_forms

LINES = json.loads((Path(__file__).parents[3] / "golden/look_alikes.json").read_text("utf-8"))


@each("line", LINES)
def test_the_plain_forms_of_a_line(line: dict[str, str | list[str]]) -> None:
    assert list(plain_forms(str(line["typed"]))) == line["forms"]


def test_the_tables_are_those_of_the_package() -> None:
    found = {char: likes for char, likes in write_look_alikes.table().items() if likes}
    assert found.keys() == TABLE.keys()
    assert all(set(likes) <= set(found[char]) for char, likes in TABLE.items())
    if unicodedata.unidata_version >= "16":
        return  # it knows characters that Pythons before 3.14 don't, with which they were written
    assert found == TABLE
    page = write_look_alikes.FOR_PAGE.read_text(encoding="utf-8")
    assert page == write_look_alikes.page_text()


@given(st.text(st.characters(codec="ascii", categories=["L"]), min_size=2))
def test_words_in_ascii_stay_words(word: str) -> None:
    assert all(form[0] == word[0] and word[0].islower() for form in plain_forms(word))
