"""Series of games: who has won one, and when another one begins."""

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.room.hosting import HostedRoom, playing

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import AbortRequest, Phase, RequestedSettings, Room, Settings
from boxroom_engine.standings import Standing, series_winner


def series_of(best_of: int) -> HostedRoom:
    """Return a room in the first game of a series of Ada and Bob."""
    return playing(Settings("subtract-square", {"start": 2}, best_of=best_of))


def wins(room: HostedRoom, winner: str) -> tuple[ev.Event, ...]:
    """Let the other one of Ada and Bob give up the game, which begins if none is on."""
    if room.room.phase is not Phase.PLAYING:
        room.ask("Ada", cmd.Start)
    loser = "Bob" if winner == "Ada" else "Ada"
    (seat,) = room.room.seats_of(loser)
    return room.ask(loser, cmd.Resign, seat=seat)


def won(room: Room) -> dict[str, int]:
    return {row.name: row.wins for row in room.series}


@each(
    "best_of, games, ended",
    [
        (1, "A", True),
        (2, "A", False),
        (2, "AA", True),
        (3, "AB", False),
        (3, "ABB", True),
        (5, "AABA", True),
        (5, "AABB", False),
        (4, "AABBA", True),  # nobody was ahead after four
    ],
)
def test_who_can_not_be_caught_up_has_won(best_of: int, games: str, ended: bool) -> None:
    room = series_of(best_of)
    *before, last = ({"A": "Ada", "B": "Bob"}[game] for game in games)
    for winner in before:
        assert not any(isinstance(event, ev.SeriesWon) for event in wins(room, winner))
    events = wins(room, last)
    assert (ev.SeriesWon(last) in events) == ended
    series = {row.name: row.series for row in room.room.table}
    assert series == {name: int(ended and name == last) for name in ("Ada", "Bob")}
    assert (room.room.series == ()) == ended


def test_after_a_series_another_one_begins() -> None:
    room = series_of(3)
    for _ in range(2):
        wins(room, "Ada")
    wins(room, "Bob")
    assert won(room.room) == {"Ada": 0, "Bob": 1}
    assert sum(row.games for row in room.room.table) == 6


def test_a_game_with_another_player_begins_another_one() -> None:
    room = series_of(3)
    wins(room, "Ada")
    room.ask("Bob", cmd.Leave)
    assert won(room.room) == {"Ada": 1, "Bob": 0}
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    assert room.room.series == ()


def test_players_may_change_seats_and_the_game() -> None:
    room = series_of(3)
    wins(room, "Ada")
    room.ask("Ada", cmd.Configure, settings=RequestedSettings("noughts", best_of=3))
    room.ask("Ada", cmd.Start, first=1)
    assert ev.SeriesWon("Ada") in wins(room, "Ada")


@each("best_of", [0, 5])
def test_another_number_of_games_begins_another_one(best_of: int) -> None:
    room = series_of(3)
    wins(room, "Ada")
    settings = RequestedSettings("subtract-square", best_of=best_of)
    room.ask("Ada", cmd.Configure, settings=settings)
    assert room.room.series == ()


def test_a_game_that_was_aborted_is_not_counted() -> None:
    room = series_of(3)
    wins(room, "Ada")
    table, series = room.room.table, room.room.series
    room.ask("Ada", cmd.Start)
    room.ask("Bob", cmd.Abort)
    asked = room.room.request
    assert isinstance(asked, AbortRequest)
    room.ask("Ada", cmd.Answer, since=asked.since, agree=True)
    assert room.room.phase is Phase.WAITING
    assert (room.room.table, room.room.series) == (table, series)


def test_who_has_a_stand_in_keeps_the_row() -> None:
    room = series_of(1)
    room.ask("Bob", cmd.Leave)
    assert room.room.seats[1].bot is not None
    room.ask("Ada", cmd.Resign, seat=0)
    assert [(row.name, row.wins, row.series) for row in room.room.table] == [
        ("Ada", 0, 0),
        ("Bob", 1, 1),
    ]


def test_without_the_setting_there_is_none() -> None:
    room = series_of(0)
    wins(room, "Ada")
    assert room.room.series == ()
    assert room.room.table


def test_draws_bring_nobody_nearer() -> None:
    rows = (Standing("Ada", 4, 1), Standing("Bob", 4, 0))
    assert series_winner(rows, 5) is None
    assert series_winner(rows, 4) == "Ada"


@given(st.lists(st.integers(0, 5), min_size=2, max_size=5), st.integers(0, 5), st.integers(1, 9))
def test_the_winner_stays_ahead_whoever_wins_the_rest(
    all_wins: list[int], draws: int, best_of: int
) -> None:
    games = sum(all_wins) + draws
    rows = [Standing(f"{n}", games, number) for n, number in enumerate(all_wins)]
    left = max(best_of - games, 0)
    winner = series_winner(rows, best_of)
    for row in rows:
        others = (other.wins + left for other in rows if other is not row)
        assert (row.name == winner) == (row.wins > max(others))
