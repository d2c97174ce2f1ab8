"""docs/reference/games.md lists all games and options; its drawings and positions are true.

`BOXROOM_UPDATE_GOLDEN=1` writes the table anew.
"""

import os
import re
from pathlib import Path

import pytest

from boxroom_engine.games.drawing import Look, Size
from boxroom_engine.games.protocol import GameKind, Option, Seat, State
from boxroom_engine.games.record import Record
from boxroom_engine.games.registry import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "games.md"
END = "<!-- end -->"

EXAMPLES = re.findall(
    r"<!-- (\S+ \S+) \| ([^|\n]*) -->\n\n```\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL
)


def option_shown(option: Option) -> str:
    if option.choices:
        values = f"{', '.join(option.choices)}; "
    elif isinstance(option.default, int):
        values = f"{option.least} to {option.most}; "
    else:
        values = ""
    return f"`{option.name}`: {option.help} ({values}{option.default})"


def row(kind: GameKind) -> str:
    if kind.most_seats is None:
        players = f"{kind.fewest_seats} or more"
    elif kind.most_seats == kind.fewest_seats:
        players = str(kind.fewest_seats)
    else:
        players = f"{kind.fewest_seats} to {kind.most_seats}"
    options = "; ".join(map(option_shown, kind.options))
    return f"| `{kind.name}` | {kind.named} | {players} | {options} |"


def test_all_games_are_there() -> None:
    head = ["| | game | players | options |", "| --- | --- | --- | --- |"]
    made = "\n".join([*head, *map(row, KINDS.values())])
    before, start, rest = PAGE.read_text("utf-8").partition("<!-- games -->\n")
    shown, _, after = rest.partition(END)
    assert start
    if os.environ.get("BOXROOM_UPDATE_GOLDEN") == "1":
        PAGE.write_text(f"{before}{start}\n{made}\n\n{END}{after}", encoding="utf-8")
        return
    assert shown == f"\n{made}\n\n"


def played(game: str, moves: str) -> State:
    return Record.parse(f"{game} | Ada, Bob | {moves}").final()


@pytest.mark.parametrize(
    ("game", "moves", "drawing"), EXAMPLES, ids=[game for game, _, _ in EXAMPLES]
)
def test_the_drawings_are_those_of_the_program(game: str, moves: str, drawing: str) -> None:
    ascii_only = drawing.isascii()
    state = played(game, moves)
    marks = (state.game.kind.mark(Seat(seat), number=seat) for seat in range(state.game.seats))
    texts = tuple(mark.text(ascii_only=ascii_only) for mark in marks)
    size = Size.NORMAL if ascii_only else Size.COMPACT
    assert state.draw(Look(texts, size, ascii_only)).plain() == drawing


def test_the_positions_are_those_of_the_drawings() -> None:
    text = PAGE.read_text("utf-8")
    assert len(EXAMPLES) == 4
    for game, moves, _ in EXAMPLES:
        state = played(game, moves)
        assert f"`{state.game.format_position(state)}`" in text
