"""Settings of a room as text: `/settings`, `/set rows 4 clock 30`, and a local game's settings.

A game's own options come from the registry, so that a new game needs nothing here. The settings
of all rooms are written as options of the same kind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from msgspec.structs import replace

from boxroom_client.profile.identity import BadName, checked_name
from boxroom_common.look_alikes import look_alike, mistake_in_new_name
from boxroom_common.phrases import say
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Game, GameKind, Option, OptionValue
from boxroom_engine.games.registry import DEFAULT, KINDS, kind_of
from boxroom_engine.phrases import phrase
from boxroom_engine.room.room import MOST_TAKEBACKS, OnDrop, Settings
from boxroom_engine.room.text import same_name
from boxroom_engine.wording import did_you_mean

GAME = Option("terminal.setting.game", default=DEFAULT.name, choices=tuple(KINDS))
SEATS = Option("terminal.setting.seats", default=2, least=1, most=100_000)
CLOCK = Option("terminal.setting.clock", default="off", least=1, most=86_400)
ON_DROP = Option("terminal.setting.on_drop", default=OnDrop.BOT.value, choices=tuple(OnDrop))

_HINTS = {"off": False, "on": True}
HINTS = Option("terminal.setting.hints", default="off", choices=tuple(_HINTS))
TAKEBACKS = Option(
    "terminal.setting.takebacks", default=str(Settings().takebacks), least=1, most=MOST_TAKEBACKS
)

STAND_IN = Option("terminal.setting.standin", default=Settings().stand_in_s, least=5, most=86_400)
BEST = Option("terminal.setting.best", default="off", least=1, most=999)
OPENING = Option("terminal.setting.opening", default="off", choices=("off",))
"""Moves with which a game begins; another command chooses them."""

_OFF = ("off", "none", "no", "0")

HOSTED = Settings(seat_range=(2, 8))
"""Settings of a room for friends, unless they are chosen: as many play as come."""


@dataclass(frozen=True, slots=True)
class LocalGame:
    """Settings and players of a game on this computer."""

    settings: Settings
    people: tuple[str, ...]
    """Names, in the order of play."""
    bots: tuple[str, ...]
    """Bots, which have the seats after the people."""
    watcher: str | None
    """Name of the spectator when only bots play."""
    has_coach: bool = False
    """True if the coach helps the only person."""


def can_have_coach(kind: GameKind, people: Sequence[str], seats: int) -> bool:
    """Return True if one person plays a game that the coach knows."""
    return len(people) == 1 and seats in kind.reviewed_seats


def mistake_in_name(name: str, others: Iterable[str]) -> str | None:
    """Return why a person can't play as `name` beside `others`; None if that is possible."""
    try:
        checked_name(name)
    except BadName as error:
        return str(error)
    known = tuple(others)
    if any(same_name(name, other) for other in known):
        return say("terminal.name.twice", name=name)
    if (like := look_alike(name, known)) is not None:
        return say("terminal.name.alike", name=name, like=like)
    mistake = mistake_in_new_name(name)
    return None if mistake is None else str(mistake)


def parse_clock(text: OptionValue) -> int | None:
    """Return the seconds for each move; None for "off".

    Raises:
        OptionError: `text` is neither a number of seconds nor off.
    """
    if str(text).lower() in _OFF:
        return None
    return int(replace_fields(CLOCK, default=30).parse(text))


def parse_takebacks(text: OptionValue) -> int:
    """Return how often in a game moves can be taken back; 0 for "off".

    Raises:
        OptionError: `text` is neither a number nor off.
    """
    if str(text).lower() in _OFF:
        return 0
    return int(replace_fields(TAKEBACKS, default=10).parse(text))


def parse_best(text: OptionValue) -> int:
    """Return the games of a series; 0 for "off".

    Raises:
        OptionError: `text` is neither a number nor off.
    """
    if str(text).lower() in _OFF:
        return 0
    return int(replace_fields(BEST, default=5).parse(text))


def with_seats(settings: Settings, text: OptionValue) -> Settings:
    """Return `settings` with so many seats: "4", or "2-6" for as many as people come.

    Raises:
        OptionError: `text` is neither a number nor two, the smaller one first.
    """
    least, *others = (int(SEATS.parse(number)) for number in str(text).split("-", 1))
    for most in others:
        if most < least:
            raise OptionError(phrase("refusal.bad_option.seat_range", least=least, most=most))
    return replace(settings, seats=least, seat_range=(least, *others) if others else None)


def seats_of(settings: Settings) -> str:
    """Return the number of seats as `with_seats` reads it."""
    if settings.seat_range is None:
        return str(settings.seats)
    return "{}-{}".format(*settings.seat_range)


def narrowed(settings: Settings) -> Settings:
    """Return `settings` with the part of their range of seats that the game takes, if any."""
    if settings.seat_range is None:
        return settings
    kind, (least, most) = kind_of(settings.game), settings.seat_range
    least = max(least, kind.fewest_seats)
    most = most if kind.most_seats is None else min(most, kind.most_seats)
    while most >= least and not _takes(settings, most):
        most -= 1
    if most < least:
        return settings
    return replace(settings, seats=least, seat_range=(least, most) if least < most else None)


def _takes(settings: Settings, seats: int) -> bool:
    """Return whether the game with its options has so many seats."""
    try:
        replace(settings, seats=seats).make_game()
    except OptionError:
        return False
    return True


