"""Rendered screens of a game, without a terminal."""

import re
from collections.abc import Callable
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import LIMITS, small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.link.updates import BotThinking, ConnectionLost, EnteredRoom, EventApplied
from boxroom_client.screen.attention import CallForAttention
from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES
from boxroom_client.screen.model import FRESH_S, DisplayOptions, Model
from boxroom_client.screen.model_updates import ModelUpdater
from boxroom_client.screen.picture import Picture, draw, input_hint, move_under, next_change_s
from boxroom_client.screen.text.rows import row_width
from boxroom_client.screen.themes.symbols import ASCII
from boxroom_client.servers.address import Address
from boxroom_engine.games.drawing import Size
from boxroom_engine.review.review import Review
from boxroom_engine.review.reviewed_game import ReviewedGame
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Audience, Settings


class Seen:
    """A hosted room, and the screen of `me`."""

    def __init__(
        self, hosted: HostedRoom, me: str = "Ada", options: DisplayOptions | None = None
    ) -> None:
        self.hosted = hosted
        self.model = Model(hosted.room, me, options or DisplayOptions())
        self.calls: list[CallForAttention] = []
        self.updater = ModelUpdater(self.model, lambda: 100.0, self._called)
        self.updater.apply(EnteredRoom(hosted.room, me, Audience.PLAYER, back=False))

    def _called(self, call: CallForAttention) -> None:
        self.calls.append(call)

    def happens(self, events: tuple[ev.Event, ...]) -> None:
        """Apply `events` to the screen."""
        for event in events:
            before = self.model.room
            after = evolve(before, event, 0)
            at_ms = self.hosted.now_ms
            self.updater.apply(EventApplied(after.seq, event, before, after, at_ms))

    def text(self, columns: int = 80, lines: int = 24, now_s: float = 100.0) -> str:
        """Return the screen without its input line."""
        return plain(draw(self.model, columns, lines, now_s))


def plain(picture: Picture) -> str:
    rows = [*picture.rows]
    if picture.has_line:
        rows.append([("", "> ")])
    if picture.footer is not None:
        rows.append(picture.footer)
    return "\n".join("".join(text for _, text in row).rstrip() for row in rows) + "\n"


def a_game(rows: int = 3, cols: int = 4, **others: object) -> HostedRoom:
    """Return a game of Ada, Bob and a bot, before the first move."""
    room_settings = small(rows, cols, seats=3, **others)
    hosted = HostedRoom(room_settings, limits=LIMITS, others=("Bob",))
    hosted.enter("Cleo", watch=True)
    hosted.ask("Ada", cmd.SeatBot, bot="greedy")
    return hosted


def under_way(options: DisplayOptions | None = None) -> Seen:
    seen = Seen(a_game(), options=options)
    hosted = seen.hosted
    seen.happens(hosted.ask("Ada", cmd.Start))
    for member, move in (("Ada", "h0"), ("Bob", "v0")):
        seen.happens(hosted.plays(member, move))
    seen.happens(hosted.bot_plays("v1"))
    seen.happens(hosted.plays("Ada", "h4"))
    seen.happens(hosted.ask("Bob", cmd.Say, text="oh no, not that one!"))
    seen.happens(hosted.ask("Ada", cmd.Say, text="thank you :)"))
    return seen


@pytest.mark.parametrize(
    ("columns", "lines"), [(80, 24), (120, 40), (100, 30), (60, 20), (40, 12), (39, 12), (40, 11)]
)
def test_screens_of_all_sizes(columns: int, lines: int, golden: Callable[[str, str], None]) -> None:
    golden(f"whole-{columns}x{lines}", under_way().text(columns, lines))


def test_a_screen_in_ascii(golden: Callable[[str, str], None]) -> None:
    text = under_way(DisplayOptions(symbols=ASCII)).text()
    assert text.isascii()
    golden("whole-ascii", text)


def test_before_the_game_it_says_what_has_to_happen() -> None:
    hosted = HostedRoom(small(seats=2))
    assert "You are the host. 1 seat is empty" in Seen(hosted).text().replace("\n", " ")


def test_a_lost_connection_stands_out_above_the_board() -> None:
    seen = under_way()
    seen.updater.apply(ConnectionLost("the cable is out", 7.2))
    assert "No connection: the next try is in 7 s" in seen.text().splitlines()[1]
    assert "trying again" in seen.text(now_s=107.5).splitlines()[1]


def test_what_is_new_stands_out_for_a_moment() -> None:
    seen = under_way()

    def fresh(now_s: float) -> bool:
        rows = draw(seen.model, 80, 24, now_s).rows
        return any("board.fresh" in style for row in rows for style, _ in row)

    assert fresh(100.0)
    assert fresh(100.0 + FRESH_S - 0.1)
    assert not fresh(100.0 + FRESH_S)
    assert next_change_s(seen.model, 100.0) == FRESH_S
    assert next_change_s(seen.model, 100.0 + FRESH_S) is None


