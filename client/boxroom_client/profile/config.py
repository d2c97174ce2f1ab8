"""The client's settings: their definitions, and their values from all sources.

The value of a setting comes from a flag, or else from its environment variable, or else from
config.toml, or else it is the default. Each value records its source for messages.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Generic, TypeVar, assert_never

from boxroom_client.profile.identity import default_config_folder
from boxroom_client.profile.setting_values import (
    AUTO,
    NO_NOTIFICATION,
    format_language,
    format_size,
    format_switch,
    format_text,
    parse_destination,
    parse_language,
    parse_name,
    parse_notification,
    parse_size,
    parse_switch,
    parse_switch_or_auto,
    parse_text,
    parse_text_or_none,
)
from boxroom_client.profile.toml_file import NoSuchToml, TomlError, TomlFile, read_toml
from boxroom_client.servers.address import Destination
from boxroom_common.exits import Exit, Failure, UsageError
from boxroom_common.phrases import LANGUAGES
from boxroom_engine.games.drawing import Size
from boxroom_engine.wording import did_you_mean, listed

CONFIG_VARIABLE = "BOXROOM_CONFIG"
"""Environment variable that names another file than config.toml in the user's folder."""

T = TypeVar("T")

Flags = Mapping[str, str | bool | None]
"""Values of flags, by the names of settings; None is a flag that wasn't given."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """Definition of a setting."""

    name: str
    """Key in config.toml."""
    default: str
    """Default value, written as in config.toml."""
    parse: Callable[[object], T]
    """Parser of written values; it raises ValueError with a sentence."""
    show: Callable[[T], str]
    """Formatter of values, the inverse of `parse`."""
    help: str
    flag: str | None = None
    """Flag or argument on command lines; None if there is none."""
    default_means: str = ""
    """Description of the default, if it doesn't say everything itself."""

    @property
    def variable(self) -> str:
        """Name of the environment variable."""
        return f"BOXROOM_{self.name.upper()}"


NAME: Setting[str | None] = Setting(
    "name",
    "",
    parse_name,
    format_text,
    "your name in rooms",
    flag="--name",
    default_means="your login name",
)
SERVER: Setting[Destination | None] = Setting(
    "server",
    "",
    parse_destination,
    format_text,
    "the server that `boxroom join` connects to",
    flag="ADDRESS",
    default_means="one that is found",
)
CA: Setting[str | None] = Setting(
    "ca",
    "",
    parse_text_or_none,
    format_text,
    "the certificate file (PEM) of an authority to trust besides the system's, for TLS",
    flag="--ca",
    default_means="only those of the system",
)
LANGUAGE: Setting[str | None] = Setting(
    "language",
    AUTO,
    parse_language,
    format_language,
    f"the language of the full screen and of line mode: {listed(LANGUAGES, 'or')}, or auto",
    flag="--language",
    default_means="that of the system, or English",
)
THEME: Setting[str] = Setting(
    "theme",
    AUTO,
    parse_text,
    format_text,
    "the theme of the full screen: its name, or its file",
    flag="--theme",
    default_means="dark or light, as the terminal",
)
SIZE: Setting[Size | None] = Setting(
    "size",
    AUTO,
    parse_size,
    format_size,
    "the size of boards: S, M, L, or auto for what fits",
    flag="--zoom",  # "--size" would be the option of a game
)
ASCII: Setting[bool | None] = Setting(
    "ascii",
    AUTO,
    parse_switch_or_auto,
    format_switch,
    "only ASCII characters",
    flag="--ascii",
    default_means="as the terminal needs",
)
NUMBERS: Setting[bool] = Setting(
    "numbers",
    "yes",
    parse_switch,
    format_switch,
    "show the names of possible moves",
    flag="--numbers",
)
MOUSE: Setting[bool] = Setting(
    "mouse",
    "yes",
    parse_switch,
    format_switch,
    "take mouse clicks on the full screen",
)
BELL: Setting[bool | None] = Setting(
    "bell",
    AUTO,
    parse_switch_or_auto,
    format_switch,
    "ring on the full screen when it is your turn, or when a player writes your name",
    default_means="only where other people play",
)
NOTIFY: Setting[str] = Setting(
    "notify",
    NO_NOTIFICATION,
    parse_notification,
    format_text,
    "the same as a notification of the desktop where other people play: osc9 or osc777, as your"
    " terminal knows it, or off",
)
CONFIRM: Setting[bool] = Setting(
    "confirm",
    "no",
    parse_switch,
    format_switch,
    "ask for every move twice on the full screen",
)
JOINS: Setting[bool] = Setting(
    "joins",
    "yes",
    parse_switch,
    format_switch,
    "show on the full screen who joins and leaves",
)

