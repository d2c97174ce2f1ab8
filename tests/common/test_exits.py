"""Exit codes of commands, and the errors that lead to them."""

import pytest
from tests.cases import each

from boxroom_common.exits import Exit, Failure, reported
from boxroom_engine.errors import BoxroomError
from boxroom_engine.games.errors import OptionError
from boxroom_engine.phrases import verbatim


@each(
    "error, code",
    [
        (OptionError(verbatim("rows must be 1 to 9, not 10")), Exit.FAILED),
        (Failure("nothing answers", Exit.UNREACHABLE), Exit.UNREACHABLE),
    ],
)
def test_an_error_is_reported_with_its_exit_code(error: BoxroomError, code: Exit) -> None:
    said: list[str] = []
    assert reported(error, said.append) is code
    assert said == [str(error)]


def test_a_signal_within_the_program_is_no_message_for_its_user() -> None:
    said: list[str] = []
    with pytest.raises(BoxroomError):
        reported(BoxroomError(), said.append)
    assert not said
