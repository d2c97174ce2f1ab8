"""The players pane."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.client.fake_connection import small
from tests.engine.room.hosting import LIMITS, HostedRoom, playing, with_policy

from boxroom_client.screen.panes.players import players
from boxroom_client.screen.text.rows import row_width
from boxroom_client.screen.themes.symbols import ASCII, UNICODE
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import OnDrop, Room, Settings

LARGE_LIMITS = replace(LIMITS, seats=40, name_chars=24)


def lines_of(room: Room, me: str, columns: int, lines: int, **more: object) -> list[str]:
    rows = players(room, me, columns, lines, **more)  # type: ignore[arg-type]
    return ["".join(text for _, text in row).rstrip() for row in rows]


def crowd(seats: int, moves: int = 0) -> HostedRoom:
    """Return a game of Ada, Bob and many bots, after `moves` moves."""
    hosted = playing(small(4, 4, seats=seats), limits=LARGE_LIMITS)
    for number in range(moves):
        move = f"h{number}"
        if hosted.room.bot_to_move() is not None:
            hosted.bot_plays(move)
        else:
            hosted.plays(("Ada", "Bob")[number % seats], move)
    return hosted


# A line for each


def test_before_the_game_there_are_names_and_empty_seats() -> None:
    hosted = HostedRoom(small(1, 3, seats=3), others=["Bob"])
    assert lines_of(hosted.room, "Bob", 30, 4) == [
        " ● Ada (host)",
        " ■ Bob (you)",
        " ▲ empty",
        "",
    ]


def test_who_plays_has_the_mark_that_is_on_the_board() -> None:
    stonehenge = HostedRoom(Settings("stonehenge"), others=["Bob"])
    assert lines_of(stonehenge.room, "Bob", 30, 2) == [" 1 Ada (host)", " 2 Bob (you)"]
    noughts = playing(Settings("noughts", seats=3)).room
    assert [line[1] for line in lines_of(noughts, "Bob", 30, 3, symbols=ASCII)] == ["x", "o", "a"]


def test_in_the_game_there_are_turn_score_and_clock() -> None:
    hosted = playing(small(1, 3, seats=3, clock_s=60))
    hosted.plays("Ada", "h0")
    assert lines_of(hosted.room, "Ada", 30, 3, clock_s=45) == [
        " ● Ada (you)                 0",
        "▶■ Bob                 45 s  0",
        " ▲ greedy (bot)              0",
    ]
    hosted.plays("Bob", "h1")
    assert lines_of(hosted.room, "Ada", 30, 3, thinking=Seat(2), symbols=ASCII)[2:] == [
        ">C greedy (bot) thinks...    0",
    ]
    assert lines_of(hosted.room, "Ada", 30, 3, clock_s=125)[2].endswith(" 2:05  0")


def test_the_last_seconds_stand_out() -> None:
    room = playing(small(1, 3, clock_s=60)).room
    clocks = [
        style
        for clock_s in (11, 10)
        for style, text in players(room, "Ada", 30, 2, clock_s=clock_s)[0]
        if text == f"{clock_s} s"
    ]
    assert clocks == ["class:players.note", "class:players.turn"]


def test_who_is_away_out_or_played_for_is_said() -> None:
    hosted = playing(with_policy(OnDrop.BOT, seats=3))
    hosted.drop("Bob")
    assert lines_of(hosted.room, "Ada", 40, 3)[1].startswith(" ■ Bob (away)")
    hosted.waits_out_the_grace()
    assert lines_of(hosted.room, "Ada", 40, 3)[1].startswith(" ■ Bob (away, greedy plays)")
    hosted.ask("Ada", cmd.Resign, seat=0)
    assert lines_of(hosted.room, "Ada", 40, 3)[0].startswith(" ● Ada (out, you)")


def test_who_comes_after_a_game_is_told_from_who_played_it() -> None:
    hosted = HostedRoom(small(1, 1), others=["Bob", "Cleo"])
    hosted.ask("Ada", cmd.Start)
    hosted.ask("Bob", cmd.Resign, seat=1)
    hosted.ask("Bob", cmd.Stand)
    assert lines_of(hosted.room, "Ada", 40, 2)[1].startswith(" ■ Bob (out, gone)")
    hosted.ask("Cleo", cmd.Sit)
    assert lines_of(hosted.room, "Ada", 40, 2)[1].startswith(" ■ Bob (out, now Cleo)")


def test_a_person_can_have_two_seats_and_a_bot_any_name() -> None:
    hosted = HostedRoom(small(1, 3, seats=3))
    hosted.ask("Ada", cmd.Sit, name="Tim")
    hosted.enter("greedy")
    hosted.ask("greedy", cmd.Stand)
    hosted.ask("Ada", cmd.SeatBot, bot="greedy")
    assert lines_of(hosted.room, "Ada", 40, 3) == [
        " ● Ada (you, host)",
        " ■ Tim (you, host)",
        " ▲ greedy 2 (bot)",
    ]


# Too many


def test_those_who_matter_are_shown_first() -> None:
    room = crowd(9, moves=5).room
    assert lines_of(room, "Bob", 30, 4) == [
        " ● Ada                       0",
        " ■ Bob (you)                 0",
        "▶▼ greedy 4 (bot) thinks…    0",
        " … and 6 more",
    ]
    assert lines_of(room, "Bob", 30, 3) == [
        " ■ Bob (you)                 0",
        "▶▼ greedy 4 (bot) thinks…    0",
        " … and 7 more",
    ]


@given(st.integers(1, 12), st.integers(0, 12), st.integers(1, 90), st.integers(1, 14))
def test_the_pane_is_exactly_filled(seats: int, moves: int, columns: int, lines: int) -> None:
    room = crowd(max(2, seats), moves).room
    for symbols in (UNICODE, ASCII):
        rows = players(room, "Bob", columns, lines, clock_s=30, symbols=symbols)
        assert [row_width(row) for row in rows] == [columns] * lines
        assert "".join(text for row in rows for _, text in row).isascii() or symbols is UNICODE


@given(st.integers(4, 40), st.integers(0, 20), st.integers(40, 90), st.integers(1, 12))
def test_whose_turn_it_is_and_ones_own_seat_are_always_seen(
    seats: int, moves: int, columns: int, lines: int
) -> None:
    room = crowd(seats, moves).room
    assert room.state is not None
    assert room.state.to_move is not None
    shown = "\n".join(lines_of(room, "Bob", columns, lines))
    assert "▶" in shown
    assert room.players[room.state.to_move] in shown
    assert "Bob" in shown
    if room.state.to_move > 1 and "Ada" not in shown:
        assert "more" in shown or "…" in shown


# In a line or two


def test_few_lines_are_used_up(golden: Callable[[str, str], None]) -> None:
    screens = [
        f"{seats} seats, {columns} x {lines}\n{shown}\n"
        for seats, columns, lines in [(3, 60, 1), (3, 40, 1), (9, 60, 2), (9, 60, 1), (40, 80, 2)]
        for shown in ["\n".join(lines_of(crowd(seats, 4).room, "Bob", columns, lines))]
    ]
    golden("players-in-few-lines", "\n".join(screens))


def test_a_clock_and_who_is_out_are_said_in_one_line_too() -> None:
    hosted = playing(small(1, 3, seats=3, clock_s=30))
    hosted.ask("Bob", cmd.Resign, seat=1)
    assert lines_of(hosted.room, "Ada", 60, 1, clock_s=9) == [
        "▶● Ada 0 9 s   ■ Bob 0 (out)   ▲ greedy 0"
    ]


def test_a_name_that_is_too_long_is_cut_but_not_the_number_of_the_others() -> None:
    hosted = HostedRoom(small(1, 3, seats=3), limits=LARGE_LIMITS)
    hosted.ask("Ada", cmd.Sit, name="Maximiliana Theodora")
    assert lines_of(hosted.room, "Ada", 12, 1) == ["● Ada   … +2"]
    hosted.ask("Ada", cmd.SeatBot, bot="greedy")
    hosted.ask("Ada", cmd.Start)
    hosted.plays("Ada", "h0")
    assert lines_of(hosted.room, "Ada", 20, 1) == ["▶■ Maximilian…  … +2"]


def test_others_see_for_how_long_a_player_thinks() -> None:
    room = playing(small(1, 3)).room
    since_ms = room.turn_since_ms
    assert since_ms is not None
    assert "thinking for 1:05" in lines_of(room, "Bob", 40, 2, server_ms=since_ms + 65_900)[0]
    for me, after_ms in (("Bob", 9_999), ("Ada", 65_900)):
        assert "thinking" not in lines_of(room, me, 40, 2, server_ms=since_ms + after_ms)[0]


def test_a_player_who_is_away_has_a_countdown() -> None:
    for on_drop, note in (
        (OnDrop.BOT, "(away, bot in 0:09)"),
        (OnDrop.FORFEIT, "(away, loses in 0:09)"),
        (OnDrop.WAIT, "(away)"),
    ):
        hosted = playing(with_policy(on_drop))
        hosted.drop("Bob")
        server_ms = hosted.now_ms + 1
        assert note in lines_of(hosted.room, "Ada", 50, 2, server_ms=server_ms)[1]
        hosted.waits_out_the_grace()
        assert "bot in" not in lines_of(hosted.room, "Ada", 50, 2, server_ms=server_ms)[1]


def test_no_bot_is_to_come_where_one_plays_already() -> None:
    hosted = playing()
    hosted.plays("Ada", "h0")
    hosted.now_ms += 60_000
    hosted.ask("Ada", cmd.StandIn, seat=1)
    hosted.drop("Bob")
    line = lines_of(hosted.room, "Ada", 50, 2, server_ms=hosted.now_ms + 1)[1]
    assert "(away, greedy plays)" in line
