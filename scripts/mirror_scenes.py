"""Scenes in rooms, from which `write_mirror_vectors` makes its vectors.

Together they have each event, and the cases in which the mirrors of clients go wrong most easily.
`docs/examples/mirror.py` specifies their effects.
"""

from collections.abc import Callable

from msgspec.structs import replace
from tests.engine.room.hosting import LIMITS, HostedRoom, playing, with_policy

from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import (
    CHAT_TAIL,
    ChatTo,
    OnDrop,
    Reaction,
    RequestedSettings,
    Settings,
)

TWO_BOXES: dict[str, int | str] = {"rows": 1, "cols": 2}
"""Options for lines h0 to h3, v0, v1 between the boxes, and v2."""

HOUR_MS = 3_600_000

LINK = "link"
"""That of a game."""

Scene = Callable[[], HostedRoom]


def people_come_and_go() -> HostedRoom:
    """Seats are taken and given up, and a room is left by all."""
    room = HostedRoom(Settings(options=TWO_BOXES, seats=3))
    room.enter("Bob")
    room.enter("Cleo", watch=True)
    room.ask("Bob", cmd.Say, text="hello")
    room.ask("Cleo", cmd.Say, text="just us", to=ChatTo.SPECTATORS)
    room.ask("Ada", cmd.SeatBot, bot="greedy", seat=2)
    room.ask("Ada", cmd.SeatBot, bot="random", seat=2)
    room.ask("Bob", cmd.Stand)
    room.ask("Cleo", cmd.Sit, seat=1)
    room.ask("Ada", cmd.Unseat, seat=2)
    room.ask("Ada", cmd.Sit, seat=2, name="Ann")
    room.ask("Ada", cmd.Say, text="two of us")
    room.ask("Ada", cmd.HandOver, member="Bob")
    room.drop("Bob")
    room.drop("Cleo")
    room.enter("Cleo")
    room.ask("Cleo", cmd.Leave)
    room.drop("Ada")
    room.waits_out_the_grace()
    room.enter("Dora")
    return room


def a_member_comes_to_another_server() -> HostedRoom:
    """Servers of a cluster send members to each other, which shows only after a lost connection."""
    room = playing(Settings(options=TWO_BOXES))
    room.enter("Bob", node="two")
    room.does(cmd.Drop(("Bob",), "two"))
    room.enter("Bob", node="one")
    return room


def a_game_is_paused() -> HostedRoom:
    """Clocks and grace times stand still, begin and change hands in pauses."""
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
    room.now_ms += 20_000
    room.ask("Bob", cmd.Pause)
    room.ask("Ada", cmd.Answer, since=room.room.seq, agree=False)
    room.ask("Bob", cmd.Pause)
    room.ask("Ada", cmd.Answer, since=room.room.seq, agree=True)
    room.drop("Bob")
    room.now_ms += HOUR_MS
    room.ask("Ada", cmd.Unpause)
    room.enter("Bob")
    room.ask("Ada", cmd.Pause)
    room.now_ms += HOUR_MS
    room.ask("Ada", cmd.Resign, seat=0)
    room.does(cmd.Wake(HOUR_MS))
    room.enter("Bob")
    room.enter("Ada")
    room.now_ms += HOUR_MS
    room.ask("Bob", cmd.Resign, seat=1)
    return room


def people_are_removed() -> HostedRoom:
    """Between games the host removes people and lets one in again."""
    room = HostedRoom(Settings(options=TWO_BOXES), others=["Bob"])
    room.enter("Zoe", watch=True)
    room.ask("Ada", cmd.Mute, member="Zoe")
    room.ask("Ada", cmd.Unmute, member="Zoe")
    room.ask("Ada", cmd.Mute, member="Zoe")
    room.ask("Ada", cmd.Mute, member="Bob")
    room.ask("Ada", cmd.Kick, member="Zoe")
    room.ask("Ada", cmd.Kick, member="Bob")
    room.ask("Ada", cmd.Unbar, member="Zoe")
    room.enter("Zoe")
    room.does(cmd.Expel("Ada"))
    return room


