"""docs/reference/bots.md names all bots and keys; its figures and its research's are true.

`BOXROOM_UPDATE_GOLDEN=1` writes the tables anew.
"""

import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from openskill.models import PlackettLuce
from tests.cases import each
from tests.engine.games.dots.drawn_runs import long_runs
from tests.lab.arena.runs import arena_run

from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.history import GameHistory, PlayedGame
from boxroom_common.phrases import say
from boxroom_engine.bots.names import MOST_CHARS
from boxroom_engine.bots.options import BotOption
from boxroom_engine.bots.protocol import Bot
from boxroom_engine.bots.registry import BOTS, bot_of
from boxroom_engine.games.dots import Border, Dots
from boxroom_engine.games.dots.theory.control import control, control_if
from boxroom_engine.games.dots.theory.strings import parts_of
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import KINDS
from boxroom_engine.stopping import Limit
from boxroom_lab.arena.as_json import as_json
from boxroom_lab.cli.arena import parser

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
RESEARCH = PAGE.parents[1] / "research" / "bots.md"
END = "<!-- end -->"


def text(page: Path = PAGE) -> str:
    return page.read_text(encoding="utf-8")


def check(name: str, made: str, page: Path = PAGE) -> None:
    """Compare a part of the page, or write it with BOXROOM_UPDATE_GOLDEN=1."""
    before, start, rest = text(page).partition(f"<!-- {name} -->\n")
    shown, _, after = rest.partition(END)
    assert start
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        page.write_text(f"{before}{start}\n{made}\n\n{END}{after}", encoding="utf-8")
        return
    assert shown == f"\n{made}\n\n"


def option_shown(option: BotOption) -> str:
    choices = getattr(option, "choices", ())
    values = ", ".join(choices) or f"{option.least:g} to {option.most:g}"
    return f"`{option.name}`: {option.help} ({values}; {option.default})"


def games_of_a_person(level: str, seed: int) -> Iterator[PlayedGame]:
    """Play ten games on 3×3 of a person who plays as `chain` does and begins every other one."""
    game, rng = Dots(3, 3, Border.NONE, 2), random.Random(seed)
    for number in range(10):
        seat = number % 2
        bots = [bot_of(level), bot_of("chain")] if seat else [bot_of("chain"), bot_of(level)]
        state, tokens = game.initial(), list[str]()
        while state.to_move is not None:
            move = bots[state.to_move].choose(state, Limit(math.inf, lambda: 0.0), rng)
            tokens.append(game.format_move(move))
            state = state.play(move)
        assert state.outcome is not None
        seated = (level, None) if seat else (None, level)
        names = (f"{level} (bot)", "Ada") if seat else ("Ada", f"{level} (bot)")
        yield PlayedGame(
            id=0,
            server="",
            log=f"{level} {number}",
            number=1,
            room="home",
            ended_ms=1000,
            seat=seat,
            helped=False,
            scores=state.outcome.scores,
            winners=tuple(map(int, state.outcome.winners)),
            bots=seated,
            record=Record(game, names, tuple(tokens)).format(),
        )


def test_the_rating_of_the_example_is_what_its_games_lead_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    for seed, level in enumerate(("easy", "medium", "hard")):
        for game in games_of_a_person(level, seed):
            GameHistory().add(game)
    assert main(["rating"]) == 0
    check("rating", f"```\n$ boxroom rating\n{capsys.readouterr().out}```")


def test_what_two_ratings_lead_to_expect() -> None:
    """The model expects the better one to win by the normal distribution of their difference."""
    head, _, row = text().partition("| rating above the other |")[2].splitlines()[:3]
    above = [int(cell) for cell in head.strip(" |").split("|")]
    shares = [int(cell.strip(" %")) for cell in row.split("|")[2:-1]]
    model = PlackettLuce()
    for points, share in zip(above, shares, strict=True):
        better, other = (model.rating(mu=mu, sigma=1e-6) for mu in (25 + points / 40, 25))
        assert round(100 * model.predict_win([[better], [other]])[0]) == share


PARITIES = (
    (2, 2, "bf0/0,0/1/-", (1, 0, 0), 1),
    (2, 2, "b73/0,0/0/-", (0, 1, 0), 1),
    (4, 2, "0db793/00,00/0/-", (2, 0, 1), 1),
    (3, 3, "000000/000,000/0/-", (0, 0, 9), 3),
)
"""Boards with a chain, with a loop, with a joint, and with neutral lines.

Behind each stand its long chains, loops and joints, and the runs that the student counts.
"""


