"""The page's JavaScript: its own tests, which `node --test` runs, and its style."""

import asyncio
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.e2e.serving import serving
from tests.e2e.terminal import LIMIT_S
from tests.web.protocol_types import declarations

from boxroom_client.shell.output.facts import finding_sentences
from boxroom_common.lessons import all_lessons
from boxroom_common.phrases import table
from boxroom_common.puzzles import FILE, all_puzzles
from boxroom_engine.games.dots.abilities import ABILITIES
from boxroom_engine.games.dots.rules.grid import Border, grid_of, select
from boxroom_engine.games.dots.theory.control import Handout
from boxroom_engine.games.dots.theory.facts import (
    Declines,
    Fact,
    FirstOpened,
    Gets,
    Leaves,
    Opens,
    Shape,
    Takes,
    Waits,
)
from boxroom_engine.games.dots.theory.theme import Theme
from boxroom_engine.games.dots.theory.words import effect, outlook
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.registry import KINDS
from boxroom_engine.review.lesson import LessonStep
from boxroom_engine.review.mistakes import MissedTheme, Mistake, Trend, missed_themes
from boxroom_engine.review.progress import Progress, next_puzzle
from boxroom_engine.review.puzzle import of_the_day
from boxroom_engine.review.review import Effect, Finding, obstacle_to_review
from boxroom_server.games_offered import GAMES_OFFERED
from boxroom_server.web.page_files import LESSONS, source_files

ADA = Seat(0)

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "server/boxroom_server/web/page"
TESTS = Path(__file__).parent / "js"
OLDEST_NODE = 20

LIVE = "link_live.test.js"
"""Tests that need a server."""
CHECKED = sorted(path.name for path in TESTS.glob("*.test.js") if path.name != LIVE)
SOURCES = sorted([*PAGE.rglob("*.js"), *TESTS.glob("*.js")])


