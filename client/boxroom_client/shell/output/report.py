"""Reports on a room: the updates of its connection as lines of text, the same for every shell.

`RoomReporter` keeps the room up to date and turns each update into lines, each with a
`ReportKind`, and `ShowBoard` where a shell prints the board. A shell with panes (the full
screen) always shows the board, the chat, and the state of the connection; so `has_panes` leaves
out the lines about these, and adds the chat from before the member came.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
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
from boxroom_client.servers.address import Address
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.advice import narrate_with_advice, pending_request
from boxroom_client.shell.output.hints import coach_sentences, hint_sentence
from boxroom_client.shell.output.narrate import said, told
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import should_show_board
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.games.marks import Mark
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import events as ev
from boxroom_engine.room.room import ChatLine, ChatTo, Phase, PrivateLine, Room
from boxroom_engine.wire.links import PageUrl


class ReportKind(Enum):
    """The kind of a line; its value ends the style `class:log.…` of the full screen."""

    CHAT = "chat"
    MINE = "mine"
    """One's own chat."""
    ASIDE = "aside"
    """Chat among spectators."""
    PRIVATE = "private"
    """Private messages."""
    REACTION = "reaction"
    """Reactions; on a screen one line has those that follow each other."""
    EVENT = "event"
    """Moves, results, seats, settings."""
    COMING = "coming"
    """Members who come and go, and their connections."""
    NOTICE = "notice"
    """About one's own connection, or from the server."""
    ANSWER = "answer"
    """Output of a command: help, settings."""
    MISTAKE = "mistake"
    """The reason why something isn't possible."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of text; a line that begins with spaces belongs to a table."""

    kind: ReportKind
    text: str
    mark: Mark | None = None
    """Mark of the player who acted or spoke."""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """A shell that doesn't always show the board prints it here, and whose turn it is."""


Report = ReportLine | ShowBoard


