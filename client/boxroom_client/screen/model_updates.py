"""Applies the updates of a room to the view model: log entries, highlights, outages, the cursor."""

from collections.abc import Callable
from itertools import pairwise
from typing import assert_never

from boxroom_client.link.updates import (
    BotThinking,
    CoachSpoke,
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
from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.screen.attention import CallForAttention, call_for_attention
from boxroom_client.screen.model import FRESH_S, Model, Outage
from boxroom_client.shell.output.hints import hinted_move
from boxroom_client.shell.output.report import (
    ReportLine,
    RoomReporter,
    exit_for,
    final_lines,
    is_from,
)
from boxroom_client.shell.recording import record_of
from boxroom_common.exits import Exit
from boxroom_engine.games.protocol import Seat
from boxroom_engine.games.record import is_withdrawal
from boxroom_engine.room import events as ev


class ModelUpdater:
    """Changes `model` by updates, and calls `call` when the person's attention is needed.

    Events up to `skip_until_seq`, which set the room up, aren't reported, nor what the people in
    `ignored` say.
    """

    def __init__(
        self,
        model: Model,
        now_s: Callable[[], float],
        call: Callable[[CallForAttention], None],
        skip_until_seq: int = 0,
        ignored: IgnoredPeople | None = None,
    ) -> None:
        self._ignored = IgnoredPeople() if ignored is None else ignored
        self._model = model
        self._now_s = now_s
        self._call = call
        # Holds the room as far as it is shown; `apply` copies it to the model.
        self._reporter = RoomReporter(
            model.room,
            model.me,
            has_panes=True,
            skip_until_seq=skip_until_seq,
            ignored=self._ignored,
        )
        self.final_lines: tuple[str, ...] = ()
        """Lines to print when the screen is closed."""

    def apply(self, update: Update) -> Exit | None:
        """Apply `update` to the model; return the exit code if that was the end."""
        model, before = self._model, self._model.room
        was_introduced = self._reporter.is_introduced
        reports = self._reporter.report(update)
        model.room, model.me = self._reporter.room, self._reporter.me
        for report in reports:
            if isinstance(report, ReportLine):  # the board is always visible
                model.journal.add_line(report)
        match update:
            case EnteredRoom():
                model.outage = model.silent_since_s = None
                if update.room.code != before.code:
                    model.forget_room()
                self._recall()
            case ConnectionRestored():
                model.outage = model.silent_since_s = None
            case EventApplied():
                model.server_ahead_s = update.at_ms / 1000 - self._now_s()
                if was_introduced:
                    self._happened(update)
            case ConnectionLost():
                model.silent_since_s = None
                model.outage = Outage(update.reason, self._now_s() + update.retry_s)
            case ServerSilent():
                model.silent_since_s = self._now_s()
            case ServerResponding():
                model.silent_since_s = None
            case NoticeReceived() | CoachSpoke():
                pass
            case HintReceived():
                self._put_cursor(update)
            case BotThinking():
                model.thinking = Seat(update.seat)
            case SessionEnded():
                self.final_lines = final_lines(update)
                return exit_for(update)
            case _:
                assert_never(update)
        return None

    def _happened(self, happened: EventApplied) -> None:
        """Stop showing a bot as thinking, highlight what was played, and call the person."""
        model, event = self._model, happened.event
        before, after = happened.before, happened.after
        if after.bot_to_move() != before.bot_to_move() or after.ply != before.ply:
            model.thinking = None
        if isinstance(event, ev.Started):
            model.form = None  # another member has started the next game
        if isinstance(event, ev.Started | ev.Undone):
            self._recall()
        if isinstance(event, ev.Played):
            self._played(event, happened)
        if is_from(event, self._ignored):
            return
        call = call_for_attention(happened, model.me)
        if call is not None and not (call.is_turn and model.premove is not None):
            self._call(call)

    def _played(self, event: ev.Played, happened: EventApplied) -> None:
        """Highlight the move, show it, and note the position if it is the person's own."""
        model, before, after = self._model, happened.before.state, happened.after
        assert before is not None
        assert after.state is not None
        model.fresh_until_s = self._now_s() + FRESH_S
        model.last_move = before, before.game.parse_move(event.move)
        model.pane.reveal(*model.last_move)
        seat = Seat(event.seat)
        if after.seats[seat].member == model.me and event.by is ev.MoveSource.PLAYER:
            model.after_mine[seat] = after.state

    def _recall(self) -> None:
        """Find the last moves of the person, and of all, in the moves so far."""
        model, record = self._model, record_of(self._model.room)
        model.after_mine, model.last_move = {}, None
        if record is None:
            return
        mine = model.room.seats_of(model.me)
        for (before, after), token in zip(pairwise(record.positions()), record.tokens, strict=True):
            if not is_withdrawal(token):
                model.last_move = before, before.game.parse_move(token)
                if before.to_move in mine:
                    model.after_mine[before.to_move] = after

    def _put_cursor(self, hinted: HintReceived) -> None:
        """Put the cursor on the hinted move, so that Enter plays it."""
        move = hinted_move(hinted, self._model.room)
        if move is not None:
            self._model.pane.put_cursor(move)