async def node(*arguments: str, **environ: str) -> tuple[int, str]:
    """Run node; return its exit code and what it printed."""
    program = shutil.which("node")
    if program is None:
        pytest.skip(f"node isn't installed: the page's own tests need version {OLDEST_NODE}")
    process = await asyncio.create_subprocess_exec(
        *(program, *arguments),
        cwd=ROOT,
        env={**os.environ, **environ},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(4 * LIMIT_S):
            printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, printed.decode()


async def check(tests: Sequence[str], *flags: str, **environ: str) -> None:
    """Run the tests in files of `TESTS`.

    Raises:
        AssertionError: some failed, or node is too old.
    """
    _, version = await node("--version")
    found = re.match(r"v(\d+)", version)
    assert found is not None, version
    if int(found[1]) < OLDEST_NODE:
        pytest.skip(f"node is {version.strip()}: the page's own tests need version {OLDEST_NODE}")
    reporter = "--test-reporter=spec"
    files = (str(TESTS / test) for test in tests)
    code, printed = await node(*flags, "--test", reporter, *files, **environ)
    print(printed)
    assert code == 0


async def test_javascript() -> None:
    assert CHECKED
    await check(CHECKED)


async def test_two_links_and_a_server() -> None:
    async with serving(None) as server:
        await check([LIVE], "--experimental-websocket", BOXROOM_PORT=str(server.port))


BOARDS = ((1, 1, "none"), (2, 2, "half"), (3, 5, "full"), (5, 5, "none"), (12, 7, "half"))


async def test_the_page_numbers_lines_and_boxes_as_the_engine_does() -> None:
    script = f"""
        import * as board from '{(PAGE / "board/board_geometry.js").as_uri()}';
        console.log(JSON.stringify({json.dumps(BOARDS)}.map(([rows, cols, border]) => ({{
          lines: board.lines(rows, cols),
          start: board.initialLines(rows, cols, border),
          sides: Array.from({{ length: rows * cols }}, (_, box) =>
            Object.values(board.sidesOf(box, rows, cols)).sort()),
        }}))));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    grids = [grid_of(rows, cols, Border(border)) for rows, cols, border in BOARDS]
    assert json.loads(printed) == [
        {
            "lines": list(grid.names),
            "start": list(select(grid.names, grid.start)),
            "sides": [sorted(grid.names[edge] for edge in edges) for edges in grid.edges_of],
        }
        for grid in grids
    ]


def all_facts() -> Iterator[Fact]:
    """Yield facts of every kind, with numbers that make a difference in words."""
    for boxes in (1, 2, 4):
        yield from (Takes(boxes), Declines(boxes), Leaves(boxes))
    yield Waits()
    for shape, gives, had_neutral in product(Shape, (1, 3, 5), (False, True)):
        for handout in (None, *Handout):
            yield Opens(shape, 3, gives, handout, had_neutral)
    for by_mover, string, length in product((False, True), (None, *Shape), (None, 4)):
        yield FirstOpened(by_mover, string, length)
        yield FirstOpened(by_mover, string, length, always=False)
    yield from (Gets(0, 4), Gets(1, 3), Gets(3, 1))


async def test_the_page_explains_moves_in_the_words_of_the_terminal() -> None:
    facts = list(all_facts())
    lists = [[fact] for fact in facts] + [facts[:2], facts[:3], facts[-4:-2]]
    script = f"""
        const en = {json.dumps(table("en"))};
        import {{ translator }} from '{(PAGE / "words.js").as_uri()}';
        import {{ immediate, outlook }} from '{(PAGE / "review.js").as_uri()}';
        const lists = {msgspec.json.encode(lists).decode()};
        const t = translator({{ en }});
        console.log(JSON.stringify(lists.map((facts) =>
          [immediate(facts, t), outlook(facts, null, t), outlook(facts, 'Ben', t)])));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    told = ((effect(each), outlook(each, None), outlook(each, "Ben")) for each in lists)
    assert json.loads(printed) == [["" if it is None else str(it) for it in each] for each in told]


def rounded(value: Any) -> Any:
    """Return `value` with numbers that two languages compute alike."""
    match value:
        case float():
            return round(value, 6)
        case list():
            return [rounded(each) for each in value]
        case dict():
            return {key: rounded(each) for key, each in value.items()}
        case _:
            return value


def page_progress(progress: Progress) -> dict[str, Any]:
    """Return `progress` as the page has it."""
    fields: dict[str, Any] = json.loads(msgspec.json.encode(progress))
    fields["lastWholeDay"] = fields.pop("last_whole_day")
    return fields


async def test_the_page_chooses_and_rates_puzzles_as_the_terminal_does() -> None:
    puzzles, days = all_puzzles(), [date(2026, 11, 28) + timedelta(number) for number in range(3)]
    script = f"""
        import {{ readFileSync }} from 'node:fs';
        import * as progress from '{(PAGE / "puzzles/progress.js").as_uri()}';
        import {{ parsePuzzle }} from '{(PAGE / "puzzles/puzzle.js").as_uri()}';
        const puzzles = readFileSync('{FILE}', 'ascii').trim().split('\\n').map(parsePuzzle);
        let now = progress.BEGINNER;
        const told = {json.dumps(list(map(str, days)))}.flatMap((day, number) => {{
          const ofDay = progress.ofTheDay(puzzles, day);
          return [...Array(12)].map((_, answer) => {{
            const theme = answer % 4 === 3 ? 'leave_two' : '';
            const puzzle = progress.nextPuzzle(puzzles, now, day, theme);
            now = progress.afterFirstTry(now, puzzle, (answer + number) % 3 > 0);
            now = progress.afterSolving(now, puzzle, ofDay, day);
            return [puzzle.name, now];
          }});
        }});
        console.log(JSON.stringify(told));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    expected, progress = [], Progress()
    for number, day in enumerate(days):
        of_day = of_the_day(puzzles, day)
        for answer in range(12):
            theme = Theme.LEAVE_TWO if answer % 4 == 3 else None
            puzzle = next_puzzle(puzzles, progress, day, theme)
            progress = progress.after_first_try(puzzle, right=(answer + number) % 3 > 0)
            progress = progress.after_solving(puzzle, of_day, day)
            expected.append([puzzle.name, page_progress(progress)])
    assert rounded(json.loads(printed)) == rounded(expected)


async def test_the_page_has_the_steps_of_the_lessons_as_the_terminal() -> None:
    script = f"""
        import {{ parseLesson }} from '{(PAGE / "puzzles/lesson.js").as_uri()}';
        const lessons = {source_files()[LESSONS].decode()}.map(parseLesson);
        console.log(JSON.stringify(lessons.map(({{ name, theme, steps, end }}) => [
          name, theme, end,
          steps.map(({{ free, boxes, seat, best, task }}) => [free, boxes, seat, best, task]),
        ])));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    expected = [
        [each.name, each.theme, each.end, list(map(page_step, each.steps))]
        for each in all_lessons()
    ]
    assert json.loads(printed) == expected


def page_step(step: LessonStep) -> list[Any]:
    """Return the position of a step, its right moves and its task as the page has them."""
    position = step.position
    name = position.game.format_move
    count = position.game.rows * position.game.cols
    boxes = [[box for box in range(count) if owned >> box & 1] for owned in position.boxes_of]
    free = list(map(name, position.legal_moves()))
    return [free, boxes, position.to_move, list(step.right), step.task]


async def test_the_page_counts_mistakes_as_the_terminal_does() -> None:
    random = Random(5)
    histories = [
        [[mistake(random) for _ in range(random.randrange(4))] for _ in range(count)]
        for count in range(14)
    ]
    games = [
        [[{"theme": each.theme, "lost": each.lost_boxes} for each in game] for game in history]
        for history in histories
    ]
    script = f"""
        import {{ missedThemes }} from '{(PAGE / "puzzles/mistakes.js").as_uri()}';
        console.log(JSON.stringify({json.dumps(games)}.map(missedThemes)));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    expected = [
        [
            {"theme": it.theme, "times": it.times, "lost": it.lost_boxes, "trend": trend_of(it)}
            for it in missed_themes(history)
        ]
        for history in histories
    ]
    assert json.loads(printed) == expected
    assert {each["trend"] for missed in expected for each in missed} == {"", "less", "more"}


def mistake(random: Random) -> Mistake:
    """Return a costly move that one of three ideas would have found."""
    theme = random.choice([Theme.GIVE, Theme.COUNT, Theme.LEAVE_TWO])
    return Mistake(1, "h0", ("v0",), random.randrange(1, 9) / 2, theme)


def trend_of(missed: MissedTheme) -> str:
    """Return the trend as the page names it."""
    return missed.trend.value if missed.trend in {Trend.LESS, Trend.MORE} else ""


FINDING = Finding(
    3,
    ADA,
    "h0",
    2.0,
    True,
    ({"fact": "takes", "boxes": 1},),
    "v1",
    ({"fact": "leaves", "boxes": 1},),
)


async def test_the_page_offers_a_review_of_the_games_that_the_server_reviews() -> None:
    asked = [
        (phase, kind.name, seats)
        for phase in ("playing", "over")
        for kind in KINDS.values()
        for seats in range(kind.fewest_seats, min(kind.most_seats or 3, 3) + 1)
    ]
    script = f"""
        import {{ canReview }} from '{(PAGE / "review.js").as_uri()}';
        const games = {msgspec.json.encode(GAMES_OFFERED).decode()};
        const can = ([phase, game, seats]) =>
          canReview({{ phase, settings: {{ game, seats }} }}, games);
        console.log(JSON.stringify({json.dumps(asked)}.map(can)));
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    assert json.loads(printed) == [
        phase == "over" and obstacle_to_review(KINDS[game].make({}, seats)) is None
        for phase, game, seats in asked
    ]


async def test_the_page_says_of_a_costly_move_what_the_terminal_says() -> None:
    findings = [replace(FINDING, effect=effect) for effect in Effect]
    script = f"""
        const en = {json.dumps(table("en"))};
        import {{ translator }} from '{(PAGE / "words.js").as_uri()}';
        import {{ sentences }} from '{(PAGE / "review.js").as_uri()}';
        for (const finding of {msgspec.json.encode(findings).decode()}) {{
          for (const name of [null, 'Ada']) {{
            console.log(sentences(finding, name, translator({{ en }})));
          }}
        }}
    """
    code, printed = await node("--input-type=module", "--eval", script)
    assert code == 0, printed
    told = [
        finding_sentences(finding, name, ABILITIES.facts)
        for finding in findings
        for name in (None, "Ada")
    ]
    assert printed.splitlines() == told


TYPED = (
    *("--strict", "--allowJs", "--checkJs", "--noEmit", "--target", "es2022", "--module", "es2022"),
    *("--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"),
)


def tool(name: str) -> str:
    """Return the path of a tool for JavaScript, or skip the test where it isn't installed."""
    path = TESTS / "node_modules" / name
    if not path.exists():
        pytest.skip(f"{name} isn't there: npm install --prefix {TESTS.relative_to(ROOT)}")
    return str(path)


async def test_the_types_of_the_page_fit() -> None:
    """The compiler checks again what has changed since the last run in this checkout."""
    compiler = tool("typescript/bin/tsc")
    folder, known = ROOT / "build/types/page", ROOT / "build/types/known.tsbuildinfo"
    shutil.rmtree(folder, ignore_errors=True)
    modules = [name for name in source_files() if name.endswith(".js")]
    for name in modules:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source_files()[name])
    (folder / "protocol.d.ts").write_text(declarations(), encoding="utf-8")
    paths = (str(folder / name) for name in modules)
    incremental = ("--incremental", "--tsBuildInfoFile", str(known))
    code, printed = await node(compiler, *TYPED, *incremental, *paths)
    assert code == 0, printed


async def test_the_linter_finds_nothing() -> None:
    config = str(TESTS / "eslint.config.js")
    linter = tool("eslint/bin/eslint.js")
    code, printed = await node(linter, "--config", config, str(PAGE))
    assert code == 0, printed


@each("source", SOURCES)
def test_lines_are_short_and_end_clean(source: Path) -> None:
    lines = source.read_text(encoding="utf-8").split("\n")
    assert lines[-1] == "", "the last line doesn't end"
    for number, line in enumerate(lines, 1):
        assert len(line) <= 100, f"line {number} has {len(line)} characters"
        assert line == line.rstrip(), f"line {number} ends with white space"
        assert "\t" not in line, f"line {number} has a tab"
