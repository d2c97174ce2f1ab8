"""The log: its entries, how they are wrapped, and scrolling."""

import string
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.client.fake_connection import small
from tests.client.screen.looks import SYMBOLS
from tests.engine.room.hosting import playing

from boxroom_client.screen.panes.journal import Entry, Journal
from boxroom_client.screen.text.rows import Row, row_width
from boxroom_client.screen.text.tables import wrapped_table_line
from boxroom_client.screen.themes.symbols import ASCII, UNICODE, Symbols
from boxroom_client.shell.input.commands import help_for_all
from boxroom_client.shell.output.report import ReportKind, ReportLine, kind_of, mark_of_actor
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import ChatLine, ChatTo, Reaction, Settings

TEXTS = st.text(st.sampled_from(string.ascii_letters + "  :é漢 …"), max_size=120)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(ReportKind),
        TEXTS,
        st.none() | st.builds(Mark, st.integers(0, 80)),
        st.booleans(),
    ),
    max_size=30,
)
COLUMNS = st.integers(20, 60)
LINES = st.integers(1, 12)

EntryFields = tuple[ReportKind, str, Mark | None, bool]


def journal_of(entries: list[EntryFields]) -> Journal:
    journal = Journal()
    for kind, text, who, verbatim in entries:
        journal.add(kind, text, who, verbatim=verbatim)
    return journal


def numbered(entries: int, text: str = "") -> Journal:
    """Return a journal with numbered entries."""
    journal = Journal()
    for number in range(entries):
        journal.add(ReportKind.EVENT, f"{number}{text}")
    return journal


def texts(rows: list[Row]) -> list[str]:
    return ["".join(text for _, text in row).rstrip() for row in rows]


# What is shown


@given(ENTRIES, st.integers(1, 60), st.integers(0, 12), st.integers(-20, 40), SYMBOLS)
def test_the_pane_is_exactly_filled(
    entries: list[EntryFields], columns: int, lines: int, back: int, symbols: Symbols
) -> None:
    journal = journal_of(entries)
    journal.rows(columns, lines)
    journal.scroll(back)
    rows = journal.rows(columns, lines, symbols=symbols)
    assert [row_width(row) for row in rows] == [columns] * lines
    if symbols is ASCII:
        assert "".join(texts(rows)).isascii()


@given(ENTRIES, COLUMNS)
def test_what_has_place_is_shown_whole(entries: list[EntryFields], columns: int) -> None:
    rows = journal_of(entries).rows(columns, 500)
    shown = "".join("".join(texts(rows)).split())
    said = (f"{text}" for _, text, _, _ in entries)
    marks = set("●■▲◆★▼○□△◇☆▽")
    expected = "".join("".join(said).split())
    without_marks = "".join(char for char in shown if char not in marks)
    if all(who is None or who.number < len(marks) for _, _, who, _ in entries):
        assert without_marks == expected


@given(ENTRIES, COLUMNS, LINES, st.integers(0, 40))
def test_what_is_hidden_is_counted(
    entries: list[EntryFields], columns: int, lines: int, back: int
) -> None:
    journal = journal_of(entries)
    whole = journal.rows(columns, 500)
    lines_in_all = sum(len(entry_rows(fields, columns)) for fields in entries)
    assert not any("class:log.more" in style for row in whole for style, _ in row)
    journal.rows(columns, lines)
    journal.scroll(back)
    rows = journal.rows(columns, lines)
    scrolled = min(back, max(0, lines_in_all - lines))
    assert journal.is_at_end == (scrolled == 0)
    newest = [text for style, text in rows[-1] if style == "class:log.more"]
    oldest = [text for style, text in rows[0] if style == "class:log.more"]
    assert any("▼" in text for text in newest) == (scrolled > 0)
    assert any("▲" in text for text in oldest) == (lines_in_all > lines + scrolled)


def entry_rows(fields: EntryFields, columns: int) -> list[Row]:
    kind, text, who, verbatim = fields
    return Entry(kind, text, who, verbatim).rows(columns, symbols=UNICODE)


def test_the_newest_is_at_the_bottom_and_the_rest_is_counted() -> None:
    assert texts(numbered(2).rows(20, 3)) == ["", "0", "1"]
    assert texts(numbered(9).rows(20, 3)) == ["6           ▲ 6 more", "7", "8"]
    assert texts(numbered(9).rows(20, 3, symbols=ASCII))[0] == "6           ^ 6 more"


def test_nothing_is_cut_without_a_sign() -> None:
    journal = numbered(9, " is a line that goes on and on")
    journal.rows(30, 3)
    journal.scroll(3)
    assert texts(journal.rows(30, 3)) == [
        "6 is a line that goe… ▲ 6 more",
        "  on",
        "7 is a line … ▼ 2 newer · PgDn",
    ]


