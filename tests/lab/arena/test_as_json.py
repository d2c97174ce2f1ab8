"""The JSON object of a run, as docs/reference/bots.md describes it."""

import json
from dataclasses import replace
from typing import Any

from tests.lab.arena.runs import arena_run

from boxroom_engine.arena.running_game import VoidGame
from boxroom_engine.arena.schedule import Match
from boxroom_lab.arena.as_json import as_json


def run(*bots: str, **options: int) -> dict[str, Any]:
    """Return the object as a program reads it."""
    made = as_json(arena_run(*bots, **options))
    read: dict[str, Any] = json.loads(json.dumps(made, allow_nan=False))
    assert read == made
    return read


def test_settings_of_the_run() -> None:
    made = run("careless", "greedy", games=20)
    bots, pairs = made.pop("bots"), made.pop("pairs")
    assert made == {
        "format": "boxroom-arena-2",
        "boxroom": "1.2.3",
        "game": "dots",
        "options": {"rows": 3, "cols": 3, "border": "none"},
        "seats": 2,
        "time_s": 0.2,
        "opening_plies": 3,
        "seed": 1,
        "games": 20,
        "games_planned": 20,
        "interrupted": False,
        "jobs": 2,
        "seconds": 83.4,
        "faults": [],
        "void": [],
    }
    assert [(bot["name"], bot["bot"], bot["games"]) for bot in bots] == [
        ("careless", "careless", 20),
        ("greedy", "greedy", 20),
    ]
    (pair,) = pairs
    assert (pair["name"], pair["against"]) == ("careless", "greedy")
    for key in ("wins", "draws", "losses", "score", "margin", "margin_error"):
        assert pair[key] == bots[0][key]
    assert pair["elo"] == -bots[1]["elo"]
    assert (pair["elo_low"], pair["elo_high"]) == (-bots[1]["elo_high"], -bots[1]["elo_low"])
    assert bots[0]["mean_s"] == 0.002


def test_a_bot_that_is_there_twice_has_two_names() -> None:
    assert [bot["name"] for bot in run("greedy", "greedy")["bots"]] == ["greedy", "greedy 2"]


def test_unknown_values_are_null() -> None:
    made = run("careless", "greedy", stop_after=0)
    assert made["interrupted"]
    for key in ("score", "elo", "elo_low", "elo_high", "margin", "margin_error", "mean_s"):
        assert made["bots"][1][key] is None


def test_a_bound_that_is_open_is_null() -> None:
    lost, greedy = run("lost", "greedy", games=40)["bots"]
    assert (lost["score"], greedy["score"]) == (0, 1)
    assert greedy["elo_low"] > 300
    assert greedy["elo_high"] is None


def test_void_games() -> None:
    run = arena_run("greedy", "random", games=2)
    void = VoidGame(Match(3, 0, 1, (0, 1)), "its process was ended by SIGKILL")
    made = as_json(replace(run, void=(void,)))
    assert made["void"] == [{"game": 3, "reason": "its process was ended by SIGKILL"}]


def test_faults() -> None:
    made = run("greedy", "lost", games=4)
    assert made["bots"][1]["faults"] == {"time": 0, "illegal": 0, "error": 4, "died": 0}
    assert [fault["game"] for fault in made["faults"]] == [1, 2, 3, 4]
    fault = made["faults"][0]
    assert (fault["name"], fault["kind"]) == ("lost", "error")
    assert fault["seat"] in (0, 1)
    assert fault["ply"] >= 3
    assert fault["detail"].startswith("RuntimeError: lost")
