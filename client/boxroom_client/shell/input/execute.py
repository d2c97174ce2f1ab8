"""Execution of intents: each typed line's effect on the room of a connection, or on the shell.

The shell implements `RoomView`: it knows the room as far as it has been shown to the person, and
it shows text in its own way.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, assert_never

from boxroom_client.profile.ignored import IgnoredPeople
from boxroom_client.shell.frontend import Link
from boxroom_client.shell.input import intents
from boxroom_client.shell.input.arguments import UNSENT, Context
from boxroom_client.shell.input.commands import help_for, help_for_all
from boxroom_client.shell.input.reviewing import Reviewer, ReviewView
from boxroom_client.shell.next_game import starting_after
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.board_in_words import box_in_words, free_moves
from boxroom_client.shell.output.glossary import explanation, words
from boxroom_client.shell.output.standings import standings_json, standings_table
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.premoves import Premove, premove
from boxroom_client.shell.recording import record_of, save_text
from boxroom_client.shell.room_settings import changed
from boxroom_common.phrases import say
from boxroom_common.qr_codes import MOST_QR_CHARS
from boxroom_engine.games.errors import NoSuchBox, OptionError
from boxroom_engine.games.notation import shorten
from boxroom_engine.games.protocol import OptionValue, Seat
from boxroom_engine.phrases import Phrase
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.decision import CommandRefused, refusal
from boxroom_engine.room.powers import Power
from boxroom_engine.room.room import (
    AbortRequest,
    ChatTo,
    PauseRequest,
    Phase,
    RequestedSettings,
    Room,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.wire.links import PageUrl

_HELPED = ("no_review", "bad_message", "stale", "no_such_member", "no_such_room")
"""Codes of refusals against which a command helps everybody."""
_PLAYERS_HELPED = ("game_over",)
_HOST_HELPED = (
    *("not_started", "empty_seats", "absent_player", "seats_taken", "no_such_bot"),
    *("hints_off", "takebacks_off"),
)


class RoomView(ReviewView, Protocol):
    """The part of a shell that an executor needs."""

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII is shown."""

    def show_verbatim(self, text: str) -> None:
        """Show `text` unchanged, to be copied."""

    def show_link(self, link: str) -> None:
        """Show `link` and its QR code."""

    def show_powers(self, powers: Sequence[Power]) -> None:
        """Show what the host can do now, and why not the rest."""

    def show_board(self) -> None:
        """Show the board again, unless it is always visible."""

    def keep_premove(self, premove: Premove) -> bool:
        """Keep a move for the turn; return False if this shell keeps none."""

    def change_display(self, change: intents.DisplayChange) -> None:
        """Apply `change` from now on."""

    def clear(self) -> None:
        """Clear the screen of what was said and done so far."""

    async def wait_until(self, is_shown: Callable[[], bool]) -> None:
        """Wait until `is_shown`, which is asked after each update that has been shown."""

    def ask_password(self, room: str, reason: str) -> bool:
        """Ask for the password of another room, and go there; return False in a script."""