def settings_change() -> HostedRoom:
    """Seats are added and removed, after a game in which the holders have moved."""
    room = HostedRoom(Settings(options=TWO_BOXES, seats=3), others=["Bob"])
    room.ask("Ada", cmd.Fill, bot="easy")
    room.ask("Ada", cmd.Start, first=2)
    room.bot_plays("h0")
    room.ask("Ada", cmd.Resign, seat=1)
    room.ask("Bob", cmd.Resign, seat=2)
    for seats in (5, 3):
        options = TWO_BOXES | {"border": "half"}
        room.ask("Ada", cmd.Configure, settings=RequestedSettings(options=options, seats=seats))
    room.ask("Ada", cmd.Unseat, seat=0)
    room.ask("Ada", cmd.Stand)
    room.ask("Bob", cmd.Stand)
    room.ask("Ada", cmd.Sit, seat=1)
    room.ask("Ada", cmd.Configure, settings=RequestedSettings(seats=2, clock_s=60))
    room.ask("Ada", cmd.Configure, settings=RequestedSettings("noughts", seats=3, hints=True))
    return room


def seats_grow_and_are_dropped() -> HostedRoom:
    """A person comes in a game and another one goes, and a voter doesn't play after all."""
    room = HostedRoom(Settings(options=TWO_BOXES, seat_range=(2, 4)), others=["Bob", "Cleo"])
    room.ask("Bob", cmd.Rematch)
    room.ask("Bob", cmd.Stand)
    room.ask("Ada", cmd.Start)
    room.enter("Dora")
    room.enter("Eve", watch=True)
    room.ask("Eve", cmd.Rematch)
    room.ask("Cleo", cmd.Leave)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Eve", cmd.Stand)
    room.ask("Ada", cmd.Rematch)
    return room


def a_game_with_a_clock() -> HostedRoom:
    """Clocks run out, a bot stands in, and the person takes the seat back."""
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
    room.plays("Ada", "h0")
    room.misses_the_clock("h1")
    room.bot_plays("h2")
    room.plays("Ada", "h3")
    room.misses_the_clock("h4")
    room.bot_plays("h5")
    room.plays("Ada", "v0")
    room.bot_plays("v2")
    room.bot_plays("v1")
    room.ask("Bob", cmd.Sit)
    room.bot_plays("v3")
    room.ask("Ada", cmd.Rematch)
    room.ask("Bob", cmd.Rematch)
    return room


def clocks_run_out_in_a_row() -> HostedRoom:
    """A stand-in's clock stops, though it is to move; missed clocks are forgotten in two ways."""
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60))
    room.misses_the_clock("h0")
    room.plays("Bob", "v0")
    room.bot_plays("v1")
    room.misses_the_clock("h3")  # takes the first box
    room.ask("Ada", cmd.Sit)
    room.misses_the_clock("h1")
    room.ask("Bob", cmd.Resign, seat=1)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Bob", cmd.Rematch)
    room.ask("Ada", cmd.Rematch)
    return room


def players_drop_out_and_bots_stand_in() -> HostedRoom:
    """Grace times end, players leave in a game, and one who is to move comes back."""
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
    room.drop("Ada")
    room.waits_out_the_grace()
    room.bot_plays("h0")
    room.ask("Bob", cmd.Leave)
    room.bot_plays("h1")
    room.bot_plays("h2")
    room.enter("Ada")
    room.drop("Ada")
    room.enter("Ada")
    room.enter("Bob")
    room.ask("Cleo", cmd.Leave)
    return room


def players_drop_out_and_all_wait() -> HostedRoom:
    """A clock stops for a player who is gone, and starts when the player is back."""
    room = playing(with_policy(OnDrop.WAIT, clock_s=60), spectators=["Cleo"])
    room.drop("Ada")
    room.now_ms += 30_000
    room.waits_out_the_grace()
    room.enter("Ada")
    room.plays("Ada", "h0")
    room.ask("Bob", cmd.Leave)
    room.ask("Ada", cmd.Kick, member="Bob")
    return room


