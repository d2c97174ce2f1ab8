"""The form of the next game in a room: opponents, board, and the player who begins."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from boxroom_client.screen.forms.fields import Choice, Field
from boxroom_client.screen.forms.form_state import FormState, Values
from boxroom_client.screen.forms.game_form import field_kind_of
from boxroom_client.screen.forms.opponents import OpponentChoice
from boxroom_client.shell.next_game import NextGame, planned_game
from boxroom_client.shell.room_settings import changed, label_of
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import LEVELS, called
from boxroom_engine.games.errors import OptionError
from boxroom_engine.games.protocol import Option, OptionValue, Seat
from boxroom_engine.games.registry import kind_of
from boxroom_engine.room.limits import bot_kind
from boxroom_engine.room.room import Room

_FIRST = "first"


def next_game_form(room: Room, bots: Sequence[str], suggested: str = "") -> FormState:
    """Return the form, filled in for the next game of `room`, with `bots` to choose from.

    A level that plays against one person is the one that is suggested.
    """
    return FormState(
        say("terminal.form.next_game"),
        lambda values: tuple(_Entries(values, room, bots, suggested).fields()),
        say("terminal.dialog.starts"),
    )


def next_game_from(
    values: Values, room: Room, bots: Sequence[str], suggested: str = ""
) -> NextGame:
    """Return the next game of `room` with `values`, in which there is no mistake."""
    return _Entries(values, room, bots, suggested).entered_game()


@dataclass(frozen=True)
class _Entries:
    """The entered values; where one is missing, the room has it."""

    values: Values
    room: Room
    bots: Sequence[str]
    suggested: str

    def fields(self) -> Iterator[Field]:
        """Yield all fields, with their mistakes."""
        seats = planned_game(self.room).bots
        for seat in seats:
            only = say("terminal.form.opponent")
            label = only if len(seats) == 1 else say("terminal.form.bot_in_seat", seat=seat + 1)
            yield from self._choice(seat).fields(label)
        for option in kind_of(self.room.settings.game).options:
            yield self._option(option)
        holders = tuple((str(seat), self._name(Seat(seat))) for seat in range(len(self.room.seats)))
        about = say("terminal.form.begins.help")
        yield Field(_FIRST, say("terminal.form.begins"), Choice(holders), self._first, about)

    def entered_game(self) -> NextGame:
        """Return the entered game; there must be no mistake."""
        options = kind_of(self.room.settings.game).options
        changes: dict[str, OptionValue] = {
            each.name: self._chosen(each)
            for each in options
            if self._chosen(each) != self._held(each)
        }
        return NextGame(
            changed(self.room.settings, changes),
            {seat: self._bot(seat) for seat in planned_game(self.room).bots},
            Seat(int(self._first)),
        )

    def _option(self, option: Option) -> Field:
        label = label_of(option)
        value = self._chosen(option)
        mistake = self._mistakes().get(option.name, "")
        return Field(option.name, label, field_kind_of(option), value, str(option.help), mistake)

    def _mistakes(self) -> Mapping[str, str]:
        """Return what is wrong with options, alone or together with the ones above, by name."""
        mistakes, changes = {}, dict[str, OptionValue]()
        for option in kind_of(self.room.settings.game).options:
            value = self._chosen(option)
            try:
                option.parse(value)
                changed(self.room.settings, {**changes, option.name: value})
            except OptionError as error:
                mistakes[option.name] = str(error)
            else:
                changes[option.name] = value
        return mistakes

    def _chosen(self, option: Option) -> str:
        return self.values.get(option.name, self._held(option))

    def _held(self, option: Option) -> str:
        return str(self.room.settings.options.get(option.name, option.default))

    def _bot(self, seat: Seat) -> str:
        return self._choice(seat).chosen

    def _choice(self, seat: Seat) -> OpponentChoice:
        held = planned_game(self.room).bots[seat]
        bots = tuple(dict.fromkeys((*self.bots, bot_kind(held))))
        is_replaced = held in LEVELS and self.suggested in bots and len(self.room.seats) == 2
        at_first = self.suggested if is_replaced else held
        return OpponentChoice(_bot_key(seat), bots, self.values, at_first, suggested=self.suggested)

    def _name(self, seat: Seat) -> str:
        holder = self.room.seats[seat]
        return called(self._bot(seat) if holder.is_bot else holder.name or "?")

    @property
    def _first(self) -> str:
        return self.values.get(_FIRST, str(planned_game(self.room).first))


def _bot_key(seat: Seat) -> str:
    return f"bot {seat}"
