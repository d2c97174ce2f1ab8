"""Members of a room over real connections: answers, resuming, dropping out, and the host."""

import asyncio
import random
from typing import Any

import pytest
from tests.cases import each
from tests.server.hosting import FailingLog, GateLog, Outage, SlowLog, activity
from tests.server.manual_clock import NOON_MS
from tests.server.talk import ONE_BOX, Lobby, Talk, lobby, until, until_waiting

from boxroom_engine.room.room import Audience
from boxroom_engine.room.view import snapshot
from boxroom_server.rooms.activities.bot_turns import BotTurns
from boxroom_server.rooms.host import RETRY_S
from boxroom_server.storage.memory.storage import memory_storage

ONE_LOOP = True


# Answers


async def test_the_answer_comes_behind_the_events_that_the_command_led_to() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        seq = await ada.do("play", seat=0, move="h0", ply=0)
        events, done = ada.heard[-2:]
        assert events["type"] == "events"
        assert events["seq"] + len(events["events"]) - 1 == done["seq"] == seq
        played = await bob.event("played")
        assert played == {
            "type": "played",
            "seat": 0,
            "move": "h0",
            "taken": [],
            "to_move": 1,
            "scores": [0, 0],
        }


async def test_a_move_costs_its_members_one_small_message() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(options={"rows": 20, "cols": 20})
        await ada.do("play", seat=0, move="h0", ply=0)
        await bob.event("played")
        (message,) = [it for it in bob.heard if "played" in str(it)]
        assert len(str(message)) < 300


async def test_what_is_refused_changes_nothing_for_anybody() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        before = place.room()
        assert await ada.refusal("play", seat=0, move="h9", ply=0) == "out_of_range"
        assert await ada.refusal("play", seat=0, move="xyz", ply=0) == "malformed_move"
        assert await ada.refusal("play", seat=0, move="h0", ply=1) == "stale"
        assert await ada.refusal("play", seat=1, move="h0", ply=0) == "not_your_seat"
        assert await bob.refusal("play", seat=1, move="h0", ply=0) == "not_your_turn"
        assert await bob.refusal("kick", member="Ada") == "not_host"
        assert await ada.refusal("kick", member="\x00\u202e") == "no_such_member"
        assert await ada.refusal("start") == "game_on"
        assert place.room() == before


# The same command again


async def test_a_command_that_is_sent_again_is_done_once() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        first = await ada.do("say", id=100, text="once")
        again = await ada.do("say", id=100, text="once")
        assert first == again == place.room().seq
        ada.cut()
        await bob.event("dropped")
        back = await place.join("Ada")
        assert back.last_id == 100
        assert await back.do("say", id=100, text="once") == first
        assert [line.text for line in place.room().chat] == ["once"]


async def test_leaving_is_answered_again_too() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        seq = await bob.do("leave", id=7)
        assert await bob.do("leave", id=7) == seq
        assert await bob.refusal("leave", id=8) == "not_in_a_room"
        assert (await ada.event("left"))["member"] == "Bob"
        await bob.do("join_room", id=9, room="attic")
        assert await bob.refusal("start", id=10) == "not_host"


# Coming back


async def test_who_comes_back_hears_what_was_missed_and_nothing_twice() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        seen = bob.seen
        bob.cut()
        await ada.event("dropped", member="Bob")
        await ada.do("play", seat=0, move="h0", ply=0)
        await ada.do("say", text="where are you?")
        back = await place.call("Bob")
        back.room = seen
        await back.do("join_room", room="attic", after=seen.seq, log=seen.log)
        resumed = back.heard[1]
        assert resumed == {
            "type": "resumed",
            "you": "Bob",
            "room": "attic",
            "after": seen.seq,
            "last_id": 0,
            "audience": "player",
        }
        kinds = [event["type"] for it in back.heard[2:-1] for event in it["events"]]
        assert kinds == ["dropped", "played", "said", "returned"]
        assert back.heard[-1]["type"] == "done"
        assert snapshot(back.room, Audience.PLAYER) == snapshot(place.room(), Audience.PLAYER)