def players_drop_out_and_forfeit() -> HostedRoom:
    """A seat withdraws on another's turn, one on its own, and spectators' chat is revealed."""
    room = playing(with_policy(OnDrop.FORFEIT, seats=3), spectators=["Cleo"])
    room.plays("Ada", "h0")
    room.ask("Cleo", cmd.Say, text="h1 would be bad", to=ChatTo.SPECTATORS)
    room.drop("Ada")
    room.ask("Bob", cmd.Say, text="gone?")
    room.waits_out_the_grace()
    room.ask("Cleo", cmd.Say, text="poor Ada", to=ChatTo.SPECTATORS)
    room.ask("Bob", cmd.Resign, seat=1)
    room.ask("Cleo", cmd.Say, text="that was it", to=ChatTo.SPECTATORS)
    room.ask("Bob", cmd.Leave)
    return room


def players_are_removed_from_a_game() -> HostedRoom:
    """A bot takes the seat of one who is kicked; a spectator is kicked as well."""
    room = playing(with_policy(OnDrop.BOT, seats=3, clock_s=60), spectators=["Cleo"])
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Kick, member="Cleo")
    room.ask("Ada", cmd.Kick, member="Bob")
    room.bot_plays("h1")
    return room


def a_removed_player_withdraws() -> HostedRoom:
    """A seat whose player is kicked withdraws, and keeps its name on the board."""
    room = playing(with_policy(OnDrop.FORFEIT, seats=3, clock_s=60))
    room.ask("Ada", cmd.Kick, member="Bob")
    room.plays("Ada", "h0")
    room.does(cmd.Expel("Ada"))
    return room


def moves_are_taken_back() -> HostedRoom:
    """Requests end in each way, and boxes are given back."""
    room = playing(Settings(options=TWO_BOXES, hints=True), spectators=["Cleo"])
    room.ask("Ada", cmd.AskHint, seat=0, ply=0)
    room.plays("Ada", "h0")
    room.plays("Bob", "h2")
    room.plays("Ada", "v0")
    room.plays("Bob", "v1", "h1")
    room.ask("Bob", cmd.Undo, ply=5)
    room.ask("Ada", cmd.AnswerUndo, ply=5, agree=True)
    room.ask("Bob", cmd.Undo, ply=room.ply)
    room.ask("Ada", cmd.AnswerUndo, ply=room.ply, agree=True)
    room.plays("Bob", "h1")
    room.ask("Bob", cmd.Undo, ply=room.ply)
    room.ask("Ada", cmd.AnswerUndo, ply=room.ply, agree=False)
    room.ask("Bob", cmd.Undo, ply=room.ply)
    room.plays("Ada", "h3")
    room.plays("Bob", "v2")
    room.ask("Bob", cmd.Undo, ply=room.ply)
    room.ask("Cleo", cmd.Leave)
    room.drop("Ada")
    room.enter("Ada")
    room.plays("Ada", "v1")
    for name in ("Ada", "Bob"):
        room.ask(name, cmd.Rematch)
    return room


def games_begin_with_moves() -> HostedRoom:
    """A box is taken in the opening, and a rematch repeats it with the seats changed."""
    room = playing(Settings(options=TWO_BOXES, clock_s=60, opening=("h0", "h2", "v0", "v1")))
    room.ask("Ada", cmd.Resign, seat=0)
    for name in ("Ada", "Bob"):
        room.ask(name, cmd.Rematch)
    return room


def three_people_decide_on_a_takeback() -> HostedRoom:
    """One agrees before the others; a bot's move doesn't end a request, a new holder does."""
    settings = Settings(options={"rows": 2, "cols": 2}, seats=4)
    room = HostedRoom(settings, others=["Bob", "Cleo"])
    room.enter("Dora", watch=True)
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    for name, move in (("Ada", "h0"), ("Bob", "h1"), ("Cleo", "h2")):
        room.plays(name, move)
    room.ask("Ada", cmd.Undo, ply=room.ply)
    room.ask("Bob", cmd.AnswerUndo, ply=3, agree=True)
    room.bot_plays("h3")
    room.ask("Dora", cmd.Leave)
    room.ask("Cleo", cmd.AnswerUndo, ply=3, agree=True)
    room.plays("Ada", "h0")
    room.plays("Bob", "h1")
    room.ask("Ada", cmd.Undo, ply=room.ply)
    room.ask("Cleo", cmd.Resign, seat=2)
    room.bot_plays("h2")
    room.ask("Ada", cmd.Say, text="my move?")
    room.plays("Ada", "h3")
    room.ask("Ada", cmd.Undo, ply=room.ply)
    room.ask("Ada", cmd.Kick, member="Bob")
    return room


