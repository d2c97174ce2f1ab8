"""Whole games over real sockets: several clients, spectators and bots at once."""

import asyncio
import random
from itertools import takewhile
from typing import Any

import pytest
from tests.server.talk import Lobby, Talk, lobby

from boxroom_engine.games.protocol import Seat, State
from boxroom_engine.games.record import withdrawal_token
from boxroom_engine.room.room import Audience, Phase
from boxroom_engine.room.view import snapshot

SECRET = "v1 would be a mistake"
"""Line that spectators say among themselves."""


class PlayedRoom:
    """A room and its clients, each of which plays by the events that it received."""

    def __init__(self, place: Lobby, players: list[Talk], spectators: list[Talk]) -> None:
        self.place = place
        self.players = players
        self.spectators = spectators
        self.rng = random.Random(1)

    async def play(self) -> None:
        """Have all clients play, chat and watch until the game is over."""
        async with asyncio.TaskGroup() as together:
            for talk in (*self.players, *self.spectators):
                together.create_task(self.play_on(talk))

    async def play_on(self, talk: Talk, most_messages: int = 1_000_000) -> bool:
        """Play until the game is over, or for that many messages; return whether it is over."""
        answered = -1
        for _ in range(most_messages):
            if talk.room is not None and talk.room.phase is Phase.OVER:
                return True
            state = self._to_move_for(talk)
            if state is not None and state.ply != answered:
                answered = state.ply
                await self._move(talk, state)
            elif talk in self.spectators and self.rng.random() < 0.05:
                await talk.say("say", text=SECRET, to="spectators")
            await talk.hear()
        return False

    def _to_move_for(self, talk: Talk) -> State | None:
        """Return the position if `talk` is to move."""
        state = talk.room.state if talk.room is not None else None
        if talk.room is None or state is None or state.to_move is None:
            return None
        return state if talk.room.seats[state.to_move].member == talk.name else None

    async def _move(self, talk: Talk, state: State) -> None:
        move = state.game.format_move(self.rng.choice(state.legal_moves()))
        if self.rng.random() < 0.2:
            await talk.say("say", text=f"I play {move}")
        await talk.say("play", seat=state.to_move, move=move, ply=state.ply)

    async def check_clients(self) -> None:
        """Check that the events every client received fold to the server's room."""
        room = self.place.room()
        for talk, audience in (
            *((it, Audience.PLAYER) for it in self.players),
            *((it, Audience.SPECTATOR) for it in self.spectators),
        ):
            await talk.until_seq(room.seq)
            assert talk.room is not None
            assert snapshot(talk.room, audience) == snapshot(room, audience), talk.name
            assert talk.room.state == room.state
            assert audience is Audience.SPECTATOR or not heard_before_the_end(talk, SECRET)


def heard_before_the_end(talk: Talk, text: str) -> bool:
    """Whether `talk` received `text` during its first game."""
    until_end = takewhile(lambda it: "'ended'" not in it, map(str, talk.heard))
    return any(text in message for message in until_end)


async def open_room(place: Lobby, people: int, spectators: int, **settings: Any) -> PlayedRoom:
    """Return a room with that many clients; seats that are left over are for bots."""
    first = await place.create("Player 0", settings=settings, watch=not people)
    players = [first] if people else []
    players += [await place.join(f"Player {number}") for number in range(1, people)]
    watching = [] if people else [first]
    watching += [await place.join(f"Watcher {number}", watch=True) for number in range(spectators)]
    return PlayedRoom(place, players, watching)


def check_record(place: Lobby) -> None:
    """Check that every edge was drawn once, and every box has an owner."""
    room = place.room()
    state = room.state
    assert state is not None
    assert state.is_over
    assert len(room.tokens) == len(set(room.tokens)) == state.game.longest
    options = state.game.options
    assert sum(state.scores) == int(options["rows"]) * int(options["cols"])


@pytest.mark.parametrize(
    ("board", "people", "bots", "spectators"),
    [
        ((1, 1, "none"), 2, 0, 1),
        ((1, 1, "none"), 5, 0, 1),
        ((1, 1, "half"), 2, 0, 0),
        ((1, 2, "full"), 2, 1, 1),
        ((3, 4, "none"), 3, 0, 2),
        ((3, 4, "half"), 2, 2, 2),
        ((5, 5, "full"), 1, 3, 1),
    ],
)
async def test_people_bots_and_spectators_in_one_game(
    board: tuple[int, int, str], people: int, bots: int, spectators: int
) -> None:
    async with lobby(burst=1000) as place:
        options = dict(zip(("rows", "cols", "border"), board, strict=True))
        played = await open_room(place, people, spectators, seats=people + bots, options=options)
        host = played.players[0]
        if bots:
            await host.do("seat_bot", bot="greedy")
        if bots > 1:
            await host.do("fill", bot="random")
        await host.do("start")
        await played.play()
        await played.check_clients()
        check_record(place)


@pytest.mark.parametrize(
    ("rows", "cols", "border", "seats"),
    [(1, 1, "none", 5), (1, 1, "half", 2), (1, 2, "full", 2), (4, 4, "full", 3), (2, 9, "half", 8)],
)
async def test_bots_alone_play_to_the_end(rows: int, cols: int, border: str, seats: int) -> None:
    async with lobby() as place:
        options = {"rows": rows, "cols": cols, "border": border}
        played = await open_room(place, 0, 2, seats=seats, options=options)
        host = played.spectators[0]
        await host.do("seat_bot", bot="random")
        await host.do("fill", bot="greedy")
        await host.do("start")
        await played.play()
        await played.check_clients()
        check_record(place)