def test_in_a_single_line_both_signs_stand_together() -> None:
    journal = numbered(9)
    journal.rows(40, 1)
    journal.scroll(3)
    assert texts(journal.rows(40, 1)) == ["5              ▲ 5 more ▼ 3 newer · PgDn"]
    assert texts(journal.rows(40, 1, symbols=ASCII)) == ["5              ^ 5 more v 3 newer - PgDn"]


# Scrolling


@given(ENTRIES, ENTRIES, COLUMNS, LINES, st.integers(1, 40))
def test_what_is_read_stays_where_it_is(
    entries: list[EntryFields], later: list[EntryFields], columns: int, lines: int, back: int
) -> None:
    journal = journal_of(entries)
    journal.rows(columns, lines)
    journal.scroll(back)
    if journal.is_at_end:
        return
    before = journal.rows(columns, lines)
    for kind, text, who, verbatim in later:
        journal.add(kind, text, who, verbatim=verbatim)
    after = journal.rows(columns, lines)
    assert before[:-1] == after[:-1] or lines == 1


@given(ENTRIES, COLUMNS, LINES, st.integers(1, 40))
def test_scrolling_on_as_far_as_back_leads_to_the_end(
    entries: list[EntryFields], columns: int, lines: int, back: int
) -> None:
    journal = journal_of(entries)
    at_end = journal.rows(columns, lines)
    journal.scroll(back)
    journal.scroll(-back)
    assert journal.is_at_end
    assert journal.rows(columns, lines) == at_end


@given(ENTRIES, COLUMNS, LINES, st.integers(1, 5), st.integers(1, 5))
def test_two_steps_are_as_good_as_one(
    entries: list[EntryFields], columns: int, lines: int, first: int, second: int
) -> None:
    one, two = journal_of(entries), journal_of(entries)
    for journal in (one, two):
        journal.rows(columns, lines)
    one.scroll(first)
    one.scroll(second)
    two.scroll(first + second)
    assert one.rows(columns, lines) == two.rows(columns, lines)
    one.scroll(-first)
    two.scroll(-first)
    assert one.rows(columns, lines) == two.rows(columns, lines)


@given(st.integers(1, 60), st.integers(2, 12), st.integers(2, 30))
def test_pages_leave_out_no_line_in_a_log_that_became_lower(
    entries: int, lines: int, lines_before: int
) -> None:
    journal = numbered(entries)
    journal.rows(30, lines_before)
    seen: list[str] = []
    for _ in range(entries):
        seen += [row.split()[0] for row in texts(journal.rows(30, lines)) if row]
        journal.turn_page(1)
    assert set(seen) == {str(number) for number in range(entries)}
    for _ in range(entries):
        journal.turn_page(-1)
    assert journal.is_at_end


def test_it_is_scrolled_no_further_than_there_is_text() -> None:
    journal = numbered(5)
    journal.rows(30, 3)
    journal.scroll(1000)
    assert texts(journal.rows(30, 3)) == ["0", "1", "2             ▼ 2 newer · PgDn"]
    journal.scroll(-1000)
    assert journal.is_at_end
    journal.scroll(1)
    journal.to_end()
    assert journal.is_at_end


def test_a_pane_that_grows_is_filled_from_below() -> None:
    journal = numbered(9)
    journal.rows(30, 3)
    journal.scroll(1000)
    assert texts(journal.rows(30, 5))[:4] == ["0", "1", "2", "3"]
    assert texts(journal.rows(30, 20))[-9:] == [str(number) for number in range(9)]


def test_another_width_keeps_the_place() -> None:
    journal = numbered(9, " is a line that goes on and on and takes three")
    journal.rows(20, 3)
    journal.scroll(7)
    narrow = texts(journal.rows(20, 3))
    assert narrow[1].startswith("6")
    assert texts(journal.rows(70, 3))[2].startswith("6")
    assert texts(journal.rows(20, 3)) == narrow


def test_an_empty_journal_is_empty() -> None:
    journal = Journal()
    journal.scroll(3)
    assert texts(journal.rows(10, 2)) == ["", ""]


def test_the_oldest_are_forgotten() -> None:
    journal = Journal(most=5)
    for number in range(5):
        journal.add(ReportKind.EVENT, str(number))
    journal.rows(30, 2)
    journal.scroll(2)
    assert texts(journal.rows(30, 2))[1].startswith("2")
    journal.add(ReportKind.EVENT, "5")
    assert texts(journal.rows(30, 2))[1].startswith("2")
    for number in range(6, 10):
        journal.add(ReportKind.EVENT, str(number))
    assert texts(journal.rows(30, 2)) == ["5", "6             ▼ 3 newer · PgDn"]


