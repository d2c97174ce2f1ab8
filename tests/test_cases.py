"""Cases of a test that run one after another."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.cases import each


@pytest.fixture
def three() -> int:
    return 3


class TestSum:
    @each("one, other", [(1, 2), (2, 1)])
    def test_of_a_pair(self, three: int, one: int, other: int) -> None:
        assert one + other == three

    @each("one", [1, 2])
    async def test_in_a_coroutine(self, three: int, one: int) -> None:
        assert one < three


def failure(test: Callable[..., Any]) -> BaseException:
    with pytest.raises(AssertionError) as caught:
        test()
    return caught.value


def test_all_cases_run_until_one_fails_which_is_named() -> None:
    seen = []

    @each("seed", [1, 2, 3])
    def run(seed: int) -> None:
        seen.append(seed)
        assert seed != 2

    assert failure(run).__notes__ == ["case: seed=2"]
    assert seen == [1, 2]


def test_of_a_class_every_test_runs_with_each() -> None:
    @each("word", ["good", "bad"])
    class Words:
        def test_good(self, word: str) -> None:
            assert word == "good"

        def test_short(self, word: str) -> None:
            assert len(word) < 5

    words: Any = Words()
    assert failure(words.test_good).__notes__ == ["case: word='bad'"]
    words.test_short()


def test_without_a_case_there_is_no_test() -> None:
    with pytest.raises(AssertionError, match="no values of word"):
        each("word", [])
