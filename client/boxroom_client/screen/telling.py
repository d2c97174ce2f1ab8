"""What happens in a room, as the screen shows it: lines in the journal, and what stands out."""

from collections.abc import Callable
from typing import assert_never

from boxroom_client.link.updates import (
    BotThinking,
    ConnectionLost,
    ConnectionRestored,
    EnteredRoom,
    EventApplied,
    HintReceived,
    NoticeReceived,
    ServerResponding,
    ServerSilent,
    SessionEnded,
    Update,
)
from boxroom_client.screen.model import FRESH_S, Model, Outage
from boxroom_client.screen.panes.journal import Kind, kind_of, who_did
from boxroom_client.shell.endings import exit_for, last_words
from boxroom_client.shell.input.context import Context
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.hints import advice, hinted_move
from boxroom_client.shell.output.narrate import narrate, said
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import my_seat_to_move
from boxroom_common.exits import Exit
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev


class Teller:
    """Changes a model by what happens. `ring` is called when the person is wanted.

    `told` is a seq up to which events are old news: those that set the room up.
    """

    def __init__(
        self, model: Model, now_s: Callable[[], float], ring: Callable[[], None], told: int = 0
    ) -> None:
        self._model = model
        self._now_s = now_s
        self._ring = ring
        self._told = told
        self._is_introduced = False
        self._explained = ""
        self.last_words: tuple[str, ...] = ()
        """What remains to be said when the screen is gone."""

    def tell(self, happening: Update) -> Exit | None:
        """Show what happened; how it ended, if that was the end."""
        model = self._model
        match happening:
            case EnteredRoom():
                model.room, model.outage = happening.room, None
                self._arrive(happening.back)
            case EventApplied():
                self._happened(happening)
            case ConnectionLost():
                if model.outage is None:
                    reason = sentence(happening.reason, capital=False)
                    model.journal.add(Kind.NOTICE, f"The connection is lost: {reason}")
                model.silent_since_s = None
                model.outage = Outage(happening.reason, self._now_s() + happening.retry_s)
            case ConnectionRestored():
                model.outage = None
                model.journal.add(Kind.NOTICE, "Connected again.")
            case ServerSilent():
                model.silent_since_s = self._now_s()
            case ServerResponding():
                model.silent_since_s = None
            case NoticeReceived():
                model.journal.add(Kind.NOTICE, sentence(happening.message))
            case HintReceived():
                self._hinted(happening)
            case BotThinking():
                model.thinking = Seat(happening.seat)
            case SessionEnded():
                self.last_words = last_words(happening)
                return exit_for(happening)
            case _:
                assert_never(happening)
        return None

    def _arrive(self, back: bool) -> None:
        if not self._is_introduced:
            if self._model.room.seq >= self._told:
                self._introduce()
        elif back:
            self._say(Kind.NOTICE, "Connected again. This is how things stand now:")
            self._say(Kind.ANSWER, *describe.standing(self._model.room, self._model.me))

    def _introduce(self) -> None:
        """The room and how to play, for somebody who has never seen any of it."""
        self._is_introduced = True
        room, me = self._model.room, self._model.me
        self._say(Kind.ANSWER, *describe.standing(room, me))
        for line in room.chat:
            kind = Kind.MINE if line.member == me else Kind.CHAT
            self._model.journal.add(kind, said(line.member, line.text, line.to))
        if room.is_player(me):
            self._explain()

    def _explain(self) -> None:
        """The rules and how a move is typed, unless that was said: other boards, other moves."""
        game = Context(self._model.room, self._model.me).game
        how = f"{game.kind.rules} {game.how_to_move}"
        if how != self._explained:
            self._explained = how
            self._say(Kind.ANSWER, game.kind.rules, game.how_to_move)

    def _happened(self, happened: EventApplied) -> None:
        model, event = self._model, happened.event
        before, after = happened.before, happened.after
        model.room = after
        if not self._is_introduced:
            self._arrive(back=False)
            return
        if after.bot_to_move() != before.bot_to_move() or isinstance(event, ev.Played):
            model.thinking = None
        if isinstance(event, ev.Played):
            model.fresh_until_s = self._now_s() + FRESH_S
        if isinstance(event, ev.Started) and after.is_player(model.me):
            self._explain()
        lines = narrate(event, before, after, model.me)
        self._say(kind_of(event, model.me), *lines, who=who_did(event, after))
        if _is_wanted(happened, model.me):
            self._ring()

    def _hinted(self, hinted: HintReceived) -> None:
        """Say what the hint is, and put the cursor there, so that Enter plays it."""
        model = self._model
        self._say(Kind.ANSWER, advice(hinted, model.room))
        move = hinted_move(hinted, model.room)
        if move is not None:
            model.pane.put_cursor(move)

    def _say(self, kind: Kind, *lines: str, who: Mark | None = None) -> None:
        for line in lines:
            self._model.journal.add(kind, line, who, verbatim=line.startswith(" "))


def _is_wanted(happened: EventApplied, me: str) -> bool:
    """Whether it is the turn of `me` now, or somebody else said its name."""
    mine = my_seat_to_move(happened.after, me)
    if mine is not None and my_seat_to_move(happened.before, me) != mine:
        return True
    event = happened.event
    if not isinstance(event, ev.Said) or event.member == me:
        return False
    return me.casefold() in event.text.casefold()
