"""Settings: their precedence and the sources of their values."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each

from boxroom_client.profile.config import (
    ASCII,
    BELL,
    NAME,
    NOTIFY,
    NUMBERS,
    SERVER,
    SETTINGS,
    SIZE,
    THEME,
    Flags,
    Origin,
    Source,
    config_path,
    resolve,
)
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.drawing import Size

NOWHERE = Path(os.devnull)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_anything_there_are_defaults(path: Path) -> None:
    settings = resolve({}, {}, path)
    assert {setting.name: settings.shown(setting) for setting in SETTINGS} == {
        setting.name: setting.default for setting in SETTINGS
    }
    assert {str(settings.source(setting)) for setting in SETTINGS} == {"default"}


def test_notifications_are_off_or_of_a_known_kind(path: Path) -> None:
    for written in ("no", "Off", "OSC777"):
        settings = resolve({}, {"BOXROOM_NOTIFY": written}, path)
        assert settings[NOTIFY] == ("osc777" if written == "OSC777" else "off")
    path.write_text("notify = false\n")
    assert resolve({}, {}, path)[NOTIFY] == "off"
    with pytest.raises(Failure, match="BOXROOM_NOTIFY: it has to be off, osc9 or osc777"):
        resolve({}, {"BOXROOM_NOTIFY": "yes"}, path)


def test_values_have_types(path: Path) -> None:
    path.write_text('name = "Ada"\nserver = "a:1"\nsize = "s"\nascii = true\nbell = "on"\n')
    settings = resolve({}, {}, path)
    assert settings[NAME] == "Ada"
    assert str(settings[SERVER]) == "a:1"
    assert settings[SIZE] is Size.COMPACT
    assert settings[ASCII] is settings[BELL] is settings[NUMBERS] is True
    assert settings.source(SIZE) == Source(Origin.FILE, f"{path}, line 3")


FLAGS: Flags = {"theme": "flag"}
ENVIRON: Mapping[str, str] = {"BOXROOM_THEME": "environment"}


@given(st.booleans(), st.booleans(), st.booleans())
def test_flags_go_before_the_environment_and_that_before_the_file(
    tmp_path_factory: pytest.TempPathFactory, flag: bool, variable: bool, file: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "order.toml"
    path.write_text('theme = "file"' if file else "")
    settings = resolve(FLAGS if flag else {"theme": None}, ENVIRON if variable else {}, path)
    expected = "flag" if flag else "environment" if variable else "file" if file else "auto"
    assert settings[THEME] == expected
    assert (
        settings.source(THEME).origin
        is {
            "flag": Origin.FLAG,
            "environment": Origin.ENVIRONMENT,
            "file": Origin.FILE,
            "auto": Origin.DEFAULT,
        }[expected]
    )


@each(
    "flags, environ, source",
    [
        ({"theme": "a"}, {}, "flag --theme"),
        ({"numbers": False}, {}, "flag --no-numbers"),
        ({"ascii": True}, {}, "flag --ascii"),
        ({"server": "a"}, {}, "flag ADDRESS"),
        ({}, {"BOXROOM_SIZE": "L"}, "BOXROOM_SIZE"),
    ],
)
def test_sources_are_told_as_they_are_typed(
    flags: Flags, environ: Mapping[str, str], source: str
) -> None:
    settings = resolve(flags, environ, NOWHERE)
    assert source in {str(settings.source(setting)) for setting in SETTINGS}


def test_an_empty_variable_is_none() -> None:
    variables = {setting.variable: "" for setting in SETTINGS}
    settings = resolve({}, {**variables, "BOXROOM_CONFIG": ""}, NOWHERE)
    assert {settings.source(setting).origin for setting in SETTINGS} == {Origin.DEFAULT}


@each(
    "flags, why",
    [
        ({"size": "XXL"}, "--zoom: 'XXL' isn't a size"),
        ({"language": "tlh"}, "--language: there is no language 'tlh'; there are en and de"),
        ({"server": "a b"}, "ADDRESS: 'a b' isn't a host"),
        ({"name": "!"}, "--name: '!' can't be a name"),
    ],
)
def test_a_mistake_in_a_flag_is_a_usage_error(flags: Flags, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        resolve(flags, {}, NOWHERE)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('\nthmee = "x"', r"config\.toml, line 2: there is no setting 'thmee': did you mean theme"),
        ("xyz = 1", "line 1: there is no setting 'xyz'; there are name, server, "),
        ("[colours]", r"config\.toml: there is no setting 'colours'"),
        ('size = "XXL"', "line 1: size: 'XXL' isn't a size; there are S, M, L and auto"),
        ("name = 5", "line 1: name: it has to be text, in quotation marks"),
        ("[name]", r"config\.toml: name: it has to be text"),
        ('bell = "perhaps"', "line 1: bell: it has to be yes, no or auto"),
        ("bell = ", r"config\.toml isn't TOML"),
    ],
)
def test_a_mistake_in_the_file_names_it(written: str, why: str, path: Path) -> None:
    path.write_text(written)
    with pytest.raises(Failure, match=why) as failure:
        resolve({"bell": True, "size": "L"}, {}, path)
    assert failure.value.code is Exit.USAGE


def test_a_mistake_in_the_environment_names_the_variable() -> None:
    with pytest.raises(Failure, match="BOXROOM_BELL: it has to be yes, no or auto") as failure:
        resolve({}, {"BOXROOM_BELL": "perhaps"}, NOWHERE)
    assert failure.value.code is Exit.USAGE


def test_a_file_that_is_named_has_to_be_there(path: Path) -> None:
    with pytest.raises(Failure, match="BOXROOM_CONFIG: there is no file "):
        resolve({}, {"BOXROOM_CONFIG": str(path)}, path)


def test_the_file_is_in_the_users_folder_or_where_a_variable_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BOXROOM_CONFIG_DIR", str(tmp_path))
    assert config_path({}) == tmp_path / "config.toml"
    assert config_path({"BOXROOM_CONFIG": "/a/b.toml"}) == Path("/a/b.toml")


@given(
    st.dictionaries(
        st.sampled_from([setting.variable for setting in SETTINGS]), st.text(max_size=20)
    )
)
def test_any_environment_is_resolved_or_explained(environ: Mapping[str, str]) -> None:
    try:
        settings = resolve({}, environ, NOWHERE)
    except Failure as failure:
        source = str(failure).partition(": ")[0]
    else:
        source = str(next(map(settings.source, SETTINGS)))
    assert source in {*environ, "default"}


def test_names_are_unique_and_defaults_are_valid() -> None:
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.show(setting.parse(setting.default)) == setting.default
        assert setting.default or setting.default_means
