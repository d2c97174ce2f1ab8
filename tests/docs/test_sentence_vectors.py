"""docs/sentence-vectors.json is current; tests/web/js holds the page to it."""

import json
import os

from scripts.write_sentence_vectors import FILE, vectors_text

from boxroom_common.phrases import LANGUAGES


def test_the_committed_vectors_are_current() -> None:
    """`python -m scripts.write_sentence_vectors`, or BOXROOM_UPDATE_GOLDEN=1, updates them."""
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        FILE.write_text(vectors_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == vectors_text()


def test_each_result_is_read_by_the_winner_the_loser_and_others() -> None:
    vectors = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    assert all(list(vector["sentences"]) == list(LANGUAGES) for vector in vectors)
    readings = [
        (by_reader[""][-1], by_reader["Ada"][-1], by_reader["Bob"][-1])
        for by_reader in (vector["sentences"]["en"] for vector in vectors)
        if {"Ada", "Bob"} <= by_reader.keys()
    ]
    assert ("Ada won with 2 boxes.", "You won by 2 boxes!", "Ada won; you have 0 of 2.") in readings
