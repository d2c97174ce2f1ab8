"""Commands that need the fast engine build it, once all else is right, or while a person plays."""

import os
import sys
import threading
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_client.cli.engine_build import engine_built_meanwhile
from boxroom_client.main import main
from boxroom_common.exits import Exit

SLOW = "The slow engine is in use. "

SMALL = ["--rows", "1", "--cols", "1"]
TWICE = ["--games", "2", "--jobs", "1"]


@pytest.mark.usefixtures("no_kernel")
@each(
    "command, is_needed",
    [
        (["solve", *SMALL], True),
        (["solve", "noughts"], False),
        (["arena", "minimax", "random", *TWICE, "--grid", "1x1"], True),
        (["arena", "greedy", "random", *TWICE, "--grid", "1x1"], False),
        (["arena", "minimax", "random", *TWICE, "--game", "noughts"], False),
        (["play", "--watch", *SMALL, "--bot", "greedy,random"], True),
        (["play", "noughts", "--watch", "--bot", "random,random"], False),
    ],
)
def test_commands_look_for_it_where_it_makes_a_difference(
    command: list[str],
    is_needed: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert main(command) == Exit.DONE
    shown = capsys.readouterr()
    assert (SLOW in shown.out + shown.err) == is_needed


@pytest.mark.usefixtures("no_kernel")
def test_a_mistake_on_the_command_line_comes_before_a_build(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["solve", *SMALL, "--time", "0"]) == Exit.USAGE
    assert SLOW not in capsys.readouterr().err


@pytest.mark.usefixtures("no_kernel")
def test_a_person_who_plays_is_told_at_once_and_at_the_end_if_it_isnt_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, compiler = tmp_path / "gate", tmp_path / "compiler"
    os.mkfifo(gate)
    compiler.write_text(f"#!/bin/sh\n[ \"$*\" = --version ] || {{ cat '{gate}'; exit 1; }}\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("BOXROOM_COMPILER", str(compiler))
    said: list[str] = []
    with engine_built_meanwhile(said.append):
        assert said == [f"Building the fast engine with {compiler}: about 15 s."]
    (unfinished,) = said[1:]
    assert unfinished.startswith("The fast engine isn't finished: ")
    gate.write_text("")
    for thread in threading.enumerate():
        if thread.name == "kernel build":
            thread.join()  # else it would go on with a compiler of the machine after the test
