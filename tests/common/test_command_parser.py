"""Messages about wrong arguments, of every command."""

import argparse
from collections.abc import Iterator
from importlib import import_module

import pytest
from tests.cases import each

from boxroom_client.cli.commands import COMMANDS
from boxroom_common.command_parser import CommandParser, counting_number

WRONG = "☃"


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield `parser` and those of its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def refusal(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return why `action` doesn't take the wrong value; "" if it takes it."""
    try:
        if action.type is not None:
            parser._get_values(action, [WRONG])
    except argparse.ArgumentError as error:
        return error.message
    return ""


@each("command", COMMANDS)
def test_a_wrong_value_is_told_without_the_name_of_a_function(command: str) -> None:
    for parser in parsers(import_module(COMMANDS[command].module).parser()):
        for message in filter(None, (refusal(parser, action) for action in parser._actions)):
            assert WRONG in message
            assert message.startswith(("it is a", "invalid choice"))


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "", str(2**63), "9" * 5000])
def test_a_number_that_counts_begins_at_one_and_fits_in_sqlite(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = CommandParser(prog="boxroom list")
    parser.add_argument("--last", type=counting_number)
    with pytest.raises(SystemExit):
        parser.parse_args([f"--last={text}"])
    assert "argument --last: it is a whole number from 1, not" in capsys.readouterr().err


def test_the_largest_number_that_counts() -> None:
    assert counting_number(str(2**63 - 1)) == 2**63 - 1


@pytest.mark.parametrize("text", ["yesterday", "0001-01-01T00:00", "2026-13-01", ""])
def test_a_wrong_day_is_told_with_an_example(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        import_module(COMMANDS["games"].module).parser().parse_args(["delete", "--before", text])
    assert "argument --before: it is a day, such as 2026-01-31" in capsys.readouterr().err