class Executor:
    """Executes intents in the room of `link` for the person who looks at `view`."""

    def __init__(self, link: Link, view: RoomView) -> None:
        self._link = link
        self._view = view
        self._reviewer = Reviewer(link, view)

    @property
    def context(self) -> Context:
        """The context of a line that is typed now."""
        room, welcome = self._view.room, self._link.welcome
        games = welcome.games if welcome is not None else ()
        bots = (
            tuple(dict.fromkeys((*offered.levels, *offered.bots)))
            for offered in games
            if offered.game == room.settings.game
        )
        return Context(room, self._view.me, next(bots, ()))

    async def execute(self, intent: intents.Intent) -> None:
        """Execute `intent`, or show why it is refused.

        Return when its answer has come and its events have been shown.
        """
        try:
            await self.attempt(intent)
        except CommandRefused as refused:
            advice = advice_for(refused, self._view.room, self._view.me)
            self._view.show_error(" ".join(filter(None, (sentence(str(refused)), advice))))

    async def attempt(self, intent: intents.Intent) -> None:
        """Execute `intent`, as `execute` does, or raise `CommandRefused`."""
        match intent:
            case intents.Nothing() | intents.Quit():
                pass
            case intents.Mistake():
                self._view.show_error(intent.sentence)
            case intents.PlayMove():
                await self._play(intent)
            case intents.RequestHint():
                await self._ask_hint()
            case intents.RequestUndo():
                await self._undo()
            case intents.RequestStandIn():
                await self._stand_in(intent)
            case intents.RequestAbort():
                await self._request(AbortRequest, cmd.Abort(UNSENT))
            case intents.RequestPause():
                await self._request(PauseRequest, cmd.Pause(UNSENT))
            case intents.AnswerRequest():
                await self._answer(agree=intent.agree)
            case intents.SendCommand():
                await self._ask(intent.command, intent.note)
            case intents.ChangeSettings():
                await self._change_settings(intent.changes)
            case intents.StartNextGame() | intents.PlayAgain():
                await self._start(intent)
            case intents.Help():
                self._view.say(*_help(intent.command))
            case intents.Explain():
                self._explain(intent.word)
            case intents.ReviewGame() | intents.Judge():
                await self._reviewer.show(intent)
            case intents.Show():
                await self._show(intent.what)
            case intents.ShowBox():
                self._show_box(intent.text)
            case intents.ShowNumbers() | intents.Resize() | intents.Toggle() | intents.UseTheme():
                self._view.change_display(intent)
            case intents.Save() | intents.SaveTable():
                self._save_what(intent)
            case intents.Clear():
                self._view.clear()
            case intents.Ignore(name=name):
                ignore(self._link.ignored, self._view, name)
            case intents.StopIgnoring(name=name):
                stop_ignoring(self._link.ignored, self._view, name)
            case intents.Rename() | intents.GoToRoom():
                await self._go_on(intent)
            case _:
                assert_never(intent)

    def _save_what(self, intent: intents.Save | intents.SaveTable) -> None:
        match intent:
            case intents.Save():
                self._save_record(intent.path)
            case intents.SaveTable():
                self._save_table(intent.path)

    async def _play(self, move: intents.PlayMove) -> None:
        view = self._view
        early = premove(view.room, view.me, move.text)
        if early is not None:
            obstacle = early.obstacle(view.room, view.me)
            if obstacle is not None:
                view.show_error(sentence(obstacle))
                return
            if view.keep_premove(early):
                return
        seat, ply, game = self._turn()
        if seat is None:
            view.show_error(say("terminal.typed.no_seat_any_more"))
        else:
            await self._ask(cmd.Play(UNSENT, seat, move.text, ply, game))

    async def _ask_hint(self) -> None:
        seat, ply, game = self._turn()
        if seat is None:
            self._view.show_error(say("terminal.typed.watching_hint"))
        else:
            await self._ask(cmd.AskHint(UNSENT, seat, ply, game))

    async def _undo(self) -> None:
        """Ask to take our last move back, or agree to the request that waits for us."""
        room = self._view.room
        if room.undo is not None and self._view.me in room.deciding:
            await self._answer(agree=True)
        else:
            await self._ask(cmd.Undo(UNSENT, room.ply, room.game_number or None))

    async def _stand_in(self, wanted: intents.RequestStandIn) -> None:
        """Ask to let a bot play for a player, or agree to the request for that."""
        room = self._view.room
        match room.request:
            case StandInRequest(seat=wanted.seat) if self._view.me in room.deciding:
                await self._answer(agree=True)
            case _:
                await self._ask(cmd.StandIn(UNSENT, wanted.seat, wanted.bot))

    async def _request(
        self, kind: type[AbortRequest | PauseRequest], command: cmd.Abort | cmd.Pause
    ) -> None:
        """Ask to end or to pause the game, or agree to the request for that."""
        room = self._view.room
        if isinstance(room.request, kind) and self._view.me in room.deciding:
            await self._answer(agree=True)
        else:
            await self._ask(command)

    async def _answer(self, *, agree: bool) -> None:
        room = self._view.room
        match room.request:
            case None:
                self._view.show_error(say("terminal.typed.no_request"))
            case UndoRequest(ply=ply):
                await self._ask(cmd.AnswerUndo(UNSENT, ply, agree, room.game_number))
            case (
                StandInRequest(since=since) | AbortRequest(since=since) | PauseRequest(since=since)
            ):
                await self._ask(cmd.Answer(UNSENT, since, agree))

    async def _go_on(self, intent: intents.Rename | intents.GoToRoom) -> None:
        """Go on under another name, or in another room; ask for its password if need be."""
        link, view = self._link, self._view
        if isinstance(intent, intents.Rename):
            await link.rename(intent.name)
            await view.wait_until(lambda: view.me == link.me)
            return
        try:
            await link.go_to(intent.room, intent.password)
        except CommandRefused as refused:
            is_first = intent.password is None
            reason = say("terminal.join.private") if is_first else sentence(str(refused))
            if refused.code != "wrong_password" or not view.ask_password(intent.room, reason):
                raise
        else:
            room = link.room
            await view.wait_until(lambda: room is None or view.room.log == room.log)

    async def _change_settings(self, changes: Mapping[str, OptionValue]) -> None:
        try:
            settings = changed(self._view.room.settings, changes)
        except OptionError as error:  # they were possible when the line was typed
            self._view.show_error(sentence(str(error)))
        else:
            await self._ask(cmd.Configure(UNSENT, RequestedSettings.of(settings)))

    async def _start(self, intent: intents.StartNextGame | intents.PlayAgain) -> None:
        if isinstance(intent, intents.StartNextGame):
            commands = intent.wanted.commands(intent.planned, self._view.room)
        else:
            commands = self._again(intent.number or self._first_to_retry(self._view.room))
        for command in commands:
            await self._ask(command)

    def _again(self, number: int | None) -> tuple[cmd.AnyMemberCommand, ...]:
        """Return the commands that start the game again from a move on; show why there are none."""
        room = self._view.room
        moves = len(room.tokens or room.settings.opening)
        if not moves:
            self._view.show_error(say("terminal.typed.again_no_game"))
        elif room.host != self._view.me:
            before = 0 if number is None else min(number - 1, moves)
            self._view.show_error(say("terminal.typed.again_host", host=room.host or "", n=before))
        elif number is None:
            self._view.show_error(say("terminal.typed.again_which"))
        elif number > moves + 1:
            self._view.show_error(say("terminal.typed.again_range", n=moves))
        else:
            return starting_after(room, number - 1)
        return ()

    def _first_to_retry(self, room: Room) -> int | None:
        """Return the number of the move that is looked at, or of the first after an opening.

        None: there is neither.
        """
        at = self._reviewer.move_looked_at(room)
        if at is None and room.settings.opening:
            return len(room.settings.opening) + 1
        return at

    def _turn(self) -> tuple[Seat | None, int, int | None]:
        """Return our seat to move or else our first one, the ply, and the number of the game."""
        room = self._view.room
        mine = room.seats_of(self._view.me)
        to_move = None if room.state is None else room.state.to_move
        seat = to_move if to_move in mine else next(iter(mine), None)
        return seat, room.ply, room.game_number or None

    async def _ask(self, command: cmd.AnyMemberCommand, note: str = "") -> None:
        """Send `command`, and wait until its events have been shown."""
        view = self._view
        done = await self._link.ask(command)
        await view.wait_until(lambda: view.room.seq >= done.seq)
        if note:
            view.say(note)
        elif isinstance(command, cmd.Say):
            view.say(*_no_reader_note(command, view.room, view.me))

    async def _show(self, what: intents.Viewable) -> None:
        view = self._view
        match what:
            case intents.Viewable.BOARD:
                if view.room.state is None:
                    view.show_error(say("terminal.typed.no_board_yet"))
                view.show_board()
            case intents.Viewable.FREE_MOVES:
                self._show_free_moves()
            case intents.Viewable.SETTINGS:
                view.say(*describe.settings(view.room, view.me))
            case intents.Viewable.MEMBERS:
                ignored = self._link.ignored
                members = describe.members(
                    view.room, view.me, ascii_only=view.ascii_only, ignored=ignored
                )
                view.say(*members)
            case intents.Viewable.ROOMS:
                await self._show_rooms()
            case intents.Viewable.POWERS:
                await self._show_powers()
            case intents.Viewable.INVITATION:
                address, page = self._link.guests_address, self._link.guests_page
                view.say(*describe.invitation(view.room, address, page))
            case intents.Viewable.QR_CODE:
                self._show_link()
            case intents.Viewable.OTHER_DEVICE:
                await self._show_identity_link()
            case intents.Viewable.TABLE:
                view.say(*standings_table(view.room))
            case intents.Viewable.RECORD:
                record = record_of(view.room)
                if record is None:
                    view.show_error(say("terminal.typed.no_record_yet"))
                else:
                    view.show_verbatim(str(record))
            case _:
                assert_never(what)

    def _show_free_moves(self) -> None:
        view = self._view
        if view.room.running is None:
            view.show_error(_no_game(view.room))
        else:
            view.say(*free_moves(view.room.running))

    def _show_box(self, text: str) -> None:
        view, state = self._view, self._view.room.state
        if state is None:
            view.show_error(say("terminal.typed.no_board_yet"))
            return
        find = state.game.kind.abilities.box
        assert find is not None  # the parser has asked for it
        try:
            view.say(box_in_words(find(state, text), view.room))
        except NoSuchBox as error:
            view.show_error(sentence(str(error)))

    def _show_link(self) -> None:
        page = self._reachable_page()
        if page is not None:
            self._show_qr_code(page.to_room(self._view.room.code))

    async def _show_identity_link(self) -> None:
        """Show the link that brings this person's name and seat to a browser."""
        page, view = self._reachable_page(), self._view
        if page is None:
            return
        pad, offer = await self._link.offer_identity()
        watch = not view.room.is_player(view.me)
        view.say(*describe.identity_link())
        self._show_qr_code(page.for_identity(pad, offer, view.room.code, watch=watch))

    def _reachable_page(self) -> PageUrl | None:
        """Return the server's page for other devices; report why there is none."""
        page, address = self._link.guests_page, self._link.guests_address
        if page is None or describe.is_page_out_of_reach(page):
            self._view.show_error(describe.no_link(address, page))
            return None
        return page

    def _show_qr_code(self, link: str) -> None:
        if len(link) > MOST_QR_CHARS:  # of a server that isn't ours, or by an address like that
            self._view.show_error(say("terminal.typed.link_too_long"))
            self._view.show_verbatim(link)
        else:
            self._view.show_link(link)

    async def _show_powers(self) -> None:
        """Show what the host can do now, or who that is."""
        host = self._view.room.host
        if host != self._view.me:
            raise refusal("not_host", name=host) if host else refusal("not_host.none")
        self._view.show_powers(await self._link.powers())

    async def _show_rooms(self) -> None:
        rooms = await self._link.list_rooms()
        here = self._view.room.code
        self._view.say(*describe.open_rooms(rooms, here))
        if any(listed.room != here for listed in rooms):
            self._view.say(say("terminal.typed.join_one"))

    def _explain(self, word: str | None) -> None:
        text = None if word is None else explanation(word)
        if word is not None and text is None:
            self._view.show_error(
                say("terminal.typed.no_such_word", word=shorten(word).capitalize())
            )
        self._view.say(*(words() if text is None else [text]))

    def _save_record(self, path: str | None) -> None:
        room, view = self._view.room, self._view
        record = record_of(room)
        if record is None:
            view.show_error(say("terminal.typed.nothing_to_save_yet"))
        else:
            self._save(str(record), path, f"boxroom-{room.code}-{room.game_number}.txt")

    def _save_table(self, path: str) -> None:
        room = self._view.room
        if not room.table:
            self._view.show_error(say("standings.none"))
        elif path.lower().endswith(".json"):
            self._save(standings_json(room), path)
        else:
            self._save("\n".join(standings_table(room)), path)

    def _save(self, text: str, path: str | None, usual: str = "") -> None:
        """Write `text` to the file that the person names, or else to the usual one."""
        view, wanted = self._view, Path(path or usual)
        try:
            saved = save_text(text, wanted)
        except OSError as error:
            reason = error.strerror or str(error)
            view.show_error(say("terminal.typed.cannot_save", file=str(wanted), reason=reason))
            return
        if path is not None and saved.name != wanted.name:
            view.say(say("terminal.typed.file_exists", file=wanted.name))
        view.say(say("terminal.typed.saved", file=str(saved)))


