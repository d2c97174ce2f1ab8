"""Accepted commands of a room's members, so that a repeated command gets the same answer again.

Like the room, they are a fold of its log. Only the room's host needs them; no member sees them.

A *checkpoint* is all that a log folds into, so that a server needn't read a long one from its
start: a `Snapshot` holds what an audience may see, a checkpoint the accepted commands as well. For
any room and its accepted commands, `from_checkpoint(checkpoint(room, accepted))` returns the same.
"""

from collections.abc import Iterable, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from boxroom_engine.room.decision import refusal
from boxroom_engine.room.events import Entry, Renamed
from boxroom_engine.room.room import Audience, Room
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot

COMMANDS_REMEMBERED = 16
"""Accepted commands remembered for each member, to answer a repeat without a second effect.

This is the least number; the most is twice as many.
"""

FORMER_MEMBERS_REMEMBERED = 256
"""Members who left and whose accepted commands are remembered in any case."""

StoredCommands = Mapping[str, Iterable[tuple[int, int]]]
"""For each member the remembered commands, oldest first: the id, and the seq it led to."""


class AcceptedCommands:
    """The newest accepted commands of each member of a room: their ids, and the seqs they led to.

    The ids of a member only grow, so that a repeat is recognised however long ago the command was
    accepted.
    """

    __slots__ = ("_by_member",)

    def __init__(self, stored: StoredCommands | None = None) -> None:
        # Seqs by id, oldest first and at least one, of each member and of some who left.
        self._by_member: dict[str, dict[int, int]] = {}
        for member, commands in (stored or {}).items():
            if seqs := dict(commands):
                self._by_member[member] = seqs

    def stored(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return what the constructor takes."""
        return {member: tuple(seqs.items()) for member, seqs in self._by_member.items()}

    def add(self, entry: Entry, room: Room) -> None:
        """Add the command of `entry`, if a member gave it; the entry leads to `room`.

        One that gives a member another name moves the commands of that member.
        """
        member = entry.member
        if member is not None and entry.command_id:
            seqs = self._by_member.get(member)
            if seqs is None:
                seqs = self._by_member[member] = {}
            seqs[entry.command_id] = room.seq
            if len(seqs) == 2 * COMMANDS_REMEMBERED:
                for command_id in [*islice(seqs, COMMANDS_REMEMBERED)]:
                    del seqs[command_id]
            if len(self._by_member) > len(room.members) + FORMER_MEMBERS_REMEMBERED:
                self._forget_former_members(room)
        elif type(renamed := entry.events[0]) is Renamed:  # the first event of such an entry
            self._rename(renamed.member, renamed.name)

    def _rename(self, former: str, name: str) -> None:
        """Let the ids of a member go on under another name, also above those that it had then."""
        seqs = {**self._by_member.pop(name, {}), **self._by_member.pop(former, {})}
        if seqs:
            newest = sorted(seqs.items())[-COMMANDS_REMEMBERED:]
            self._by_member[name] = dict(newest)

    def _forget_former_members(self, room: Room) -> None:
        """Forget the former members whose last command is the longest ago."""
        former = [name for name in self._by_member if name not in room.members]
        former.sort(key=lambda name: next(reversed(self._by_member[name].values())))
        for name in former[:-FORMER_MEMBERS_REMEMBERED]:
            del self._by_member[name]

    def last_id(self, member: str) -> int:
        """Return the greatest id of an accepted command of `member`, or 0."""
        seqs = self._by_member.get(member)
        return next(reversed(seqs)) if seqs is not None else 0

    def answer(self, member: str, command_id: int) -> int | None:
        """Return the seq that a command led to which was accepted before, None for a new one.

        Raises:
            CommandRefused: it is so old that its seq is forgotten.
        """
        seqs = self._by_member.get(member)
        if seqs is None:
            return None
        seq = seqs.get(command_id)
        if seq is None and command_id <= (last_id := next(reversed(seqs))):
            raise refusal("too_old", id=command_id, last=last_id)
        return seq


class Checkpoint(Struct, frozen=True, omit_defaults=True):
    """A room after its event number `seen.seq`."""

    seen: Snapshot
    """The room as spectators see it, with all private messages: nothing is hidden then."""
    accepted: dict[str, tuple[tuple[int, int], ...]] = {}
    """For each member the remembered commands, oldest first: the id, and the seq it led to."""


def checkpoint(room: Room, accepted: AcceptedCommands) -> Checkpoint:
    """Return the checkpoint of `room` and its accepted commands."""
    seen = snapshot(room, Audience.SPECTATOR)
    # What `room_from_snapshot` finds anyway.
    return Checkpoint(
        replace(seen, private=room.private, winners=(), movers=(), taken=()), accepted.stored()
    )


def from_checkpoint(stored: Checkpoint) -> tuple[Room, AcceptedCommands]:
    """Return the room and the accepted commands of which `stored` is the checkpoint.

    Raises:
        GameError: this version doesn't know its game, or can't read its tokens.
    """
    return room_from_snapshot(stored.seen), AcceptedCommands(stored.accepted)