def requests_end_without_an_answer() -> HostedRoom:
    """A person comes back who has to agree as well, a bot ends the game, a voter leaves."""
    room = HostedRoom(Settings(options={"rows": 1, "cols": 1}, seats=4), others=["Cleo", "Bob"])
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    room.ask("Bob", cmd.Leave)
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Undo, ply=1)
    room.enter("Bob")
    room.plays("Cleo", "h1")
    room.plays("Bob", "v0")
    room.ask("Ada", cmd.Undo, ply=3)
    room.bot_plays("v1")
    room.ask("Cleo", cmd.Rematch)
    room.ask("Ada", cmd.Rematch)
    room.ask("Cleo", cmd.Leave)
    room.ask("Ada", cmd.Configure, settings=RequestedSettings(seats=4, takebacks=0))
    return room


def a_bot_plays_for_one_who_thinks_for_long() -> HostedRoom:
    """The others agree, the sleeper wakes; later the host asks no others."""
    settings = Settings(options=TWO_BOXES, seats=3)
    room = HostedRoom(settings, others=["Bob", "Cleo"])
    room.ask("Ada", cmd.Start)
    for agree in (False, True):
        room.now_ms += 60_000
        asked = room.ask("Bob", cmd.StandIn, seat=0)[0]
        room.ask("Cleo", cmd.Answer, since=room.room.seq, agree=agree)
        assert isinstance(asked, ev.StandInAsked)
    room.bot_plays("h0")
    room.plays("Bob", "h1")
    room.ask("Ada", cmd.Say, text="I am back")
    room.now_ms += 60_000
    room.ask("Ada", cmd.Nudge, seat=2)
    room.ask("Ada", cmd.StandIn, seat=2, bot="easy")
    room.ask("Cleo", cmd.Resign, seat=2)
    return room


def a_game_is_ended_without_a_winner() -> HostedRoom:
    """One agrees before another, one declines, one doesn't ask any more, a move comes between."""
    settings = Settings(options=TWO_BOXES, seats=3)
    room = HostedRoom(settings, others=["Bob", "Cleo"])
    room.enter("Dora", watch=True)
    room.does(replace(room.asked("Ada", cmd.Start), link=LINK))
    room.plays("Ada", "h0")
    room.ask("Dora", cmd.Say, text="boring", to=ChatTo.SPECTATORS)
    for member in ("Bob", "Cleo"):
        room.ask("Cleo", cmd.Abort)
        room.ask(member, cmd.Answer, since=room.room.seq, agree=False)
    room.ask("Ada", cmd.Abort)
    room.plays("Bob", "h1")
    room.ask("Ada", cmd.Abort)
    since = room.room.seq
    room.ask("Bob", cmd.Answer, since=since, agree=True)
    room.ask("Cleo", cmd.Answer, since=since, agree=True)
    room.ask("Ada", cmd.Start)
    return room


def one_who_should_agree_leaves() -> HostedRoom:
    """The seat waits, and the request for a takeback ends."""
    room = playing(with_policy(OnDrop.WAIT))
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Undo, ply=1)
    room.ask("Bob", cmd.Leave)
    return room


def a_takeback_against_a_bot() -> HostedRoom:
    """There is no person to ask, and still it counts."""
    room = HostedRoom(Settings(options=TWO_BOXES))
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    room.plays("Ada", "h0")
    room.bot_plays("h1")
    room.ask("Ada", cmd.Undo, ply=2)
    return room


def a_coach_helps() -> HostedRoom:
    """It begins in a game, stays for the next one, and stops in that."""
    room = HostedRoom(Settings(options=TWO_BOXES))
    room.ask("Ada", cmd.Fill, bot="greedy")
    room.ask("Ada", cmd.Start)
    room.ask("Ada", cmd.Coach, seat=0, on=True)
    room.ask("Ada", cmd.Resign, seat=0)
    room.ask("Ada", cmd.Rematch)
    room.ask("Ada", cmd.Coach, seat=1, on=False)
    return room