async def test_a_spectator_who_comes_back_finds_its_own_left_among_what_it_missed() -> None:
    async with lobby() as place:
        ada, _ = await place.game_of_two()
        cleo = await place.join("Cleo", watch=True)
        seen = cleo.seen
        cleo.cut()
        await ada.event("left", member="Cleo")
        back = await place.call("Cleo")
        back.room = seen
        await back.do("join_room", room="attic", watch=True, after=seen.seq, log=seen.log)
        assert (back.heard[1]["type"], back.heard[1]["audience"]) == ("resumed", "spectator")
        events = [event for it in back.heard[2:-1] for event in it["events"]]
        assert [(it["type"], it["member"]) for it in events] == [
            ("left", "Cleo"),
            ("joined", "Cleo"),
        ]


async def test_a_leave_that_is_repeated_by_coming_back_is_not_done_again() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        seq = await bob.do("leave", id=7)
        bob.cut()
        back = await place.join("Bob")
        assert await back.do("leave", id=7) == seq
        assert place.room().is_player("Bob")
        await back.do("leave", id=8)
        await ada.event("left", member="Bob")
        assert not place.room().is_player("Bob")


async def test_who_repeats_a_stand_gets_a_seat_again_unless_it_comes_back_to_watch() -> None:
    for watch in (True, False):
        async with lobby() as place:
            await place.create("Ada")
            bob = await place.join("Bob")
            seq = await bob.do("stand", id=7)
            bob.cut()
            back = await place.join("Bob", watch=watch)
            assert await back.do("stand", id=7) == seq
            assert place.room().is_player("Bob") is not watch


async def test_the_servers_time_is_said_at_every_entrance() -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        assert [it["now_ms"] for it in ada.heard[:2]] == [NOON_MS, NOON_MS]
        place.clock.advance(1.5)
        bob = await place.join("Bob")
        assert [it["now_ms"] for it in bob.heard[:2]] == [NOON_MS + 1500, NOON_MS + 1500]


@each("lag", range(6))
async def test_any_number_will_do_also_one_amid_events_that_came_together(lag: int) -> None:
    async with lobby() as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "seats": 5})
        seq = await ada.do("fill", bot="random")  # four events at once
        back = await place.call("Ada")
        await back.do("join_room", room="attic", after=seq - lag, log=ada.seen.log)
        assert back.heard[1]["type"] == "resumed"
        numbers = [
            number
            for it in back.heard
            if it["type"] == "events"
            for number in range(it["seq"], it["seq"] + len(it["events"]))
        ]
        assert numbers == list(range(seq - lag + 1, seq + 1))


@each(
    "fields",
    [{}, {"after": 2}, {"log": "its"}, {"after": 2, "log": "another"}, {"after": 99, "log": "its"}],
)
async def test_who_cannot_resume_gets_the_whole_room(fields: dict[str, Any]) -> None:
    async with lobby() as place:
        ada = await place.create("Ada")
        if fields.get("log") == "its":
            fields = fields | {"log": ada.seen.log}
        back = await place.join("Ada", **fields)
        assert back.heard[1]["type"] == "in_room"
        assert snapshot(back.seen, Audience.PLAYER) == snapshot(place.room(), Audience.PLAYER)


async def test_who_missed_too_much_gets_the_whole_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxroom_server.rooms.replay_buffer.CAPACITY", 10)
    async with lobby() as place:
        ada = await place.create("Ada")
        seqs = [await ada.do("say", text=f"line {number}") for number in range(30)]
        log = ada.seen.log
        back = await place.join("Ada", after=seqs[-11], log=log)
        assert back.heard[1]["type"] == "resumed"
        back = await place.join("Ada", after=seqs[-12], log=log)
        assert back.heard[1]["type"] == "in_room"
        again = await place.join("Ada", after=0, log=log)
        assert again.heard[1]["type"] == "in_room"


