"""The form of a new room: game, board, seats, clock, bots, and who may come in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from msgspec.structs import replace as with_fields

from boxroom_client.link.join_request import Create
from boxroom_client.profile.suggested_levels import suggested_levels
from boxroom_client.screen.forms.fields import Choice, Field, FieldKind, Number, Text
from boxroom_client.screen.forms.form_screen import fill_in
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.screen.forms.game_form import (
    CLOCKS_S,
    MOST_SEATS,
    field_kind_of,
    refusal_of,
    yes_or_no,
)
from boxroom_client.screen.forms.opponents import OpponentChoice
from boxroom_client.screen.themes.look import ScreenLook
from boxroom_client.shell.room_settings import (
    BEST,
    CLOCK,
    GAME,
    HINTS,
    SEATS,
    TAKEBACKS,
    changed,
    label_of,
    rows,
    with_seats,
)
from boxroom_common.phrases import say
from boxroom_engine.bots.registry import bots_for
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import GameKind, Option, OptionValue
from boxroom_engine.games.registry import KINDS, kind_of
from boxroom_engine.room.room import Settings

PASSWORD_CHARS = 200
"""Longest password of a room, as the protocol has it."""

_ROOM_OPTIONS = (SEATS, CLOCK, HINTS, TAKEBACKS, BEST)
_BOTS, _BOT = "bots", "bot"
_PRIVATE, _PASSWORD = "private", "password"


async def edit_room(request: Create, *, look: ScreenLook) -> Create | None:
    """Return `request` as the person has changed it; None if the person cancels.

    Raises:
        Interrupted: Ctrl-C.
    """
    suggested = suggested_levels()
    filled = await fill_in(room_form(request, suggested), look=look)
    return None if filled is None else room_from(filled.values, request, suggested)


def room_form(request: Create, suggested: Mapping[str, str]) -> FormState:
    """Return the form, filled in for `request`, with the suggested level for each kind of game."""
    return FormState(
        say("terminal.form.new_room"),
        lambda values: tuple(_Entries(values, request, suggested).fields()),
        say("terminal.dialog.makes_room"),
    )


def room_from(values: Values, request: Create, suggested: Mapping[str, str]) -> Create:
    """Return `request` with `values`, in which there is no mistake."""
    return _Entries(values, request, suggested).entered()


@dataclass(frozen=True)
class _Entries:
    """The entered values; where one is missing, the original request has it."""

    values: Values
    original: Create
    suggested: Mapping[str, str]

    def fields(self) -> Iterator[Field]:
        """Yield all fields, with their mistakes."""
        kinds = tuple((kind.name, str(kind.named)) for kind in KINDS.values())
        yield Field(GAME.name, say("game"), Choice(kinds), self._kind.name, str(self._kind.rules))
        for option in self._options:
            key = self._key(option)
            yield Field(
                key,
                label_of(option),
                self._field_kind(option),
                self._chosen(option),
                str(option.help),
                self._mistakes.get(key, ""),
            )
            if option is SEATS:
                yield from self._bots()
        private = "yes" if self._is_private else "no"
        about = say("terminal.form.private.help")
        yield Field(_PRIVATE, say("terminal.form.private"), yes_or_no(), private, about)
        if self._is_private:
            kind = Text(PASSWORD_CHARS, is_hidden=True)
            mistake = "" if self._password else say("terminal.form.password.missing")
            label, about = f"  {say('terminal.form.password')}", say("terminal.form.password.help")
            yield Field(_PASSWORD, label, kind, self._password, about, mistake)

    def entered(self) -> Create:
        """Return the request; there must be no mistake."""
        changes: dict[str, OptionValue] = {
            option.name: self._chosen(option) for option in self._options
        }
        settings = with_fields(changed(self._base, changes), private=self._is_private)
        password = self._password if self._is_private else None
        bots = (self._bot_choice.chosen,) * self._bot_count
        return replace(self.original, settings=settings, password=password, bots=bots)

    def _bots(self) -> Iterator[Field]:
        """Yield the number of bots, and their level if there are any."""
        option = self._bot_option
        mistake = refusal_of(partial(option.parse, self._wanted_bots))
        yield Field(
            _BOTS,
            label_of(option),
            Number(option.least, option.most),
            self._wanted_bots,
            str(option.help),
            mistake,
        )
        if self._bot_count:
            yield from self._bot_choice.fields(f"  {say('terminal.form.bots_play')}")

    @property
    def _bot_option(self) -> Option:
        """The range of the number of bots: at least one seat is for a person."""
        most = MOST_SEATS
        if SEATS.name not in self._mistakes:
            most = with_seats(self._base, self._chosen(SEATS)).most_seats - 1
        return Option("terminal.form.bots", default=0, least=0, most=most)

    @property
    def _wanted_bots(self) -> str:
        return self.values.get(_BOTS, str(len(self.original.bots)))

    @property
    def _bot_count(self) -> int:
        """Number of bots; 0 as long as the entered one is wrong."""
        is_wrong = refusal_of(partial(self._bot_option.parse, self._wanted_bots))
        return 0 if is_wrong else int(self._wanted_bots)

    @property
    def _bot_choice(self) -> OpponentChoice:
        level = self.suggested[self._kind.name]
        at_first = self.original.bots[0] if self.original.bots else level
        bots = bots_for(self._kind)
        return OpponentChoice(_BOT, bots, self.values, at_first, suggested=level)

    @property
    def _kind(self) -> GameKind:
        return kind_of(self.values.get(GAME.name, self.original.settings.game))

    @property
    def _options(self) -> tuple[Option, ...]:
        return (*self._kind.options, *_ROOM_OPTIONS)

    @cached_property
    def _base(self) -> Settings:
        """The original settings, for the chosen game."""
        return changed(self.original.settings, {GAME.name: self._kind.name})

    @cached_property
    def _at_first(self) -> Mapping[str, str]:
        return {name: value for name, value, _ in rows(self._base)}

    def _key(self, option: Option) -> str:
        """Return the field's name; options of two games may have the same name."""
        own = option in self._kind.options
        return f"{self._kind.name} {option.name}" if own else option.name

    def _chosen(self, option: Option) -> str:
        return self.values.get(self._key(option), self._at_first[option.name])

    def _field_kind(self, option: Option) -> FieldKind:
        if option is SEATS:
            most = self._kind.most_seats or MOST_SEATS
            return Number(
                self._kind.fewest_seats, most, can_be_range=self._kind.fewest_seats < most
            )
        if option is CLOCK:
            return Number(CLOCK.least, CLOCK.most, off=str(CLOCK.default), stops=CLOCKS_S)
        if option in (TAKEBACKS, BEST):
            return Number(option.least, option.most, off="off")
        return field_kind_of(option)

    @property
    def _is_private(self) -> bool:
        at_first = "yes" if self.original.settings.private else "no"
        return self.values.get(_PRIVATE, at_first) == "yes"

    @property
    def _password(self) -> str:
        return self.values.get(_PASSWORD, self.original.password or "")

    @cached_property
    def _mistakes(self) -> Mapping[str, str]:
        """Mistakes in options, alone or together with those above, by field."""
        mistakes, settings = {}, self._base
        for option in self._options:
            try:
                if option in self._kind.options:
                    option.parse(self._chosen(option))
                settings = changed(settings, {option.name: self._chosen(option)})
            except OptionError as error:
                mistakes[self._key(option)] = str(error)
        return mistakes