class RoomReporter:
    """Follows a room, and another one to which `me` goes, by updates; reports on it to that member.

    Events up to `skip_until_seq`, which set the room up, aren't reported. A host that waits for
    players is told what to send to friends, who reach the server by `guests_address` and its page
    by `guests_page`, unless panes show it. What the people in `ignored` say isn't reported.
    """

    def __init__(
        self,
        room: Room,
        me: str,
        *,
        has_panes: bool,
        skip_until_seq: int = 0,
        guests_address: Address | None = None,
        guests_page: PageUrl | None = None,
        ignored: IgnoredPeople | None = None,
    ) -> None:
        self._ignored = IgnoredPeople() if ignored is None else ignored
        self._guests_address = guests_address
        self._guests_page = guests_page
        self.room = room
        self.me = me
        """Name of the member, which can get another one."""
        self._has_panes = has_panes
        self._skip_until_seq = skip_until_seq
        self.is_introduced = False
        """Whether the room has been described; events are reported from then on."""
        self._is_lost = False  # whether the connection is lost
        self._explained = ("", "")  # the rules that were explained last

    def report(self, update: Update) -> tuple[Report, ...]:
        """Apply `update` to the room, and return what to show."""
        return tuple(self._reports(update))

    def _reports(self, update: Update) -> Iterator[Report]:
        match update:
            case EnteredRoom():
                former, self.me = self.me, update.me
                if update.room.code != self.room.code:
                    self.is_introduced, self._skip_until_seq = False, 0
                self.room = update.room
                self._is_lost = False
                if self.me != former:
                    text = say("event.renamed", former=former, name=self.me)
                    yield ReportLine(ReportKind.EVENT, text)
                else:
                    yield from self._entered(back=update.back)
            case EventApplied():
                self.room = update.after
                yield from self._happened(update)
            case ConnectionLost():
                yield from self._lost(update)
            case ConnectionRestored():
                self._is_lost = False
                yield ReportLine(ReportKind.NOTICE, say("terminal.report.back"))
            case ServerSilent() if not self._has_panes:
                yield ReportLine(ReportKind.NOTICE, say("terminal.report.silent"))
            case ServerResponding() if not self._has_panes:
                yield ReportLine(ReportKind.NOTICE, say("terminal.report.answers"))
            case NoticeReceived():
                yield ReportLine(ReportKind.NOTICE, sentence(str(update.said)))
            case HintReceived():
                yield ReportLine(ReportKind.ANSWER, hint_sentence(update, self.room))
            case CoachSpoke():
                yield ReportLine(ReportKind.ANSWER, coach_sentences(update))
            case SessionEnded() if not self._has_panes:
                for text in final_lines(update):
                    yield ReportLine(ReportKind.NOTICE, text)
            case ServerSilent() | ServerResponding() | SessionEnded() | BotThinking():
                pass  # panes, prompts, or the terminal after the screen show it
            case _:
                assert_never(update)

    def _entered(self, *, back: bool) -> Iterator[Report]:
        if not self.is_introduced:
            if self.room.seq >= self._skip_until_seq:
                yield from self._introduce()
        elif back:
            yield ReportLine(ReportKind.NOTICE, say("terminal.report.back_in_room"))
            yield from self._standing()
            yield ShowBoard()

    def _introduce(self) -> Iterator[Report]:
        """Describe the room and explain how to play, to a member who has seen neither."""
        self.is_introduced = True
        is_player = self.room.is_player(self.me)
        yield from self._standing()
        if self._has_panes:
            yield from self._chat_so_far()
        if is_player:
            yield from self._explain_rules()
        if not self._has_panes:
            text = say(
                "terminal.report.rest_is_chat" if is_player else "terminal.report.all_is_chat"
            )
            yield ReportLine(ReportKind.ANSWER, text)
        if not self._has_panes:
            yield from self._invite()
        yield ShowBoard()

    def _standing(self) -> Iterator[ReportLine]:
        for text in (*describe.standing(self.room, self.me), pending_request(self.room, self.me)):
            if text:
                yield ReportLine(ReportKind.ANSWER, text)

    def _invite(self) -> Iterator[ReportLine]:
        room = self.room
        is_waiting = room.phase is Phase.WAITING and room.free_seats > 0
        if is_waiting and room.host == self.me and self._guests_address is not None:
            for text in describe.invitation(room, self._guests_address, self._guests_page):
                yield ReportLine(ReportKind.ANSWER, text)

    def _chat_so_far(self) -> Iterator[ReportLine]:
        lines: tuple[ChatLine | PrivateLine, ...] = (*self.room.chat, *self.room.private)
        for line in sorted(lines, key=lambda line: line.seq):
            if line.member in self._ignored:
                continue
            if isinstance(line, PrivateLine):
                yield ReportLine(ReportKind.PRIVATE, told(line, self.me))
            else:
                kind = ReportKind.MINE if line.member == self.me else ReportKind.CHAT
                yield ReportLine(kind, said(line))

    def _explain_rules(self) -> Iterator[ReportLine]:
        """Explain the rules and how to type a move, unless the last explanation was the same.

        Another board or game can need another one.
        """
        game = describe.game_of(self.room)
        explained = str(game.rules), str(game.how_to_move)
        if explained == self._explained:
            return
        self._explained = explained
        gap = [] if self._has_panes else [""]  # panes indent their entries instead
        for text in (*gap, explained[0], *gap, explained[1]):
            yield ReportLine(ReportKind.ANSWER, text)

    def _happened(self, happened: EventApplied) -> Iterator[Report]:
        event, before, after = happened.event, happened.before, happened.after
        if not self.is_introduced:
            yield from self._entered(back=False)
            return
        if is_from(event, self._ignored):
            return
        if isinstance(event, ev.Renamed) and event.member in self._ignored:
            self._ignored.add(event.name)
        if isinstance(event, ev.Revealed):
            shown = (line for line in event.lines if line.member not in self._ignored)
            event = ev.Revealed(tuple(shown))
        explains = isinstance(event, ev.Started) and after.is_player(self.me)
        if isinstance(event, ev.Ended):
            yield ShowBoard()
        if explains and self._has_panes:
            yield from self._explain_rules()
        kind, mark = kind_of(event, self.me), mark_of_actor(event, after)
        for text in narrate_with_advice(event, before, after, self.me):
            yield ReportLine(kind, text, mark)
        if isinstance(event, ev.Ended) and after.game_link and self._guests_page is not None:
            link = self._guests_page.to_game(after.game_link)
            yield ReportLine(kind, say("advice.game_link", link=link))
        if explains and not self._has_panes:
            yield from self._explain_rules()  # right above the board
        if should_show_board(event, before, after, self.me):
            yield ShowBoard()

    def _lost(self, lost: ConnectionLost) -> Iterator[Report]:
        texts = []
        if not self._is_lost:
            self._is_lost = True
            reason = sentence(lost.reason, capital=False)
            texts.append(say("terminal.report.lost", reason=reason))
            if not self._has_panes:
                texts.append(say("terminal.report.go_on_typing"))
        elif lost.retry_s >= 1 and not self._has_panes:
            texts.append(say("terminal.report.still_lost", seconds=round(lost.retry_s)))
        for text in texts:
            yield ReportLine(ReportKind.NOTICE, text)