@each("rows, cols, text, parts, runs", PARITIES)
def test_long_chains_are_counted_in_two_ways(
    rows: int, cols: int, text: str, parts: tuple[int, int, int], runs: int
) -> None:
    position = Dots(rows, cols, Border.NONE, 2).parse_position(text)
    found = parts_of(position)
    assert tuple(map(len, (found.long_chains, found.loops, found.joints))) == parts
    assert long_runs(position) == runs


def test_the_parity_that_decides_leaves_out_loops() -> None:
    loop = Dots(2, 2, Border.NONE, 2).parse_position("b73/0,0/0/-")
    assert (control(loop), control_if(loop, 0), control_if(loop, 1)) == (1, 1, 0)


def bot_shown(name: str, bot: Bot) -> str:
    games = [kind.name for kind in KINDS.values() if bot.supports(kind)]
    plays = "" if len(games) == len(KINDS) else f"; plays {', '.join(games)} only"
    options = "".join(f"; {option_shown(option)}" for option in bot.options)
    return f"- `{name}` {say(f'style.{name}')}{plays}{options}"


def test_all_bots_are_there() -> None:
    check("bots", "\n".join(bot_shown(name, bot) for name, bot in BOTS.items()))


def signed(number: float) -> str:
    return f"{number:+.0f}".replace("-", "−")


def ratings(made: dict[str, Any]) -> str:
    """Return a line for each bot but the first, to which the others are rated."""
    return "\n".join(
        f"- `{row['name']}`: {signed(row['elo'])} ({signed(row['elo_low'])} to"
        f" {signed(row['elo_high'])})"
        for row in made["bots"][1:]
    )


@pytest.mark.long
def test_what_max_ply_is_worth_is_what_the_command_finds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """These bots don't read the clock while enough time is left."""
    pattern = r"^boxroom (arena greedy chain:.* --seed 1)"
    (command,) = re.findall(pattern, text(RESEARCH), re.MULTILINE)
    assert main([*shlex.split(command), "--json", "--time", "60"]) == 0
    check("max_ply 5x5", ratings(json.loads(capsys.readouterr().out)), RESEARCH)


@cache
def game_tree() -> str:
    """Return what the script prints: a table with a line for each level of the tree, and a text."""
    script = PAGE.parents[2] / "benchmarks" / "game_tree.py"
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True
    ).stdout


def test_the_sums_of_the_tree_are_those_that_the_script_counts() -> None:
    made, _, said = game_tree().partition("\n\n")
    sums = re.findall(r"[\d,]+", made.splitlines()[-1])
    _, _, rest = text(RESEARCH).partition("## 2×2, by its whole tree\n")
    assert len(sums) == 8
    assert set(sums) <= set(re.findall(r"[\d,]*\d", rest.partition("```sh")[0]))
    assert said == "Who begins wins by 2. To know that, 304 positions are searched.\n"


def test_the_merged_tree_has_as_many_positions_on_each_level(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (command,) = re.findall(r"^boxroom (tree .*--merged)$", text(RESEARCH), re.MULTILINE)
    assert main([*shlex.split(command), "--json"]) == 0
    levels = json.loads(capsys.readouterr().out)["levels"]
    made = [[f"{level['orders']:,}", f"{level['positions']:,}"] for level in levels]
    rows = [[cell.strip() for cell in line.split("|")] for line in game_tree().splitlines()]
    assert made == [[row[2], row[6]] for row in rows if row[1:2] and row[1].isdigit()]


def keys(value: object) -> Iterable[str]:
    if isinstance(value, list):
        for each in value:
            yield from keys(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            if key != "options":  # the game's own
                yield from keys(each)


def test_all_keys_are_described() -> None:
    made = as_json(arena_run("lost", "greedy", games=2))
    described = set(re.findall(r"`([a-z_]+)`", text()[text().index("### The object") :]))
    assert set(keys(made)) <= described


def test_the_flags_are_those_there_are() -> None:
    known = {flag for action in parser()._actions for flag in action.option_strings}
    named = set(re.findall(r"`(--[a-z]+)", text()[text().index("## The arena") :]))
    assert named <= known
    assert {"--games", "--grid", "--seats", "--time", "--seed", "--jobs", "--records"} <= named


def test_numbers_are_current() -> None:
    assert f"at most {MOST_CHARS} characters" in " ".join(text().split())