async def test_eight_bots_on_thirty_by_thirty() -> None:
    async with lobby() as place:
        played = await open_room(place, 0, 1, seats=8, options={"rows": 30, "cols": 30})
        host = played.spectators[0]
        await host.do("fill", bot="greedy")
        await host.do("start")
        await played.play()
        await played.check_clients()
        check_record(place)
        assert len(place.room().tokens) == 1860


@pytest.mark.parametrize(
    ("game", "options", "people", "bot"),
    [
        ("noughts", {}, 2, "greedy"),
        ("noughts", {"dims": "3,3,3"}, 1, "greedy"),
        ("noughts", {"dims": "2,3,4,2", "line": 3}, 3, "random"),
        ("stonehenge", {}, 1, "minimax"),
        ("stonehenge", {"size": 5}, 1, "random"),
        ("subtract-square", {}, 1, "minimax"),
        ("subtract-square", {"start": 100}, 1, "random"),
        ("draughts", {}, 1, "greedy"),
        ("draughts", {"rules": "international", "size": "6"}, 1, "random"),
    ],
)
async def test_the_other_games_are_played_in_a_room_as_well(
    game: str, options: dict[str, int | str], people: int, bot: str
) -> None:
    async with lobby(burst=1000) as place:
        played = await open_room(place, people, 1, game=game, options=options, seats=people + 1)
        await played.players[0].do("fill", bot=bot)
        await played.players[0].do("start")
        await played.play()
        await played.check_clients()
        state = place.room().state
        assert state is not None
        assert state.is_over
        assert state.game.kind.name == game


async def test_a_rematch_rotates_the_seats_and_goes_on_in_the_same_log() -> None:
    async with lobby(burst=1000) as place:
        played = await open_room(place, 2, 1, seats=3, options={"rows": 3, "cols": 4})
        ada, bob = played.players
        await ada.do("fill", bot="greedy")
        await ada.do("start")
        await played.play()
        assert [holder.member for holder in place.room().seats] == ["Player 0", "Player 1", None]
        log = place.room().log
        await ada.do("rematch")
        await bob.do("rematch")
        for talk in (*played.players, *played.spectators):
            await talk.event("rotated")
        assert [holder.member for holder in place.room().seats] == ["Player 1", None, "Player 0"]
        await played.play()
        await played.check_clients()
        assert (place.room().game_number, place.room().log) == (2, log)


async def test_one_who_resigns_is_skipped_and_the_others_play_on() -> None:
    async with lobby(burst=1000) as place:
        played = await open_room(place, 3, 1, seats=3, options={"rows": 3, "cols": 3})
        quitter = played.players[2]
        await played.players[0].do("start")
        await quitter.event("started")
        await quitter.do("resign", seat=2)
        await played.play()
        await played.check_clients()
        assert withdrawal_token(Seat(2)) in place.room().tokens
        assert place.room().state is not None


async def test_one_at_two_seats_plays_both() -> None:
    async with lobby(burst=1000) as place:
        played = await open_room(place, 1, 0, seats=2, options={"rows": 2, "cols": 2})
        await played.players[0].do("sit", name="Her sister")
        await played.players[0].do("start")
        await played.play()
        await played.check_clients()
        assert place.room().players == ("Player 0", "Her sister")


async def test_many_rooms_at_once() -> None:
    async with lobby(burst=1000) as place:

        async def one_room(number: int) -> None:
            room = f"room {number}"
            host = await place.create(
                f"Host {number}", room, settings={"options": {"rows": 2, "cols": 2}}
            )
            guest = await place.join(f"Guest {number}", room)
            await host.do("start")
            await PlayedRoom(place, [host, guest], []).play()
            state = place.room(room).state
            assert state is not None
            assert state.is_over

        await asyncio.gather(*(one_room(number) for number in range(30)))


async def test_players_whose_connections_break_all_the_time_still_finish_the_game() -> None:
    """Cut each client again and again; it comes back and resumes, and no event is lost."""
    async with lobby(burst=100_000, connections_per_address=100_000) as place:
        played = await open_room(place, 2, 1, seats=2, options={"rows": 3, "cols": 3})
        await played.players[0].do("start")
        rng = random.Random(3)
        talks = {talk.name: talk for talk in (*played.players, *played.spectators)}

        async def stubborn(name: str) -> None:
            while not await played.play_on(talks[name], most_messages=rng.randrange(1, 12)):
                seen = talks[name].room
                assert seen is not None
                talks[name].cut()
                talks[name] = back = await place.call(name)
                back.room = seen
                watch = name.startswith("Watcher")
                await back.do("join_room", room="attic", after=seen.seq, log=seen.log, watch=watch)

        async with asyncio.TaskGroup() as together:
            for name in list(talks):
                together.create_task(stubborn(name))
        played.players[:] = [talks["Player 0"], talks["Player 1"]]
        played.spectators[:] = [talks["Watcher 0"]]
        await played.check_clients()
        check_record(place)
