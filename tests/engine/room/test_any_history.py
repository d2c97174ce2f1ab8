"""Invariants of a room under commands of people, bots and clocks in any order.

`AnyHistory` drives a room as a server would, with valid and invalid commands from members, from
strangers and from the server itself, and after each one checks the invariants of
docs/reference/room.md. Hypothesis shortens a history that breaks one to the few steps that matter.
"""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.engine.room.hosting import Answer, HostedRoom, Mirror

from boxroom_common.phrases import is_known
from boxroom_engine.games.protocol import Outcome, Seat, State
from boxroom_engine.games.record import play_token
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.accepted import (
    COMMANDS_REMEMBERED,
    AcceptedCommands,
    Checkpoint,
    checkpoint,
    from_checkpoint,
)
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.effects.games import position_after
from boxroom_engine.room.evolve import evolve, evolve_entry
from boxroom_engine.room.room import (
    CHAT_TAIL,
    AbortRequest,
    Audience,
    ChatTo,
    Member,
    OnDrop,
    PauseRequest,
    Phase,
    Reaction,
    Room,
    Settings,
    StandInRequest,
    UndoRequest,
)
from boxroom_engine.room.timers import ClockDue, Timer, next_timer
from boxroom_engine.room.view import Snapshot, is_same_for_all, snapshot, view

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")
HOST, TO_MOVE, FIRST, LAST = "the host", "whose turn it is", "the first", "the last member"
AWAY, STRANGER = "a player who is away", "a stranger"
"""Roles, which `AnyHistory.name` resolves when the rule runs."""

someone = st.sampled_from((HOST, TO_MOVE, FIRST, LAST, TO_MOVE, LAST, STRANGER))
as_host = st.sampled_from((HOST, HOST, HOST, HOST, LAST, STRANGER))
seat_numbers = st.integers(0, 5)
maybe_a_seat = st.none() | seat_numbers
choices = st.integers(0, 100)
"""Index of a choice, modulo the number of choices."""

clocks = st.none() | st.just(5)
lines = tuple(f"{way}{number}" for way, count in (("h", 4), ("v", 3)) for number in range(count))
openings = st.integers(1, 6).flatmap(
    lambda count: st.permutations(lines).map(lambda moves: tuple(moves[:count]))
)
"""Moves with which a game on 1×2 boxes can begin."""
playable_settings = (
    st.builds(
        Settings,
        game=st.just("dots"),
        options=st.fixed_dictionaries(
            {"rows": st.integers(1, 2), "cols": st.integers(1, 2)},
            optional={"border": st.sampled_from(("none", "half"))},
        ),
        seats=st.integers(1, 4),
        clock_s=clocks,
        on_drop=st.sampled_from(OnDrop),
        private=st.booleans(),
        hints=st.booleans(),
        takebacks=st.integers(0, 4),
        stand_in_s=st.just(5),
        best_of=st.integers(0, 3),
        seat_range=st.none() | st.tuples(st.integers(1, 2), st.integers(2, 6)),
    )
    | st.builds(
        Settings,
        game=st.just("dots"),
        options=st.just({"rows": 1, "cols": 2}),
        seats=st.integers(1, 3),
        clock_s=clocks,
        on_drop=st.sampled_from(OnDrop),
        takebacks=st.integers(0, 4),
        opening=openings,
    )
    | st.builds(
        Settings,
        game=st.just("noughts"),
        seats=st.integers(2, 3),
        seat_range=st.sampled_from((None, (2, 3), (3, 3))),
        clock_s=clocks,
        on_drop=st.sampled_from(OnDrop),
    )
    | st.builds(
        Settings,
        game=st.sampled_from(("stonehenge", "subtract-square")),
        clock_s=clocks,
        on_drop=st.sampled_from(OnDrop),
    )
)
any_settings = playable_settings | st.builds(
    Settings,
    game=st.sampled_from(("dots", "noughts", "chess")),
    options=st.dictionaries(st.sampled_from(("rows", "sides")), st.integers(0, 9), max_size=1),
    seats=st.integers(1, 9),
    seat_range=st.none() | st.tuples(st.integers(1, 4), st.integers(1, 9)),
    opening=st.just(()) | st.lists(st.sampled_from(("h0", "v0", "4")), max_size=2).map(tuple),
)


somebody_is_here = precondition(lambda self: self.room.host is not None)
between_games = precondition(lambda self: self.room.phase is not Phase.PLAYING)
in_a_game = precondition(lambda self: self.room.phase is Phase.PLAYING)
in_a_pause = precondition(lambda self: self.room.pause is not None)
after_a_game = precondition(lambda self: self.room.phase is Phase.OVER)