async def test_a_new_room_of_the_same_name_is_not_taken_for_the_old_one() -> None:
    async with lobby(empty_room_s=60) as place:
        ada = await place.create("Ada")
        old = ada.seen.log
        await ada.do("leave")
        place.clock.advance(60)
        while len(place.server._directory):
            await ada.ask("list_rooms")
        bob = await place.create("Bob")
        assert bob.seen.log != old
        await ada.do("join_room", room="attic", after=2, log=old)
        assert [it["type"] for it in ada.heard if it["type"] in ("in_room", "resumed")] == [
            "in_room",
            "in_room",
        ]


async def test_the_newest_connection_of_a_member_replaces_the_older() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        newer = await place.join("Ada")
        assert await ada.close_code() == (4001, "you came in over another connection")
        await newer.do("play", seat=0, move="h0", ply=0)
        await bob.event("played")
        kinds = {event["type"] for it in bob.heard if "events" in it for event in it["events"]}
        assert not kinds & {"dropped", "left", "returned"}
        assert place.room().is_connected("Ada")


async def test_a_loss_that_is_noticed_while_another_connection_waits_to_come_in() -> None:
    log = GateLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.game_of_two()
        newer = await place.call("Ada")
        log.gate.clear()
        await bob.say("say", text="something that takes its time")
        await log.at_gate.wait()
        id = await newer.say("join_room", room="attic")
        await until_waiting(place.host(), 2)
        ada.cut()
        await until_waiting(place.host(), 3)
        log.gate.set()
        assert (await newer.answer(id))["type"] == "done"
        await newer.do("say", text="I'm here")
        await bob.event("said")
        assert place.room().is_connected("Ada")


async def test_a_connection_that_is_lost_while_another_comes_in() -> None:
    """A member who is back counts as connected, in any order of events with a slow log."""
    for seed in range(15):
        rng = random.Random(seed)
        async with lobby(storage=memory_storage(SlowLog(rng, most_turns=6))) as place:
            _, bob = await place.game_of_two()
            talk = await place.join("Ada")
            for _ in range(5):
                newer = await place.call("Ada")
                if rng.random() < 0.5:
                    talk.cut()
                id = await newer.say("join_room", room="attic")
                bob_says = await bob.say("say", text="hm")
                talk.cut()
                assert (await newer.answer(id))["type"] == "done"
                await bob.answer(bob_says)
                talk = newer
            await talk.do("say", text="I'm here")
            await bob.event("said", text="I'm here")
            room = place.room()
            assert room.is_connected("Ada"), f"seed {seed}"
            assert await talk.refusal("play", seat=0, move="h9", ply=0) == "out_of_range"


# Outages


async def test_a_turn_outlasts_an_outage_of_the_disk() -> None:
    outage = Outage()
    async with lobby(storage=outage.storage) as place:
        ada, bob = await place.game_of_two(clock_s=10)
        place.clock.advance(9)
        outage.begin()
        for talk in (ada, bob):
            await talk.hear_until(lambda it: it.get("code") == "cannot_save")
        place.clock.advance(30)
        outage.end()
        await ada.hear_until(lambda it: it.get("code") == "saving_again")
        assert activity(place.host(), BotTurns)._thinking == set()
        await ada.do("play", seat=0, move="h0", ply=0)
        assert "by" not in await bob.event("played")  # by the player


# Dropping out


async def test_a_lost_connection_is_told_with_the_end_of_the_grace_time() -> None:
    async with lobby(grace_s=120) as place:
        ada, bob = await place.game_of_two()
        bob.cut()
        dropped = await ada.event("dropped")
        assert dropped["until_ms"] == place.clock.now_ms() + 120_000
        place.clock.advance(60)
        await place.join("Bob")
        await ada.event("returned", member="Bob")
        place.clock.advance(120)
        await ada.do("play", seat=0, move="h0", ply=0)
        assert place.room().seats[1].bot is None


async def test_a_bot_plays_on_for_who_stays_away_until_it_is_taken_back() -> None:
    async with lobby(grace_s=120) as place:
        ada, bob = await place.game_of_two()
        bob.cut()
        await ada.event("dropped")
        place.clock.advance(120)
        assert await ada.event("stood_in") == {"type": "stood_in", "seat": 1, "bot": "easy"}
        await ada.do("play", seat=0, move="h0", ply=0)
        assert (await ada.event("played", seat=1))["by"] == "bot"
        back = await place.join("Bob")
        await ada.event("took_back", seat=1)
        assert back.heard[1]["audience"] == "player"
        await ada.do("play", seat=0, move=free_move(place), ply=2)
        await back.do("play", seat=1, move=free_move(place), ply=3)
        await ada.event("ended")


