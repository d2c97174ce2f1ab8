"""`boxroom history`: its subcommands on a history of three games."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cases import each
from tests.client.profile.test_history import GAME, ONE_BOX

from boxroom_client.cli.history import columns_of
from boxroom_client.main import main
from boxroom_client.profile.data_folder import GAMES_FOLDER_VARIABLE
from boxroom_client.profile.history import GameHistory


@pytest.fixture(autouse=True)
def _three_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path))
    noughts = "noughts dims=3,3 line=3 | Ada, Bob | 4 0"
    GameHistory().add(GAME)
    GameHistory().add(replace(GAME, number=2, server="[::1]:8765", room="kiwa-tobe"))
    GameHistory().add(replace(GAME, number=3, record=noughts, scores=(1, 0)))


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["history", *arguments]) == code
    output = capsys.readouterr()
    return output.err if code else output.out


def test_the_list_says_when_what_who_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ((), ("list",), ("--plain",)):
        lines = shown(capsys, *arguments).splitlines()
        assert [line.split()[0] for line in lines] == ["3", "2", "1"]
        assert lines[1].endswith(
            "  lost 0:1  Ada, greedy (bot)  Dots and Boxes 1×1  [::1]:8765 kiwa-tobe"
        )
        assert all("0:1" in line[:40] or "1:0" in line[:40] for line in lines)
        assert lines[2].endswith("  here")
    assert len(shown(capsys, "list", "--last", "2").splitlines()) == 2


def test_there_may_be_no_game_yet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(GAMES_FOLDER_VARIABLE, str(tmp_path / "none"))
    assert shown(capsys) == "You have played no game to its end yet.\n"
    nothing = {"format": "boxroom-history-1", "games": []}
    assert json.loads(shown(capsys, "--json")) == nothing


def test_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("--json",), ("list", "--json"), ("export", "--all", "--json")):
        games = json.loads(shown(capsys, *arguments))["games"]
        assert {game["id"] for game in games} == {1, 2, 3}
    assert games[0] == {
        "id": 1,
        "server": "",
        "room": "home",
        "seat": 0,
        "player": 1,
        "helped": False,
        "scores": [0, 1],
        "winners": [1],
        "winning_players": [2],
        "bots": [None, "greedy"],
        "record": ONE_BOX,
        "ended": "1970-01-01T00:00:01+00:00",
    }


@each(
    "seat, winners, result",
    [
        (0, (0,), "won 3:1"),
        (1, (0,), "lost 3:1"),
        (1, (0, 1), "won 3:1"),
        (1, (), "draw 3:1"),
        (None, (0,), "3:1"),
    ],
)
def test_the_result_is_told_for_the_seat_that_one_had(
    seat: int | None, winners: tuple[int, ...], result: str
) -> None:
    game = replace(GAME, seat=seat, winners=winners, scores=(3, 1))
    assert columns_of(game)[1] == result


@each("ended_ms, year", [(10**30, "9999"), (-(10**30), "19")])
def test_a_server_may_have_sent_any_time(ended_ms: int, year: str) -> None:
    assert columns_of(replace(GAME, ended_ms=ended_ms))[0].startswith(year)


def test_a_game_is_replayed_and_analysed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "greedy (bot) won with 1 box" in shown(capsys, "replay", "1")
    every = shown(capsys, "replay", "1", "--every")
    assert "2. greedy (bot) plays v0." in every
    assert "Dots and Boxes (rows 1, cols 1, border none)" in shown(capsys, "analyse", "2")
    assert json.loads(shown(capsys, "analyse", "2", "--json"))["players"]
    assert "x Ada lost nothing in 1 judged move." in shown(capsys, "analyse", "3")


def test_records_are_exported(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "export", "1") == f"{ONE_BOX}\n"
    assert len(shown(capsys, "export", "--all").splitlines()) == 3
    assert "name the games to export" in shown(capsys, "export", code=2)


def test_games_are_deleted_all_or_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no game 9" in shown(capsys, "delete", "1", "9", code=1)
    assert len(GameHistory().newest()) == 3
    assert shown(capsys, "delete", "1", "3") == "2 games are deleted.\n"
    assert [game.id for game in GameHistory().newest()] == [2]
    assert "there is no game 1" in shown(capsys, "replay", "1", code=1)


def test_a_history_that_cant_be_used_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "history.db").write_bytes(b"no database" * 1000)
    assert "history.db can't be used" in shown(capsys, code=1)


@pytest.mark.parametrize("command", ["replay", "analyse"])
def test_a_number_alone_is_a_game_of_the_history(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    by_history = shown(capsys, command, "1")
    assert main([command, "1"]) == 0
    assert capsys.readouterr().out == by_history
    assert main([command, "4"]) == 1
    assert "neither a file 4 nor a game with that number" in capsys.readouterr().err
    assert main([command, "9" * 30]) == 1
    Path("1").write_text("dots rows=1 cols=2 border=none | Cem, Dia | h0")
    assert main([command, "1"]) == 0
    assert "Cem" in capsys.readouterr().out
    assert main([command, "./1"]) == 0
