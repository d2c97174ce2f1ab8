"""The client's settings: what there is to set, and what each of them is set to.

A setting is what a flag says, or else its variable in the environment, or else config.toml,
or else its default. Every value knows which of them it came from, so that it can be told.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar, assert_never

from boxroom_client.profile import setting_values as read
from boxroom_client.profile.identity import default_config_folder
from boxroom_client.profile.toml_file import NoSuchToml, TomlError, TomlFile, read_toml
from boxroom_client.servers.address import Address
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_engine.games.drawing import Size
from boxroom_engine.wording import did_you_mean

CONFIG_VARIABLE = "BOXROOM_CONFIG"
"""The environment variable that names another file than config.toml in the user's folder."""

T = TypeVar("T")

Flags = Mapping[str, str | bool | None]
"""What flags say, by the names of settings; None is a flag that wasn't given."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """Something about the client that the person chooses."""

    name: str
    """In config.toml; in capitals in the environment."""
    default: str
    """As it would be written there."""
    parse: Callable[[object], T]
    """What a written value means; raises ValueError with a sentence."""
    show: Callable[[T], str]
    """How a value is written: the inverse of `parse`."""
    help: str
    flag: str | None = None
    """What it is called on the command lines where it can stand."""
    unset: str = ""
    """What no text at all stands for, where that is a value."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return f"BOXROOM_{self.name.upper()}"


NAME: Setting[str | None] = Setting(
    "name",
    "",
    read.name,
    read.shown,
    "what you are called",
    flag="--name",
    unset="your login name",
)
SERVER: Setting[Address | None] = Setting(
    "server",
    "",
    read.address,
    read.shown,
    "where `boxroom join` goes",
    flag="ADDRESS",
    unset="one that is found",
)
CA: Setting[str | None] = Setting(
    "ca",
    "",
    read.text_or_none,
    read.shown,
    "the file of an authority of your own that vouches for servers with TLS",
    flag="--ca",
    unset="those of the system",
)
THEME: Setting[str] = Setting(
    "theme",
    "dark",
    read.text,
    read.shown,
    "how the full screen looks: the name of a theme, or its file",
    flag="--theme",
)
SIZE: Setting[Size | None] = Setting(
    "size",
    read.AUTO,
    read.size,
    read.shown_size,
    "the size of boards: S, M, L, or auto for what fits",
    flag="--zoom",
)
ASCII: Setting[bool | None] = Setting(
    "ascii",
    read.AUTO,
    read.switch_or_auto,
    read.shown_switch,
    "no characters beyond ASCII; auto goes by the terminal",
    flag="--ascii",
)
NUMBERS: Setting[bool] = Setting(
    "numbers",
    "yes",
    read.switch,
    read.shown_switch,
    "the names of free places are shown",
    flag="--numbers",
)
MOUSE: Setting[bool] = Setting(
    "mouse", "yes", read.switch, read.shown_switch, "the full screen takes clicks"
)
BELL: Setting[bool] = Setting(
    "bell",
    "no",
    read.switch,
    read.shown_switch,
    "the full screen rings when it is your turn or your name is said",
)
CONFIRM: Setting[bool] = Setting(
    "confirm", "no", read.switch, read.shown_switch, "the full screen asks for every move twice"
)
JOINS: Setting[bool] = Setting(
    "joins", "yes", read.switch, read.shown_switch, "the full screen shows who comes and goes"
)

SETTINGS: tuple[Setting[Any], ...] = (
    NAME,
    SERVER,
    CA,
    THEME,
    SIZE,
    ASCII,
    NUMBERS,
    MOUSE,
    BELL,
    CONFIRM,
    JOINS,
)


class Origin(Enum):
    """The kinds of places where values come from; the first that has one is the one that counts."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value comes from."""

    origin: Origin
    place: str = ""
    """The flag, the variable, or the file with the line."""

    def __str__(self) -> str:
        match self.origin:
            case Origin.FLAG:
                return f"flag {self.place}"
            case Origin.ENVIRONMENT | Origin.FILE:
                return self.place
            case Origin.DEFAULT:
                return "default"
            case _:
                assert_never(self.origin)


