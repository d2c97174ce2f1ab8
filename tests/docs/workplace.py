"""A folder in which the command lines of a page run, with the files and programs that they name."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.certificates import Authority
from tests.docs.command_lines import Run, Start
from tests.docs.pages import ROOT
from tests.faults.server_process import free_port

from boxroom_engine.games.pdn_records import pdn_of_record
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import make_game

LIMIT_S = 60.0
"""Longest time of a line."""

ROBOTS = """\
from boxroom_engine.robots import Board, Line, get_all_lines


def robot(board: Board) -> list[Line]:
    return [line for line in get_all_lines(board.size) if line not in board.lines][:1]


other = robot
"""


def random_game(kind: str) -> Record:
    """Return a game of two players who choose their moves at random."""
    rng, game, tokens = random.Random(1), make_game(kind, {}, 2), list[str]()
    state = game.initial()
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        tokens.append(game.format_move(move))
        state = state.play(move)
    return Record(game, ("Ada", "Bob"), tuple(tokens))


class Workplace:
    """The folder, which is its user's home as well, and the lines that run there."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self._folder = folder
        self._stack = stack  # ends what runs on
        self._environment = {
            **{name: each for name, each in os.environ.items() if name.startswith("COVERAGE")},
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "PATH": f"{folder}:/usr/sbin:{os.environ['PATH']}",
            "BOXROOM_COMPILER": "none",  # tests build and download nothing by the way
            "ETCDCTL_API": "3",
            "PAIR": str(folder / "pair.pem"),
            "ETCD": f"127.0.0.1:{free_port()}",
            "ETCD_PEER": f"127.0.0.1:{free_port()}",
        }
        self._add_programs()
        self._add_games()
        (folder / "mine.py").write_text(ROBOTS, encoding="utf-8")
        files = Authority(folder).issue("play.example.org")
        (folder / "pair.pem").write_bytes(files.chain.read_bytes() + files.key.read_bytes())
        for path in (
            ".local/share/bash-completion/completions",
            ".zfunc",
            ".config/fish/completions",
        ):
            (folder / path).mkdir(parents=True)

    def _add_programs(self) -> None:
        for name, command in (
            ("boxroom", f'"{sys.executable}" -m boxroom_client "$@"'),
            ("python", f'"{sys.executable}" "$@"'),
            (".venv/bin/python", f'"{sys.executable}" "$@"'),
            ("empty-etcd", 'etcdctl --endpoints "$ETCD" del --from-key ""'),
        ):
            script = self._folder / name
            script.parent.mkdir(parents=True, exist_ok=True)
            script.write_text(f"#!/bin/sh\nexec {command}\n")
            script.chmod(0o755)
        for name in ("benchmarks", "deploy", "docs", "scripts", "tests"):
            (self._folder / name).symlink_to(ROOT / name)

    def _add_games(self) -> None:
        draughts = random_game("draughts")
        dots = (ROOT / "docs" / "examples" / "lesson.txt").read_text(encoding="utf-8")
        for name, text in (
            ("game.txt", dots),
            ("games.txt", dots * 17),
            ("draughts.txt", f"{draughts.format()}\n"),
            ("match.pdn", f"{pdn_of_record(draughts).format()}\n" * 3),
        ):
            (self._folder / name).write_text(text, encoding="utf-8")

    async def run(self, line: str, way: Run) -> None:
        """Run a line to its end, which must be a success."""
        code, printed = await self.result(_replaced(line, way))
        assert code == 0, f"{line}: {printed}"

    async def result(self, line: str) -> tuple[int | None, str]:
        """Run a line to its end; return its exit code, and what it has printed."""
        process = await self._shell(line)
        async with asyncio.timeout(LIMIT_S):
            printed, _ = await process.communicate()
        return process.returncode, printed.decode()

    async def start(self, line: str, way: Start) -> None:
        """Run a line until it has printed what it prints when it is ready."""
        process = await self._shell(f"exec {_replaced(line, way)}")
        self._stack.push_async_callback(_end, process)
        assert process.stdout is not None
        printed = ""
        async with asyncio.timeout(LIMIT_S):
            while way.until not in printed:
                text = await process.stdout.readline()
                assert text, f"{line}: {printed}"
                printed += text.decode()
        if not way.stays:
            await _end(process)
            assert process.returncode in (0, 128 + signal.SIGTERM), line

    async def _shell(self, line: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *("sh", "-c", line),
            cwd=self._folder,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )


@asynccontextmanager
async def workplace(folder: Path) -> AsyncIterator[Workplace]:
    """Make the folder a workplace; end the lines that still run when the context is left."""
    async with AsyncExitStack() as stack:
        yield Workplace(folder, stack)


def _replaced(line: str, way: Run | Start) -> str:
    for old, new in way.stand_ins:
        line = line.replace(old, new)
    return f"{line} {way.more}"


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    await process.communicate()