def test_who_comes_and_goes_can_be_left_out() -> None:
    journal = Journal()
    for number in range(3):
        journal.add(ReportKind.COMING, f"{number} comes in.")
        journal.add(ReportKind.CHAT, f"{number}: hello")
    journal.shows_coming = False
    assert texts(journal.rows(30, 4)) == ["", "0: hello", "1: hello", "2: hello"]
    assert texts(journal.rows(30, 2)) == ["1: hello              ▲ 1 more", "2: hello"]
    journal.shows_coming = True
    assert texts(journal.rows(30, 2)) == ["2 comes in.           ▲ 4 more", "2: hello"]


def test_it_can_be_the_last_that_is_left_out() -> None:
    journal = numbered(3)
    journal.add(ReportKind.COMING, "Bob comes in.")
    journal.shows_coming = False
    assert texts(journal.rows(30, 2)) == ["1                     ▲ 1 more", "2"]
    journal.scroll(1)
    assert texts(journal.rows(30, 2)) == ["0", "1             ▼ 1 newer · PgDn"]


# Entries


def test_reactions_that_follow_each_other_take_one_line() -> None:
    journal = Journal()
    journal.add(ReportKind.CHAT, "Ada: hello")
    reactions = ["Ada: Wow!", "Bob: Oops!", "Ada: Nice move!", "Bob: Nice move!"]
    for text in reactions:
        journal.add_line(ReportLine(ReportKind.REACTION, text))
    assert texts(journal.rows(80, 3)) == ["", "Ada: hello", " · ".join(reactions)]
    journal.add_line(ReportLine(ReportKind.REACTION, "Ada: Thanks!"))
    assert texts(journal.rows(80, 3)) == ["", "Ada: hello", "Ada: Thanks!"], "it begins anew"


def test_names_stand_out_in_the_colour_of_the_seat() -> None:
    chat = Entry(ReportKind.CHAT, "Bob: so: what now?", mark=Mark(7))  # the second colour
    assert chat.rows(13, symbols=UNICODE) == [
        [("class:log.name class:seat1", "Bob"), ("class:log.chat", ": so: what")],
        [("class:log.chat", "  now?")],
    ]
    spectator = Entry(ReportKind.ASIDE, "Dora (to spectators): hm")
    assert spectator.rows(40, symbols=UNICODE) == [
        [("class:log.name", "Dora (to spectators)"), ("class:log.aside", ": hm")],
    ]


def test_moves_have_the_mark_of_who_plays() -> None:
    move = Entry(ReportKind.EVENT, "Bob takes 1 box and goes again (h7).", mark=Mark(1))
    assert move.rows(24, symbols=UNICODE) == [
        [("class:seat1", "■ "), ("class:log.event", "Bob takes 1 box and")],
        [("class:log.event", "  goes again (h7).")],
    ]
    assert move.rows(60, symbols=ASCII)[0][0] == ("class:seat1", "B ")
    nought = Entry(ReportKind.EVENT, "Ada plays 4.", mark=Mark(0, own="o"))
    assert nought.rows(60, symbols=UNICODE)[0][0] == ("class:seat0", "o ")


def test_tables_keep_their_columns() -> None:
    line = "  /sit [SEAT] [NAME]      Takes an empty seat, also for another person."
    assert wrapped_table_line(line, 80) == (line,)
    assert wrapped_table_line(line, 50) == (
        "  /sit [SEAT] [NAME]      Takes an empty seat,",
        "                          also for another person.",
    )
    assert wrapped_table_line(line, 46, 2) == (
        "  /sit [SEAT] [NAME]",
        "    Takes an empty seat, also for another",
        "    person.",
    )
    assert wrapped_table_line("  no table, only indented", 16) == (
        "  no table, only",
        "  indented",
    )


@given(TEXTS, st.integers(2, 60), st.integers(0, 4))
def test_tables_lose_no_word(text: str, columns: int, indent: int) -> None:
    lines = wrapped_table_line(text, columns, indent)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_help_can_be_read_in_a_narrow_pane() -> None:
    journal = Journal()
    for line in help_for_all():
        journal.add(ReportKind.ANSWER, line, verbatim=True)
    assert not any("…" in text.replace("VALUE …", "") for text in texts(journal.rows(30, 300)))


# Events