def marked(seen: Seen) -> list[str]:
    """Return what the board marks as new, some time after the last move."""
    rows = draw(seen.model, 80, 24, 200.0).rows
    return [text.strip() for row in rows for style, text in row if "board.last" in style]


def test_all_that_was_played_since_my_own_move_is_marked_until_i_move() -> None:
    seen = Seen(a_game())
    hosted = seen.hosted
    seen.happens(hosted.ask("Ada", cmd.Start))
    seen.happens(hosted.plays("Ada", "h0"))
    assert len(marked(seen)) == 1
    seen.happens(hosted.plays("Bob", "v0"))
    seen.happens(hosted.bot_plays("v1"))
    # "h4" would be the fourth line of the box.
    assert [mark[0] for mark in marked(seen)] == ["┃", "┃"] * 3
    seen.updater.apply(EnteredRoom(seen.model.room, "Ada", Audience.PLAYER, back=True))
    assert len(marked(seen)) == 6
    seen.happens(hosted.plays("Ada", "h4"))
    seen.happens(hosted.plays("Ada", "h15"))
    assert len(marked(seen)) == 1


def test_what_was_seen_of_the_game_before_counts_for_nothing_in_the_next() -> None:
    hosted = HostedRoom(small(1, 1, seats=3), limits=LIMITS)
    for name in ("Ann", "Amy"):
        hosted.ask("Ada", cmd.Sit, name=name)
    seen = Seen(hosted)
    seen.happens(hosted.ask("Ada", cmd.Start))
    for move in ("h0", "h1", "v0", "v1"):
        seen.happens(hosted.plays("Ada", move))
    seen.happens(hosted.ask("Ada", cmd.Rematch))
    for move in ("h0", "h1"):
        seen.happens(hosted.plays("Ada", move))
    assert len(marked(seen)) == 2


def test_what_a_bot_played_in_my_seat_is_marked_too() -> None:
    seen = Seen(a_game(clock_s=5))
    hosted = seen.hosted
    seen.happens(hosted.ask("Ada", cmd.Start))
    seen.happens(hosted.misses_the_clock("h0"))
    seen.happens(hosted.plays("Bob", "h1"))
    assert marked(seen) == ["━━━━━━━━━", "━━━━━━━━━"]


def test_people_at_one_keyboard_see_each_what_came_since_their_own_move() -> None:
    hosted = HostedRoom(small(2, 2, seats=2), limits=LIMITS)
    hosted.ask("Ada", cmd.Sit, name="Ann")
    seen = Seen(hosted)
    seen.happens(hosted.ask("Ada", cmd.Start))
    for move in ("h0", "h5", "v0"):
        seen.happens(hosted.plays("Ada", move))
    assert marked(seen) == ["┃", "┃", "┃"]  # Ann has seen h0 and played h5
    assert seen.model.room.state is not None


def test_spectators_have_the_last_move_marked() -> None:
    seen = Seen(a_game(), me="Cleo")
    seen.happens(seen.hosted.ask("Ada", cmd.Start))
    for member, move in (("Ada", "h0"), ("Bob", "h1")):
        seen.happens(seen.hosted.plays(member, move))
    assert marked(seen) == ["━━━━━━━━━"]


def test_a_takeback_leaves_what_came_since_my_last_move_that_stands() -> None:
    hosted = HostedRoom(small(2, 2, seats=2), limits=LIMITS, others=("Bob",))
    seen = Seen(hosted)
    seen.happens(hosted.ask("Ada", cmd.Start))
    for member, move in (("Ada", "h0"), ("Bob", "h1"), ("Ada", "v0")):
        seen.happens(hosted.plays(member, move))
    assert marked(seen) == ["┃", "┃", "┃"]
    seen.happens(hosted.ask("Ada", cmd.Undo, ply=3))
    seen.happens(hosted.ask("Bob", cmd.AnswerUndo, ply=3, agree=True))
    assert marked(seen) == ["━━━━━━━━━"]


def large() -> Seen:
    """Return a game of Ada and Bob on 30×30 boxes in which Ada has moved at the top."""
    room_settings = Settings(options={"rows": 30, "cols": 30})
    seen = Seen(HostedRoom(room_settings, limits=LIMITS, others=("Bob",)))
    seen.happens(seen.hosted.ask("Ada", cmd.Start))
    seen.happens(seen.hosted.plays("Ada", "h0"))
    return seen


@each("columns, lines", [(80, 24), (120, 40), (40, 12)])
def test_the_view_follows_moves_on_a_large_board(columns: int, lines: int) -> None:
    seen = large()
    assert "rows 1–" in seen.text(columns, lines)
    seen.happens(seen.hosted.plays("Bob", "v915"))
    assert re.search(r"rows \d+–30 of 30", seen.text(columns, lines))
    rows = draw(seen.model, columns, lines, 100.0).rows
    assert any("board.fresh" in style for row in rows for style, _ in row)
    entering = Seen(seen.hosted, me="Bob")
    assert re.search(r"rows \d+–30 of 30", entering.text(columns, lines))