def is_from(event: ev.Event, ignored: IgnoredPeople) -> bool:
    """Return True for a message or a reaction of one of the people in `ignored`."""
    return isinstance(event, ev.Said | ev.Told | ev.Reacted) and event.member in ignored


def kind_of(event: ev.Event, me: str) -> ReportKind:
    """Return the kind of the lines that narrate `event` to member `me`."""
    match event:
        case ev.Said(to=ChatTo.SPECTATORS) | ev.Revealed():
            return ReportKind.ASIDE
        case ev.Said():
            return ReportKind.MINE if event.member == me else ReportKind.CHAT
        case ev.Told():
            return ReportKind.PRIVATE
        case ev.Reacted():
            return ReportKind.REACTION
        case ev.Joined() | ev.Left() | ev.Dropped() | ev.Returned() | ev.GraceOver() | ev.Woken():
            return ReportKind.COMING
        case ev.WentAway() | ev.CameBack():
            return ReportKind.COMING
        case ev.Started() | ev.Played() | ev.Withdrew() | ev.Ended() | ev.RematchWanted():
            return ReportKind.EVENT
        case ev.SeriesWon():
            return ReportKind.EVENT
        case ev.HintAsked() | ev.UndoAsked() | ev.UndoAgreed() | ev.UndoDeclined() | ev.Undone():
            return ReportKind.EVENT
        case ev.Sat() | ev.BotSat() | ev.Vacated() | ev.StoodIn() | ev.TookBack() | ev.Rotated():
            return ReportKind.EVENT
        case ev.Reseated() | ev.RematchUnwanted():
            return ReportKind.EVENT
        # `Kicked` isn't COMING, which can be hidden: all members are to see what a host does.
        case ev.Created() | ev.Configured() | ev.HostPassed() | ev.Kicked() | ev.Hidden():
            return ReportKind.EVENT
        case ev.Nudged() | ev.Coached():
            return ReportKind.EVENT
        case ev.StandInAsked() | ev.AbortAsked() | ev.Agreed() | ev.Declined() | ev.Aborted():
            return ReportKind.EVENT
        case ev.PauseAsked() | ev.Paused() | ev.Unpaused():
            return ReportKind.EVENT
        case ev.Unbarred() | ev.Muted() | ev.Unmuted() | ev.Renamed():
            return ReportKind.EVENT
        case _:
            assert_never(event)


def mark_of_actor(event: ev.Event, room: Room) -> Mark | None:
    """Return the mark of the player who moved or spoke; None for others and other events."""
    match event:
        case ev.Played() | ev.HintAsked() | ev.Withdrew():
            return room.mark(Seat(event.seat))
        case ev.Undone():
            return room.mark(Seat(event.to_move))
        case ev.Said() | ev.Told() | ev.Reacted():
            mine = room.seats_of(event.member)
            named = (seat for seat in mine if room.seats[seat].name == event.name)
            seat = next(named, None) if event.name else next(iter(mine), None)
            return None if seat is None else room.mark(seat)
        case _:
            return None


def exit_for(finished: SessionEnded) -> Exit:
    """Return the exit code for the end of a connection."""
    match finished.code:
        case "left" | "closed":
            return Exit.DONE
        case "gave_up":
            return Exit.UNREACHABLE
        case _:
            return Exit.FAILED


def final_lines(finished: SessionEnded) -> tuple[str, ...]:
    """Return the lines that explain the end of a connection."""
    if finished.code == "no_such_room":
        return (sentence(str(finished.said)), say("terminal.report.room_closed"))
    return (sentence(str(finished.said)),)
