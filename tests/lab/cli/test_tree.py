"""`boxroom tree`: its output for several games, in all its forms."""

import json
from pathlib import Path

import pytest
from tests.cases import each

from boxroom_client.main import main


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["tree", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_two_moves_deep_if_nothing_else_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    tree = shown(capsys, "noughts")
    assert tree[0] == "Player 1 is to move: 0."
    assert tree[1:3] == ["├─ Player 1 plays 0: 0, best", "│  ├─ Player 2 plays 1: −1"]
    assert len(tree) == 1 + 9 + 72


def test_from_a_position_so_many_moves_deep(capsys: pytest.CaptureFixture[str]) -> None:
    tree = shown(capsys, "noughts", "--moves", "4 0 8 2 1 7", "--depth", "1")
    assert len(tree) == 4
    tree = shown(capsys, "noughts", "--position", "101.0..10/0/-", "--depth", "9")
    assert len(tree) == 16
    tree = shown(capsys, "noughts", "--position", "11.00..../0/-", "--to-move", "2")
    assert tree[0] == "Player 2 is to move: +1."


def test_in_dots_and_boxes_it_is_the_margin_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    game = ["--rows", "1", "--cols", "2", "--moves", "h0 h2 v0"]
    tree = shown(capsys, *game)
    assert tree[0] == "Player 2 is to move: +2."
    assert "├─ Player 2 plays v1: +2, best" in tree
    assert "│  ├─ Player 2 plays h1: +2, best" in tree, "who takes a box moves again"


def test_what_takes_too_long_is_shown_without_values(capsys: pytest.CaptureFixture[str]) -> None:
    tree = shown(capsys, "--depth", "1", "--time", "0.01")
    assert len(tree) == 61
    assert tree[:2] == ["Player 1 is to move.", "├─ Player 1 plays h0"]


def test_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "tree.svg"
    assert shown(capsys, "noughts", "--depth", "1", "--out", str(out)) == [str(out)]
    assert "<title>Noughts and Crosses, 1 deep</title>" in out.read_text(encoding="utf-8")


TWO_BY_TWO = ("dots", "--rows", "2", "--cols", "2", "--merged")


def test_merged_it_is_the_whole_graph(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, *TWO_BY_TWO)
    assert lines[0] == "309 positions on 13 levels, 1,597 moves."
    assert "  309  fff/f,0/-/-  The end: +4. From 298, 300." in lines
    assert lines[5:7] == [
        "       h0 h1 h4 h5 v0 v2 v3 v5 → 2: +2, best",
        "       h2 h3 v1 v4 → 3: 0",
    ]
    lines = shown(capsys, *TWO_BY_TWO, "--depth", "1")
    assert lines[0] == "3 positions on 2 levels, 12 moves."


def test_merged_for_three_every_player_has_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "dots", "--rows", "1", "--cols", "1", "--players", "3", "--merged")
    assert lines[4] == "  1  0/0,0,0/0/-  Player 1 is to move: 1 0 0."


def test_as_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = shown(capsys, *TWO_BY_TWO, "--json")
    made = json.loads(line)
    assert (made["merged"], made["positions"], len(made["nodes"])) == (True, 309, 309)
    (line,) = shown(capsys, "noughts", "--json")
    made = json.loads(line)
    assert (made["merged"], made["positions"]) == (False, 1 + 9 + 72)


def test_merged_as_a_picture_and_as_a_graph(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, words in [
        ("graph.svg", "<title>Dots and Boxes, 309 positions. Values: by how much player 1"),
        ("graph.dot", 'label="Dots and Boxes, 309 positions. Values: by how much player 1'),
    ]:
        out = tmp_path / name
        assert shown(capsys, *TWO_BY_TWO, "--out", str(out)) == [str(out)]
        assert words in out.read_text(encoding="utf-8")


def test_a_tree_as_a_graph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "tree.DOT"
    shown(capsys, "noughts", "--depth", "1", "--out", str(out))
    assert out.read_text(encoding="utf-8").count(" -> ") == 9


@each(
    "arguments, code, words",
    [
        (
            ["noughts", "--depth", "7", "--json"],
            1,
            "that tree has more than 50,000 positions: take a smaller --depth",
        ),
        (
            ["noughts", "--dims", "3,4", "--merged", "--out", "g.svg"],
            1,
            "that graph has more than 5,000 positions",
        ),
        (["--merged", "--json", "--out", "g.svg"], 2, "not allowed with argument"),
        (["--depth", "0"], 2, "--depth is a number of moves, at least 1"),
        (["--time", "0"], 2, "--time is a number of seconds above 0"),
        (["--out", "tree.png"], 2, "--out ends in .svg or .dot, not '.png'"),
        (["noughts", "--out", "/nowhere/tree.svg"], 1, "can't write /nowhere/tree.svg: No such"),
        (["--depth", "3", "--time", "0.01"], 1, "more than 5,000 positions: take a smaller"),
        (["--moves", "x"], 2, "move 1 of --moves can't be played"),
    ],
)
def test_mistakes_are_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    assert main(["tree", *arguments]) == code
    assert words in capsys.readouterr().err
