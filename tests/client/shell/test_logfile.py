"""The log file of the client."""

import logging
import warnings
from pathlib import Path

import pytest

from boxroom_client.shell.logfile import all_logging_to, logging_to


def test_warnings_and_errors_go_to_the_file_and_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep" / "boxroom.log"
    before = logging.getLogger().handlers[:]
    with warnings.catch_warnings(action="always"), all_logging_to(file):
        logging.getLogger("boxroom").info("nobody wants to know")
        assert not file.exists()
        logging.getLogger("boxroom").warning("something is odd")
        warnings.warn("and so is this", stacklevel=1)
    text = file.read_text(encoding="utf-8")
    assert "something is odd" in text
    assert "and so is this" in text
    assert "nobody wants" not in text
    assert capsys.readouterr() == ("", "")
    assert logging.getLogger().handlers == before


def test_where_no_file_can_be_nothing_is_logged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "a file"
    blocked.touch()
    with all_logging_to(blocked / "boxroom.log"):
        logging.getLogger("boxroom").warning("something is odd")
    assert capsys.readouterr() == ("", "")


def test_what_one_logger_says_goes_to_the_file_and_the_rest_where_it_went(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "boxroom.log"
    with logging_to(file, "boxroom_part"):
        logging.getLogger("boxroom_part.inner").warning("something is odd")
        logging.getLogger("boxroom_rest").warning("and so is this")
    logging.getLogger("boxroom_part.inner").warning("it is odd again")
    assert file.read_text(encoding="utf-8").endswith(
        " WARNING boxroom_part.inner: something is odd\n"
    )
    assert caplog.messages == ["and so is this", "it is odd again"]