@each("server_ms", [100_000, 3_700_000, 5_000])
def test_a_clock_is_counted_down_second_by_second_whatever_the_servers_clock_is(
    server_ms: int,
) -> None:
    hosted = a_game(clock_s=30)
    hosted.now_ms = server_ms
    seen = Seen(hosted)
    seen.happens(hosted.ask("Ada", cmd.Start))
    assert " 30" in seen.text(now_s=100.0)
    assert " 12" in seen.text(now_s=118.2)
    change_s = next_change_s(seen.model, 118.2)
    assert change_s is not None
    assert 0 < change_s <= 1


def test_a_bot_that_thinks_is_seen_to_think() -> None:
    seen = under_way()
    seen.happens(seen.hosted.plays("Ada", "h15"))
    seen.happens(seen.hosted.plays("Bob", "h8"))
    assert seen.model.room.bot_to_move() is not None
    seen.updater.apply(BotThinking(2, "greedy"))
    assert "greedy (bot) thinks" in seen.text()
    seen.happens(seen.hosted.bot_plays("h9"))
    assert "greedy (bot) thinks" not in seen.text()


def test_how_to_move_is_said_from_the_first_second() -> None:
    seen = Seen(a_game())
    assert input_hint(seen.model, on_board=False) == "type to chat, /help for commands"
    seen.happens(seen.hosted.ask("Ada", cmd.Start))
    seen.text()
    assert input_hint(seen.model, on_board=False).startswith("type a move such as h0")
    seen.model.pane.cycle(2)
    assert input_hint(seen.model, on_board=False) == "Enter plays h1"
    assert input_hint(seen.model, on_board=True).startswith("on h1: ")


@each(
    "others, hint",
    [
        ((), "type to chat, /help for commands"),
        (("Bob",), "F7 shows where it was lost; type to chat, /help for commands"),
        (("Bob", "Cem"), "type to chat, /help for commands"),
    ],
)
def test_at_the_end_a_review_is_offered_to_two_players_only(
    others: tuple[str, ...], hint: str
) -> None:
    room_settings = small(1, 1, seats=len(others) + 1)
    seen = Seen(HostedRoom(room_settings, limits=LIMITS, others=others))
    seen.happens(seen.hosted.ask("Ada", cmd.Start))
    for player, line in zip(cycle(("Ada", *others)), ("h0", "h1", "v0", "v1"), strict=False):
        seen.happens(seen.hosted.plays(player, line))
    assert input_hint(seen.model, on_board=False) == hint


def test_scores_are_those_of_the_position_that_is_looked_at() -> None:
    seen = Seen(HostedRoom(small(1, 1), limits=LIMITS, others=("Bob",)))
    seen.happens(seen.hosted.ask("Ada", cmd.Start))
    for player, line in zip(cycle(("Ada", "Bob")), ("h0", "h1", "v0", "v1"), strict=False):
        seen.happens(seen.hosted.plays(player, line))
    record = seen.model.room.record
    assert record is not None
    for at, score in ((4, "1"), (3, "0")):
        seen.model.review = ReviewedGame(tuple(record.positions()), Review((), first_judged=1), at)
        row = next(row for row in seen.text().splitlines() if "■ Bob" in row)
        assert row.split()[-1] == score, row


@settings(max_examples=60)
@given(
    columns=st.integers(1, 150),
    lines=st.integers(1, 60),
    board=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    size=st.sampled_from([None, *Size]),
    with_banner=st.booleans(),
)
def test_every_picture_fills_its_terminal_and_clicks_hit_what_is_seen(
    columns: int, lines: int, board: tuple[int, int], size: Size | None, with_banner: bool
) -> None:
    room_settings = Settings(options={"rows": board[0], "cols": board[1]})
    hosted = HostedRoom(room_settings, limits=LIMITS, others=("Bob",))
    seen = Seen(hosted, options=DisplayOptions(size=size))
    seen.happens(hosted.ask("Ada", cmd.Start))
    if with_banner:
        seen.updater.apply(ConnectionLost("the cable is out", 7.2))
    picture = draw(seen.model, columns, lines, 100.0)
    assert len(picture.rows) + picture.has_line + (picture.footer is not None) == lines
    assert all(row_width(row) == columns for row in picture.rows)
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        assert not picture.has_line
        return
    state = seen.model.room.state
    assert state is not None
    for y, row in enumerate(picture.rows):
        x = 0
        for style, text in row:
            if "board.number" in style and text.strip() in {"h0", "v0"}:
                move = move_under(seen.model, picture, x + text.index(text.strip()), y)
                assert move is not None
                assert state.game.format_move(move) == text.strip()
            x += len(text)


def test_a_room_that_waits_for_players_shows_how_they_join() -> None:
    hosted = HostedRoom(small(seats=3))
    seen = Seen(hosted)
    seen.model.guests_address = Address("192.168.1.5")
    line = f"Friends join with: boxroom join 192.168.1.5 --room {hosted.room.code}"
    assert line in seen.text()
