"""How fast somebody may talk or try."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_server.net.rate_limits import Allowance, Allowances, TokenBucket


class Watch:
    """A clock that the test sets."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_burst_is_allowed_and_then_no_more() -> None:
    bucket = TokenBucket(per_s=1.0, burst=3, now_s=Watch())
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_tokens_come_back_with_time_and_never_exceed_the_burst() -> None:
    watch = Watch()
    bucket = TokenBucket(per_s=2.0, burst=3, now_s=watch)
    for _ in range(3):
        assert bucket.take()
    watch.now_s = 0.5
    assert bucket.take()
    assert not bucket.take()
    watch.now_s = 1000.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_who_never_stops_is_flooding_and_who_pauses_is_not() -> None:
    watch = Watch()
    bucket = TokenBucket(per_s=1.0, burst=3, now_s=watch)
    for _ in range(6):
        bucket.take()
    assert not bucket.is_flooded
    bucket.take()
    assert bucket.is_flooded
    watch.now_s = 10.0
    bucket.take()
    assert not bucket.is_flooded


@given(
    st.integers(1, 20),
    st.floats(0.5, 100.0),
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60),
)
def test_never_more_than_the_burst_and_the_rate(
    burst: int, per_s: float, pauses_s: list[float]
) -> None:
    watch = Watch()
    bucket = TokenBucket(per_s, burst, now_s=watch)
    allowed = 0
    for pause_s in pauses_s:
        watch.now_s += pause_s
        allowed += bucket.take()
    assert allowed <= burst + watch.now_s * per_s + 1e-6


def test_to_be_refused_costs_nothing() -> None:
    watch = Watch()
    allowance = Allowance(per_s=1.0, burst=2, now_s=watch)
    assert [allowance.take() for _ in range(10)] == [True, True, *[False] * 8]
    watch.now_s = 1.0
    assert [allowance.take() for _ in range(2)] == [True, False]


def test_what_is_given_back_can_be_taken_again_and_no_more() -> None:
    allowance = Allowance(per_s=0.0, burst=2, now_s=Watch())
    assert allowance.take()
    allowance.give_back()
    allowance.give_back()
    assert [allowance.take() for _ in range(3)] == [True, True, False]


def test_a_clock_that_is_set_back_takes_nothing_away() -> None:
    watch = Watch()
    allowance = Allowance(per_s=1.0, burst=2, now_s=watch)
    watch.now_s = -1000.0
    assert [allowance.take() for _ in range(3)] == [True, True, False]


@given(
    st.integers(1, 20),
    st.floats(0.5, 100.0),
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60),
)
def test_an_allowance_is_never_exceeded(burst: int, per_s: float, pauses_s: list[float]) -> None:
    watch = Watch()
    allowance = Allowance(per_s, burst, now_s=watch)
    allowed = 0
    for pause_s in pauses_s:
        watch.now_s += pause_s
        allowed += allowance.take()
    assert allowed <= burst + watch.now_s * per_s + 1e-6


def test_everybody_has_an_allowance_and_those_used_last_are_remembered() -> None:
    allowances = Allowances(per_s=0.0, burst=1, now_s=Watch(), most=2)
    assert [allowances.take(key) for key in "aabb"] == [True, False, True, False]
    assert not allowances.take("a")
    assert allowances.take("c")  # b is forgotten
    assert not allowances.take("a")
    assert allowances.take("b")
    allowances.give_back("b")
    allowances.give_back("nobody")
    assert allowances.take("b")