class AnyHistory(RuleBasedStateMachine):
    """A room, the fold of its log from JSON, and the mirrors of its members."""

    def __init__(self) -> None:
        super().__init__()
        self.hosted: HostedRoom
        self.reread = Room("")
        """The fold of the log decoded from JSON, as after a restart."""
        self.owners: Counter[str] = Counter()
        """Number of owners that each name had before."""
        self.persons: dict[str, str] = {}
        """Pseudonyms of the owners of names that were taken in the room."""
        self.mirrors: dict[str, Mirror] = {}
        """Mirror of each member, also of the members who are away and may return."""
        self.snapshot_mirrors: list[tuple[Audience, Mirror]] = []
        """Mirrors made from snapshots at various times."""
        self.accepted: list[tuple[cmd.FromMember, int]] = []
        """Accepted commands, each with the seq that it led to."""
        self.timers: list[Timer] = []
        """Every timer so far."""
        self.positions: dict[tuple[int, int], str] = {}
        """For each game and ply so far the moves that had led to the position."""

    @property
    def room(self) -> Room:
        return self.hosted.room

    @property
    def time_ms(self) -> int:
        """The room's time."""
        return self.room.time_ms(self.hosted.now_ms)

    def name(self, who: str) -> str:
        room = self.room
        members = list(room.members) or ["Ada"]
        stranger = next((name for name in NAMES if name not in members), "Zoe")
        players = [holder.member for holder in room.seats if holder.member is not None]
        away = [name for name in players if not room.is_connected(name)]
        to_move = self.hosted.to_move
        resolved = {
            HOST: room.host,
            TO_MOVE: None if to_move is None else room.seats[to_move].member,
            LAST: members[-1],
            AWAY: away[0] if away else None,
            STRANGER: stranger,
        }
        return resolved.get(who) or members[0]

    @initialize(
        made_with=playable_settings,
        watch=st.booleans(),
        others=st.integers(0, 3),
        at_once=st.booleans(),
    )
    def create(self, made_with: Settings, watch: bool, others: int, at_once: bool) -> None:
        self.hosted = HostedRoom(made_with, watch=watch, person=self.person("Ada"))
        self.check_entry(Room("attic"), self.hosted.log[0])
        self.connected("Ada")
        for _ in range(others):
            self.enter(STRANGER, False, True)
        if at_once:
            self.fill_and_start()

    # Commands, and checks of their effects

    def give(self, command: cmd.Command) -> Answer:
        before, entries = self.room, len(self.hosted.log)
        answer = self.hosted.answer(command)
        if len(self.hosted.log) > entries:
            self.check_entry(before, self.hosted.log[-1])
        else:
            assert self.room is before
            assert self.room == self.reread, "deciding changed the room"
        if isinstance(answer, CommandRefused):
            assert answer.code
            assert is_known(answer.phrase)
        elif isinstance(answer, tuple) and isinstance(command, cmd.FromMember):
            assert answer, "a repeat would be decided again"
            self.accepted.append((command, self.room.seq))
        if timer := next_timer(self.room):
            self.timers.append(timer)
        return answer

    def ask(self, who: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> Answer:
        return self.ask_as(self.name(who), kind, **fields)

    def ask_as(self, name: str, kind: type[cmd.AnyMemberCommand], /, **fields: Any) -> Answer:
        asked = self.hosted.asked(name, kind, **fields)
        return self.give(msgspec.structs.replace(asked, link=f"link {self.room.seq}"))

    def check_entry(self, before: Room, entry: ev.Entry) -> None:
        assert entry.events
        assert entry.seq == before.seq + 1
        assert self.room.seq == entry.last_seq
        assert not any(isinstance(event, ev.Hidden) for event in entry.events)
        decoded = msgspec.json.decode(msgspec.json.encode(entry), type=ev.Entry)
        assert decoded == entry
        self.reread = evolve_entry(self.reread, decoded)
        assert self.reread == self.room, "the log read again gives another room"
        check_effects(before, entry)
        self.check_secrets(entry)
        self.deliver(before, entry)

    @property
    def secret(self) -> str:
        """Chat of the spectators in this game and in no other."""
        return f"psst {self.room.game_number}!"

    def check_secrets(self, entry: ev.Entry) -> None:
        """Check that no player sees the chat of spectators before the game is over."""
        seen = tuple(view(event, Audience.PLAYER) for event in entry.events)
        assert is_same_for_all(entry) == (seen == entry.events)
        if self.room.phase is Phase.PLAYING:
            assert self.secret.encode() not in msgspec.json.encode(seen)

    # Mirrors

    def deliver(self, before: Room, entry: ev.Entry) -> None:
        """Send an entry to all mirrors as a server would, and compare them with the room."""
        for audience, mirror in self.snapshot_mirrors:
            mirror.follow(entry, audience)
            assert mirror.equals(self.room, audience)
        for name, mirror in self.mirrors.items():
            if before.is_connected(name) and self.room.is_connected(name):
                audience = self.room.audience(name)
                member = self.room.members[name]
                mirror.follow(entry, audience, member)
                assert mirror.equals(self.room, audience, member), f"{name} knows something else"
                self.check_private(member, mirror)

    def connected(self, name: str) -> None:
        """Send `name` the room, or the entries missed if it was here before."""
        audience = self.room.audience(name)
        member = self.room.members[name]
        mirror = self.mirrors.setdefault(name, self.new_mirror(audience, member))
        missed = [entry for entry in self.hosted.log if entry.last_seq > mirror.room.seq]
        if any(ev.Kicked(name) in entry.events for entry in missed):
            mirror = self.mirrors[name] = self.new_mirror(audience, member)
            return
        for entry in missed:
            mirror.follow(entry, audience, member)
        assert mirror.equals(self.room, audience, member), f"{name} came back and knows otherwise"
        self.check_private(member, mirror)

    def check_private(self, member: Member, mirror: Mirror) -> None:
        """Check that a member has no private messages of former owners of its name."""
        assert member.person == self.person(member.name)
        assert all(member.person in line.text for line in mirror.room.private)

    def person(self, name: str) -> str:
        """Return the pseudonym of the present owner of `name`."""
        return self.persons.get(name) or f"{name}-{self.owners[name]}"

    def new_mirror(self, audience: Audience, member: Member | None = None) -> Mirror:
        """Return a mirror made from the snapshot for `audience`, or a member of it."""
        sent = msgspec.json.encode(snapshot(self.room, audience, member))
        if audience is Audience.PLAYER and self.room.phase is Phase.PLAYING:
            assert self.secret.encode() not in sent
        mirror = Mirror(msgspec.json.decode(sent, type=Snapshot))
        assert mirror.equals(self.room, audience, member)
        return mirror

    @rule(audience=st.sampled_from(Audience))
    def take_snapshot(self, audience: Audience) -> None:
        self.snapshot_mirrors.append((audience, self.new_mirror(audience)))

    # Membership

    @rule(
        who=st.sampled_from((AWAY, AWAY, STRANGER, LAST)),
        watch=st.booleans(),
        admitted=st.booleans(),
    )
    def enter(self, who: str, watch: bool, admitted: bool) -> None:
        name = self.name(who)
        enter = cmd.Enter(name, watch, admitted, person=self.person(name))
        if not isinstance(self.give(enter), CommandRefused):
            assert self.room.is_connected(name)
            self.connected(name)

    @rule(who=someone, name=st.sampled_from((*NAMES, "Ann")), watch=st.booleans())
    def take_another_name(self, who: str, name: str, watch: bool) -> None:
        """Come back under a name that the person owns, too."""
        before, former = self.room, self.name(who)
        person, is_here = self.person(former), former in before.members or before.is_player(former)
        if not is_here and self.person(name) != person:
            return  # the server lets nobody in under the name of another
        enter = cmd.Enter(name, watch, True, person=person, former_name=former)
        answer = self.give(enter)
        if not isinstance(answer, tuple):
            return
        assert former == name or not is_here or before.phase is not Phase.PLAYING
        if former != name and is_here:
            assert ev.Renamed(former, name) in answer
            assert former not in self.room.members
            assert not self.room.is_player(former)
            for rows in (before.table, before.series):
                names = {row.name for row in rows}
                assert name not in names or former not in names
            own = ((given, seq) for given, seq in self.accepted if given.member != name)
            self.accepted = [
                (msgspec.structs.replace(given, member=name), seq)
                if given.member == former
                else (given, seq)
                for given, seq in own
            ]
        self.persons[name] = person
        for each in (former, name):
            self.mirrors.pop(each, None)
        self.connected(name)

    @rule()
    def somebody_comes_back(self) -> None:
        self.enter(AWAY, False, False)

    @somebody_is_here
    @rule(who=someone)
    def drop(self, who: str) -> None:
        name = self.name(who)
        assert isinstance(self.give(cmd.Drop((name,))), tuple)
        assert not self.room.is_connected(name)

    @rule(down_ms=st.integers(0, 20_000))
    def the_server_crashes(self, down_ms: int) -> None:
        """The room of the reread log continues as after a pause."""
        clock_ms = None
        if self.room.deadline_ms is not None:
            clock_ms = self.room.deadline_ms - self.time_ms
        gone = {name for name in self.room.members if self.room.is_gone(name)}
        self.hosted.now_ms += down_ms
        self.give(cmd.Wake(down_ms))
        assert not any(member.connected for member in self.room.members.values())
        assert {name for name in self.room.members if self.room.is_gone(name)} == gone
        if clock_ms is not None:
            assert self.room.deadline_ms == self.time_ms + clock_ms

    @somebody_is_here
    @rule(who=someone)
    def leave(self, who: str) -> None:
        self.ask(who, cmd.Leave)

    @somebody_is_here
    @rule(who=as_host, member=someone)
    def kick(self, who: str, member: str) -> None:
        self.ask(who, cmd.Kick, member=self.name(member).upper())

    @somebody_is_here
    @rule(who=as_host, choice=choices)
    def unbar(self, who: str, choice: int) -> None:
        barred = sorted(self.room.barred)
        name = barred[choice % len(barred)] if barred else "Zoe"
        answer = self.ask(who, cmd.Unbar, member=name.lower())
        if not isinstance(answer, CommandRefused):
            assert name not in self.room.barred
            self.give(cmd.Enter(name, watch=True, admitted=True, person=self.person(name)))
            if self.room.is_connected(name):
                self.connected(name)

    @somebody_is_here
    @rule(who=as_host, member=someone)
    def mute(self, who: str, member: str) -> None:
        name = self.name(member)
        if isinstance(self.ask(who, cmd.Mute, member=name.upper()), tuple):
            assert self.room.muted >= {name}

    @somebody_is_here
    @rule(who=as_host, choice=choices)
    def unmute(self, who: str, choice: int) -> None:
        muted = sorted(self.room.muted) or ["Zoe"]
        name = muted[choice % len(muted)]
        if isinstance(self.ask(who, cmd.Unmute, member=name.lower()), tuple):
            assert name not in self.room.muted

    @somebody_is_here
    @rule(member=someone)
    def expel(self, member: str) -> None:
        name = self.name(member)
        self.give(cmd.Expel(name.upper()))
        assert name not in self.room.members
        assert not self.room.is_player(name)

    @somebody_is_here
    @rule(who=as_host, member=someone)
    def hand_over(self, who: str, member: str) -> None:
        self.ask(who, cmd.HandOver, member=self.name(member))

    # Seats

    @somebody_is_here
    @rule(who=someone, seat=maybe_a_seat, name=st.none() | st.sampled_from(("Ada", "Fay", "!")))
    def sit(self, who: str, seat: int | None, name: str | None) -> None:
        self.ask(who, cmd.Sit, seat=seat, name=name)

    @somebody_is_here
    @between_games
    @rule(who=someone, seat=maybe_a_seat)
    def stand(self, who: str, seat: int | None) -> None:
        self.ask(who, cmd.Stand, seat=seat)

    @somebody_is_here
    @between_games
    @rule(who=as_host, seat=maybe_a_seat, bot=st.sampled_from(("greedy", "random", "deep")))
    def seat_bot(self, who: str, seat: int | None, bot: str) -> None:
        self.ask(who, cmd.SeatBot, seat=seat, bot=bot)

    @somebody_is_here
    @between_games
    @rule(who=as_host, seat=seat_numbers)
    def unseat(self, who: str, seat: int) -> None:
        self.ask(who, cmd.Unseat, seat=seat)

    # Games

    @somebody_is_here
    @between_games
    @rule(who=as_host, changed=any_settings)
    def configure(self, who: str, changed: Settings) -> None:
        self.ask(who, cmd.Configure, settings=changed)

    @somebody_is_here
    @between_games
    @rule(who=as_host, first=maybe_a_seat)
    def start(self, who: str, first: int | None) -> None:
        self.ask(who, cmd.Start, first=first)

    @somebody_is_here
    @between_games
    @rule()
    def fill_and_start(self) -> None:
        self.ask(HOST, cmd.Fill, bot="greedy")
        self.ask(HOST, cmd.Start)

    @in_a_game
    @rule(how_many=st.integers(1, 6), choice=choices)
    def play_on(self, how_many: int, choice: int) -> None:
        """Play legal moves for the seats to move, as long as a player or bot can play them."""
        for _ in range(how_many):
            if (command := self.next_move(choice)) is not None:
                assert isinstance(self.give(command), tuple)

    def next_move(self, choice: int) -> cmd.Command | None:
        state = self.room.state
        if state is None or state.to_move is None or self.room.pause is not None:
            return None
        moves = state.legal_moves()
        move = state.game.format_move(moves[choice % len(moves)])
        holder = self.room.seats[state.to_move]
        if holder.bot is not None:
            return cmd.PlayFor(state.to_move, move, self.room.ply)
        if holder.member is None or not self.room.is_connected(holder.member):
            return None
        fields = {"seat": state.to_move, "move": move, "ply": self.room.ply}
        return self.hosted.asked(holder.member, cmd.Play, **fields)

    @in_a_game
    @rule(who=someone, seat=seat_numbers, move=st.sampled_from(("h0", "V1", "4", "h99", "hello")))
    def play_something(self, who: str, seat: int, move: str) -> None:
        ply = self.room.ply
        self.ask(who, cmd.Play, seat=seat, move=move, ply=ply)

    @in_a_game
    @rule(who=someone, choice=choices)
    def ask_for_a_hint(self, who: str, choice: int) -> None:
        seats = self.room.seats_of(self.name(who)) or (0,)
        ply = self.room.ply
        self.ask(who, cmd.AskHint, seat=seats[choice % len(seats)], ply=ply)

    @somebody_is_here
    @rule(who=someone, seat=seat_numbers, on=st.booleans())
    def call_the_coach(self, who: str, seat: int, on: bool) -> None:
        self.ask(who, cmd.Coach, seat=seat, on=on)

    @invariant()
    def the_coach_helps_the_only_person(self) -> None:
        seats = self.room.seats
        for coached in (holder for holder in seats if holder.coached):
            assert coached.member is not None
            assert [holder for holder in seats if holder.member is not None] == [coached]
            assert self.room.unrated or self.room.running is None

    @in_a_game
    @rule(who=someone, behind=st.sampled_from((0, 0, 0, 1, 2)))
    def undo(self, who: str, behind: int) -> None:
        """Ask for a takeback, in this position or as from an earlier one."""
        before = self.room
        answer = self.ask(who, cmd.Undo, ply=max(0, before.ply - behind))
        if behind and before.ply:
            assert isinstance(answer, CommandRefused)
        elif isinstance(answer, tuple) and self.room.undo is None:
            self.is_undone(before, self.name(who))

    def is_undone(self, before: Room, member: str) -> None:
        """Check that the last move of `member`, and nothing before it, was taken back."""
        room, state = self.room, self.room.state
        assert state is not None
        assert state.to_move in room.seats_of(member)
        assert before.history.startswith(room.history)
        state = state.play(state.game.parse_move(before.tokens[len(room.tokens)]))
        for token in before.tokens[len(room.tokens) + 1 :]:
            assert not token.startswith("~")
            assert state.to_move not in room.seats_of(member)
            state = play_token(state, token)
        assert state == before.state

    @in_a_game
    @rule(who=someone, agree=st.booleans(), behind=st.sampled_from((0, 0, 0, 1)))
    def answer_undo(self, who: str, agree: bool, behind: int) -> None:
        before = self.room
        asked = before.undo
        ply = max(0, (before.ply if asked is None else asked.ply) - behind)
        answer = self.ask(who, cmd.AnswerUndo, ply=ply, agree=agree)
        if asked is None or ply != asked.ply:
            assert isinstance(answer, CommandRefused)
        elif isinstance(answer, tuple) and self.room.ply != before.ply:
            assert agree
            assert len(self.room.tokens) == asked.keeps

    @in_a_game
    @rule(who=someone)
    def all_agree_to_undo(self, who: str) -> None:
        """Take a move back with the consent of all who are asked."""
        self.ask(who, cmd.Undo, ply=self.room.ply)
        if (asked := self.room.undo) is None:
            return
        before = self.room
        for name in set(before.deciding) - {*asked.agreed}:
            assert isinstance(self.ask_as(name, cmd.AnswerUndo, ply=asked.ply, agree=True), tuple)
        assert self.room.undo is None
        self.is_undone(before, asked.member)

    @in_a_game
    @rule(
        who=someone,
        wait_s=st.sampled_from((0, 5)),
        bot=st.none() | st.sampled_from(("random", "deep")),
        seat=st.none() | seat_numbers,
    )
    def stand_in(self, who: str, wait_s: int, bot: str | None, seat: int | None) -> None:
        """Ask to let a bot play for the player to move, or for another one."""
        self.hosted.now_ms += wait_s * 1000
        before, wanted = self.room, (self.hosted.to_move or 0) if seat is None else seat
        answer = self.ask(who, cmd.StandIn, seat=wanted, bot=bot)
        if isinstance(answer, tuple):
            assert before.running is not None
            assert before.running.to_move == wanted
            assert before.turn_since_ms is not None
            assert self.hosted.now_ms - before.turn_since_ms >= before.settings.stand_in_s * 1000

    @in_a_game
    @rule(who=someone, wait_s=st.sampled_from((0, 10)))
    def nudge(self, who: str, wait_s: int) -> None:
        self.hosted.now_ms += wait_s * 1000
        seat, last_ms = self.hosted.to_move or 0, self.room.nudged_ms
        if isinstance(self.ask(who, cmd.Nudge, seat=seat), tuple):
            assert last_ms is None or self.hosted.now_ms - last_ms >= 10_000

    @in_a_game
    @rule(who=someone)
    def abort(self, who: str) -> None:
        others = self.room.others_in_game(self.name(who))
        answer = self.ask(who, cmd.Abort)
        if isinstance(answer, tuple):
            assert (self.room.running is None) == (not others)

    @in_a_game
    @rule(who=someone, is_host=st.booleans())
    def pause(self, who: str, is_host: bool) -> None:
        before, name = self.room, self.name(HOST if is_host else who)
        answer = self.ask_as(name, cmd.Pause)
        if isinstance(answer, tuple):
            assert before.pause is None
            is_asked = name != before.host and before.others_in_game(name)
            assert (self.room.pause is None) == bool(is_asked)

    @in_a_pause
    @rule(who=someone, length_ms=st.integers(0, 30_000))
    def unpause(self, who: str, length_ms: int) -> None:
        """Go on, with what was left of each time."""
        left_ms, name = self.left_ms(), self.name(who)
        self.hosted.now_ms += length_ms
        may = name in self.room.unpausers() and self.room.is_connected(name)
        answer = self.ask_as(name, cmd.Unpause)
        assert isinstance(answer, tuple) == may
        assert self.left_ms() == left_ms

    def left_ms(self) -> list[int]:
        """Return what is left of each clock and grace time."""
        graces = (member.grace_until_ms for member in self.room.members.values())
        times = (self.room.deadline_ms, *graces)
        return [time_ms - self.time_ms for time_ms in times if time_ms is not None]

    @in_a_pause
    @rule(who=someone, choice=choices)
    def nobody_moves_in_a_pause(self, who: str, choice: int) -> None:
        state, before = self.room.running, self.room
        assert state is not None
        assert state.to_move is not None
        moves = state.legal_moves()
        move = state.game.format_move(moves[choice % len(moves)])
        for by in ev.MoveSource:
            answer = self.give(cmd.PlayFor(state.to_move, move, before.ply, by))
            assert isinstance(answer, CommandRefused)
            assert answer.code == "paused"
        self.ask(who, cmd.Play, seat=state.to_move, move=move, ply=before.ply)
        assert self.room is before

    @in_a_game
    @rule(who=someone, agree=st.booleans(), behind=st.sampled_from((0, 0, 0, 1)))
    def answer(self, who: str, agree: bool, behind: int) -> None:
        asked = self.room.request
        since = getattr(asked, "since", 1) - behind
        answer = self.ask(who, cmd.Answer, since=max(1, since), agree=agree)
        if behind or isinstance(asked, UndoRequest | None):
            assert isinstance(answer, CommandRefused)

    @in_a_game
    @rule(who=someone, kind=st.sampled_from((cmd.Abort, cmd.Pause, cmd.StandIn)))
    def all_agree(self, who: str, kind: type[cmd.Abort | cmd.Pause | cmd.StandIn]) -> None:
        """Have a request granted with the consent of those who are asked."""
        if kind is cmd.StandIn:
            self.stand_in(who, 5, None, None)
        else:
            self.ask(who, kind)
        asked = self.room.request
        if not isinstance(asked, AbortRequest | PauseRequest | StandInRequest):
            return
        for name in set(self.room.deciding) - {*asked.agreed}:
            if self.room.request is None:  # the host has agreed to a pause, which is enough
                break
            answer = self.ask_as(name, cmd.Answer, since=asked.since, agree=True)
            assert isinstance(answer, tuple)
        assert self.room.request is None
        if isinstance(asked, StandInRequest):
            assert self.room.seats[asked.seat].bot == asked.bot
            assert self.room.unrated
        elif isinstance(asked, PauseRequest):
            assert self.room.pause is not None
        else:
            assert self.room.phase is Phase.WAITING

    @in_a_game
    @rule(seat=seat_numbers, move=st.sampled_from(("h0", "4")), by=st.sampled_from(ev.MoveSource))
    def bot_plays_something(self, seat: int, move: str, by: ev.MoveSource) -> None:
        ply = self.room.ply
        self.give(cmd.PlayFor(seat, move, ply, by))

    @in_a_game
    @rule(who=someone, choice=choices)
    def resign(self, who: str, choice: int) -> None:
        seats = self.room.seats_of(self.name(who)) or (0,)
        self.ask(who, cmd.Resign, seat=seats[choice % len(seats)])

    @after_a_game
    @rule(who=someone)
    def rematch(self, who: str) -> None:
        self.ask(who, cmd.Rematch)

    @between_games
    @rule()
    def everybody_wants_a_game(self) -> None:
        for name in list(self.room.members):
            self.ask(name, cmd.Rematch)

    # Chat

    @somebody_is_here
    @rule(who=someone, to=st.sampled_from(ChatTo), action=st.booleans())
    def say(self, who: str, to: ChatTo, action: bool) -> None:
        is_secret = to is ChatTo.SPECTATORS and self.room.phase is Phase.PLAYING
        text = self.secret if is_secret else "hello"
        answer = self.ask(who, cmd.Say, text=text, to=to, action=action)
        self.check_mute(self.name(who), answer)

    def check_mute(self, member: str, answer: Answer) -> None:
        """Check that something said was refused, and why, if `member` is muted."""
        is_muted = member in self.room.muted and self.room.is_connected(member)
        assert (isinstance(answer, CommandRefused) and answer.code == "muted") == is_muted

    @somebody_is_here
    @rule(who=someone, to=someone)
    def tell(self, who: str, to: str) -> None:
        """Write a private message, which names the persons who may read it."""
        sender, receiver = self.name(who), self.name(to)
        text = f"{self.person(sender)} {self.person(receiver)}"
        answer = self.ask_as(sender, cmd.Tell, to=receiver.upper(), text=text)
        are_here = self.room.is_connected(sender) and self.room.is_connected(receiver)
        is_muted = sender in self.room.muted
        assert isinstance(answer, tuple) == (are_here and sender != receiver and not is_muted)

    @somebody_is_here
    @rule(who=someone, reaction=st.sampled_from(Reaction))
    def react(self, who: str, reaction: Reaction) -> None:
        before = self.room
        self.check_mute(self.name(who), self.ask(who, cmd.React, reaction=reaction))
        assert self.room.chat == before.chat

    @somebody_is_here
    @rule(who=someone, text=st.sampled_from(("", "tea", None)))
    def go_away(self, who: str, text: str | None) -> None:
        """Go away for a moment, or come back; every other accepted command ends it."""
        before = self.room
        answer = self.ask(who, cmd.GoAway, text=text)
        if isinstance(answer, tuple):
            assert self.room.members[self.name(who)].away == text
            assert (self.room.request, self.room.voters()) == (before.request, before.voters())

    @rule(who=st.sampled_from((LAST, HOST, AWAY)), drops=st.booleans())
    def a_name_gets_another_owner(self, who: str, drops: bool) -> None:
        """The next owner comes before or after the room knows that the last one is gone."""
        name = self.name(who)
        if drops and self.room.is_connected(name):
            self.give(cmd.Drop((name,)))
        self.owners[name] += 1
        self.persons.pop(name, None)
        self.mirrors.pop(name, None)
        self.enter_as(name)

    def enter_as(self, name: str) -> None:
        if not isinstance(self.give(cmd.Enter(name, person=self.person(name))), CommandRefused):
            self.connected(name)

    # Time

    @rule(ms=st.integers(1, 20_000))
    def time_passes(self, ms: int) -> None:
        self.hosted.now_ms += ms

    def fire(self, timer: Timer, choice: int) -> Answer:
        match timer.due:
            case cmd.EndGrace():
                return self.give(timer.due)
            case ClockDue(seat, ply):
                moves = self.room.state.legal_moves() if self.room.state is not None else ()
                move = (
                    self.room.settings.make_game().format_move(moves[choice % len(moves)])
                    if moves
                    else "h0"
                )
                return self.give(cmd.PlayFor(seat, move, ply, ev.MoveSource.CLOCK))

    @precondition(lambda self: next_timer(self.room) is not None)
    @rule(late_ms=st.integers(0, 5_000), choice=choices)
    def a_timer_fires_twice(self, late_ms: int, choice: int) -> None:
        timer = next_timer(self.room)
        assert timer is not None
        if self.hosted.now_ms < timer.at_ms:
            assert isinstance(self.fire(timer, choice), CommandRefused), "it was too early"
        self.hosted.now_ms = max(self.hosted.now_ms, timer.at_ms) + late_ms
        assert isinstance(self.fire(timer, choice), tuple), "it was due"
        assert isinstance(self.fire(timer, choice), CommandRefused), "it happened before"

    @precondition(lambda self: self.timers)
    @rule(index=choices, choice=choices)
    def an_old_timer_fires(self, index: int, choice: int) -> None:
        timer = self.timers[index % len(self.timers)]
        is_due = any(
            other.due == timer.due and other.at_ms <= self.hosted.now_ms
            for other in timers_of(self.room)
        )
        assert isinstance(self.fire(timer, choice), tuple) == is_due

    # Repeats

    @precondition(lambda self: self.accepted)
    @rule(index=choices)
    def repeat(self, index: int) -> None:
        command, seq = self.accepted[index % len(self.accepted)]
        before = self.room
        answer = self.give(command)
        assert self.room is before
        if isinstance(answer, CommandRefused):
            ids = [id for id, _ in self.hosted.accepted.stored()[command.member]]
            assert answer.code == "too_old"
            assert len(ids) >= COMMANDS_REMEMBERED
            assert command.command.id < min(ids)
        else:
            assert answer == seq

    # Invariants

    @invariant()
    def invariants_hold(self) -> None:
        host_may_come_back(self.room)
        absent_members_hold_a_seat_or_have_grace(self.room)
        seats_are_those_of_the_game(self.room)
        phase_is_that_of_the_state(self.room)
        clock_runs_when_a_person_who_may_come_back_is_to_move(self.room)
        memory_is_bounded_and_in_order(self.room)
        state_is_that_of_the_moves(self.room)
        people_who_are_here_decide_on_a_request(self.room)
        a_pause_is_one_of_a_running_game(self.room)
        number = self.room.game_number, self.room.ply
        if self.room.state is not None:
            history = self.positions.setdefault(number, self.room.history)
            assert history == self.room.history, "one ply names two positions"
        commands = self.hosted.accepted.stored()
        assert all(len(known) < 2 * COMMANDS_REMEMBERED for known in commands.values())
        room, accepted = from_checkpoint(decoded_checkpoint(self.room, self.hosted.accepted))
        assert (room, accepted.stored()) == (self.room, commands), "a checkpoint lacks something"


def decoded_checkpoint(room: Room, accepted: AcceptedCommands) -> Checkpoint:
    """Return the checkpoint of a room, encoded and decoded."""
    return msgspec.json.decode(msgspec.json.encode(checkpoint(room, accepted)), type=Checkpoint)


def host_may_come_back(room: Room) -> None:
    if room.host is None:
        assert not any(member.connected for member in room.members.values())
    else:
        assert room.host in room.members
        assert not room.is_gone(room.host)


def absent_members_hold_a_seat_or_have_grace(room: Room) -> None:
    for name, member in room.members.items():
        assert member.name == name
        assert not (member.connected and member.grace_until_ms is not None)
        assert not room.is_gone(name) or room.is_player(name)


def seats_are_those_of_the_game(room: Room) -> None:
    assert len(room.seats) == room.settings.seats == room.settings.make_game().seats
    assert len({holder.glyph for holder in room.seats}) == len(room.seats)
    taken = [holder.name for holder in room.seats if not holder.is_empty]
    assert None not in taken
    assert len(set(taken)) == len(taken)


def phase_is_that_of_the_state(room: Room) -> None:
    state = room.state
    assert (room.phase is Phase.WAITING) == (state is None)
    if state is None:
        assert not room.players
        assert not room.tokens
        return
    assert (room.phase is Phase.OVER) == state.is_over
    assert len(room.players) == len(room.seats)
    assert len(room.tokens) == state.ply
    if state.to_move is not None:
        assert not room.seats[state.to_move].is_empty


def clock_runs_when_a_person_who_may_come_back_is_to_move(room: Room) -> None:
    holder = None
    if room.phase is Phase.PLAYING and room.state is not None:
        assert room.state.to_move is not None
        holder = room.seats[room.state.to_move]
    runs = (
        room.settings.clock_s is not None
        and holder is not None
        and holder.bot is None
        and holder.member is not None
        and not room.is_gone(holder.member)
    )
    assert (room.deadline_ms is not None) == runs


def memory_is_bounded_and_in_order(room: Room) -> None:
    assert len(room.chat) <= CHAT_TAIL
    assert [line.seq for line in room.chat] == sorted({line.seq for line in room.chat})
    assert not room.unrevealed or room.phase is Phase.PLAYING
    votes_are_of_the_phase(room)
    assert room.rematch <= set(room.members)
    assert not room.barred & set(room.members)


def votes_are_of_the_phase(room: Room) -> None:
    """In a game only spectators vote, for a seat in the next; a room that waits seats them."""
    if room.phase is Phase.PLAYING:
        assert not any(room.is_player(name) for name in room.rematch)
    if room.phase is Phase.WAITING:
        assert not room.joining_next() or not room.free_seats


def state_is_that_of_the_moves(room: Room) -> None:
    if room.state is not None:
        assert room.state == position_after(room, len(room.tokens))
        assert room.ply - len(room.tokens) == room.ply_offset >= 0
        assert room.undos <= room.settings.takebacks
        assert room.tokens[: room.opening] == room.settings.opening
    else:
        assert (room.request, room.undos, room.ply) == (None, 0, 0)
    assert (room.turn_since_ms is not None) == (room.running is not None)


def people_who_are_here_decide_on_a_request(room: Room) -> None:
    asked = room.request
    if asked is None:
        return
    assert room.phase is Phase.PLAYING
    assert room.is_connected(asked.member)
    if isinstance(asked, UndoRequest):
        assert asked.keeps < len(room.tokens)
    deciding = room.deciding
    assert set(asked.agreed) < set(deciding)
    assert all(map(room.is_connected, deciding))


def a_pause_is_one_of_a_running_game(room: Room) -> None:
    if room.pause is not None:
        assert room.phase is Phase.PLAYING
        assert next_timer(room) is None
        assert room.bot_to_move() is None
        assert isinstance(room.request, AbortRequest | None)


def timers_of(room: Room) -> list[Timer]:
    """Return all timers of `room`; each is the next one after the earlier ones are removed."""
    timers = []
    while (timer := next_timer(room)) is not None:
        timers.append(timer)
        match timer.due:
            case ClockDue():
                room = msgspec.structs.replace(room, deadline_ms=None)
            case cmd.EndGrace(member):
                members = {name: m for name, m in room.members.items() if name != member}
                room = msgspec.structs.replace(room, members=members)
    return timers


def check_effects(room: Room, entry: ev.Entry) -> None:
    """Check that the effects in the events of `entry` agree with the rules of the game."""
    for event in entry.events:
        state = room.state
        match event:
            case ev.Played():
                assert state is not None
                assert event.seat == state.to_move
                assert (event.by is ev.OPENING) == room.is_in_opening
                after: State = state.play(state.game.parse_move(event.move))
                assert (event.taken, event.scores) == (after.taken, after.scores)
                assert event.to_move == after.to_move
            case ev.Withdrew():
                assert state is not None
                after = state.withdraw(Seat(event.seat))
                assert (event.to_move, event.scores) == (after.to_move, after.scores)
            case ev.Undone():
                assert state is not None
                after = position_after(room, event.keeps)
                assert (event.to_move, event.scores) == (after.to_move, after.scores)
                assert event.ply > room.ply
            case ev.Ended():
                assert state is not None
                assert state.outcome == Outcome(event.scores, tuple(map(Seat, event.winners)))
            case _:
                pass
        room = evolve(room, event, entry.at_ms)


TestAnyHistory = AnyHistory.TestCase
TestAnyHistory.settings = settings(max_examples=100, stateful_step_count=50)


@pytest.mark.long
def test_any_long_history() -> None:
    many = settings(
        max_examples=2_000,
        stateful_step_count=100,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(AnyHistory, settings=many)
