"""The writer on a disk that works, hangs, or fails."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.server.manual_clock import ManualClock
from tests.server.storage.sqlite.writing import (
    NOTHING,
    REFUSED,
    SILENT,
    add,
    commits,
    fail,
    gone,
    hanging,
    names,
    repair,
    rows,
    save_name,
    writer_on,
)
from tests.server.talk import until

from boxroom_server.storage.room_log import CannotSave
from boxroom_server.storage.sqlite import compaction
from boxroom_server.storage.sqlite import writer as writer_module
from boxroom_server.storage.sqlite.compaction import decode_commit
from boxroom_server.storage.sqlite.schema import connect
from boxroom_server.storage.sqlite.writer import BUSY_LINES, PAUSE_S, SLOW_S, Writer

ONE_LOOP = True


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boxroom.db"


async def until_saving(writer: Writer) -> None:
    await until(lambda: writer.failure is None)


async def until_failing(writer: Writer) -> None:
    await until(lambda: writer.failure is not None)


# A disk that works


async def test_what_comes_in_one_turn_of_the_event_loop_is_one_commit(path: Path) -> None:
    async with writer_on(path) as writer:
        outcomes = [add(writer, b"%d" % number) for number in range(3)]
        assert not any(outcome.is_known for outcome in outcomes)
        assert [await outcome.known() for outcome in outcomes] == [None] * 3
        assert commits(path) == [[b"0", b"1", b"2"]]


async def test_what_comes_during_a_commit_is_the_next_one(path: Path) -> None:
    async with writer_on(path) as writer:
        with hanging(path):
            add(writer, b"first")
            await asyncio.sleep(0)  # the thread has it
            later = [add(writer, b"second"), add(writer, b"third")]
            await asyncio.sleep(0)
        assert [await outcome.known() for outcome in later] == [None, None]
        assert commits(path) == [[b"first"], [b"second", b"third"]]


async def test_the_next_commit_waits_for_a_moment_when_many_lines_come_together(
    path: Path,
) -> None:
    clock = ManualClock()
    async with writer_on(path, clock) as writer:
        first = [add(writer, b"%d" % number) for number in range(BUSY_LINES)]
        assert [await outcome.known() for outcome in first] == [None] * BUSY_LINES
        second = add(writer, b"second")
        await asyncio.sleep(0)
        clock.advance(PAUSE_S / 2)
        third = add(writer, b"third")
        await asyncio.sleep(0)
        assert len(commits(path)) == 1
        clock.advance(PAUSE_S / 2)
        assert [await outcome.known() for outcome in (second, third)] == [None, None]
        assert commits(path)[1:] == [[b"second", b"third"]]
        assert await add(writer, b"fourth").known() is None, "few lines came meanwhile"


async def test_one_line_at_a_time_never_waits(path: Path) -> None:
    async with writer_on(path) as writer:  # whose clock stands still
        for number in range(2 * BUSY_LINES):
            assert await add(writer, b"%d" % number).known() is None
        assert len(commits(path)) == 2 * BUSY_LINES


async def test_a_commit_that_takes_longer_than_the_pause_is_followed_at_once(path: Path) -> None:
    clock = ManualClock()
    async with writer_on(path, clock) as writer:
        with hanging(path):
            for number in range(BUSY_LINES):
                add(writer, b"%d" % number)
            await asyncio.sleep(0)
            later = add(writer, b"later")
            clock.advance(PAUSE_S)
        assert await later.known() is None


async def test_closing_waits_for_no_pause(path: Path) -> None:
    async with writer_on(path) as writer:
        for number in range(BUSY_LINES):
            outcome = add(writer, b"%d" % number)
        assert await outcome.known() is None
        waiting = add(writer, b"waiting")
    assert await waiting.known() is None


async def test_a_line_is_on_the_disk_when_its_callback_is_called(path: Path) -> None:
    async with writer_on(path) as writer:
        seen: list[list[list[bytes]]] = []
        outcome = add(writer, b"first")
        assert await outcome.known() is None
        seen.append(commits(path))
        assert seen == [[[b"first"]]]


async def test_an_appender_that_raises_keeps_no_other_from_its_outcome(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with writer_on(path) as writer:
        add(writer, b"first").commit_finished(NOTHING, None)  # a second call raises
        outcome = add(writer, b"second")
        assert await outcome.known() is None
        assert "couldn't be handed on" in caplog.text


async def test_a_change_is_kept_with_the_lines_of_the_same_turn(path: Path) -> None:
    async with writer_on(path) as writer:
        with hanging(path):
            add(writer, b"first")
            await asyncio.sleep(0)
            save_name(writer, "ada")
            outcome = add(writer, b"second")
            assert names(path) == []
            assert commits(path) == []
        assert await outcome.known() is None
        assert names(path) == ["ada"]


async def test_a_change_alone_is_kept_too(path: Path) -> None:
    async with writer_on(path) as writer:
        save_name(writer, "ada")
        await until(lambda: names(path) == ["ada"])


async def test_closing_saves_and_compacts_what_waits(path: Path) -> None:
    async with writer_on(path) as writer:
        writer.change("INSERT INTO rooms VALUES (1, 'log', '{}', NULL)")
        outcome = add(writer, numbered(1))
    assert outcome.is_known
    assert commits(path) == []
    assert rows(path, "SELECT room, seq, lines FROM entries") == [(1, 1, numbered(1) + b"\n")]


async def test_closing_waits_for_a_commit_that_is_under_way(path: Path) -> None:
    async with writer_on(path) as writer:
        with hanging(path):
            add(writer, b"first")
            await asyncio.sleep(0)
            save_name(writer, "ada")
            closing = asyncio.create_task(writer.close())
            await asyncio.sleep(0)
            assert not closing.done()
        await closing
    assert names(path) == ["ada"]


async def test_closing_gives_up_a_disk_that_does_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with writer_on(path) as writer:
        with hanging(path):
            add(writer, b"first")
            with monkeypatch.context() as patch:
                patch.setattr(writer_module, "STOP_S", 0.0)
                await writer.close()
            assert "doesn't answer" in caplog.text


async def test_lines_are_compacted_when_nothing_comes_for_some_time(path: Path) -> None:
    async with writer_on(path, compact_after_s=0.0) as writer:
        writer.change("INSERT INTO rooms VALUES (1, 'log', '{}', NULL)")
        for seq in range(1, 4):
            assert await add(writer, numbered(seq)).known() is None
        await until(lambda: commits(path) == [])
        assert compacted(path) == b"".join(numbered(seq) + b"\n" for seq in range(1, 4))


async def test_when_nothing_comes_the_log_of_the_database_is_emptied(path: Path) -> None:
    log = path.with_name("boxroom.db-wal")
    async with writer_on(path, compact_after_s=0.0) as writer:
        for seq in range(1, 3):
            assert await add(writer, numbered(seq)).known() is None
            await until(lambda: log.stat().st_size == 0)


async def test_it_is_not_emptied_while_others_read_and_commits_go_on(path: Path) -> None:
    log = path.with_name("boxroom.db-wal")
    async with writer_on(path, compact_after_s=0.0) as writer:
        assert await add(writer, numbered(1)).known() is None
        await until(lambda: commits(path) == [])
        with reading(path):
            assert await add(writer, numbered(2)).known() is None
            await until(lambda: commits(path) == [])
            assert await add(writer, numbered(3)).known() is None
            assert log.stat().st_size > 0
        assert await add(writer, numbered(4)).known() is None
        await until(lambda: log.stat().st_size == 0)


async def test_more_than_so_many_lines_are_compacted_while_more_come(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "PIECE_BYTES", 100)
    monkeypatch.setattr(compaction, "MAX_PIECES", 5)
    async with writer_on(path) as writer:
        writer.change("INSERT INTO rooms VALUES (1, 'log', '{}', NULL)")
        waiting = 0
        for seq in range(1, 20):
            assert await add(writer, numbered(seq, 100)).known() is None
            waiting = max(waiting, len(commits(path)))
        assert 5 < waiting <= 7  # one is committed, one compacted meanwhile
        written = [numbered(seq, 100) + b"\n" for seq in range(1, 20)]
        assert compacted_and_rest(path) == b"".join(written)


def compacted_and_rest(path: Path) -> bytes:
    """Return all compacted lines and those that aren't, at one moment."""
    saved = rows(
        path,
        "SELECT seq AS at, 0 AS is_rest, lines FROM entries UNION ALL"
        " SELECT id, 1, lines FROM commits ORDER BY is_rest, at",
    )
    texts = b""
    for _, is_rest, lines in saved:
        assert isinstance(lines, bytes)
        texts += b"".join(b"%b\n" % it for _, it in decode_commit(lines)) if is_rest else lines
    return texts


