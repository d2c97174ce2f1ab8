"""How fast a connection may talk."""

from hypothesis import given
from hypothesis import strategies as st

from boxroom_server.rate import TokenBucket


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
