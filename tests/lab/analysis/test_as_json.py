"""The JSON object of an analysis."""

import json
import re
from pathlib import Path

from tests.engine.games.dots.recorded_games import OF_THREE, SMALL, exactly
from tests.lab.analysis.games import From, analysed, large

from boxroom_lab.analysis.as_json import as_json

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "analysis.md").read_text(
    encoding="utf-8"
)


def test_a_game_and_one_of_its_moves() -> None:
    game = as_json(analysed(SMALL))
    assert {key: game[key] for key in ("format", "game", "options", "players")} == {
        "format": "boxroom-analysis-3",
        "game": "dots",
        "options": {"rows": 1, "cols": 2, "border": "none"},
        "players": ["Ada", "Bob"],
    }
    assert (game["over"], game["scores"], game["winners"]) == (True, [1, 1], [0, 1])
    assert game["winning_players"] == [1, 2]
    assert game["margins"] == [0.0, -2.0, -2.0, -2.0, 0.0, 0.0, 0.0, 0.0]
    assert game["moves"][3] == {
        "number": 4,
        "seat": 1,
        "player": 2,
        "move": "h1",
        "facts": [{"fact": "leaves", "boxes": 1}],
        "exact": True,
        "value": 2.0,
        "kept": 0.0,
        "lost": 2.0,
        "best_moves": ["v1"],
        "finding": {
            "number": 4,
            "seat": 1,
            "move": "h1",
            "lost": 2.0,
            "exact": True,
            "facts": [{"fact": "leaves", "boxes": 1}, {"fact": "gets", "own": 1, "others": 1}],
            "better": "v1",
            "better_facts": [
                {"fact": "takes", "boxes": 1},
                {"fact": "gets", "own": 2, "others": 0},
            ],
            "line": ["h1", "v1", "h3", "v2"],
            "better_line": ["v1", "h1", "h3", "v2"],
            "line_effects": {"movers": [1, 0, 0, 1], "taken": [[1, 0], [3, 1]]},
            "better_effects": {"movers": [1, 1, 0, 1], "taken": [[0, 0], [3, 1]]},
            "effect": "lost_win",
            "theme": None,
        },
    }
    assert game["losses"][1] == {
        "judged": 3,
        "costly": 1,
        "lost": 2.0,
        "exact": True,
        "worst": 4,
    }
    assert game["turning_point"] == 4


def test_unknown_values_are_null() -> None:
    game = as_json(analysed(SMALL, lambda game: From(99, exactly(game)), is_whole=False))
    assert game["interrupted"] is True
    assert game["margins"] == [None] * 7 + [0.0]
    first = game["moves"][0]
    assert (first["value"], first["kept"], first["lost"], first["finding"]) == (None,) * 4
    assert (first["best_moves"], first["exact"]) == ([], False)
    assert game["losses"][0]["worst"] is None
    assert game["turning_point"] is None


def test_a_game_that_isnt_over_has_no_winners() -> None:
    game = as_json(analysed(OF_THREE))
    assert (game["over"], game["winners"]) == (False, None)
    assert [move["number"] for move in game["moves"]] == [1, 2, 4, 5, 6]


def test_every_key_is_on_the_page() -> None:
    game = json.loads(json.dumps(as_json(large())))
    told = set(re.findall(r"`(\w+)`", PAGE))
    findings = [move["finding"] for move in game["moves"] if move["finding"]]
    facts = [
        fact
        for each in (*game["moves"], *findings)
        for fact in (*each["facts"], *each.get("better_facts", ()))
    ]
    for keys in (game, game["moves"][0], game["losses"][0], *facts):
        assert set(keys) <= told
    assert {fact["fact"] for fact in facts} <= told