def option_names(game: str) -> tuple[str, ...]:
    """Return the names of all settings of a room that plays `game`."""
    own = (option.name for option in kind_of(game).options)
    of_rooms = (SEATS, CLOCK, ON_DROP, HINTS, TAKEBACKS, STAND_IN, BEST, OPENING)
    return (GAME.name, *own, *(option.name for option in of_rooms))


def changed(settings: Settings, changes: Mapping[str, OptionValue]) -> Settings:
    """Return `settings` with `changes`, by the names of `option_names`.

    Another game starts from its own defaults and keeps everything else; a range of seats becomes
    as narrow as the game needs it, unless it is among the changes. Games begin with the same moves
    as before only if the game, its options and the seats stay.

    Raises:
        OptionError: a name doesn't exist, or a value isn't allowed.
    """
    before = settings
    game = str(GAME.parse(changes.get(GAME.name, settings.game)))
    for name in changes:
        _check_name(name, game)
    own = {option.name: option for option in kind_of(game).options}
    options: dict[str, OptionValue] = {**settings.options} if game == settings.game else {}
    options.update((name, value) for name, value in changes.items() if name in own)
    # Old rooms may have numbers as text.
    options = {n: own[n].parse(value) if n in own else value for n, value in options.items()}
    settings = replace(settings, game=game, options=options)
    if SEATS.name in changes:
        settings = with_seats(settings, changes[SEATS.name])
    else:
        settings = narrowed(settings)
    if CLOCK.name in changes:
        settings = replace(settings, clock_s=parse_clock(changes[CLOCK.name]))
    if ON_DROP.name in changes:
        settings = replace(settings, on_drop=OnDrop(str(ON_DROP.parse(changes[ON_DROP.name]))))
    if HINTS.name in changes:
        settings = replace(settings, hints=_HINTS[str(HINTS.parse(changes[HINTS.name]))])
    if TAKEBACKS.name in changes:
        settings = replace(settings, takebacks=parse_takebacks(changes[TAKEBACKS.name]))
    if STAND_IN.name in changes:
        settings = replace(settings, stand_in_s=int(STAND_IN.parse(changes[STAND_IN.name])))
    if BEST.name in changes:
        settings = replace(settings, best_of=parse_best(changes[BEST.name]))
    if OPENING.name in changes or _board_of(settings) != _board_of(before):
        OPENING.parse(changes.get(OPENING.name, OPENING.default))
        settings = replace(settings, opening=())
    for seats in (settings.least_seats, settings.most_seats):
        replace(settings, seats=seats).make_game()
    return settings


def _board_of(settings: Settings) -> tuple[object, ...]:
    """Return what the moves of a game belong to."""
    return settings.game, settings.options, settings.seats, settings.seat_range


def _check_name(name: str, game: str) -> None:
    names = option_names(game)
    if name in names:
        return
    guess = did_you_mean(name, names)
    raise OptionError(
        phrase("option.no_such_setting", name=repr(name), game=kind_of(game).named, guess=guess)
    )


def rows(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and meaning of every setting that `/set` takes."""
    kind = kind_of(settings.game)
    games = say("terminal.setting.games", game=kind.named, names=", ".join(KINDS))
    yield GAME.name, settings.game, games
    for option in kind.options:
        yield option.name, str(settings.options.get(option.name, option.default)), str(option.help)
    yield SEATS.name, seats_of(settings), str(SEATS.help)
    clock = CLOCK.default if settings.clock_s is None else settings.clock_s
    yield CLOCK.name, str(clock), str(CLOCK.help)
    yield ON_DROP.name, settings.on_drop.value, str(ON_DROP.help)
    yield HINTS.name, "on" if settings.hints else "off", str(HINTS.help)
    yield TAKEBACKS.name, str(settings.takebacks or "off"), str(TAKEBACKS.help)
    yield STAND_IN.name, str(settings.stand_in_s), str(STAND_IN.help)
    yield BEST.name, str(settings.best_of or "off"), str(BEST.help)
    opening = say("settings.opening", n=len(settings.opening)) if settings.opening else "off"
    yield OPENING.name, opening, str(OPENING.help)


def label_of(option: Option) -> str:
    """Return the label of the field of an option: "Rows"."""
    text = str(option.label)
    return text[:1].upper() + text[1:]


def chosen(option: Option, value: OptionValue) -> str:
    """Return an option with its value: "border half"."""
    return say("option_chosen", label=option.label, value=option.in_words(value))


def in_words(settings: Settings) -> str:
    """Return the game with its options and how it is played, in one phrase.

    Such as "Dots and Boxes (rows 5, cols 5, border none)".
    """
    kind = kind_of(settings.game)
    values = [
        chosen(option, settings.options.get(option.name, option.default)) for option in kind.options
    ]
    if settings.clock_s is not None:
        values.append(say("terminal.setting.clock.value", seconds=settings.clock_s))
    if settings.opening:
        values.append(say("settings.opening", n=len(settings.opening)))
    return f"{kind.named} ({', '.join(values)})" if values else str(kind.named)


def in_short(game: Game) -> str:
    """Return the game with the options that aren't as usual: "Dots and Boxes 5×5"."""
    options = dict(game.options)
    size = [str(options.pop(name)) for name in ("rows", "cols") if name in options]
    details = [
        chosen(option, options[option.name])
        for option in game.kind.options
        if options.get(option.name, option.default) != option.default
    ]
    return ", ".join([" ".join(filter(None, (str(game.kind.named), "×".join(size)))), *details])
