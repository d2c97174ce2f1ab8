"""Formatters for people and for programs, and secrets that they must never write."""

import asyncio
import json
import logging
import socket
import threading
import warnings
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.server.log_capture import captured_log, fresh_logging
from tests.server.manual_clock import ManualClock

from boxroom_server.ops import logs
from boxroom_server.ops.logs import (
    LINES_AT_ONCE,
    JsonFormatter,
    LimitedHandler,
    LineFormatter,
    describe,
    fields,
)

ONE_LOOP = True
NOON_S = 1_700_000_000.25
SECRET = "-".join(("open", "sesame"))  # not as it would stand in a traceback's line of code


def record(event: str, *args: object, **extra: Any) -> logging.LogRecord:
    """Return a log record; at INFO, unless `extra` has a `level`."""
    level = extra.pop("level", logging.INFO)
    made = logging.makeLogRecord({"name": "boxroom_server.attic", "msg": event, "args": args})
    made.levelno, made.levelname = level, logging.getLevelName(level)
    made.created, made.msecs = NOON_S, 250
    made.__dict__.update(extra)
    return made


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    """Return the same exception with a traceback."""
    try:
        raise error from cause
    except BaseException as caught:
        return caught


def exc_info(error: BaseException) -> dict[str, Any]:
    return {"exc_info": (type(error), error, error.__traceback__)}


# Lines for programs


def test_a_json_line_has_the_time_the_level_the_logger_the_event_and_its_fields() -> None:
    made = record("room %s", "made", **fields(room="kiwa-tobe", seconds=0.5, options={"seats": 3}))
    assert json.loads(JsonFormatter().format(made)) == {
        "time": "2023-11-14T22:13:20.250Z",
        "level": "info",
        "logger": "boxroom_server.attic",
        "event": "room made",
        "room": "kiwa-tobe",
        "seconds": 0.5,
        "options": {"seats": 3},
    }


@given(st.text(), st.text())
def test_whatever_is_logged_a_json_line_is_one_line(event: str, name: str) -> None:
    line = JsonFormatter().format(record("%s", event, **fields(name=name)))
    assert "\n" not in line
    assert "\r" not in line
    assert json.loads(line)["event"] == event
    assert json.loads(line)["name"] == name


def test_an_exception_is_one_line_as_well() -> None:
    made = record("a command failed", **exc_info(raised(KeyError("attic"))))
    line = JsonFormatter().format(made)
    assert "\n" not in line
    assert "KeyError" in json.loads(line)["exception"]


# Lines for people


def test_a_line_for_people_has_its_fields_behind_the_event() -> None:
    line = LineFormatter().format(record("room made", **fields(room="kiwa-tobe", people=2)))
    assert line.endswith(' INFO boxroom_server.attic: room made room="kiwa-tobe" people=2')


def test_without_fields_it_is_what_python_logs() -> None:
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    made = record("%d rooms", 3, level=logging.WARNING)
    assert LineFormatter().format(made) == plain.format(made)


def test_nobody_forges_a_line_with_a_name() -> None:
    line = LineFormatter().format(
        record("greeted", **fields(name="Ada\n2026-01-01 ERROR\r\x1b[2J"))
    )
    assert "\n" not in line
    assert "\r" not in line
    assert "\x1b" not in line


# Exceptions


@each("formatter", [JsonFormatter(), LineFormatter()])
def test_of_an_exception_only_its_type_and_places_are_told(formatter: logging.Formatter) -> None:
    error = raised(RuntimeError(SECRET), cause=raised(ValueError(SECRET)))
    error.add_note(SECRET)
    made = record("a command failed", **exc_info(error))
    logging.Formatter().format(made)  # which caches the text in the record for the next formatter
    assert SECRET in str(made.exc_text)
    line = formatter.format(made)
    assert SECRET not in line
    assert line.index("ValueError") < line.index("RuntimeError")
    assert "test_logs.py" in line
    assert "in raised" in line


def test_what_was_raised_while_another_was_handled_comes_after_it() -> None:
    error = TypeError(SECRET)
    error.__context__ = KeyError(SECRET)
    assert describe(error).index("KeyError") < describe(error).index("TypeError")
    error.__suppress_context__ = True  # "from None"
    assert "KeyError" not in describe(error)


def test_exceptions_that_cause_one_another_have_an_end() -> None:
    one, other = raised(KeyError(SECRET)), raised(TypeError(SECRET))
    one.__cause__, other.__cause__ = other, one
    assert describe(one).count("KeyError") == 1


def test_what_the_system_says_is_told() -> None:
    assert describe(OSError(28, "No space left on device")).endswith(
        "OSError: [Errno 28] No space left on device"
    )


