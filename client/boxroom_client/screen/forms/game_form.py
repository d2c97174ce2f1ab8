"""The form of `boxroom play`: game, opponents, clock, series and names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from boxroom_client.profile.identity import NAME_CHARS
from boxroom_client.profile.suggested_levels import suggested_levels
from boxroom_client.screen.forms.fields import Choice, Field, FieldKind, Number, Text
from boxroom_client.screen.forms.form_screen import fill_in
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.screen.forms.opponents import OpponentChoice
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.room_settings import (
    BEST,
    CLOCK,
    GAME,
    SEATS,
    LocalGame,
    can_have_coach,
    changed,
    label_of,
    mistake_in_name,
    parse_best,
    parse_clock,
)
from boxroom_common.phrases import say
from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import GameKind, Option, OptionValue
from boxroom_engine.games.registry import KINDS, kind_of
from boxroom_engine.room.text import clean_name

MOST_SEATS = 20
"""Most seats in the form, to limit its length; `boxroom play --seats` has no limit."""

CLOCKS_S = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
"""The clocks that Left and Right lead to; any other can be typed."""

_YOU = "you"
_OPPONENTS = "opponents"
_PERSON = "person"
_COACH = "coach"


async def edit_game(game: LocalGame, *, look: ScreenLook) -> LocalGame | None:
    """Return `game` as the person has changed it; None if the person cancels.

    At least one person plays in `game`.

    Raises:
        Interrupted: Ctrl-C.
    """
    suggested = suggested_levels()
    filled = await fill_in(game_form(game, suggested), look=look)
    return None if filled is None else game_from(filled.values, game, suggested)


def game_form(game: LocalGame, suggested: Mapping[str, str]) -> FormState:
    """Return the form, filled in for `game`, with the suggested level for each kind of game."""
    return FormState(
        say("terminal.form.game_here"),
        lambda values: tuple(_Entries(values, game, suggested).fields()),
        say("terminal.dialog.starts"),
    )


def game_from(values: Values, game: LocalGame, suggested: Mapping[str, str]) -> LocalGame:
    """Return `game` with `values`, in which there is no mistake."""
    return _Entries(values, game, suggested).entered_game()


@dataclass(frozen=True)
class _Entries:
    """The entered values, and the original game for fields without one."""

    values: Values
    original: LocalGame
    suggested: Mapping[str, str]

    def fields(self) -> Iterator[Field]:
        """Yield all fields, with their mistakes."""
        kinds = tuple((kind.name, str(kind.named)) for kind in KINDS.values())
        yield Field(GAME.name, say("game"), Choice(kinds), self._kind.name, str(self._kind.rules))
        for option in self._kind.options:
            yield self._option(option)
        yield self._opponents()
        for number in range(1, self._count + 1):
            yield from self._opponent(number)
        if self._can_have_coach:
            about = say("coach.help")
            yield Field(_COACH, say("coach.label"), yes_or_no(), self._coach, about)
        clock = Number(CLOCK.least, CLOCK.most, off=str(CLOCK.default), stops=CLOCKS_S)
        yield self._field(CLOCK.name, label_of(CLOCK), clock, self._clock, str(CLOCK.help))
        best = Number(BEST.least, BEST.most, off=str(BEST.default))
        yield self._field(BEST.name, label_of(BEST), best, self._best, str(BEST.help))
        yield self._name(_YOU, say("your_name"))

    def entered_game(self) -> LocalGame:
        """Return the entered game; there must be no mistake."""
        sitting = [self._kind_of_opponent(number) for number in range(1, self._count + 1)]
        people = [clean_name(self._called(name), NAME_CHARS) for name in self._people]
        return LocalGame(
            changed(self.original.settings, self._changes),
            tuple(name for name in people if name is not None),
            tuple(bot for bot in sitting if bot != _PERSON),
            watcher=None,
            has_coach=self._can_have_coach and self._coach == "yes",
        )

    # Fields

    def _field(self, name: str, label: str, kind: FieldKind, value: str, about: str) -> Field:
        return Field(name, label, kind, value, about, self._mistakes.get(name, ""))

    def _option(self, option: Option) -> Field:
        label, kind = label_of(option), field_kind_of(option)
        return self._field(self._key(option), label, kind, self._chosen(option), str(option.help))

    def _opponents(self) -> Field:
        kind = Number(self._seating.least, self._seating.most)
        return self._field(
            _OPPONENTS,
            say("terminal.form.opponents"),
            kind,
            self._wanted_opponents,
            say("terminal.form.opponents.help"),
        )

    def _opponent(self, number: int) -> Iterator[Field]:
        only = say("terminal.form.opponent")
        label = only if self._count == 1 else say("terminal.form.opponent_n", number=number)
        yield from self._choice(number).fields(label, say("terminal.form.person.help"))
        if self._kind_of_opponent(number) == _PERSON:
            yield self._name(_name_key(number), f"  {say('terminal.form.called')}")

    def _name(self, key: str, label: str) -> Field:
        return self._field(key, label, Text(NAME_CHARS), self._called(key), "")

    # Values

    @property
    def _kind(self) -> GameKind:
        return kind_of(self.values.get(GAME.name, self.original.settings.game))

    @property
    def _suggested(self) -> str:
        return self.suggested[self._kind.name]

    def _key(self, option: Option) -> str:
        """Return the field's name, with the game: options of two games may have the same name."""
        return f"{self._kind.name} {option.name}"

    def _chosen(self, option: Option) -> str:
        settings = self.original.settings
        at_first = settings.options if self._kind.name == settings.game else {}
        return self.values.get(self._key(option), str(at_first.get(option.name, option.default)))

    @property
    def _clock(self) -> str:
        clock_s = self.original.settings.clock_s
        return self.values.get(CLOCK.name, str(CLOCK.default if clock_s is None else clock_s))

    @property
    def _can_have_coach(self) -> bool:
        return can_have_coach(self._kind, self._people, self._count + 1)

    @property
    def _coach(self) -> str:
        return self.values.get(_COACH, "yes" if self.original.has_coach else "no")

    @property
    def _best(self) -> str:
        return self.values.get(BEST.name, str(self.original.settings.best_of or BEST.default))

    @property
    def _seating(self) -> Option:
        """The range of the number of opponents."""
        most = self._kind.most_seats or max(MOST_SEATS, self.original.settings.seats)
        return Option(
            "terminal.form.opponents",
            default=1,
            least=self._kind.fewest_seats - 1,
            most=most - 1,
        )

    @property
    def _wanted_opponents(self) -> str:
        return self.values.get(
            _OPPONENTS, str(len(self.original.people) + len(self.original.bots) - 1)
        )

    @property
    def _count(self) -> int:
        """Number of opponents; 0 as long as the entered number is wrong."""
        if _OPPONENTS in self._mistakes_alone:
            return 0
        return int(self._wanted_opponents)

    def _at_first(self, number: int) -> tuple[str, str]:
        """Return the original opponent: a bot or `_PERSON`, and the name of a person there."""
        others = [(_PERSON, name) for name in self.original.people[1:]]
        others += [(bot, "") for bot in self.original.bots]
        kind, name = others[number - 1] if number <= len(others) else (self._suggested, "")
        return kind, name or say("terminal.form.player", number=number + 1)

    def _kind_of_opponent(self, number: int) -> str:
        """Return a bot or `_PERSON`; another bot if the wanted one doesn't play this game."""
        return self._choice(number).chosen

    def _choice(self, number: int) -> OpponentChoice:
        at_first = self._at_first(number)[0]
        bots = bots_for(self._kind)
        people = {_PERSON: say("terminal.form.person")}
        key, level = _opponent_key(number), self._suggested
        return OpponentChoice(key, bots, self.values, at_first, people, level)

    @property
    def _people(self) -> list[str]:
        """The keys of the names of all people, in the order of play."""
        numbers = range(1, self._count + 1)
        others = [_name_key(each) for each in numbers if self._kind_of_opponent(each) == _PERSON]
        return [_YOU, *others]

    def _called(self, key: str) -> str:
        at_first = self.original.people[0] if key == _YOU else self._at_first(_number_in(key))[1]
        return self.values.get(key, at_first)

    @property
    def _changes(self) -> dict[str, OptionValue]:
        own: dict[str, OptionValue] = {
            option.name: self._chosen(option) for option in self._kind.options
        }
        of_rooms: dict[str, OptionValue] = {
            SEATS.name: self._count + 1,
            CLOCK.name: self._clock,
            BEST.name: self._best,
        }
        return {GAME.name: self._kind.name, **own, **of_rooms}

    # Mistakes

    @cached_property
    def _mistakes_alone(self) -> Mapping[str, str]:
        """Mistakes by fields that don't depend on other fields."""
        checks: dict[str, Callable[[], object]] = {
            self._key(option): partial(option.parse, self._chosen(option))
            for option in self._kind.options
        }
        checks[_OPPONENTS] = partial(self._seating.parse, self._wanted_opponents)
        checks[CLOCK.name] = partial(parse_clock, self._clock)
        checks[BEST.name] = partial(parse_best, self._best)
        return {name: why for name, check in checks.items() if (why := refusal_of(check))}

    @cached_property
    def _mistakes(self) -> Mapping[str, str]:
        """All mistakes by fields."""
        mistakes = dict(self._mistakes_alone)
        names: list[str] = []
        for key in self._people:
            if (why := mistake_in_name(self._called(key), names)) is not None:
                mistakes[key] = why
            names.append(self._called(key))
        if not self._mistakes_alone and (why := self._refused(self._changes)):
            mistakes[self._wrong_field()] = why
        return mistakes

    def _refused(self, changes: Mapping[str, OptionValue]) -> str:
        return refusal_of(partial(changed, self.original.settings, changes))

    def _wrong_field(self) -> str:
        """Return the field of the first option whose default would correct the mistake."""
        for option in self._kind.options:
            if not self._refused({**self._changes, option.name: option.default}):
                return self._key(option)
        return _OPPONENTS


def yes_or_no() -> Choice:
    """Return the kind of field for a yes or no."""
    return Choice((("no", say("terminal.form.no")), ("yes", say("terminal.form.yes"))))


def field_kind_of(option: Option) -> FieldKind:
    """Return the kind of field in which an option of a game is entered."""
    if option.choices:
        return Choice(tuple((each, str(option.in_words(each))) for each in option.choices))
    return Number(option.least, option.most) if isinstance(option.default, int) else Text()


def refusal_of(check: Callable[[], object]) -> str:
    """Return why `check` fails; empty if it doesn't."""
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
