"""Lists of names and suggestions."""

from boxroom_engine.wording import closest, did_you_mean, listed

THEMES = ["light", "dark"]


def test_names_are_listed() -> None:
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Bob"], "or") == "Ada or Bob"
    assert listed(["Ada", "Bob", "Cleo"]) == "Ada, Bob and Cleo"


def test_the_closest_name_is_found_in_any_case() -> None:
    assert closest("DRAK", THEMES) == "dark"
    assert closest("xyz", THEMES) is None


def test_a_name_that_is_like_the_word_is_suggested() -> None:
    assert str(did_you_mean("Drak", THEMES)) == ": did you mean dark?"
    assert str(did_you_mean("Drak", THEMES, prefix="/")) == ": did you mean /dark?"
    all_listed = did_you_mean("Drak", THEMES, list_all=True)
    assert str(all_listed) == ": did you mean dark? There are light and dark"


def test_without_such_a_name_all_are_listed() -> None:
    assert str(did_you_mean("x" * 10_000, ["a", "b", "c"])) == "; there are a, b and c"