@dataclass(frozen=True, slots=True)
class Value(Generic[T]):
    """What a setting is set to, and where that is said."""

    value: T
    source: Source


@dataclass(frozen=True, slots=True)
class Resolved:
    """What all settings are set to: `resolved[NUMBERS]` is True or False."""

    values: Mapping[str, Value[Any]]

    def __getitem__(self, setting: Setting[T]) -> T:
        value: T = self.values[setting.name].value
        return value

    def source(self, setting: Setting[Any]) -> Source:
        """Where the value of `setting` comes from."""
        return self.values[setting.name].source

    def shown(self, setting: Setting[Any]) -> str:
        """The value of `setting` as it would be written."""
        return setting.show(self[setting])


def config_path(environ: Mapping[str, str]) -> Path:
    """Where config.toml is, or would be."""
    chosen = environ.get(CONFIG_VARIABLE)
    return Path(chosen) if chosen else default_config_folder() / "config.toml"


def resolve(flags: Flags, environ: Mapping[str, str], path: Path) -> Resolved:
    """What the settings are set to by `flags`, by `environ` and in the file at `path`.

    An empty variable is none, and so is a file that isn't there, unless `environ` names it.
    A mistake is one even where a value that counts more makes up for it.

    Raises:
        UsageError: there is a mistake in a flag.
        Failure: there is one in a variable or in the file.
    """
    file = _file(environ, path)
    return Resolved({each.name: _values(each, flags, environ, file)[0] for each in SETTINGS})


def mistake(source: Source, sentence: str) -> UsageError | Failure:
    """What to raise for a value from `source` that `sentence` says is wrong."""
    if source.origin is Origin.FLAG:
        return UsageError(f"{source.place}: {sentence}")
    return Failure(f"{source}: {sentence}", Exit.USAGE)


def _file(environ: Mapping[str, str], path: Path) -> TomlFile:
    try:
        file = read_toml(path)
    except NoSuchToml as error:
        if environ.get(CONFIG_VARIABLE):
            raise mistake(Source(Origin.ENVIRONMENT, CONFIG_VARIABLE), str(error)) from None
        return TomlFile(path, "", {})
    except TomlError as error:
        raise Failure(str(error), Exit.USAGE) from None
    names = [setting.name for setting in SETTINGS]
    for key in file.table:
        if key not in names:
            source = Source(Origin.FILE, file.place_of(key))
            raise mistake(source, f"there is no setting {key!r}{did_you_mean(key, names)}")
    return file


def _values(
    setting: Setting[T], flags: Flags, environ: Mapping[str, str], file: TomlFile
) -> list[Value[T]]:
    """The values of `setting` that are given, the one that counts first, and its default."""
    values: list[Value[T]] = []
    for source, written in _written(setting, flags, environ, file):
        try:
            values.append(Value(setting.parse(written), source))
        except ValueError as error:
            named = f"{setting.name}: " if source.origin is Origin.FILE else ""
            raise mistake(source, f"{named}{error}") from None
    return [*values, Value(setting.parse(setting.default), Source(Origin.DEFAULT))]


def _written(
    setting: Setting[Any], flags: Flags, environ: Mapping[str, str], file: TomlFile
) -> Iterator[tuple[Source, object]]:
    flag = flags.get(setting.name)
    if flag is not None:
        name = setting.flag or setting.name
        yield Source(Origin.FLAG, name.replace("--", "--no-") if flag is False else name), flag
    if environ.get(setting.variable):
        yield Source(Origin.ENVIRONMENT, setting.variable), environ[setting.variable]
    if setting.name in file.table:
        yield Source(Origin.FILE, file.place_of(setting.name)), file.table[setting.name]
