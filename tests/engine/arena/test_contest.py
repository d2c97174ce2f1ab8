"""A contest: its games, and their dependence on the seed."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from boxroom_engine.arena.contest import Contest
from boxroom_engine.games.registry import make_game

BOARD = make_game("dots", {"rows": 2, "cols": 3}, 2)
THREE = make_game("dots", {"rows": 2, "cols": 3}, 3)
CONTESTS = st.builds(
    Contest,
    st.sampled_from([BOARD, THREE]),
    st.lists(st.sampled_from(["random", "greedy"]), min_size=3, max_size=4).map(tuple),
    games=st.integers(1, 9),
    plies=st.integers(0, 4),
    limit_s=st.just(1.0),
    seed=st.integers(0, 99),
)


def contest(*bots: str, games: int = 4, seed: int = 1) -> Contest:
    return Contest(BOARD, bots, games, plies=2, limit_s=1.0, seed=seed)


@given(CONTESTS)
def test_it_has_as_many_games_as_it_says(made: Contest) -> None:
    assert len(list(made.games_to_play())) == made.total


@given(CONTESTS)
def test_all_groups_and_seats_play_the_same_openings(made: Contest) -> None:
    def opening(running_game: object) -> int:
        return running_game.match.opening  # type: ignore[attr-defined,no-any-return]

    by_opening = itertools.groupby(sorted(made.games_to_play(), key=opening), opening)
    for _, running_games in by_opening:
        assert len({tuple(running_game.tokens) for running_game in running_games}) == 1


def test_the_same_bot_again_gets_a_number() -> None:
    assert contest("greedy", "random", "greedy", "greedy").names == (
        "greedy",
        "random",
        "greedy 2",
        "greedy 3",
    )


def test_a_task_is_all_that_it_takes() -> None:
    made = contest("chain:max_ply=8", "greedy")
    _, swapped, *_ = made.games_to_play()
    task = made.task(swapped)
    assert task.bots == ("greedy", "chain:max_ply=8")
    assert task.state is swapped.state
    assert task.limit_s == 1.0


def test_a_games_randomness_depends_only_on_the_game() -> None:
    def seeds(made: Contest) -> dict[str, str]:
        tasks = [made.task(running_game) for running_game in made.games_to_play()]
        return {f"{task.bots} {task.state}": task.seed for task in tasks}

    few, many = seeds(contest("a", "b")), seeds(contest("a", "b", "c", games=8))
    assert few.items() <= many.items()
    assert len(set(many.values())) == len(many)
    assert not set(few.values()) & set(seeds(contest("a", "b", seed=2)).values())
