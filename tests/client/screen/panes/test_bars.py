"""Title, banner, footer, rules and notices, and whole screens made of panes."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import small
from tests.client.screen.looks import SYMBOLS
from tests.engine.room.hosting import HostedRoom, playing

from boxroom_client.screen.layout import LEAST_COLUMNS, LEAST_LINES, Rect, lay_out
from boxroom_client.screen.panes import bars
from boxroom_client.screen.panes.journal import Journal
from boxroom_client.screen.panes.players import players
from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.screen.themes.symbols import ASCII, UNICODE, Symbols
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.advice import narrate_with_advice
from boxroom_client.shell.output.report import ReportKind, kind_of, mark_of_actor
from boxroom_engine.games.drawing import Look
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import Room, Settings

HINTS = [("F1", "help"), ("F2", "names"), ("F3", "size"), ("PgUp", "older"), ("F10", "leave")]


def text_of(row: Row) -> str:
    return "".join(text for _, text in row)


def screen(room: Room, me: str, journal: Journal, columns: int, lines: int) -> str:
    """Return all panes as the terminal shows them, with the board as plain text."""
    assert room.state is not None
    board = room.state.draw(Look(("●", "■", "▲")[: len(room.seats)])).plain().splitlines()
    width, height = max(map(len, board)), len(board)
    arranged = lay_out(columns, lines, board=(width, height), seats=len(room.seats), banner=1)
    assert arranged.banner is not None
    assert arranged.players is not None
    assert arranged.log is not None
    parts: list[tuple[Rect, Sequence[Row]]] = [
        (arranged.title, [bars.title(room, me, columns)]),
        (arranged.banner, bars.banner("No connection.", columns, lines)),
        (arranged.board, [[("", line[: arranged.board.columns])] for line in board]),
        (arranged.players, players(room, me, arranged.players.columns, arranged.players.lines)),
        (arranged.log, journal.rows(arranged.log.columns, arranged.log.lines)),
        (arranged.input, [[("class:prompt", "> ")]]),
        *((rule, bars.rule(rule.columns, rule.lines)) for rule in arranged.rules),
    ]
    if arranged.footer is not None:
        parts.append((arranged.footer, [bars.footer(HINTS, columns)]))
    cells = [[" "] * columns for _ in range(lines)]
    for rect, rows in parts:
        for y, row in enumerate(rows[: rect.lines]):
            text = text_of(row)
            cells[rect.y + y][rect.x : rect.x + len(text)] = text
    return "\n".join("".join(line).rstrip() for line in cells) + "\n"


def game() -> tuple[Room, Journal]:
    """Return a game of Ada and a bot, which Dora watches, and its log."""
    hosted = HostedRoom(Settings(options={"rows": 5, "cols": 5}))
    journal, room = Journal(), hosted.room
    hosted.enter("Dora", watch=True)
    for line in describe.standing(room, "Ada"):
        journal.add(ReportKind.ANSWER, line)
    hosted.ask("Ada", cmd.SeatBot, bot="greedy")
    hosted.ask("Ada", cmd.Start)
    hosted.plays("Ada", "h0")
    hosted.bot_plays("v0")
    hosted.ask("Dora", cmd.Say, text="Good evening! May I watch you two?")
    hosted.ask("Ada", cmd.Say, text="Of course, the more the merrier")
    hosted.plays("Ada", "v1")
    hosted.bot_plays("h5")
    for entry in hosted.log[1:]:
        for event in entry.events:
            before, room = room, evolve(room, event, 0)
            for told in narrate_with_advice(event, before, room, "Ada"):
                journal.add(kind_of(event, "Ada"), told, mark_of_actor(event, room))
    return hosted.room, journal


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 12), (120, 20), (48, 36)])
def test_screens(columns: int, lines: int, golden: Callable[[str, str], None]) -> None:
    room, journal = game()
    golden(f"game-{columns}x{lines}", screen(room, "Ada", journal, columns, lines))


# Title


def test_the_title_says_whose_turn_it_is() -> None:
    hosted = HostedRoom(small(1, 2))
    assert right(hosted.room, "Ada") == "waiting for players"
    hosted.enter("Bob")
    assert right(hosted.room, "Ada") == "all seats are taken"
    growing = HostedRoom(small(1, 2, seat_range=(2, 4)), others=["Bob"])
    assert right(growing.room, "Ada") == "you can start"
    assert right(hosted.room, "Bob") == "waiting for the host"
    hosted.ask("Ada", cmd.Start)
    assert right(hosted.room, "Ada") == "your turn, Ada"
    assert right(hosted.room, "Bob") == "Ada's turn"
    hosted.drop("Ada")
    assert right(hosted.room, "Bob") == "waiting for Ada"
    hosted.waits_out_the_grace()
    assert right(hosted.room, "Bob") == "the bot of Ada thinks…"
    hosted.bot_plays("h0")
    hosted.ask("Bob", cmd.Resign, seat=1)
    assert right(hosted.room, "Bob") == "game over: Ada wins"


def right(room: Room, me: str) -> str:
    return text_of(bars.title(room, me, 100)).rpartition("  ")[2].strip()


@each(
    "settings, moves, words",
    [
        (small(1, 2), "h0 h1 h2 h3 v0 v1 v2", "Bob wins"),
        (small(1, 2), "h1 v1 h0 v0 h2 v2 h3", "Ada and Bob win together"),
        (small(1, 3, seats=3), "h5 v2 v3 h2 h4 h1 v1 h0 v0 h3", "3 win together"),
        (small(1, 1, seats=1), "h0 h1 v0 v1", "Ada wins"),
        (Settings("noughts"), "5 2 4 8 0 1 7 3 6", "a draw"),
    ],
)
def test_the_title_tells_how_it_ended(settings: Settings, moves: str, words: str) -> None:
    hosted = HostedRoom(settings, others=["Bob", "Cleo"])
    hosted.ask("Ada", cmd.Start)
    for move in moves.split():
        hosted.plays(("Ada", "Bob", "Cleo")[hosted.to_move or 0], move)
    assert right(hosted.room, "Ada") == f"game over: {words}"


def test_a_single_player_who_gives_up_is_no_winner() -> None:
    hosted = HostedRoom(small(1, 1, seats=1), others=())
    hosted.ask("Ada", cmd.Start)
    hosted.ask("Ada", cmd.Resign, seat=0)
    assert right(hosted.room, "Ada") == "game over: nobody wins"


def test_between_the_last_move_and_its_result_it_is_nobodys_turn() -> None:
    hosted = HostedRoom(small(1, 1), others=["Bob"])
    hosted.ask("Ada", cmd.Start)
    for move in ("h0", "h1", "v0"):
        hosted.plays(("Ada", "Bob")[hosted.to_move or 0], move)
    room = hosted.room
    last, *_ = hosted.plays("Bob", "v1")
    assert right(evolve(room, last, 0), "Ada") == ""


def test_a_bot_thinks_and_ones_own_turn_stands_out() -> None:
    hosted = playing(small(1, 3, seats=3))
    assert ("class:title.turn", "your turn, Ada") in bars.title(hosted.room, "Ada", 100)
    hosted.plays("Ada", "h0")
    hosted.plays("Bob", "h1")
    assert right(hosted.room, "Ada") == "greedy thinks…"
    assert text_of(bars.title(hosted.room, "Ada", 80, symbols=ASCII)).rstrip().endswith("...")


def test_the_title_has_as_much_as_there_is_place_for() -> None:
    room, _ = game()
    texts = [text_of(bars.title(room, "Ada", columns)) for columns in (90, 70, 60, 45, 40, 24)]
    assert [text.removesuffix("  greedy thinks… ").rstrip() for text in texts] == [
        " attic · Dots and Boxes (rows 5, cols 5, border none) · 1 watching",
        " attic · Dots and Boxes (rows 5, cols 5, border none)",
        " attic · Dots and Boxes · 1 watching",
        " attic · Dots and Boxes",
        " attic · Dots and Boxes",
        " attic",
    ]


def test_what_friends_type_is_whole_on_a_narrow_screen() -> None:
    line = "Friends join with: boxroom join 192.168.1.20 --room party"
    shown = [text_of(row) for row in bars.banner(line, 40, 12)]
    assert [row.strip() for row in shown] == [
        "Friends join with: boxroom join",
        "192.168.1.20 --room party",
    ]
    assert [row.strip() for row in map(text_of, bars.banner(line, 80, 24))] == [line]
    assert bars.banner("", 80, 24) == []


@given(st.integers(1, 120), SYMBOLS)
def test_lines_at_the_edges_fill_the_width(columns: int, symbols: Symbols) -> None:
    room, _ = game()
    rows = [
        bars.title(room, "Ada", columns, symbols=symbols),
        *bars.banner("Connection lost – trying again…", columns, 24, symbols=symbols),
        bars.footer(HINTS, columns, symbols=symbols),
        *bars.rule(columns, 1, symbols=symbols),
    ]
    for row in rows:
        assert row_width(row) == columns
        assert text_of(row).isascii() or symbols is UNICODE


# Footer, rules, notices


@given(st.integers(1, 60), st.lists(st.sampled_from(HINTS), max_size=5), st.booleans())
def test_no_hint_is_cut(columns: int, hints: list[tuple[str, str]], keeps_last: bool) -> None:
    shown = text_of(bars.footer(hints, columns, keeps_last=keeps_last))
    words = [f"{key} {does}" for key, does in hints]
    kept = [word for word in shown.strip().split("   ") if word]
    first = len(kept) - 1 if keeps_last and kept else len(kept)
    assert kept == [*words[:first], *words[-1:]][: len(kept)]
    if kept != words:
        missing = words[-1] if keeps_last and not kept else words[first]
        assert len(shown.rstrip()) + len(missing) + (3 if kept else 1) > columns


@given(st.integers(1, 60))
def test_a_hint_is_found_under_its_key_and_its_text(columns: int) -> None:
    row = bars.footer(HINTS, columns)
    shown = text_of(row)
    for key, does in HINTS:
        if f"{key} {does}" in shown:
            start = shown.index(f"{key} {does}")
            assert {bars.key_under(row, start + at) for at in range(len(f"{key} {does}"))} == {key}
    assert bars.key_under(row, 0) is None
    assert bars.key_under(row, columns) is None


def test_rules_are_upright_or_across() -> None:
    assert bars.rule(1, 2) == [[("class:rule", "│")]] * 2
    assert bars.rule(3, 1) == [[("class:rule", "───")]]
    assert bars.rule(3, 1, symbols=ASCII) == [[("class:rule", "---")]]


@given(st.integers(1, 100), st.integers(1, 50))
def test_too_small_says_so_in_any_size(columns: int, lines: int) -> None:
    rows = bars.too_small(columns, lines)
    assert [row_width(row) for row in rows] == [columns] * lines
    said = " ".join(" ".join(map(text_of, rows)).split())
    assert said
    if columns >= len(f"{LEAST_COLUMNS}x{LEAST_LINES}"):
        assert f"{LEAST_COLUMNS}x{LEAST_LINES}" in said