async def test_who_must_not_drop_out_loses_the_seat() -> None:
    async with lobby(grace_s=120) as place:
        ada, bob = await place.game_of_two(on_drop="forfeit")
        bob.cut()
        await ada.event("dropped")
        place.clock.advance(120)
        assert (await ada.event("withdrew", seat=1))["why"] == "forfeited"
        assert (await ada.event("ended"))["winners"] == [0]


async def test_a_game_can_wait_for_who_stays_away() -> None:
    async with lobby(grace_s=120) as place:
        ada, bob = await place.game_of_two(on_drop="wait", clock_s=30)
        await ada.do("play", seat=0, move="h0", ply=0)
        bob.cut()
        await ada.event("dropped")
        place.clock.advance(29)
        await place.join("Bob")  # whose clock went on running
        await ada.event("returned")
        place.clock.advance(1)
        assert (await ada.event("played", by="clock"))["seat"] == 1


async def test_the_clock_waits_with_the_game() -> None:
    async with lobby(grace_s=10) as place:
        ada, bob = await place.game_of_two(on_drop="wait", clock_s=30)
        await ada.do("play", seat=0, move="h0", ply=0)
        bob.cut()
        await ada.event("dropped")
        place.clock.advance(10)
        await ada.event("grace_over")
        place.clock.advance(10_000)
        back = await place.join("Bob")
        took_back = await ada.event("took_back", seat=1)
        assert took_back["deadline_ms"] == place.clock.now_ms() + 30_000
        await back.do("play", seat=1, move="h1", ply=1)


async def test_whose_clock_runs_out_three_times_in_a_row_has_dropped_out() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two(clock_s=30, options={"rows": 3, "cols": 3})
        while place.room().seats[1].bot is None:
            state = place.room().state
            assert state is not None
            if state.to_move == 0:
                await ada.do("play", seat=0, move=free_move(place), ply=state.ply)
            else:
                place.clock.advance(30)
                await ada.event("played", by="clock", seat=1)
        assert place.room().seats[1].missed == 3
        assert await ada.event("stood_in", seat=1)
        await bob.do("sit")
        assert await ada.event("took_back", seat=1)


async def test_the_powers_of_a_host_pass_on_when_the_grace_time_is_over() -> None:
    async with lobby(grace_s=120) as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "seats": 3})
        bob, cy = await place.join("Bob"), await place.join("Cy")
        ada.cut()
        await bob.event("dropped")
        assert await bob.refusal("start") == "not_host"
        place.clock.advance(120)
        assert (await bob.event("host_passed"))["member"] == "Bob"
        await bob.do("leave")
        assert (await cy.event("host_passed", member="Cy")) is not None
        await cy.do("leave")
        assert place.room().host is None
        await place.join("Dan")
        assert place.room().host == "Dan"


async def test_who_is_kicked_hears_it_and_no_more_and_stays_out() -> None:
    async with lobby() as place:
        ada, bob = await place.create("Ada"), await place.join("Bob")
        await ada.do("kick", member="bob")
        await bob.event("kicked", member="Bob")
        await ada.do("say", text="now we can talk")
        assert await bob.refusal("say", text="hey!") == "not_in_a_room"
        assert not [it for it in bob.heard if "now we can talk" in str(it)]
        assert await bob.refusal("join_room", room="attic") == "barred"
        assert (await bob.ask("list_rooms"))["type"] == "rooms"


