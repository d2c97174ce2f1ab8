"""The choice of a bot in a form: a level, or an algorithm under "more"."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from boxroom_client.screen.forms.fields import Choice, Field
from boxroom_client.screen.forms.form_state import Values
from boxroom_common.phrases import say
from boxroom_engine.bots.levels import LEVELS, called
from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.limits import bot_kind

_MORE = "more"
_ALGORITHM = "algorithm of "
_USUAL_ALGORITHM = "greedy"


@dataclass(frozen=True)
class OpponentChoice:
    """The choice among `bots` and `others` in the field `key`, with the entered values.

    Until one is entered, it is `at_first`. Without a level among the bots, all bots are in the one
    field.
    """

    key: str
    bots: Sequence[str]
    values: Values
    at_first: str
    others: Mapping[str, str] = field(default_factory=dict)
    """Titles of other choices by their names."""
    suggested: str = ""
    """The level that the person's results suggest."""

    @property
    def chosen(self) -> str:
        """The bot, with options if it has any, or one of `others`."""
        wanted = self._wanted
        if wanted != _MORE:
            return wanted
        algorithm = self.values.get(f"{_ALGORITHM}{self.key}", "")
        if algorithm in self._algorithms:
            return algorithm
        if self.at_first in self._algorithms:
            return self.at_first
        return _USUAL_ALGORITHM if _USUAL_ALGORITHM in self._algorithms else self._algorithms[0]

    def fields(self, label: str, about_others: str = "") -> Iterator[Field]:
        """Yield the field of the level, and that of the algorithm where it is needed."""
        chosen, levels = self.chosen, self._levels
        is_algorithm = chosen not in levels and chosen not in self.others
        if not levels:
            names = (*self._algorithms, *self.others)
            yield Field(self.key, label, self._choice(names), chosen, _about(chosen, about_others))
            return
        titles = [(level, self._title(level)) for level in levels]
        titles += self.others.items()
        kind = Choice(
            (*titles, *([(_MORE, say("terminal.form.more_bots"))] if self._algorithms else []))
        )
        shown = _MORE if is_algorithm else chosen
        about = (
            say("terminal.form.more_bots.help") if is_algorithm else _about(chosen, about_others)
        )
        yield Field(self.key, label, kind, shown, about)
        if is_algorithm:
            key = f"{_ALGORITHM}{self.key}"
            yield Field(
                key,
                f"  {say('terminal.form.plays_as')}",
                self._choice(self._algorithms),
                chosen,
                _about(chosen, ""),
            )

    def _title(self, level: str) -> str:
        name = called(level)
        return say("suggested", name=name) if level == self.suggested else name

    def _choice(self, names: Iterable[str]) -> Choice:
        return Choice(tuple((name, self.others.get(name, name)) for name in names))

    @property
    def _wanted(self) -> str:
        """The entered choice: a level, one of `others`, an algorithm, or more."""
        known = (*self.bots, *self.others, self.at_first)
        for wanted in (self.values.get(self.key, self.at_first), self.at_first):
            if wanted == _MORE or (wanted in known and self._is_possible(wanted)):
                return wanted
        return (*self._levels, *self._algorithms, *self.others)[0]

    def _is_possible(self, wanted: str) -> bool:
        return wanted in self.others or bot_kind(wanted) in self.bots

    @property
    def _levels(self) -> tuple[str, ...]:
        return tuple(level for level in LEVELS if level in self.bots)

    @property
    def _algorithms(self) -> tuple[str, ...]:
        names = [bot for bot in self.bots if bot not in LEVELS]
        if self._is_possible(self.at_first) and self.at_first not in (*LEVELS, *self.others):
            names.append(self.at_first)  # perhaps with options
        return tuple(dict.fromkeys(names))


def _about(chosen: str, about_others: str) -> str:
    bot = bot_kind(chosen)
    return say(f"style.{bot}") if bot in BOTS else about_others