ROOM = playing(Settings(options={"rows": 1, "cols": 3}, seats=3), spectators=["Dora"]).room
EVENTS: list[tuple[ev.Event, ReportKind]] = [
    (ev.Created("attic", "1", "Ada", small()), ReportKind.EVENT),
    (ev.Joined("Bob"), ReportKind.COMING),
    (ev.Left("Bob"), ReportKind.COMING),
    (ev.Kicked("Bob"), ReportKind.EVENT),
    (ev.Unbarred("Bob"), ReportKind.EVENT),
    (ev.Muted("Bob"), ReportKind.EVENT),
    (ev.Unmuted("Bob"), ReportKind.EVENT),
    (ev.Renamed("Bob", "Rob"), ReportKind.EVENT),
    (ev.WentAway("Bob"), ReportKind.COMING),
    (ev.CameBack("Bob"), ReportKind.COMING),
    (ev.PauseAsked("Bob"), ReportKind.EVENT),
    (ev.Paused("Bob"), ReportKind.EVENT),
    (ev.Unpaused("Bob"), ReportKind.EVENT),
    (ev.Dropped("Bob", 1), ReportKind.COMING),
    (ev.Returned("Bob"), ReportKind.COMING),
    (ev.GraceOver("Bob"), ReportKind.COMING),
    (ev.Woken(1), ReportKind.COMING),
    (ev.HostPassed("Bob"), ReportKind.EVENT),
    (ev.Configured(small()), ReportKind.EVENT),
    (ev.Sat(1, "Bob", "Bob"), ReportKind.EVENT),
    (ev.Reseated((0,), 2), ReportKind.EVENT),
    (ev.BotSat(1, "greedy", "greedy"), ReportKind.EVENT),
    (ev.Vacated(1), ReportKind.EVENT),
    (ev.StoodIn(1, "greedy"), ReportKind.EVENT),
    (ev.TookBack(1), ReportKind.EVENT),
    (ev.Rotated(), ReportKind.EVENT),
    (ev.Started(1, ("Ada", "Bob")), ReportKind.EVENT),
    (ev.Played(1, "h0", (), 0, (0, 0)), ReportKind.EVENT),
    (ev.HintAsked(1), ReportKind.EVENT),
    (ev.Coached(1, on=True), ReportKind.EVENT),
    (ev.Withdrew(1, ev.WithdrawalReason.RESIGNED, 0, (0, 0)), ReportKind.EVENT),
    (ev.UndoAsked("Bob", 0), ReportKind.EVENT),
    (ev.UndoAgreed("Bob"), ReportKind.EVENT),
    (ev.UndoDeclined("Bob"), ReportKind.EVENT),
    (ev.Undone("Bob", 0, 2, 1, (0, 0)), ReportKind.EVENT),
    (ev.Nudged("Ada", 1), ReportKind.EVENT),
    (ev.Coached(0, True), ReportKind.EVENT),
    (ev.StandInAsked("Bob", 0, "greedy"), ReportKind.EVENT),
    (ev.AbortAsked("Bob"), ReportKind.EVENT),
    (ev.Agreed("Bob"), ReportKind.EVENT),
    (ev.Declined("Bob"), ReportKind.EVENT),
    (ev.Aborted("Bob"), ReportKind.EVENT),
    (ev.Ended((1, 0), (0,)), ReportKind.EVENT),
    (ev.SeriesWon("Bob"), ReportKind.EVENT),
    (ev.RematchWanted("Bob"), ReportKind.EVENT),
    (ev.RematchUnwanted("Bob"), ReportKind.EVENT),
    (ev.Said("Bob", "hello", 1), ReportKind.CHAT),
    (ev.Said("Ada", "hello", 1), ReportKind.MINE),
    (ev.Said("Dora", "hm", 1, ChatTo.SPECTATORS), ReportKind.ASIDE),
    (ev.Reacted("Bob", Reaction.WOW), ReportKind.REACTION),
    (ev.Told("Bob", "Ada", "psst", 1), ReportKind.PRIVATE),
    (ev.Revealed((ChatLine(1, "Dora", "hm", 1),)), ReportKind.ASIDE),
    (ev.Hidden(), ReportKind.EVENT),
]


@each("event, kind", EVENTS)
def test_every_event_has_a_kind(event: ev.Event, kind: ReportKind) -> None:
    assert kind_of(event, "Ada") is kind


def test_no_event_is_left_out_here() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(ev.Event))


def test_who_did_it_is_known_by_the_seat() -> None:
    bob = ROOM.mark(Seat(1))
    assert mark_of_actor(ev.Played(1, "h0", (), 0, (0, 0)), ROOM) == bob
    assert mark_of_actor(ev.HintAsked(1), ROOM) == bob
    assert mark_of_actor(ev.Undone("Bob", 0, 2, 1, (0, 0)), ROOM) == bob
    assert mark_of_actor(ev.Withdrew(1, ev.WithdrawalReason.RESIGNED, 0, (0, 0)), ROOM) == bob
    assert mark_of_actor(ev.Said("Bob", "hello", 1), ROOM) == bob
    assert mark_of_actor(ev.Said("Dora", "hello", 1), ROOM) is None
    assert mark_of_actor(ev.Joined("Bob"), ROOM) is None