def the_server_wakes_in_a_game() -> HostedRoom:
    """A clock goes on, a request for a takeback doesn't, and those who were gone stay gone."""
    room = playing(with_policy(OnDrop.WAIT, seats=3, clock_s=60), spectators=["Cleo"])
    room.now_ms += 20_000 + HOUR_MS
    room.does(cmd.Wake(HOUR_MS))
    room.enter("Cleo", watch=True)
    room.enter("Ada")
    room.plays("Ada", "h0")
    room.waits_out_the_grace()
    room.now_ms += HOUR_MS
    room.does(cmd.Wake(HOUR_MS))
    return room


def the_server_wakes_without_a_clock() -> HostedRoom:
    room = playing(Settings(options=TWO_BOXES), spectators=["Cleo"])
    room.plays("Ada", "h0")
    room.ask("Ada", cmd.Undo, ply=1)
    room.now_ms += HOUR_MS
    room.does(cmd.Wake(HOUR_MS))
    room.enter("Bob")
    room.ask("Bob", cmd.Say, text="anybody?")
    return room


def people_talk_a_lot() -> HostedRoom:
    """Of the chat the last hundred messages stay, also of what spectators wrote in a game."""
    room = playing(limits=RoomLimits(bots=LIMITS.bots), spectators=["Cleo"])
    half = CHAT_TAIL // 2
    for name, to, messages in (
        ("Bob", ChatTo.ALL, half),
        ("Cleo", ChatTo.SPECTATORS, half),
        ("Bob", ChatTo.ALL, half),
        ("Cleo", ChatTo.SPECTATORS, half + 1),
        ("Bob", ChatTo.ALL, 1),
    ):
        for number in range(messages):
            room.ask(name, cmd.Say, text=f"{number}", to=to)
    room.ask("Ada", cmd.Resign, seat=0)
    return room


def two_talk_privately() -> HostedRoom:
    """Players and spectators do, and no audience as a whole sees it; all see what Ada does."""
    room = playing(spectators=["Cleo"])
    room.drop("Bob")
    room.enter("Bob", person="5f0c")
    room.ask("Bob", cmd.Tell, to="Ada", text="may I?")
    room.ask("Cleo", cmd.Tell, to="Bob", text="good luck")
    room.ask("Ada", cmd.Say, text="waves", action=True)
    room.ask("Cleo", cmd.React, reaction=Reaction.WOW)
    return room


def people_go_away_and_come_back() -> HostedRoom:
    """A player does by the next command, another one by the lost connection."""
    room = playing()
    room.ask("Ada", cmd.GoAway, text="the door")
    room.now_ms += 10_000
    room.ask("Bob", cmd.GoAway)
    room.ask("Bob", cmd.Nudge, seat=0)
    room.ask("Bob", cmd.GoAway, text="coffee")
    room.drop("Bob")
    room.plays("Ada", "h0")
    return room


def people_take_other_names() -> HostedRoom:
    """Rows of the table and of the series, seats, votes and private messages follow."""
    settings = Settings(options={"rows": 1, "cols": 1}, seats=3, best_of=5)
    room = HostedRoom(settings, others=["Bob"])
    room.drop("Bob")
    room.enter("Bob", person="5f0c")
    room.ask("Ada", cmd.Sit, name="Ann")
    room.ask("Ada", cmd.Start)
    room.ask("Ada", cmd.Tell, to="Bob", text="good luck")
    for seat in (1, 0):
        member = room.room.seats[seat].member
        assert member is not None
        room.ask(member, cmd.Resign, seat=seat)
    room.ask("Bob", cmd.Rematch)
    room.ask("Ada", cmd.Mute, member="Bob")
    room.enter("Zoe", former_name="Bob", person="5f0c")
    room.enter("Eve", former_name="Ada")
    return room


def noughts_and_crosses() -> HostedRoom:
    """Nothing is taken; one game ends with a winner, the next in a draw."""
    room = playing(Settings("noughts"))
    for number, move in enumerate("03142"):
        room.plays(("Ada", "Bob")[number % 2], move)
    for name in ("Bob", "Ada"):
        room.ask(name, cmd.Rematch)
    for number, move in enumerate("012435768"):
        room.plays(("Bob", "Ada")[number % 2], move)
    return room


def stonehenge() -> HostedRoom:
    """A cell takes several ley-lines at once."""
    room = playing(Settings("stonehenge", {"size": 2}))
    for number, move in enumerate("ADCBEFG"):
        if room.to_move is not None:
            room.plays(("Ada", "Bob")[number % 2], move)
    return room


