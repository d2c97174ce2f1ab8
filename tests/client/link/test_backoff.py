import random

from hypothesis import given
from hypothesis import strategies as st

from boxroom_client.link.backoff import Backoff, RetrySchedule

seconds = st.floats(0.001, 1_000)
attempts = st.integers(0, 10**9)


@given(seconds, seconds, attempts, st.integers())
def test_a_delay_is_between_nothing_and_its_ceiling(
    first_s: float, most_s: float, attempt: int, seed: int
) -> None:
    backoff = Backoff(first_s=first_s, most_s=most_s, rng=random.Random(seed))
    assert 0 <= backoff.delay_s(attempt) <= backoff.ceiling_s(attempt) <= most_s


@given(seconds, seconds, attempts)
def test_the_ceiling_doubles_until_it_is_reached(
    first_s: float, most_s: float, attempt: int
) -> None:
    backoff = Backoff(first_s=first_s, most_s=most_s)
    here, next_one = backoff.ceiling_s(attempt), backoff.ceiling_s(attempt + 1)
    assert next_one == min(2 * here, most_s)
    assert backoff.ceiling_s(0) == min(first_s, most_s)


@given(st.integers(), st.floats(1, 3_600))
def test_an_outage_has_an_end(seed: int, give_up_s: float) -> None:
    """It lasts `give_up_s`, and one delay longer at most."""
    now_s = 0.0
    backoff = Backoff(give_up_s=give_up_s, rng=random.Random(seed), now=lambda: now_s)
    schedule = RetrySchedule(backoff)
    while (delay_s := schedule.next_delay_s()) is not None:
        now_s += delay_s
    assert give_up_s <= now_s <= give_up_s + backoff.most_s
