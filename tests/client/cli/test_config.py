"""`boxroom config`, and the settings in other commands."""

import json
from pathlib import Path

import pytest

from boxroom_client.cli import join, play
from boxroom_client.cli.arguments.settings import canvas_from, settings_from, theme_from
from boxroom_client.main import main
from boxroom_client.profile.config import NAME, SERVER, SETTINGS
from boxroom_common.exits import Failure, UsageError
from boxroom_engine.games.drawing import Size

GAME = "dots rows=1 cols=2 border=none | Ada, Bob | h0"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "somebody")
    return tmp_path / "config.toml"


def test_every_setting_is_shown_with_its_source(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text('size = "S"\n')
    monkeypatch.setenv("BOXROOM_THEME", "light")
    assert main(["config"]) == 0
    shown = capsys.readouterr().out
    rows = {row.split()[0]: row.split(maxsplit=1)[1] for row in shown.splitlines()[: len(SETTINGS)]}
    assert list(rows) == [setting.name for setting in SETTINGS]
    assert rows["size"].split(maxsplit=1) == ["S", f"{path}, line 1"]
    assert rows["theme"].split() == ["light", "BOXROOM_THEME"]
    assert rows["bell"].split() == ["auto", "default"]
    assert rows["name"].startswith("(your login name) ")
    assert f"Your file is {path}.\n" in shown
    assert f"yours go into {path.parent / 'themes'}.\n" in shown


def test_the_same_in_json(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text('size = "S"\n')
    monkeypatch.setenv("BOXROOM_THEME", "light")
    assert main(["config", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["format"], shown["file"]) == ("boxroom-config-1", str(path))
    settings = shown["settings"]
    assert list(settings) == [setting.name for setting in SETTINGS]
    assert settings["size"] == {"value": "S", "source": "file", "place": f"{path}, line 1"}
    assert settings["theme"]["source"] == "environment"
    assert settings["name"] == {"value": "", "source": "default", "place": ""}
    assert main(["config", "bell", "no", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"].keys() == {"bell"}
    assert main(["config", "--path", "--json"]) == 2


def test_without_a_file_it_is_told_where_it_would_be(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config"]) == 0
    assert f"Your file is {path}, but there is none yet.\n" in capsys.readouterr().out


def test_the_path_alone_is_shown_whatever_is_in_it(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text("not TOML")
    assert main(["config", "--path"]) == 0
    assert capsys.readouterr().out == f"{path}\n"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("not TOML", "isn't TOML"),
        ('theem = "x"', "line 1: there is no setting 'theem': did you mean theme?"),
        ('theme = "lihgt"', "line 1: there is no theme 'lihgt': did you mean light?"),
    ],
)
def test_a_mistake_is_told(
    written: str, why: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(written)
    assert main(["config"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"boxroom: {path}")
    assert why in error


def test_a_setting_is_changed_shown_and_reset(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*arguments: str) -> list[str]:
        assert main(["config", *arguments]) == 0
        return capsys.readouterr().out.split()

    assert printed("theme", "light") == ["theme", "light", f"{path},", "line", "1"]
    assert printed("bell", "on") == ["bell", "yes", f"{path},", "line", "2"]
    assert printed("bell") == ["bell", "yes", f"{path},", "line", "2"]
    assert printed("theme", "--reset") == ["theme", "auto", "default"]
    assert path.read_text() == "bell = true\n"


def test_a_variable_still_has_precedence(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOXROOM_SIZE", "S")
    assert main(["config", "size", "L"]) == 0
    assert capsys.readouterr().out.split() == ["size", "S", "BOXROOM_SIZE"]
    assert path.read_text() == 'size = "L"\n'


def test_paths_are_saved_whole(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sea.toml").write_text('name = "Sea"\nbackground = "dark"\n[styles]\n')
    assert main(["config", "theme", "sea.toml"]) == 0
    assert path.read_text() == f'theme = "{tmp_path / "sea.toml"}"\n'


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["theem", "dark"], "there is no setting 'theem': did you mean theme?"),
        (["theme", "lihgt"], "theme: there is no theme 'lihgt': did you mean light?"),
        (["size", "XL"], "size: 'XL' isn't a size; there are S, M, L and auto"),
        (["ca", "nowhere.pem"], "ca: "),
        (["--reset"], "--reset needs the name of a setting"),
        (["size", "S", "--reset"], "--reset and a value exclude one another"),
    ],
)
def test_what_cant_be_changed_is_a_usage_error(
    arguments: list[str], why: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"boxroom config: {why}")
    assert not path.exists()


# Other commands


def test_boards_look_as_they_are_set(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text("ascii = true\nnumbers = false\n")
    assert main(["replay", GAME]) == 0
    shown = capsys.readouterr().out
    assert "+-----+" in shown
    assert "v0" not in shown
    assert main(["replay", GAME, "--no-ascii", "--numbers"]) == 0
    shown = capsys.readouterr().out
    assert "•━━━━━•" in shown
    assert "v0" in shown


@pytest.mark.parametrize("command", ["play", "join", "replay", "draw"])
def test_a_mistake_in_the_file_stops_every_command(
    command: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text('size = "XXL"\n')
    extra = {"replay": [GAME], "draw": [GAME, "--out", "x.svg"]}
    assert main([command, *extra.get(command, [])]) == 2
    assert capsys.readouterr().err == (
        f"boxroom: {path}, line 1: size: 'XXL' isn't a size; there are S, M, L and auto\n"
    )


@pytest.mark.parametrize(
    ("flags", "size"), [("", None), ("--zoom s", Size.COMPACT), ("--zoom Auto", None)]
)
def test_sizes_are_flags_in_any_case(flags: str, size: Size | None, path: Path) -> None:
    assert canvas_from(play.parser().parse_args(flags.split())).size is size
    path.write_text('size = "L"')
    assert canvas_from(play.parser().parse_args([])).size is Size.LARGE


def test_people_are_called_as_they_are_set(path: Path) -> None:
    path.write_text('name = "Ada"')
    assert play.table_from(play.parser().parse_args([])).people == ("Ada",)
    assert play.table_from(play.parser().parse_args(["--name", "Zoe"])).people == ("Zoe",)
    assert play.table_from(play.parser().parse_args(["--watch"])).watcher == "Ada"


def test_join_goes_where_it_is_told_or_set(path: Path) -> None:
    settings = settings_from(join.parser().parse_args([]))
    assert (settings[SERVER], settings[NAME]) == (None, None)
    path.write_text('server = "example.org"\nname = "Ada"')
    settings = settings_from(join.parser().parse_args([]))
    assert (str(settings[SERVER]), settings[NAME]) == ("example.org:8765", "Ada")
    settings = settings_from(join.parser().parse_args(["other.org", "--name", "Zoe"]))
    assert (str(settings[SERVER]), settings[NAME]) == ("other.org:8765", "Zoe")


def test_a_theme_is_loaded_or_its_source_is_to_blame(path: Path) -> None:
    def theme(*arguments: str) -> str:
        return theme_from(settings_from(play.parser().parse_args(arguments))).name

    assert theme() == "Dark"
    assert theme("--theme", "light") == "Light"
    with pytest.raises(UsageError, match="--theme: there is no theme 'x'"):
        theme("--theme", "x")
    path.write_text('theme = "x"')
    with pytest.raises(Failure, match="line 1: there is no theme 'x'"):
        theme()