def subtract_square() -> HostedRoom:
    """The winner has the only point."""
    room = playing(Settings("subtract-square", {"start": 6}))
    room.plays("Ada", "4")
    room.plays("Bob", "1")
    room.plays("Ada", "1")
    return room


def draughts() -> HostedRoom:
    """Pieces move, are captured, two of them at once, and become kings."""
    settings = Settings("draughts", {"rules": "international", "size": "6"})
    room = playing(settings, limits=replace(LIMITS, longest_game=2_000))
    moves = "14-11 5-7 17-14 1-5 11-8 5x10 16-13 10x17 15-12 17x9 18-14 9x17"
    for number, move in enumerate(moves.split()):
        room.plays(("Ada", "Bob")[number % 2], move)
    return room


def an_evening_of_games() -> HostedRoom:
    """Players come and go between games of two kinds, and one gives up."""
    room = playing(Settings(options=TWO_BOXES, seats=3), limits=replace(LIMITS, members=8))
    room.ask("Ada", cmd.Resign, seat=0)
    room.plays("Bob", "h0")
    room.bot_plays("h1")
    room.ask("Bob", cmd.Resign, seat=1)
    room.ask("Ada", cmd.Unseat, seat=2)
    room.ask("Ada", cmd.Configure, settings=RequestedSettings("noughts"))
    room.does(replace(room.asked("Ada", cmd.Start, first=1), link=LINK))
    for number, move in enumerate("03142"):
        room.plays(("Bob", "Ada")[number % 2], move)
    room.enter("Cleo", watch=True)
    room.ask("Bob", cmd.Leave)
    room.ask("Cleo", cmd.Sit)
    room.ask("Ada", cmd.Start)
    room.ask("Cleo", cmd.Leave)
    room.ask("Ada", cmd.Resign, seat=room.room.seats_of("Ada")[0])
    return room


def a_series() -> HostedRoom:
    """The best of three is won twice, and a new player or another number begins one anew."""
    room = playing(Settings("subtract-square", {"start": 3}, best_of=3))
    for _ in range(2):
        for _ in range(2):
            room.ask("Ada", cmd.Resign, seat=room.room.seats_of("Ada")[0])
            for name in ("Ada", "Bob"):
                room.ask(name, cmd.Rematch)
    room.ask("Bob", cmd.Resign, seat=room.room.seats_of("Bob")[0])
    room.enter("Cleo", watch=True)
    room.ask("Bob", cmd.Stand)
    room.ask("Cleo", cmd.Sit)
    room.ask("Ada", cmd.Start)
    room.ask("Cleo", cmd.Resign, seat=room.room.seats_of("Cleo")[0])
    configured = RequestedSettings("noughts", best_of=3)
    room.ask("Ada", cmd.Configure, settings=configured)
    room.ask("Ada", cmd.Configure, settings=replace(configured, best_of=1))
    room.ask("Ada", cmd.Start)
    room.ask("Ada", cmd.Resign, seat=room.room.seats_of("Ada")[0])
    return room


SCENES: tuple[Scene, ...] = (
    people_come_and_go,
    people_are_removed,
    settings_change,
    seats_grow_and_are_dropped,
    a_game_with_a_clock,
    a_game_is_paused,
    clocks_run_out_in_a_row,
    players_drop_out_and_bots_stand_in,
    players_drop_out_and_all_wait,
    players_drop_out_and_forfeit,
    players_are_removed_from_a_game,
    a_removed_player_withdraws,
    moves_are_taken_back,
    games_begin_with_moves,
    three_people_decide_on_a_takeback,
    requests_end_without_an_answer,
    a_bot_plays_for_one_who_thinks_for_long,
    a_game_is_ended_without_a_winner,
    one_who_should_agree_leaves,
    a_takeback_against_a_bot,
    a_coach_helps,
    the_server_wakes_in_a_game,
    the_server_wakes_without_a_clock,
    people_talk_a_lot,
    two_talk_privately,
    people_go_away_and_come_back,
    people_take_other_names,
    noughts_and_crosses,
    stonehenge,
    subtract_square,
    draughts,
    an_evening_of_games,
    a_series,
    a_member_comes_to_another_server,
)
