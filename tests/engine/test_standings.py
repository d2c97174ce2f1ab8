"""The table of a room's games: points, rows and their order."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_engine.standings import (
    MOST_ROWS,
    PlayerResult,
    Standing,
    in_order,
    points_of,
    with_game,
)

seats = st.integers(0, 5)
games = st.lists(st.integers(0, 9), min_size=2, max_size=6)


@each(
    "game, points",
    [
        (((3, 1), (0,), ()), (2, 0)),
        (((2, 2), (0, 1), ()), (1, 1)),
        (((0, 0), (), ()), (1, 1)),  # a draw
        (((5, 1), (1,), (0,)), (0, 2)),  # the first gave up
        (((4, 3, 2), (0,), ()), (4, 2, 0)),
        (((3, 3, 2), (0, 1), ()), (3, 3, 0)),
        (((4, 2, 2), (0,), ()), (4, 1, 1)),
        (((9, 2, 1), (1,), (0,)), (0, 4, 2)),
        (((9, 2, 1), (2,), (0, 1)), (2, 0, 4)),
    ],
)
def test_points(
    game: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], points: tuple[int, ...]
) -> None:
    assert points_of(*game) == points


def test_where_only_the_win_counts_all_losers_are_level() -> None:
    assert points_of((1, 5, 0), (0,), (), only_the_win_counts=True) == (4, 1, 1)


def test_in_a_draw_scores_do_not_count() -> None:
    assert points_of((3, 7), (), ()) == (1, 1)


@given(games, st.sets(seats), st.sets(seats), st.booleans())
def test_each_two_players_share_two_points(
    scores: list[int], winners: set[int], withdrawn: set[int], only_the_win_counts: bool
) -> None:
    n = len(scores)
    points = points_of(scores, winners, withdrawn, only_the_win_counts=only_the_win_counts)
    assert sum(points) == n * (n - 1)
    assert all(0 <= each <= 2 * (n - 1) for each in points)


@given(games, st.sets(seats, min_size=1), st.sets(seats))
def test_winners_have_most_and_those_who_gave_up_have_least(
    scores: list[int], winners: set[int], withdrawn: set[int]
) -> None:
    present = set(range(len(scores)))
    won, gone = winners & present, withdrawn & present - winners
    points = points_of(scores, won, gone)
    for loser in present - won:
        assert all(points[winner] > points[loser] for winner in won)
    for quitter in gone:
        assert all(points[stayed] > points[quitter] for stayed in present - won - gone)


def played(*results: tuple[str, int, int], winner: str = "") -> list[PlayerResult]:
    """Return the results of a game, of which each has a name, a score and points."""
    return [PlayerResult(*each, each[0] == winner) for each in results]


def test_a_row_adds_up_the_games_of_a_name() -> None:
    rows = with_game((), "dots", played(("Ada", 3, 2), ("Bob", 1, 0), winner="Ada"))
    rows = with_game(rows, "dots", played(("Bob", 2, 1), ("Ada", 2, 1)))
    rows = with_game(rows, "noughts", played(("Ada", 1, 2), ("Cleo", 0, 0), winner="Ada"))
    assert rows == (
        Standing("Bob", 2, 0, 1, {"dots": 3}),
        Standing("Ada", 3, 2, 5, {"dots": 5, "noughts": 1}),
        Standing("Cleo", 1, 0, 0, {"noughts": 0}),
    )


def test_a_game_that_is_not_counted_changes_nothing() -> None:
    rows = (Standing("Ada", 1),)
    assert with_game(rows, "dots", []) == rows


def test_who_played_longest_ago_makes_room() -> None:
    rows = tuple(Standing(f"{n}") for n in range(MOST_ROWS))
    after = with_game(rows, "dots", played(("0", 1, 2), ("new", 0, 0)))
    assert len(after) == MOST_ROWS
    assert [row.name for row in after[-2:]] == ["0", "new"]
    assert "1" not in {row.name for row in after}


def test_all_players_of_the_last_game_have_a_row() -> None:
    many = played(*((f"{n}", 0, 0) for n in range(MOST_ROWS + 5)))
    assert len(with_game((), "dots", many)) == len(many)


def test_the_order_is_by_points_then_wins_then_name() -> None:
    rows = [
        Standing("Dan", points=2),
        Standing("Cleo", points=2),
        Standing("Bob", wins=1, points=2),
        Standing("Ada"),
        Standing("Eve", points=3),
    ]
    assert [row.name for row in in_order(rows)] == ["Eve", "Bob", "Cleo", "Dan", "Ada"]