async def test_a_player_who_was_kicked_while_away_comes_back_to_the_whole_room() -> None:
    """As a spectator now, to whom the chat of the spectators isn't hidden any more."""
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        cleo = await place.join("Cleo", watch=True)
        await cleo.do("say", text="psst", to="spectators")
        await bob.event("hidden")
        seen = bob.seen
        bob.cut()
        await ada.event("dropped", member="Bob")
        await ada.do("kick", member="Bob")
        await ada.do("unbar", member="Bob")
        back = await place.call("Bob")
        await back.do("join_room", room="attic", watch=True, after=seen.seq, log=seen.log)
        assert back.heard[1]["type"] == "in_room"
        assert snapshot(back.seen, Audience.SPECTATOR) == snapshot(place.room(), Audience.SPECTATOR)


async def test_members_see_who_thinks_when_it_takes_a_while() -> None:
    async with lobby(pace_s=1.0) as place:
        ada = await place.create("Ada", settings={**ONE_BOX, "seats": 2})
        await ada.do("fill", bot="greedy")
        await ada.do("start")
        before = place.clock.waiting
        await ada.do("play", seat=0, move="h0", ply=0)
        await until(lambda: place.clock.waiting == before + 2)  # when to show it, and when to play
        place.clock.advance(0.5)
        thinking = await ada.hear()
        assert thinking == {"type": "thinking", "seat": 1, "bot": "greedy"}
        place.clock.advance(0.5)
        await ada.event("played", seat=1)
        await ada.do("say", text="nobody thinks any more")
        place.clock.advance(10)
        await ada.do("say", text="nor now")
        assert [it["type"] for it in ada.heard].count("thinking") == 1


# What spectators say among themselves


async def test_what_spectators_say_is_hidden_from_players_until_the_end() -> None:
    async with lobby() as place:
        ada, bob = await place.game_of_two()
        cy, dan = await place.join("Cy"), await place.join("Dan", watch=True)
        secret = "v1 would be a mistake"
        seq = await cy.do("say", text=secret, to="spectators")
        assert await bob.refusal("say", text=secret, to="spectators") == "not_a_spectator"
        assert (await dan.event("said"))["text"] == secret
        assert (await ada.event("hidden")) == {"type": "hidden"}
        late = await place.join("Eve")
        assert [line.text for line in late.seen.unrevealed] == [secret]
        back = await place.join("Bob", after=seq - 1, log=cy.seen.log)
        assert back.heard[1]["type"] == "resumed"
        whole = await place.join("Ada")
        for talk in (ada, bob, back, whole):
            assert secret not in str(talk.heard)
        for ply, move in enumerate(("h0", "h1", "v0", "v1")):
            await (whole, back)[ply % 2].do("play", seat=ply % 2, move=move, ply=ply)
        for talk in (whole, back, cy, dan, late):
            revealed = await talk.event("revealed")
            assert [line["text"] for line in revealed["lines"]] == [secret]


# Many at once


async def test_a_busy_room_loses_nothing_and_repeats_nothing() -> None:
    async with lobby(storage=memory_storage(SlowLog(random.Random(7))), burst=1000) as place:
        ada = await place.create("Ada")
        talks = [ada, *[await place.join(f"Guest {number}") for number in range(7)]]

        async def chatter(talk: Talk) -> None:
            for number in range(20):
                await talk.do("say", text=f"{talk.name} {number}")

        await asyncio.gather(*(chatter(talk) for talk in talks))
        for talk in talks:
            await talk.until_seq(place.room().seq)
        heard = [
            [
                event["text"]
                for it in talk.heard
                if it["type"] == "events"
                for event in it["events"]
                if event["type"] == "said"
            ]
            for talk in talks
        ]
        assert len(heard[0]) == 160
        assert all(one == heard[0] for one in heard)


def free_move(place: Lobby) -> str:
    """Return a legal move of the running game."""
    state = place.room().state
    assert state is not None
    return state.game.format_move(state.legal_moves()[0])


async def test_who_is_gone_drops_out_although_the_log_fails() -> None:
    log = FailingLog()
    async with lobby(storage=memory_storage(log)) as place:
        ada, bob = await place.game_of_two()
        log.failures = 1
        ada.cut()
        await until(lambda: not log.failures)
        assert place.room().is_connected("Ada")
        await asyncio.sleep(0)  # now it waits to try again
        place.clock.advance(RETRY_S)
        await bob.event("dropped", member="Ada")
