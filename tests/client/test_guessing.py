"""What somebody may have meant."""

from boxroom_client.guessing import did_you_mean


def test_what_is_close_is_asked_for() -> None:
    assert did_you_mean("Drak", ["light", "dark"]) == ": did you mean dark?"


def test_otherwise_all_are_listed() -> None:
    assert did_you_mean("x" * 10_000, ["a", "b", "c"]) == "; there are a, b and c"
