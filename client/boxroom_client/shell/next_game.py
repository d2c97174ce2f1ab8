"""The next game of a room: its settings, bots and first player, and the commands that lead there.

The form of the full screen and `/next NAME VALUE …` set it up in one step.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from boxroom_engine.games.protocol import Seat
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.room import Phase, RequestedSettings, Room, Settings

_UNSENT = 0  # the id of a command that the connection hasn't numbered yet


@dataclass(frozen=True, slots=True)
class NextGame:
    """The next game as a person wants it."""

    settings: Settings
    bots: Mapping[Seat, str]
    """The bot of each seat that a bot holds now, maybe another one."""
    first: Seat

    def commands(self, planned: "NextGame", room: Room) -> tuple[cmd.AnyMemberCommand, ...]:
        """Return the commands of the host of `room` that change what is different, and start it.

        Only what the person changed in the `planned` game is changed, as others may have changed
        the room since then.
        """
        changes: list[cmd.AnyMemberCommand] = []
        settings = _with_changes(room.settings, planned.settings, self.settings)
        if settings != room.settings:
            changes.append(cmd.Configure(_UNSENT, RequestedSettings.of(settings)))
        seated = planned_game(room).bots
        for seat, bot in self.bots.items():
            if bot not in (planned.bots.get(seat), seated.get(seat)):
                changes.append(cmd.SeatBot(_UNSENT, bot, seat))
        return (*changes, cmd.Start(_UNSENT, self.first or None))


def _with_changes(settings: Settings, before: Settings, after: Settings) -> Settings:
    """Return `settings` with all that `after` has changed in `before`, each option by itself."""

    def changed(name: str) -> bool:
        return bool(getattr(before, name) != getattr(after, name))

    changes = {name: getattr(after, name) for name in Settings.__struct_fields__ if changed(name)}
    if before.game == after.game == settings.game:
        options = {
            name: value
            for name, value in after.options.items()
            if value != before.options.get(name)
        }
        changes["options"] = {**settings.options, **options}
    return replace(settings, **changes)


def planned_game(room: Room) -> NextGame:
    """Return the next game without changes: as in a rematch, another player begins."""
    bots = {Seat(n): holder.bot for n, holder in enumerate(room.seats) if holder.is_bot}
    first = 1 if room.phase is Phase.OVER and len(room.seats) > 1 else 0
    return NextGame(
        room.settings, {seat: bot for seat, bot in bots.items() if bot is not None}, Seat(first)
    )


def starting_after(room: Room, number: int) -> tuple[cmd.AnyMemberCommand, ...]:
    """Return the commands of the host of `room` that start its game again after so many moves.

    That is the game on the board, or else the one whose moves the games begin with.
    """
    moves = (room.tokens or room.settings.opening)[:number]
    seats = None if moves else room.settings.seat_range
    settings = replace(room.settings, opening=moves, seat_range=seats)
    start = cmd.Start(_UNSENT)
    if settings == room.settings:
        return (start,)
    return (cmd.Configure(_UNSENT, RequestedSettings.of(settings)), start)
