"""The limit under which a bot thinks."""

from boxroom_engine.stopping import Limit


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now_s: float) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


def test_a_limit_runs_from_when_it_is_made() -> None:
    clock = Clock(100.0)
    limit = Limit(0.5, clock)
    assert not limit.expired()
    clock.now_s = 100.25
    assert not limit.expired()
    clock.now_s = 100.5
    assert limit.expired()


def test_it_tells_how_much_is_left() -> None:
    clock = Clock(100.0)
    limit = Limit(0.5, clock)
    assert limit.left_s() == 0.5
    clock.now_s = 100.75
    assert limit.left_s() == -0.25
    assert limit.expired()


def test_no_budget_is_up_at_once() -> None:
    assert Limit(0, Clock(7.0)).expired()
