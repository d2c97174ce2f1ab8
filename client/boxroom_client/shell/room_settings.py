"""A room's settings as people read and write them: `/settings` and `/set rows 4 clock 30`.

What a game can be told comes from its options in the registry, so that a new game needs
nothing here. What every room can be told is written as options of the same kind.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Option, OptionValue
from boxroom_engine.games.registry import DEFAULT, KINDS, kind_of
from boxroom_engine.room.room import OnDrop, Settings
from boxroom_engine.wording import did_you_mean

GAME = Option("game", "what is played", default=DEFAULT.name, choices=tuple(KINDS))
SEATS = Option("seats", "number of players", default=2, least=1, most=100_000)
CLOCK = Option("clock", "seconds for each move, or off", default="off", least=1, most=86_400)
ON_DROP = Option(
    "on_drop",
    "the seat of a player who drops out: bot (one plays on), wait or forfeit",
    default=OnDrop.BOT.value,
    choices=tuple(OnDrop),
)

_HINTS = {"off": False, "on": True}
HINTS = Option(
    "hints", "whether players may ask for a hint: on or off", default="off", choices=tuple(_HINTS)
)

_OFF = ("off", "none", "no", "0")


def parse_clock(text: OptionValue) -> int | None:
    """Seconds for each move; None for "off".

    Raises:
        OptionError: it is neither.
    """
    if str(text).lower() in _OFF:
        return None
    seconds = Option(CLOCK.name, CLOCK.help, default=30, least=CLOCK.least, most=CLOCK.most)
    return int(seconds.parse(text))


def option_names(game: str) -> tuple[str, ...]:
    """Everything that can be set in a room that plays `game`."""
    own = (option.name for option in kind_of(game).options)
    return (GAME.name, *own, SEATS.name, CLOCK.name, ON_DROP.name, HINTS.name)


def changed(settings: Settings, changes: Mapping[str, OptionValue]) -> Settings:
    """`settings` with `changes`, by the names of `option_names`.

    Another game starts from its own defaults and keeps everything else.

    Raises:
        OptionError: a name that doesn't exist, or a value that doesn't fit.
    """
    game = str(GAME.parse(changes.get(GAME.name, settings.game)))
    for name in changes:
        _check_name(name, game)
    own = {option.name: option for option in kind_of(game).options}
    options: dict[str, OptionValue] = settings.options if game == settings.game else {}
    chosen = {name: own[name].parse(value) for name, value in changes.items() if name in own}
    settings = replace(settings, game=game, options={**options, **chosen})
    if SEATS.name in changes:
        settings = replace(settings, seats=int(SEATS.parse(changes[SEATS.name])))
    if CLOCK.name in changes:
        settings = replace(settings, clock_s=parse_clock(changes[CLOCK.name]))
    if ON_DROP.name in changes:
        settings = replace(settings, on_drop=OnDrop(str(ON_DROP.parse(changes[ON_DROP.name]))))
    if HINTS.name in changes:
        settings = replace(settings, hints=_HINTS[str(HINTS.parse(changes[HINTS.name]))])
    settings.make_game()
    return settings


def _check_name(name: str, game: str) -> None:
    names = option_names(game)
    if name in names:
        return
    guess = did_you_mean(name, names)
    raise OptionError(f"there is no setting {name!r} for {kind_of(game).title}{guess}")


def rows(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Name, value and meaning of everything that `/set` takes."""
    kind = kind_of(settings.game)
    yield GAME.name, settings.game, f"{kind.title} (there are {', '.join(KINDS)})"
    for option in kind.options:
        yield option.name, str(settings.options.get(option.name, option.default)), option.help
    yield SEATS.name, str(settings.seats), SEATS.help
    clock = CLOCK.default if settings.clock_s is None else settings.clock_s
    yield CLOCK.name, str(clock), CLOCK.help
    yield ON_DROP.name, settings.on_drop.value, ON_DROP.help
    yield HINTS.name, "on" if settings.hints else "off", HINTS.help


def in_words(settings: Settings) -> str:
    """What is played, in a few words: "Dots and Boxes (rows 5, cols 5, border none)"."""
    kind = kind_of(settings.game)
    values = [
        f"{option.name} {settings.options.get(option.name, option.default)}"
        for option in kind.options
    ]
    clock = [] if settings.clock_s is None else [f"clock {settings.clock_s} s"]
    details = ", ".join([*values, *clock])
    return f"{kind.title} ({details})" if details else kind.title
