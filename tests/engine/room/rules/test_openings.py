"""Openings: games that begin with moves that were played before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, with_policy

from boxroom_engine.games.registry import KINDS, make_game
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.decide import decide
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import OnDrop, Phase, RequestedSettings, Room, Settings
from boxroom_engine.room.rules.playing import MOST_OPENING_MOVES
from boxroom_engine.wire.parts import NAMES, OPENINGS, known_events, parts_of

TWO_BOXES: dict[str, int | str] = {"rows": 1, "cols": 2}
TAKEN = ("h0", "h2", "v0", "v1")
"""Moves of which the last takes a box: Bob takes it, and moves again."""


def opened(opening: tuple[str, ...] = TAKEN, **settings: object) -> HostedRoom:
    """Return a room of Ada, the host, and Bob, in a game that begins with `opening`."""
    made = Settings(options=TWO_BOXES, opening=opening, **settings)  # type: ignore[arg-type]
    room = HostedRoom(made, others=["Bob"])
    room.ask("Ada", cmd.Start)
    return room


class TestStart:
    def test_the_moves_are_events_of_the_start(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES, opening=("h0", "v1")), others=["Bob"])
        assert room.ask("Ada", cmd.Start) == (
            ev.Started(1, ("Ada", "Bob")),
            ev.Played(0, "h0", (), 1, (0, 0), ev.OPENING),
            ev.Played(1, "v1", (), 0, (0, 0), ev.OPENING),
        )
        assert not room.room.is_in_opening

    def test_the_room_knows_at_each_move_how_many_were_played_before(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES, opening=("h0", "v1")), others=["Bob"])
        assert (room.room.opening, room.room.record) == (0, None)
        at, counted = room.room, []
        for event in room.ask("Ada", cmd.Start):
            at = evolve(at, event, 0)
            counted.append((at.opening, at.is_in_opening))
        assert counted == [(0, True), (1, True), (2, False)]
        room.plays("Ada", "h1")
        assert str(room.room.record).endswith("| Ada, Bob | h0 v1 / h1")
        room.ask("Bob", cmd.Resign, seat=1)
        room.ask("Ada", cmd.Configure, settings=RequestedSettings(options=TWO_BOXES))
        assert (room.room.opening, room.room.record) == (0, None)

    def test_a_box_taken_in_it_counts(self) -> None:
        room = opened().room
        assert room.state is not None
        assert (room.state.scores, room.state.to_move, room.ply) == ((0, 1), 1, 4)
        assert room.taken == ((3, 0),)

    def test_nobodys_time_runs_in_it(self) -> None:
        room = HostedRoom(with_policy(OnDrop.BOT, clock_s=60), others=["Bob"])
        settings = Settings(options=TWO_BOXES, clock_s=60, opening=("h0", "v1", "h1"))
        room.ask("Ada", cmd.Configure, settings=settings)
        *before, last = room.ask("Ada", cmd.Start)
        assert [
            each.deadline_ms for each in before if isinstance(each, ev.Started | ev.Played)
        ] == ([None] * 3)
        assert isinstance(last, ev.Played)
        assert last.deadline_ms == room.now_ms + 60_000

    def test_a_rematch_repeats_it_with_the_seats_changed(self) -> None:
        room = opened()
        for seat, move in ((1, "v2"), (0, "h1"), (1, "h3")):
            member = "Ada" if room.room.seats[seat].member == "Ada" else "Bob"
            room.ask(member, cmd.Play, seat=seat, move=move, ply=room.room.ply)
        assert room.room.phase is Phase.OVER
        room.ask("Ada", cmd.Rematch)
        room.ask("Bob", cmd.Rematch)
        assert room.room.players == ("Bob", "Ada")
        assert room.room.tokens == TAKEN

    def test_a_bot_moves_first_where_its_seat_is_to_move(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES, opening=("h0",)))
        room.ask("Ada", cmd.Fill, bot="greedy")
        room.ask("Ada", cmd.Start)
        assert room.room.bot_to_move() == (1, "greedy")

    @each("kind", KINDS)
    def test_every_game_can(self, kind: str) -> None:
        game = make_game(kind, {}, 2)
        state, opening = game.initial(), []
        for _ in range(2):
            move = state.legal_moves()[0]
            opening.append(game.format_move(move))
            state = state.play(move)
        settings = Settings(kind, dict(game.options), game.seats, opening=tuple(opening))
        room = HostedRoom(settings, others=["Bob"], limits=replace(LIMITS, longest_game=2000))
        room.ask("Ada", cmd.Start)
        assert room.room.state == state


class TestRefused:
    @each(
        "opening, code",
        (
            (("h9",), "bad_option"),
            (("h0", "h0"), "bad_option"),
            (("~0",), "bad_option"),
            (("H0",), "bad_option"),
            (("h0", "h1", "h2", "h3", "v0", "v1", "v2"), "bad_option"),
            (("h0",) * (MOST_OPENING_MOVES + 1), "too_large"),
        ),
    )
    def test_an_opening_with_which_no_game_begins(
        self, opening: tuple[str, ...], code: str
    ) -> None:
        settings = Settings(options=TWO_BOXES, opening=opening)
        assert HostedRoom().refused("Ada", cmd.Configure, settings=settings) == code
        with pytest.raises(CommandRefused) as refused:
            decide(Room("attic"), cmd.Create("4711", "Ada", settings), 0, LIMITS)
        assert refused.value.code == code

    def test_with_seats_that_grow(self) -> None:
        settings = Settings(options=TWO_BOXES, opening=("h0",), seat_range=(2, 4))
        assert HostedRoom().refused("Ada", cmd.Configure, settings=settings) == "bad_option"


class TestTakebacks:
    def test_they_end_at_the_opening(self) -> None:
        room = opened()
        assert room.refused("Ada", cmd.Undo, ply=4) == "nothing_to_undo"
        assert room.refused("Bob", cmd.Undo, ply=4) == "nothing_to_undo"

    def test_the_first_own_move_can_be_taken_back(self) -> None:
        room = opened()
        room.ask("Bob", cmd.Play, seat=1, move="v2", ply=4)
        assert room.ask("Bob", cmd.Undo, ply=5) == (ev.UndoAsked("Bob", 4),)
        room.ask("Ada", cmd.AnswerUndo, ply=5, agree=True)
        assert room.room.tokens == TAKEN
        assert room.room.state is not None
        assert room.room.state.to_move == 1

    @given(st.lists(st.integers(0, 6), max_size=7))
    def test_no_takeback_leads_into_it(self, choices: list[int]) -> None:
        room = opened(("h0", "v1"), takebacks=50)
        for choice in choices:
            state = room.room.running
            if state is None:
                break
            moves = state.legal_moves()
            member = ("Ada", "Bob")[state.to_move or 0]
            text = state.game.format_move(moves[choice % len(moves)])
            room.ask(member, cmd.Play, seat=state.to_move, move=text, ply=room.room.ply)
        while (state := room.room.running) is not None:
            answer = room.answer(room.asked("Ada", cmd.Undo, ply=room.room.ply))
            if not isinstance(answer, tuple):
                break
            room.ask("Bob", cmd.AnswerUndo, ply=room.room.ply, agree=True)
        assert room.room.tokens[:2] == ("h0", "v1")


class TestParts:
    def test_clients_that_dont_know_it_get_the_whole_room(self) -> None:
        room = HostedRoom(Settings(options=TWO_BOXES, opening=("h0",)), others=["Bob"])
        events = room.ask("Ada", cmd.Start)
        assert parts_of(events) == {OPENINGS}
        assert known_events(events, frozenset(NAMES)) == events
        assert known_events(events, frozenset(NAMES) - {OPENINGS}) is None

    def test_other_moves_are_known_to_all(self) -> None:
        room = opened()
        events = room.ask("Bob", cmd.Play, seat=1, move="v2", ply=4)
        assert parts_of(events) == frozenset()
        assert known_events(events, frozenset()) == events
