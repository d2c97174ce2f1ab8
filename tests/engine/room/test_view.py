"""Snapshots of a room, and the rooms made from them."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import each
from tests.engine.room.hosting import LIMITS, HostedRoom, Mirror, playing, with_policy

from boxroom_engine.games.errors import GameError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.evolve import evolve_entry
from boxroom_engine.room.room import (
    Audience,
    ChatTo,
    OnDrop,
    Phase,
    RequestedSettings,
    Room,
    Settings,
)
from boxroom_engine.room.view import Snapshot, room_from_snapshot, snapshot


def test_a_snapshot_of_a_game_is_its_moves() -> None:
    room = playing(with_policy(OnDrop.BOT, seats=3))
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Resign, seat=0)
    seen = snapshot(room.room, Audience.PLAYER)
    assert seen.phase is Phase.PLAYING
    assert seen.players == ("Ada", "Bob", "greedy")
    assert len(seen.tokens) == 2
    assert seen.tokens[0] == "h0"
    assert room_from_snapshot(seen).state == room.room.state


def test_it_says_whose_turn_it_is_to_those_who_do_not_know_the_rules() -> None:
    assert snapshot(HostedRoom().room, Audience.PLAYER).to_move is None
    room = playing()
    assert snapshot(room.room, Audience.PLAYER).to_move == 0
    room.plays("Ada", "h0")
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.to_move, seen.scores) == (1, (0, 0))
    room.ask("Bob", cmd.Resign, seat=1)
    assert snapshot(room.room, Audience.PLAYER).to_move is None


def test_it_says_who_moved_and_took_what_to_them_as_well() -> None:
    room = playing(Settings(options={"rows": 1, "cols": 2}, takebacks=3))
    room.plays(
        "Ada",
        "h0",
    )
    room.plays("Bob", "h2")
    room.plays("Ada", "v0")
    room.plays("Bob", "v1", "h1")
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.tokens, seen.movers) == (("h0", "h2", "v0", "v1", "h1"), (0, 1, 0, 1, 1))
    assert seen.taken == ((3, 0),)
    room.ask("Bob", cmd.Undo, ply=5)
    room.ask("Ada", cmd.AnswerUndo, ply=5, agree=True)
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.movers, seen.taken, seen.winners) == ((0, 1, 0, 1), ((3, 0),), ())
    room.ask("Bob", cmd.Undo, ply=room.ply)
    room.ask("Ada", cmd.AnswerUndo, ply=room.ply, agree=True)
    assert snapshot(room.room, Audience.PLAYER).taken == ()
    room.plays("Bob", "h1")
    room.plays("Ada", "h3")
    room.plays("Bob", "v2")
    room.plays("Ada", "v1")
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.movers, seen.taken) == ((0, 1, 0, 1, 0, 1, 0), ((6, 0, 1),))
    assert seen.winners == (0,)
    room.ask("Ada", cmd.Rematch)
    room.ask("Bob", cmd.Rematch)
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.movers, seen.taken, seen.winners) == ((), (), ())


@given(st.sampled_from(["english", "international"]), st.randoms(use_true_random=False))
def test_it_lists_each_legal_move_of_a_game_with_pieces_and_no_other(
    rules: str, rng: random.Random
) -> None:
    settings = Settings("draughts", {"rules": rules, "size": "6"}, takebacks=1000)
    room = playing(settings, limits=msgspec.structs.replace(LIMITS, longest_game=2_000))
    mirror = Mirror(snapshot(room.room, Audience.PLAYER))
    for ply in range(40):
        state = room.room.state
        assert state is not None
        if state.to_move is None:
            break
        listed = snapshot(room.room, Audience.PLAYER).legal_moves
        assert sorted(map(state.game.parse_move, listed)) == [*state.legal_moves()]
        room.plays(("Ada", "Bob")[state.to_move], rng.choice(listed))
        if ply == 5:
            room.ask("Ada", cmd.Undo, ply=room.ply)
            room.ask("Bob", cmd.AnswerUndo, ply=room.ply, agree=True)
        for entry in room.log[-3 if ply == 5 else -1 :]:
            mirror.follow(entry, Audience.PLAYER)
        assert mirror.equals(room.room, Audience.PLAYER)


def test_the_mover_of_a_withdrawal_is_the_seat_that_withdrew() -> None:
    room = playing(with_policy(OnDrop.BOT, seats=3))
    room.ask("Bob", cmd.Resign, seat=1)
    room.plays("Ada", "h0")
    seen = snapshot(room.room, Audience.PLAYER)
    assert (seen.tokens, seen.movers, seen.to_move) == (("~1", "h0"), (1, 0), 2)


def test_there_are_no_winners_of_a_draw_nor_of_settings_without_a_game() -> None:
    room = playing(Settings("noughts"))
    for mover, move in zip("ABABABABA", "012435768", strict=True):
        room.plays({"A": "Ada", "B": "Bob"}[mover], move)
    assert room.room.phase is Phase.OVER
    assert snapshot(room.room, Audience.PLAYER).winners == ()
    room.ask("Ada", cmd.Configure, settings=RequestedSettings("noughts", takebacks=0))
    assert snapshot(room.room, Audience.PLAYER).movers == ()


def test_a_snapshot_of_an_older_server_needs_none_of_that() -> None:
    room = playing(Settings(options={"rows": 1, "cols": 2}))
    room.plays("Ada", "h0")
    room.ask("Bob", cmd.Resign, seat=1)
    seen = snapshot(room.room, Audience.PLAYER)
    older = msgspec.structs.replace(seen, winners=(), movers=(), taken=())
    assert room_from_snapshot(older) == room_from_snapshot(seen)
    assert snapshot(room_from_snapshot(older), Audience.PLAYER) == seen


def test_before_the_first_game_there_is_none() -> None:
    assert room_from_snapshot(snapshot(HostedRoom().room, Audience.PLAYER)).state is None


def test_a_finished_game_is_there_to_look_at() -> None:
    room = playing()
    room.ask("Ada", cmd.Resign, seat=0)
    restored = room_from_snapshot(snapshot(room.room, Audience.PLAYER))
    assert restored.phase is Phase.OVER
    assert restored.state is not None
    assert restored.state.is_over


def test_players_are_not_shown_what_spectators_say() -> None:
    room = playing(spectators=["Cleo"])
    room.ask("Cleo", cmd.Say, text="psst", to=ChatTo.SPECTATORS)
    assert snapshot(room.room, Audience.PLAYER).unrevealed == ()
    assert snapshot(room.room, Audience.SPECTATOR).unrevealed[0].text == "psst"


def an_eventful_game() -> HostedRoom:
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
    room.plays("Ada", "h0")
    room.ask("Cleo", cmd.Say, text="psst", to=ChatTo.SPECTATORS)
    room.ask("Ada", cmd.Say, text="well played")
    room.misses_the_clock("h1")
    room.bot_plays("h2")
    room.drop("Bob")
    room.waits_out_the_grace()
    room.plays("Ada", "h3")
    room.bot_plays("v0")
    room.enter("Bob")
    room.ask("Bob", cmd.Resign, seat=1)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Ada", cmd.Unseat, seat=2)
    room.ask("Cleo", cmd.Sit)
    for name in ("Ada", "Bob", "Cleo"):
        room.ask(name, cmd.Rematch)
    return room


@each("audience", Audience)
def test_a_mirror_from_any_moment_on_is_the_room(audience: Audience) -> None:
    room = an_eventful_game()
    past = Room("attic")
    for number, entry in enumerate(room.log):
        past = evolve_entry(past, entry)
        sent = msgspec.json.encode(snapshot(past, audience))
        mirror = Mirror(msgspec.json.decode(sent, type=Snapshot))
        for later in room.log[number + 1 :]:
            mirror.follow(later, audience)
        assert mirror.equals(room.room, audience)


def test_who_was_a_spectator_and_sits_down_knows_what_a_player_knows() -> None:
    room = playing(spectators=["Cleo"])
    mirror = Mirror(snapshot(room.room, Audience.SPECTATOR))
    room.ask("Cleo", cmd.Say, text="psst", to=ChatTo.SPECTATORS)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Ada", cmd.Leave)
    room.ask("Cleo", cmd.Sit)
    for entry in room.log:
        if entry.seq > mirror.room.seq:
            sits = entry.seq == room.room.seq
            mirror.follow(entry, Audience.PLAYER if sits else Audience.SPECTATOR)
    assert mirror.equals(room.room, Audience.PLAYER)


def test_a_game_that_is_not_known_here_cannot_be_restored() -> None:
    seen = snapshot(playing().room, Audience.PLAYER)
    for other in (
        msgspec.structs.replace(seen, settings=Settings(game="chess")),
        msgspec.structs.replace(seen, tokens=("h99",)),
    ):
        with pytest.raises(GameError):
            room_from_snapshot(other)
