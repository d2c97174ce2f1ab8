"""Doing what a typed line means, in the room of a connection.

The shell that uses it is a `Stage`: it knows the room as far as the person has been told, and
it says things its own way.
"""

from pathlib import Path
from typing import Protocol, assert_never

from boxroom_client.link.errors import Unreachable
from boxroom_client.shell.input import intents as it
from boxroom_client.shell.input.arguments import UNSENT
from boxroom_client.shell.input.context import Context
from boxroom_client.shell.link import Link
from boxroom_client.shell.output import describe
from boxroom_client.shell.output.advice import hint
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.recording import record_of
from boxroom_client.shell.saving import save
from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import ChatTo, Phase, Room
from boxroom_engine.wire.messages import Done, Refused


class Stage(Protocol):
    """A shell, as far as doing things needs it."""

    @property
    def room(self) -> Room:
        """The room as far as the person has been told."""

    @property
    def me(self) -> str:
        """Our name in it."""

    @property
    def ascii_only(self) -> bool:
        """Whether only ASCII is shown."""

    def say(self, *lines: str) -> None:
        """Tell the person something."""

    def complain(self, sentence: str) -> None:
        """Tell the person why something can't be."""

    def verbatim(self, text: str) -> None:
        """Show `text` as it is, to be copied."""

    def show_board(self) -> None:
        """Show the board again, where it isn't always seen."""

    def prefer(self, join_options: it.Preference) -> None:
        """Show things otherwise from now on."""

    async def until_told(self, seq: int) -> None:
        """Wait until the person has been told of event `seq`."""


class Doing:
    """Does things in the room of `link` for the person in front of `stage`."""

    def __init__(self, link: Link, stage: Stage) -> None:
        self._link = link
        self._stage = stage

    @property
    def context(self) -> Context:
        """In what a line is typed now."""
        room, welcome = self._stage.room, self._link.welcome
        games = welcome.games if welcome is not None else ()
        bots = (offered.bots for offered in games if offered.game == room.settings.game)
        return Context(room, self._stage.me, next(bots, ()))

    async def do(self, intent: it.Intent) -> None:
        """Do it; it is over when its answer has come and the person has been told the rest."""
        match intent:
            case it.Nothing() | it.Quit():
                pass
            case it.Mistake():
                self._stage.complain(intent.sentence)
            case it.Move():
                await self._play(intent)
            case it.Hint():
                await self._ask_hint()
            case it.Ask():
                await self._ask(intent.command, intent.note)
            case it.Help():
                self._stage.say(*_help(intent.command))
            case it.Show():
                await self._show(intent.what)
            case it.ShowNumbers() | it.Resize() | it.Turn() | it.UseTheme():
                self._stage.prefer(intent)
            case it.Save():
                self._save(intent.path)
            case _:
                assert_never(intent)

    async def _play(self, move: it.Move) -> None:
        seat, ply, game = self._turn()
        if seat is None:
            self._stage.complain("You have no seat any more, so you can't play.")
        else:
            await self._ask(cmd.Play(UNSENT, seat, move.text, ply, game))

    async def _ask_hint(self) -> None:
        seat, ply, game = self._turn()
        if seat is None:
            self._stage.complain("You are watching: hints are for those who play.")
        else:
            await self._ask(cmd.AskHint(UNSENT, seat, ply, game))

    def _turn(self) -> tuple[Seat | None, int, int | None]:
        """Our seat to move, or else our first one, and the ply and the game that it is about."""
        room = self._stage.room
        mine = room.seats_of(self._stage.me)
        to_move, ply = (None, 0) if room.state is None else (room.state.to_move, room.state.ply)
        seat = to_move if to_move in mine else next(iter(mine), None)
        return seat, ply, room.game_number or None

    async def _ask(self, command: cmd.AnyMemberCommand, note: str = "") -> None:
        """Ask the room; a refusal is told at once, and anything else when it happens."""
        stage = self._stage
        answer = await self._link.ask(command)
        match answer:
            case Done():
                await stage.until_told(answer.seq)
                if note:
                    stage.say(note)
                elif isinstance(command, cmd.Say):
                    stage.say(*_heard_by_nobody(command, stage.room, stage.me))
            case Refused():
                helps = hint(answer.code, stage.room, stage.me)
                stage.complain(" ".join(filter(None, (sentence(answer.message), helps))))
            case _:
                assert_never(answer)

    async def _show(self, what: it.Shown) -> None:
        stage = self._stage
        match what:
            case it.Shown.BOARD:
                if stage.room.state is None:
                    stage.complain("The game hasn't begun: there is no board yet.")
                stage.show_board()
            case it.Shown.SETTINGS:
                stage.say(*describe.settings(stage.room, stage.me))
            case it.Shown.MEMBERS:
                members = describe.members(stage.room, stage.me, ascii_only=stage.ascii_only)
                stage.say(*members)
            case it.Shown.ROOMS:
                await self._show_rooms()
            case it.Shown.RECORD:
                record = record_of(stage.room)
                if record is None:
                    stage.complain("The game hasn't begun: there is nothing to record yet.")
                else:
                    stage.verbatim(str(record))
            case _:
                assert_never(what)

    async def _show_rooms(self) -> None:
        try:
            rooms = await self._link.list_rooms()
        except Unreachable as error:
            self._stage.complain(sentence(str(error)))
        else:
            self._stage.say(*describe.open_rooms(rooms.rooms, self._stage.room.code))

    def _save(self, path: str | None) -> None:
        room, stage = self._stage.room, self._stage
        record = record_of(room)
        if record is None:
            stage.complain("The game hasn't begun: there is nothing to save yet.")
            return
        wanted = Path(path or f"boxroom-{room.code}-{room.game_number}.txt")
        try:
            saved = save(record, wanted)
        except OSError as error:
            stage.complain(f"It can't be saved as {wanted}: {error.strerror}.")
            return
        if path is not None and saved.name != wanted.name:
            stage.say(f"There is a file {wanted.name} already, so it has another name.")
        stage.say(f"Saved: {saved}")


def _help(command: str | None) -> tuple[str, ...]:
    return tuple(describe.one_command(command) if command else describe.all_commands())


def _heard_by_nobody(said: cmd.Say, room: Room, me: str) -> tuple[str, ...]:
    """For somebody who meant a move: nobody reads chat in a room with bots only."""
    others = any(name != me and room.is_connected(name) for name in room.members)
    if others or said.to is ChatTo.SPECTATORS or room.state is None or room.phase is Phase.OVER:
        return ()
    moves = room.state.legal_moves()
    example = f" A move looks like {room.state.game.format_move(moves[0])}." if moves else ""
    return (f"Nobody else is here to read that.{example} /help lists the commands.",)