def ignore(ignored: IgnoredPeople, view: RoomView, name: str | None) -> None:
    """Ignore a person, or tell who is ignored."""
    if name is not None:
        ignored.add(name)
        view.say(say("terminal.typed.ignored_now", name=name))
    elif names := [*ignored]:
        view.say(say("terminal.typed.ignored_are", names=names))
    else:
        view.say(say("terminal.typed.nobody_ignored"))


def stop_ignoring(ignored: IgnoredPeople, view: RoomView, name: str) -> None:
    """Listen again to a person, or tell who is ignored."""
    if ignored.remove(name):
        view.say(say("terminal.typed.ignored_no_more", name=name))
    else:
        view.show_error(say("terminal.typed.not_ignored", name=name))
        ignore(ignored, view, None)


def _no_game(room: Room) -> str:
    """Return why there is nothing to play."""
    return say("terminal.typed.no_board_yet" if room.state is None else "room.over")


def _help(command: str | None) -> tuple[str, ...]:
    return tuple(help_for(command) if command else help_for_all())


def _no_reader_note(said: cmd.Say, room: Room, me: str) -> tuple[str, ...]:
    """Return a note that chat has no reader in a room with bots only; a move may be meant."""
    others = any(name != me and room.is_connected(name) for name in room.members)
    if others or said.to is ChatTo.SPECTATORS or room.state is None or room.phase is Phase.OVER:
        return ()
    moves = room.state.legal_moves()
    sentences = [say("terminal.typed.no_reader"), say("terminal.typed.help_lists")]
    if moves:
        move = room.state.game.format_move(moves[0])
        sentences.insert(1, say("terminal.typed.move_looks_like", move=move))
    return (" ".join(sentences),)


def advice_for(refused: CommandRefused, room: Room, me: str) -> str:
    """Return a sentence about the command that helps against a refusal; empty if none does."""
    code, said = refused.code, refused.phrase
    if said.key == "refusal.game_on.stand_in":
        return str(Phrase("help.game_on.stand_in", said.values))
    is_helped = (
        code in _HELPED
        or (code in _PLAYERS_HELPED and room.is_player(me))
        or (code in _HOST_HELPED and room.host == me)
        or (code == "paused" and me in room.unpausers())
    )
    return say(f"help.{code}") if is_helped else ""