@each("made_loop", [asyncio.new_event_loop])
def test_what_nobody_handles_is_logged_without_the_objects_concerned(
    made_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def fail() -> None:
        raise RuntimeError(SECRET)

    async def main(loop: asyncio.AbstractEventLoop) -> None:
        loop.call_soon(lambda _: 1 / 0, SECRET)
        await asyncio.wait([task := loop.create_task(fail())])
        del task  # its exception was never retrieved

    loop = made_loop()
    loop.set_exception_handler(logs.log_unhandled)
    with captured_log(JsonFormatter(), logs.SERVER_LOGGER) as out:
        loop.run_until_complete(main(loop))
        logs.log_unhandled(loop, {"message": "Task was destroyed", "task": SECRET})
    loop.close()
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    events = [line["event"] for line in lines]
    assert events == [
        "unhandled exception",
        "unhandled exception",
        "event loop error: Task was destroyed",
    ]
    assert "ZeroDivisionError" in lines[0]["exception"]
    assert "RuntimeError" in lines[1]["exception"]
    assert SECRET not in out.getvalue()


# The limit of lines


def limited(out: StringIO, clock: ManualClock) -> LimitedHandler:
    handler = LimitedHandler(out, lambda: clock.now_ms() / 1000)
    handler.setFormatter(JsonFormatter())
    return handler


def test_lines_of_one_kind_are_limited_and_those_left_out_are_counted() -> None:
    out, clock = StringIO(), ManualClock()
    handler = limited(out, clock)
    for number in range(LINES_AT_ONCE + 30):
        handler.handle(record("greeted", **fields(name=f"Ada {number}")))
    handler.handle(record("stopped"))
    clock.advance(1)
    handler.handle(record("greeted", **fields(name="Bob")))
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(lines) == LINES_AT_ONCE + 2
    assert "suppressed" not in lines[-2]
    assert (lines[-1]["name"], lines[-1]["suppressed"]) == ("Bob", 30)


def test_lines_for_finding_a_fault_have_no_limit() -> None:
    out = StringIO()
    handler = limited(out, ManualClock())
    for _ in range(LINES_AT_ONCE + 30):
        handler.handle(record("connection opened", level=logging.DEBUG))
    assert len(out.getvalue().splitlines()) == LINES_AT_ONCE + 30


# Setting up


@pytest.mark.parametrize(
    ("verbosity", "shown"),
    [
        (0, ["warning"]),
        (1, ["info", "warning"]),
        (2, ["debug", "info", "warning"]),
        (3, ["debug", "info", "warning"]),
    ],
)
def test_how_much_is_logged(
    verbosity: int, shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with fresh_logging():
        logs.set_up(verbosity, as_json=True)
        logger = logging.getLogger(f"{logs.SERVER_LOGGER}.attic")
        for level in (logging.DEBUG, logging.INFO, logging.WARNING):
            logger.log(level, "something happens")
        logging.getLogger("asyncio").debug("nobody wants to know")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["level"] for line in lines] == shown


def test_lines_are_for_people_unless_json_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logging():
        logs.set_up(0, as_json=False)
        logging.getLogger(logs.SERVER_LOGGER).warning("something happens")
    assert capsys.readouterr().err.endswith(" WARNING boxroom_server: something happens\n")


def test_a_flood_of_lines_does_not_fill_the_disk(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logging():
        logs.set_up(1, as_json=False)
        for _ in range(2 * LINES_AT_ONCE):
            logging.getLogger(logs.SERVER_LOGGER).info("something happens")
    lines = len(capsys.readouterr().err.splitlines())
    assert LINES_AT_ONCE <= lines < 1.5 * LINES_AT_ONCE


async def test_what_is_sent_to_peers_that_have_gone_is_no_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with fresh_logging():
        logs.set_up(1, as_json=False)
        ours, theirs = socket.socketpair()
        _, writer = await asyncio.open_connection(sock=ours)
        theirs.close()
        for _ in range(20):  # asyncio warns from the sixth time on
            writer.transport.write(b"is anybody there?")
        writer.transport.abort()
    assert capsys.readouterr().err == ""


def test_what_cannot_be_written_is_not_shown_instead(capsys: pytest.CaptureFixture[str]) -> None:
    with fresh_logging():
        logs.set_up(0, as_json=False)
        logging.getLogger(logs.SERVER_LOGGER).warning("%d rooms", SECRET)
    assert SECRET not in capsys.readouterr().err


def test_in_json_python_s_own_warnings_and_exceptions_are_logged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise ValueError("a secret")

    with fresh_logging():
        logs.set_up(0, as_json=True)
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.warn("old", UserWarning, stacklevel=1)
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        logs.console.info("Somebody should read this.")
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in (printed.err + printed.out).splitlines()]
    warned, failed, said = lines
    assert (warned["logger"], warned["level"]) == ("py.warnings", "warning")
    assert (failed["event"], failed["level"]) == ("unhandled exception", "error")
    assert failed["exception"].endswith("ValueError")
    assert (said["event"], said["level"]) == ("Somebody should read this.", "info")


def test_the_console_prints_plain_sentences_whatever_the_verbosity(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with fresh_logging():
        logs.set_up(0, as_json=False)
        logs.console.info("It is at home.")
        logs.console.error("it can't")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("It is at home.\n", "boxroom: it can't\n")
