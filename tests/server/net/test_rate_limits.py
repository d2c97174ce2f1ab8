"""Token buckets and rate limiters, with a clock that the test sets."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_server.net.rate_limits import KeyedRateLimiter, RateLimiter, TokenBucket


class FakeClock:
    """A clock that the test sets."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_burst_is_allowed_and_then_no_more() -> None:
    bucket = TokenBucket(per_s=1.0, burst=3, now_s=FakeClock())
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_tokens_come_back_with_time_and_never_exceed_the_burst() -> None:
    clock = FakeClock()
    bucket = TokenBucket(per_s=2.0, burst=3, now_s=clock)
    for _ in range(3):
        assert bucket.take()
    clock.now_s = 0.5
    assert bucket.take()
    assert not bucket.take()
    clock.now_s = 1000.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_who_never_stops_is_flooding_and_who_pauses_is_not() -> None:
    clock = FakeClock()
    bucket = TokenBucket(per_s=1.0, burst=3, now_s=clock)
    for _ in range(6):
        bucket.take()
    assert not bucket.is_flooded
    bucket.take()
    assert bucket.is_flooded
    clock.now_s = 10.0
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
    clock = FakeClock()
    bucket = TokenBucket(per_s, burst, now_s=clock)
    allowed = 0
    for pause_s in pauses_s:
        clock.now_s += pause_s
        allowed += bucket.take()
    assert allowed <= burst + clock.now_s * per_s + 1e-6


def test_to_be_refused_costs_nothing() -> None:
    clock = FakeClock()
    limiter = RateLimiter(per_s=1.0, burst=2, now_s=clock)
    assert [limiter.take() for _ in range(10)] == [True, True, *[False] * 8]
    clock.now_s = 1.0
    assert [limiter.take() for _ in range(2)] == [True, False]


def test_what_is_given_back_can_be_taken_again_and_no_more() -> None:
    limiter = RateLimiter(per_s=0.0, burst=2, now_s=FakeClock())
    assert limiter.take()
    limiter.refund()
    limiter.refund()
    assert [limiter.take() for _ in range(3)] == [True, True, False]


def test_a_clock_that_is_set_back_takes_nothing_away() -> None:
    clock = FakeClock()
    limiter = RateLimiter(per_s=1.0, burst=2, now_s=clock)
    clock.now_s = -1000.0
    assert [limiter.take() for _ in range(3)] == [True, True, False]


@given(
    st.integers(1, 20),
    st.floats(0.5, 100.0),
    st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60),
)
def test_a_limit_is_never_exceeded(burst: int, per_s: float, pauses_s: list[float]) -> None:
    clock = FakeClock()
    limiter = RateLimiter(per_s, burst, now_s=clock)
    allowed = 0
    for pause_s in pauses_s:
        clock.now_s += pause_s
        allowed += limiter.take()
    assert allowed <= burst + clock.now_s * per_s + 1e-6


def test_each_key_has_a_limiter_and_those_used_last_are_remembered() -> None:
    limiters = KeyedRateLimiter(per_s=0.0, burst=1, now_s=FakeClock(), most=2)
    assert [limiters.take(key) for key in "aabb"] == [True, False, True, False]
    assert not limiters.take("a")
    assert limiters.take("c")  # b is forgotten
    assert not limiters.take("a")
    assert limiters.take("b")
    limiters.refund("b")
    limiters.refund("nobody")
    assert limiters.take("b")
