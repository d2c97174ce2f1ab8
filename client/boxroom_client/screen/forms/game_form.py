"""The form of `boxroom play`: what is played, and with whom."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from prompt_toolkit.styles import BaseStyle

from boxroom_client.profile.identity import NAME_CHARS
from boxroom_client.screen.forms.fields import Field, Kind, Number, Text, Words
from boxroom_client.screen.forms.form_screen import fill
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.shell.room_settings import CLOCK, GAME, SEATS, changed, parse_clock
from boxroom_client.shell.table import USUAL_BOT, Table, mistake_in_name
from boxroom_engine.bots.registry import BOTS, bots_for
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import GameKind, Option, OptionValue
from boxroom_engine.games.registry import KINDS, kind_of
from boxroom_engine.room.text import clean_name

MOST_SEATS = 20
"""More would be too long a form; `boxroom play --seats` has no such limit."""

_CLOCKS_S = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
"""The clocks that Left and Right lead to; any other can be typed."""

_YOU = "you"
_OPPONENTS = "opponents"
_PERSON = "another person"


async def choose_table(
    table: Table,
    *,
    style: Callable[[], BaseStyle],
    ascii_only: bool = False,
    mouse: bool = True,
) -> Table | None:
    """The table that somebody wants, who is shown `table` to begin with; None if nobody does.

    `table` has somebody who plays.

    Raises:
        Interrupted: Ctrl-C.
    """
    blank = table_blank(table, ascii_only=ascii_only)
    filled = await fill(blank, style=style, mouse=mouse)
    return None if filled is None else table_in(filled.values, table)


def table_blank(table: Table, *, ascii_only: bool = False) -> FormState:
    """The form, filled in for `table`."""
    return FormState(
        "Boxroom: a game at this computer",
        lambda values: tuple(_Entries(values, table).fields()),
        "starts",
        ascii_only=ascii_only,
    )


def table_in(values: Values, table: Table) -> Table:
    """The table that `values`, in which there is no mistake, make of `table`."""
    return _Entries(values, table).laid()


@dataclass(frozen=True)
class _Entries:
    """What is entered so far; where nothing is, it is as `table` has it."""

    values: Values
    table: Table

    def fields(self) -> Iterator[Field]:
        """All fields, with their mistakes."""
        kinds = tuple((kind.name, kind.title) for kind in KINDS.values())
        yield Field(GAME.name, "Game", Words(kinds), self._kind.name, self._kind.rules)
        for option in self._kind.options:
            yield self._option(option)
        yield self._opponents()
        for number in range(1, self._count + 1):
            yield from self._opponent(number)
        clock = Number(CLOCK.least, CLOCK.most, off=str(CLOCK.default), stops=_CLOCKS_S)
        yield self._field(CLOCK.name, "Clock", clock, self._clock, CLOCK.help)
        yield self._name(_YOU, "Your name")

    def laid(self) -> Table:
        """The table, if there is no mistake."""
        sitting = [self._kind_of_opponent(number) for number in range(1, self._count + 1)]
        people = [clean_name(self._called(name), NAME_CHARS) for name in self._people]
        return Table(
            changed(self.table.settings, self._changes),
            tuple(name for name in people if name is not None),
            tuple(bot for bot in sitting if bot != _PERSON),
            watcher=None,
        )

    # Fields

    def _field(self, name: str, label: str, kind: Kind, value: str, about: str) -> Field:
        return Field(name, label, kind, value, about, self._mistakes.get(name, ""))

    def _option(self, option: Option) -> Field:
        if option.choices:
            kind: Kind = Words(tuple((choice, choice) for choice in option.choices))
        elif isinstance(option.default, int):
            kind = Number(option.least, option.most)
        else:
            kind = Text()
        label = option.name.capitalize()
        return self._field(self._key(option), label, kind, self._chosen(option), option.help)

    def _opponents(self) -> Field:
        kind = Number(self._seating.least, self._seating.most)
        return self._field(
            _OPPONENTS, "Opponents", kind, self._wanted_opponents, self._seating.help
        )

    def _opponent(self, number: int) -> Iterator[Field]:
        which = self._kind_of_opponent(number)
        bots = bots_for(self._kind)
        about = "sits at this keyboard too"
        if which != _PERSON:
            strength = f"strength {bots.index(which) + 1} of {len(bots)}"
            about = f"{BOTS[which].description} ({strength})"
        label = "Opponent" if self._count == 1 else f"Opponent {number}"
        words = Words(tuple((each, each) for each in (*bots, _PERSON)))
        yield self._field(_opponent_key(number), label, words, which, about)
        if which == _PERSON:
            yield self._name(_name_key(number), "  called")

    def _name(self, key: str, label: str) -> Field:
        return self._field(key, label, Text(NAME_CHARS), self._called(key), "")

    # What stands in them

    @property
    def _kind(self) -> GameKind:
        return kind_of(self.values.get(GAME.name, self.table.settings.game))

    def _key(self, option: Option) -> str:
        """Known by its game too: the options of another one may be called the same."""
        return f"{self._kind.name} {option.name}"

    def _chosen(self, option: Option) -> str:
        settings = self.table.settings
        at_first = settings.options if self._kind.name == settings.game else {}
        return self.values.get(self._key(option), str(at_first.get(option.name, option.default)))

    @property
    def _clock(self) -> str:
        clock_s = self.table.settings.clock_s
        return self.values.get(CLOCK.name, str(CLOCK.default if clock_s is None else clock_s))

    @property
    def _seating(self) -> Option:
        """How many opponents there may be."""
        most = self._kind.most_seats or max(MOST_SEATS, self.table.settings.seats)
        return Option(
            _OPPONENTS,
            "how many others play",
            default=1,
            least=self._kind.fewest_seats - 1,
            most=most - 1,
        )

    @property
    def _wanted_opponents(self) -> str:
        return self.values.get(_OPPONENTS, str(len(self.table.people) + len(self.table.bots) - 1))

    @property
    def _count(self) -> int:
        """How many opponents there are; none, as long as the number is wrong."""
        if _OPPONENTS in self._mistakes_alone:
            return 0
        return int(self._wanted_opponents)

    def _at_first(self, number: int) -> tuple[str, str]:
        """What kind of opponent the table has there, and what a person is called."""
        others = [(_PERSON, name) for name in self.table.people[1:]]
        others += [(bot, "") for bot in self.table.bots]
        kind, name = others[number - 1] if number <= len(others) else (USUAL_BOT, "")
        return kind, name or f"Player {number + 1}"

    def _kind_of_opponent(self, number: int) -> str:
        """A bot's name, or `_PERSON`; another bot where one doesn't play this game."""
        kinds = (*bots_for(self._kind), _PERSON)
        wanted = self.values.get(_opponent_key(number), self._at_first(number)[0])
        return next((kind for kind in (wanted, USUAL_BOT) if kind in kinds), kinds[0])

    @property
    def _people(self) -> list[str]:
        """The keys of the names of all people, in the order of play."""
        numbers = range(1, self._count + 1)
        others = [_name_key(each) for each in numbers if self._kind_of_opponent(each) == _PERSON]
        return [_YOU, *others]

    def _called(self, key: str) -> str:
        at_first = self.table.people[0] if key == _YOU else self._at_first(_number_in(key))[1]
        return self.values.get(key, at_first)

    @property
    def _changes(self) -> dict[str, OptionValue]:
        own: dict[str, OptionValue] = {
            option.name: self._chosen(option) for option in self._kind.options
        }
        seats = self._count + 1
        return {GAME.name: self._kind.name, **own, SEATS.name: seats, CLOCK.name: self._clock}

    # What is wrong with it

    @cached_property
    def _mistakes_alone(self) -> Mapping[str, str]:
        """By fields, what is wrong with them whatever the others are."""
        checks: dict[str, Callable[[], object]] = {
            self._key(option): partial(option.parse, self._chosen(option))
            for option in self._kind.options
        }
        checks[_OPPONENTS] = partial(self._seating.parse, self._wanted_opponents)
        checks[CLOCK.name] = partial(parse_clock, self._clock)
        return {name: why for name, check in checks.items() if (why := _refusal(check))}

    @cached_property
    def _mistakes(self) -> Mapping[str, str]:
        """By fields, all that is wrong with them."""
        mistakes = dict(self._mistakes_alone)
        names: list[str] = []
        for key in self._people:
            if (why := mistake_in_name(self._called(key), names)) is not None:
                mistakes[key] = why
            names.append(self._called(key))
        if not self._mistakes_alone and (why := self._refused(self._changes)):
            mistakes[self._to_blame()] = why
        return mistakes

    def _refused(self, changes: Mapping[str, OptionValue]) -> str:
        return _refusal(partial(changed, self.table.settings, changes))

    def _to_blame(self) -> str:
        """The field of the first option that would help if it were as usual."""
        for option in self._kind.options:
            if not self._refused({**self._changes, option.name: option.default}):
                return self._key(option)
        return _OPPONENTS


def _refusal(check: Callable[[], object]) -> str:
    """Why `check` fails; empty if it doesn't."""
    try:
        check()
    except OptionError as error:
        return str(error)
    return ""


def _opponent_key(number: int) -> str:
    return f"opponent {number}"


def _name_key(number: int) -> str:
    return f"name {number}"


def _number_in(key: str) -> int:
    return int(key.rpartition(" ")[2])
