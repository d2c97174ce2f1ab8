"""Graphs in the DOT language."""

import re
import shutil
import subprocess

import pytest
from tests.cases import each
from tests.lab.gametree.graphs import one_box

from boxroom_engine.games.registry import make_game
from boxroom_lab.gametree.graph import Graph, build_graph
from boxroom_lab.gametree.graph_as_dot import graph_dot


def edges_in(dot: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in re.findall(r"^  (\d+) -> (\d+) \[", dot, re.MULTILINE)]


def test_every_level_is_a_rank_with_the_boards_as_drawn() -> None:
    dot = graph_dot(one_box(), "One box")
    lines = dot.splitlines()
    assert lines[0] == "digraph boxroom {"
    assert lines[1].startswith(r'  label="One box. Values: by how much player 1 is ahead')
    assert lines[-1] == "}"
    assert dot.count("{ rank=same") == 5
    assert r'    3 [label="3: −1 (1 to move)\l•━━━•\l┊   ┊\l•━━━•\l"]' in lines


def test_every_edge_has_its_moves_and_the_colour_of_the_mover() -> None:
    dot = graph_dot(one_box(), "One box")
    assert edges_in(dot) == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert r'  1 -> 2 [label="h0 h1 v0 v1\l", color="#0072B2", penwidth=3]' in dot
    assert r'  2 -> 3 [label="h1 v0 v1\l", color="#D55E00", penwidth=3]' in dot


@each("game", ["dots", "noughts", "stonehenge", "draughts", "subtract-square"])
def test_graphviz_reads_any_game(game: str) -> None:
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz isn't installed")
    graph = unvalued(game)
    run = subprocess.run(
        [program, "-Tplain"],
        input=graph_dot(graph, 'A "quoted" \\ title'),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    read = [line.split() for line in run.stdout.splitlines()]
    assert sum(line[0] == "node" for line in read) == len(graph.nodes)
    expected = sorted((edge.above, edge.below) for node in graph.nodes for edge in node.edges)
    assert sorted((int(each[1]), int(each[2])) for each in read if each[0] == "edge") == expected


@each("game", ["dots", "noughts", "stonehenge", "draughts", "subtract-square"])
def test_strings_end_where_they_begin(game: str) -> None:
    dot = graph_dot(unvalued(game), 'A "quoted" \\ title')
    for line in dot.splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0


def unvalued(game: str) -> Graph:
    state = make_game(game, {}, 2).initial()
    return build_graph(state, 1, lambda _: None, lambda each: each.key, most_positions=100)