SETTINGS: tuple[Setting[Any], ...] = (
    NAME,
    SERVER,
    CA,
    LANGUAGE,
    THEME,
    SIZE,
    ASCII,
    NUMBERS,
    MOUSE,
    BELL,
    NOTIFY,
    CONFIRM,
    JOINS,
)


class Origin(Enum):
    """Kinds of sources, in order of precedence."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Source:
    """Source of a value."""

    origin: Origin
    place: str = ""
    """Flag, variable, or file with the line."""

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
    """Value of a setting, with its source."""

    value: T
    source: Source


@dataclass(frozen=True, slots=True)
class ResolvedSettings:
    """Values of all settings: `settings[NUMBERS]` is True or False."""

    values: Mapping[str, Value[Any]]

    def __getitem__(self, setting: Setting[T]) -> T:
        value: T = self.values[setting.name].value
        return value

    def source(self, setting: Setting[Any]) -> Source:
        """Return the source of the value of `setting`."""
        return self.values[setting.name].source

    def shown(self, setting: Setting[Any]) -> str:
        """Return the value of `setting` as it is written in config.toml."""
        return setting.show(self[setting])


def config_path(environ: Mapping[str, str]) -> Path:
    """Return the path of config.toml, which may not exist."""
    chosen = environ.get(CONFIG_VARIABLE)
    return Path(chosen) if chosen else default_config_folder() / "config.toml"


def resolve(flags: Flags, environ: Mapping[str, str], path: Path) -> ResolvedSettings:
    """Resolve all settings from `flags`, from `environ` and from the file at `path`.

    Empty variables are ignored, and so is a missing file, unless `environ` names it. Every value
    is checked, even where another source has precedence.

    Raises:
        UsageError: a flag is invalid.
        Failure: a variable or the file is invalid.
    """
    file = _read_file(environ, path)
    return ResolvedSettings(
        {each.name: _values(each, flags, environ, file)[0] for each in SETTINGS}
    )


def error_for(source: Source, sentence: str) -> UsageError | Failure:
    """Return the error to raise for an invalid value from `source`; `sentence` says why."""
    if source.origin is Origin.FLAG:
        return UsageError(f"{source.place}: {sentence}")
    return Failure(f"{source}: {sentence}", Exit.USAGE)


def _read_file(environ: Mapping[str, str], path: Path) -> TomlFile:
    try:
        file = read_toml(path)
    except NoSuchToml as error:
        if environ.get(CONFIG_VARIABLE):
            raise error_for(Source(Origin.ENVIRONMENT, CONFIG_VARIABLE), str(error)) from None
        return TomlFile(path, "", {})
    except TomlError as error:
        raise Failure(str(error), Exit.USAGE) from None
    names = [setting.name for setting in SETTINGS]
    for key in file.table:
        if key not in names:
            source = Source(Origin.FILE, file.place_of(key))
            raise error_for(source, f"there is no setting {key!r}{did_you_mean(key, names)}")
    return file


def _values(
    setting: Setting[T], flags: Flags, environ: Mapping[str, str], file: TomlFile
) -> list[Value[T]]:
    """Return all given values of `setting` in order of precedence, and its default."""
    values: list[Value[T]] = []
    for source, written in _given(setting, flags, environ, file):
        try:
            values.append(Value(setting.parse(written), source))
        except ValueError as error:
            named = f"{setting.name}: " if source.origin is Origin.FILE else ""
            raise error_for(source, f"{named}{error}") from None
    return [*values, Value(setting.parse(setting.default), Source(Origin.DEFAULT))]


def _given(
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