async def test_changes_alone_are_not_compacted(path: Path) -> None:
    async with writer_on(path, compact_after_s=0.0) as writer:
        save_name(writer, "ada")
        await until(lambda: names(path) == ["ada"])
        assert commits(path) == [[]]
    assert commits(path) == []


async def test_compaction_that_fails_is_done_later(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    no_compaction = (
        "CREATE TRIGGER disk BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    async with writer_on(path, compact_after_s=0.0) as writer:
        writer.change("INSERT INTO rooms VALUES (1, 'log', '{}', NULL)")
        fail(path, no_compaction)
        assert await add(writer, numbered(1)).known() is None
        await until(lambda: "can't be compacted yet" in caplog.text)
        assert writer.failure is None
        assert commits(path)[-1] == [numbered(1)]
        repair(path)
        await until(lambda: commits(path) == [])
    assert compacted(path) == numbered(1) + b"\n"


async def test_compaction_that_fails_is_not_tried_again_with_each_commit(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "PIECE_BYTES", 100)
    monkeypatch.setattr(compaction, "MAX_PIECES", 1)
    async with writer_on(path) as writer:
        assert await add(writer, b"no JSON").known() is None
        for seq in range(2, 9):
            assert await add(writer, numbered(seq, 100)).known() is None
        assert caplog.text.count("can't be compacted yet") == 1


async def test_a_damaged_commit_is_not_compacted_and_the_next_ones_are_saved(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with writer_on(path, compact_after_s=0.0) as writer:
        assert await add(writer, b"no JSON").known() is None
        await until(lambda: "can't be compacted yet" in caplog.text)
        assert await add(writer, numbered(2)).known() is None
        assert writer.failure is None
        assert commits(path) == [[b"no JSON"], [numbered(2)]]


async def test_a_commit_that_the_disk_has_changed_is_not_compacted(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with writer_on(path) as writer:
        assert await add(writer, numbered(1)).known() is None
        with closing(connect(path)) as connection:
            connection.execute("UPDATE commits SET lines = CAST('1 {\"seq\":7}\n' AS BLOB)")
    assert "the checksum of commit 1 is wrong" in caplog.text
    assert commits(path) == [[b'{"seq":7}']]


def numbered(seq: int, size: int = 0) -> bytes:
    """Return JSON with that number."""
    return b'{"seq":%d,"text":"%b"}' % (seq, b"x" * size)


def compacted(path: Path) -> bytes:
    """Return all compacted lines."""
    texts = [text for (text,) in rows(path, "SELECT lines FROM entries ORDER BY seq")]
    return b"".join(text for text in texts if isinstance(text, bytes))


# A disk that hangs


async def test_a_disk_that_takes_too_long_is_a_failure_until_it_has_answered(path: Path) -> None:
    clock = ManualClock()
    failures: list[str | None] = []
    async with writer_on(path, clock) as writer:
        writer.on_failure_change.append(lambda: failures.append(writer.failure))
        with hanging(path):
            under_way = add(writer, b"under way")
            await asyncio.sleep(0)
            waiting = add(writer, b"waiting")
            save_name(writer, "ada")
            clock.advance(SLOW_S)
            assert isinstance(await waiting.known(), CannotSave)
            assert isinstance(await add(writer, b"late").known(), CannotSave)
            assert not under_way.is_known
            assert failures == ["the disk is too slow"]
        assert await under_way.known() is None
        assert failures == ["the disk is too slow", None]
        assert await add(writer, b"after").known() is None
        assert [texts for texts in commits(path) if texts] == [[b"under way"], [b"after"]]
        assert names(path) == ["ada"]


async def test_many_quick_commits_are_no_slow_one(path: Path) -> None:
    clock = ManualClock()
    async with writer_on(path, clock) as writer:
        assert await add(writer, b"first").known() is None
        with hanging(path):
            second = add(writer, b"second")
            await asyncio.sleep(0)
            clock.advance(SLOW_S)  # since the first one; the second has only begun
            assert writer.failure is None
            clock.advance(SLOW_S)
            assert writer.failure == "the disk is too slow"
        assert await second.known() is None


# A disk that fails


async def test_a_commit_that_fails_is_refused_and_so_is_all_that_waits(path: Path) -> None:
    async with writer_on(path) as writer:
        fail(path, REFUSED)
        with hanging(path):
            under_way = add(writer, b"under way")
            await asyncio.sleep(0)
            waiting = add(writer, b"waiting")
        for outcome in (under_way, waiting):
            error = await outcome.known()
            assert isinstance(error, CannotSave)
            assert str(error) == "the disk fails (no disk)"
        assert writer.failure == "the disk fails (no disk)"
        repair(path)
        await until_saving(writer)
        assert await add(writer, b"after").known() is None
        assert [texts for texts in commits(path) if texts] == [[b"after"]]


async def test_changes_outlast_a_failure_in_their_order(path: Path) -> None:
    async with writer_on(path) as writer:
        fail(path, REFUSED)
        save_name(writer, "ada")
        await until_failing(writer)
        writer.change("UPDATE names SET key = 'bob' WHERE key = 'ada'")
        repair(path)
        await until(lambda: names(path) == ["bob"])


async def test_a_commit_that_fails_though_it_was_done_is_saved_once(path: Path) -> None:
    async with writer_on(path) as writer:
        writer.change("INSERT INTO rooms VALUES (1, 'log', '{}', NULL)")
        await until(lambda: commits(path) == [[]])
        fail(path, SILENT)
        assert await add(writer, numbered(1)).known() is None
        assert writer.failure == "the disk fails (no answer)"
        repair(path)
        await until_saving(writer)
    assert commits(path) == []
    assert compacted(path) == numbered(1) + b"\n"


async def test_a_failure_ends_also_when_the_attempt_was_done_and_not_answered(path: Path) -> None:
    async with writer_on(path) as writer:
        fail(path, SILENT)
        await add(writer, b"first").known()
        # Several attempts were made by now, and each is there.
        await until(lambda: len(commits(path)) > 1)
        repair(path)
        await until_saving(writer)
        assert await add(writer, b"second").known() is None


async def test_what_failed_is_unknown_until_the_database_can_be_read_again(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with writer_on(path) as writer:
        fail(path, REFUSED)
        with gone(path):
            outcome = add(writer, b"first")
            await until(lambda: "can't be read again" in caplog.text)
            assert not outcome.is_known
            assert isinstance(await add(writer, b"second").known(), CannotSave)
        assert isinstance(await outcome.known(), CannotSave)
        repair(path)
        await until_saving(writer)


async def test_a_reader_who_keeps_the_database_from_being_synced_is_waited_for(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with writer_on(path) as writer:
        assert await add(writer, b"first").known() is None
        fail(path, REFUSED)
        monkeypatch.setattr(writer_module, "connect", connect_without_waiting)
        with reading(path):
            outcome = add(writer, b"second")
            await until(lambda: "another process uses it" in caplog.text)
            assert not outcome.is_known
        assert isinstance(await outcome.known(), CannotSave)
        repair(path)
        await until_saving(writer)


def connect_without_waiting(path: Path) -> sqlite3.Connection:
    """Connect without waiting for locks."""
    connection = connect(path)
    connection.execute("PRAGMA busy_timeout = 0")
    return connection


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Keep a reading transaction open in another connection."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT * FROM commits").fetchall()
        yield


async def test_what_is_too_large_for_the_disk_is_refused_and_less_goes_on(path: Path) -> None:
    async with writer_on(path) as writer:
        assert await add(writer, b"first").known() is None
        writer._thread._connection.execute("PRAGMA max_page_count = 1")  # as large as it is
        error = await add(writer, b"x" * 100_000).known()
        assert isinstance(error, CannotSave)
        assert str(error) == "the disk is full"
        await until_saving(writer)
        assert await add(writer, b"second").known() is None


async def test_a_slow_disk_that_fails_in_the_end_counts_as_failing(path: Path) -> None:
    clock = ManualClock()
    failures: list[str | None] = []
    async with writer_on(path, clock) as writer:
        writer.on_failure_change.append(lambda: failures.append(writer.failure))
        fail(path, REFUSED)
        with hanging(path):
            outcome = add(writer, b"first")
            await asyncio.sleep(0)
            clock.advance(SLOW_S)
        assert isinstance(await outcome.known(), CannotSave)
        repair(path)
        await until_saving(writer)
    assert failures == ["the disk is too slow", "the disk fails (no disk)", None]


async def test_closing_while_the_disk_fails_saves_the_changes_when_it_works_again(
    path: Path,
) -> None:
    async with writer_on(path) as writer:
        fail(path, REFUSED)
        save_name(writer, "ada")
        await until_failing(writer)
        closing = asyncio.create_task(writer.close())
        await asyncio.sleep(0)
        repair(path)
        await closing
    assert names(path) == ["ada"]
