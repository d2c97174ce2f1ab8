"""Sentences about each event. Transcripts of whole games are in tests/golden/linemode."""

from msgspec.structs import replace
from tests.cases import each
from tests.client.fake_connection import LIMITS, small
from tests.engine.room.hosting import HostedRoom

from boxroom_client.shell.output.advice import narrate_with_advice
from boxroom_client.shell.output.describe import members, standing
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room import commands as cmd
from boxroom_engine.room import events as ev
from boxroom_engine.room.evolve import evolve
from boxroom_engine.room.room import OnDrop, Room, Settings


class NarratedRoom:
    """A room whose events are narrated to Ada."""

    def __init__(self, settings: Settings | None = None, *others: str, me: str = "Ada") -> None:
        self.hosted = HostedRoom(settings or small(1, 2), limits=LIMITS, others=others)
        self.me = me

    def of(self, events: tuple[ev.Event, ...], before: Room) -> list[str]:
        lines: list[str] = []
        for event in events:
            after = evolve(before, event, 0)
            lines += narrate_with_advice(event, before, after, self.me)
            before = after
        return lines

    def when(self, member: str, kind: type[cmd.AnyMemberCommand], /, **fields: object) -> list[str]:
        """Return the lines about the events of a command of `member`."""
        before = self.hosted.room
        return self.of(self.hosted.ask(member, kind, **fields), before)

    def moves(self, *moves: str) -> list[str]:
        """Return the lines about `moves`, each played by the player to move."""
        before = self.hosted.room
        events: tuple[ev.Event, ...] = ()
        for move in moves:
            state = self.hosted.room.state
            assert state is not None
            assert state.to_move is not None
            holder = self.hosted.room.seats[state.to_move]
            if holder.member is None or holder.bot is not None:
                events += self.hosted.bot_plays(move)
            else:
                events += self.hosted.plays(holder.member, move)
        return self.of(events, before)

    def started(self) -> "NarratedRoom":
        self.hosted.ask("Ada", cmd.Start)
        return self


def test_who_only_comes_to_another_server_is_not_said_to_be_back() -> None:
    room = NarratedRoom(None, "Bob")
    before = room.hosted.room
    assert room.of(room.hosted.enter("Bob", node="two"), before) == []
    room.hosted.does(cmd.Drop(("Bob",), "two"))
    before = room.hosted.room
    assert room.of(room.hosted.enter("Bob", node="one"), before) == ["Bob is back."]


def test_what_a_member_does_stands_behind_the_name() -> None:
    room = NarratedRoom(None, "Bob")
    assert room.when("Bob", cmd.Say, text="waves", action=True) == ["* Bob waves"]


def test_a_private_message_says_so() -> None:
    room = NarratedRoom(None, "Bob")
    assert room.when("Bob", cmd.Tell, to="Ada", text="hi") == ["Bob (privately to you): hi"]
    assert room.when("Ada", cmd.Tell, to="Bob", text="hm") == ["Ada (privately to Bob): hm"]


def test_who_asks_for_a_hint_is_named() -> None:
    room = NarratedRoom(small(1, 2, hints=True), "Bob").started()
    assert room.when("Ada", cmd.AskHint, seat=0, ply=0) == ["Ada asks for a hint."]


def test_a_bot_is_announced_with_its_options() -> None:
    room = NarratedRoom(small(1, 2, seats=3))
    room.hosted.limits = replace(LIMITS, plain_bot=str)
    assert room.when("Ada", cmd.SeatBot, bot="random") == ["random, a bot, sits down in seat 2."]
    assert room.when("Ada", cmd.SeatBot, bot="greedy:depth=3,time=1")[0] == (
        "greedy, a bot (depth=3, time=1), sits down in seat 3."
    )
    assert list(members(room.hosted.room, "Ada", ascii_only=True))[1:] == [
        "  2 B random (bot)",
        "  3 C greedy (bot, depth=3, time=1)",
    ]


def test_a_bot_says_if_the_game_may_be_too_long_for_it() -> None:
    """Once for each kind of bot, and not for games that it can search."""
    for rows, cautions in ((3, 1), (1, 0)):
        room = NarratedRoom(small(rows, 3, seats=4))
        room.hosted.limits = replace(LIMITS, plain_bot=str, bots={"dots": ("memo", "greedy")})
        for bot in ("memo", "greedy", "memo"):
            room.when("Ada", cmd.SeatBot, bot=bot)
        began, *said = room.when("Ada", cmd.Start)
        assert began.startswith("The game begins.")
        assert len(said) == cautions
        assert all(line.startswith("Memo searches every game to its end") for line in said)
        assert list(standing(room.hosted.room, "Ada"))[2:] == said, "who comes in later, too"


def test_a_box_taken_is_announced() -> None:
    room = NarratedRoom(small(1, 2), "Bob").started()
    assert room.moves("h0", "h1", "h2", "h3", "v0") == [
        "Ada plays h0.",
        "Bob plays h1.",
        "Ada plays h2.",
        "Bob plays h3.",
        "Ada plays v0.",
    ]
    assert room.moves("v2", "v1") == [
        "Bob plays v2.",
        "Ada takes 2 boxes (v1).",
        "You won by 2 boxes!",
        "  2  Ada",
        "  0  Bob",
        "Type /rematch to play again. /review shows what you could do better.",
        "A game with another board or first player: /next rows VALUE first NAME.",
    ]


def test_who_takes_a_box_goes_again() -> None:
    room = NarratedRoom(small(1, 2), "Bob").started()
    assert room.moves("h0", "h2", "v0", "v1")[-1] == "Bob takes 1 box and goes again (v1)."


def test_joint_winners_are_all_named() -> None:
    room = NarratedRoom(small(1, 2), "Bob").started()
    lines = room.moves("h0", "h1", "h2", "v0", "v1", "h3", "v2")
    assert "You win together with Bob, with 1 box each!" in lines


def test_a_draw_has_no_winner() -> None:
    room = NarratedRoom(Settings(game="noughts"), "Bob").started()
    lines = room.moves("0", "1", "2", "4", "3", "5", "7", "6", "8")
    assert "It is a draw." in lines


def test_a_single_player_wins_with_all_boxes_or_gives_up() -> None:
    room = NarratedRoom(small(1, 1, seats=1)).started()
    assert "Ada won with 1 box." in room.moves("h0", "h1", "v0", "v1")
    room.hosted.ask("Ada", cmd.Rematch)
    lines = room.when("Ada", cmd.Resign, seat=0)
    assert "Nobody wins." in lines
    assert "  0  Ada (gave up)" in lines


def test_a_game_without_prizes_speaks_of_none() -> None:
    assert KINDS["noughts"].prize is None
    room = NarratedRoom(Settings(game="noughts"), "Bob").started()
    assert room.when("Bob", cmd.Resign, seat=1) == [
        "Bob gives up.",
        "Bob gave up. You win!",
        "  0  Ada",
        "  0  Bob (gave up)",
        "Type /rematch to play again.",
        "A game with another board or first player: /next dims VALUE first NAME.",
    ]


def test_only_players_are_asked_for_a_rematch() -> None:
    room = NarratedRoom(small(1, 2), "Bob", me="Dan").started()
    assert not any("/rematch" in line for line in room.when("Bob", cmd.Resign, seat=1))


@each(
    "me, line",
    [
        ("Ada", "Bob wants a rematch. Type /rematch to agree."),
        ("Bob", "Bob wants a rematch. It starts when Ada and Cleo agree too."),
        ("Dan", "Bob wants a rematch. It starts when Ada and Cleo agree too."),
    ],
)
def test_who_must_agree_to_a_rematch_is_told(me: str, line: str) -> None:
    room = NarratedRoom(small(1, 2, seats=3), "Bob", "Cleo", me=me).started()
    room.when("Bob", cmd.Resign, seat=1)
    room.when("Cleo", cmd.Resign, seat=2)
    assert room.when("Bob", cmd.Rematch) == [line]


def test_the_next_game_tells_the_new_order() -> None:
    room = NarratedRoom(small(1, 2), "Bob").started()
    room.when("Bob", cmd.Resign, seat=1)
    room.when("Bob", cmd.Rematch)
    assert room.when("Ada", cmd.Rematch) == [
        "Ada wants a rematch.",
        "Game 2 begins. In order of play: Bob and Ada.",
    ]


@each(
    "on_drop, what",
    [
        (OnDrop.BOT, "If it doesn't come back soon, a bot plays on."),
        (OnDrop.WAIT, "The game waits."),
        (OnDrop.FORFEIT, "If it doesn't come back soon, the game is forfeited."),
    ],
)
def test_a_player_who_drops_out_is_told_with_what_comes_of_it(on_drop: OnDrop, what: str) -> None:
    room = NarratedRoom(small(1, 2, on_drop=on_drop), "Bob").started()
    before = room.hosted.room
    lines = room.of(room.hosted.drop("Bob"), before)
    assert lines == [f"The connection of Bob is lost. {what}"]


def test_a_latecomer_knows_of_the_seat_in_the_next_game_and_is_told_nothing_to_do() -> None:
    for me in ("Ada", "Cleo"):
        room = NarratedRoom(small(1, 1, seat_range=(2, 4)), "Bob", me=me).started()
        room.hosted.enter("Cleo")
        assert [*standing(room.hosted.room, "Cleo")][-1] == "You have a seat in the next game."
        room.moves("h0", "h1", "v0", "v1")
        for line in room.when("Ada", cmd.Start):
            assert "/ready" not in line
            assert "/start" not in line


def test_nobody_announces_a_bot_that_plays_already() -> None:
    room = NarratedRoom(small(2, 2), "Bob").started()
    room.moves("h0")
    room.hosted.now_ms += 60_000
    room.hosted.ask("Ada", cmd.StandIn, seat=1)
    before = room.hosted.room
    lines = room.of(room.hosted.drop("Bob"), before)
    assert lines == ["The connection of Bob is lost; the seat is kept for a while."]


def test_a_seat_is_kept_between_games_too() -> None:
    room = NarratedRoom(small(1, 2), "Bob")
    before = room.hosted.room
    assert room.of(room.hosted.drop("Bob"), before) == [
        "The connection of Bob is lost; the seat is kept for a while."
    ]


def test_a_bot_stands_in_and_gives_the_seat_back() -> None:
    room = NarratedRoom(small(1, 2), "Bob", me="Bob").started()
    before = room.hosted.room
    room.hosted.drop("Bob")
    lines = room.of(room.hosted.log[-1].events + room.hosted.waits_out_the_grace(), before)
    assert lines[1:] == [
        "Bob hasn't come back in time.",
        "A bot (Easy) plays on for Bob. Type /sit to play again yourself.",
    ]
    assert room.moves("h0", "h1")[-1] == "The bot of Bob plays h1."
    before = room.hosted.room
    assert room.of(room.hosted.enter("Bob"), before) == ["Bob is back.", "Bob plays again."]


def test_a_clock_that_runs_out_is_told() -> None:
    room = NarratedRoom(small(1, 2, clock_s=30), "Bob").started()
    before = room.hosted.room
    lines = room.of(room.hosted.misses_the_clock("h0"), before)
    assert lines == ["Time is up for Ada: a bot plays h0."]


def test_a_bot_that_took_a_kicked_players_seat_is_named() -> None:
    room = NarratedRoom(small(1, 2), "Bob").started()
    assert room.when("Ada", cmd.Kick, member="Bob") == [
        "Easy, a bot, sits down in seat 2.",
        "The host sends Bob out. /unkick Bob undoes it.",
    ]
    before = room.hosted.room
    (unbarred,) = room.hosted.ask("Ada", cmd.Unbar, member="bob")
    assert room.of((unbarred,), before) == ["The host lets Bob come in again."]
    assert room.moves("h0", "h1")[-1] == "Easy, for Bob, plays h1."


def test_forfeiting_and_being_sent_out_cost_the_game() -> None:
    settings = small(1, 2, seats=3, on_drop=OnDrop.FORFEIT)
    room = NarratedRoom(settings, "Bob", "Cleo").started()
    assert room.when("Bob", cmd.Leave)[0] == "Bob forfeits the game, and keeps 0 boxes."
    assert room.when("Ada", cmd.Kick, member="Cleo")[0] == (
        "Cleo is out of the game, and keeps 0 boxes."
    )


def test_the_host_hears_when_the_game_can_start() -> None:
    room = NarratedRoom(small(1, 2, seats=3))
    assert room.when("Ada", cmd.SeatBot, bot="greedy") == ["greedy, a bot, sits down in seat 2."]
    assert room.when("Ada", cmd.Sit, name="Eve") == [
        "Eve sits down in seat 3, at the device of Ada.",
        "All seats are taken: /start starts the game.",
    ]
    assert room.when("Ada", cmd.Unseat, seat=1) == ["greedy leaves seat 2."]


def test_the_hosts_powers_pass_on() -> None:
    room = NarratedRoom(small(1, 2), "Bob")
    assert room.when("Ada", cmd.HandOver, member="Bob") == ["Bob is the host now."]
    assert room.when("Bob", cmd.HandOver, member="Ada") == [
        "You are the host now. /help shows what you can do."
    ]
    assert narrate_with_advice(ev.HostPassed(None), room.hosted.room, room.hosted.room, "Ada") == (
        "The room has no host now.",
    )


def test_changed_settings_are_told_by_name() -> None:
    room = NarratedRoom(small(1, 2))
    lines = room.when("Ada", cmd.Configure, settings=small(3, 2, seats=4, clock_s=20))
    assert lines == ["The host changes the settings: Dots and Boxes 3×2, 20 seconds, 4 seats."]


def test_what_may_not_be_seen_isnt_told() -> None:
    room = NarratedRoom(small(1, 2)).hosted.room
    assert narrate_with_advice(ev.Hidden(), room, room, "Ada") == ()


def test_who_asks_for_a_takeback_and_what_the_others_can_do() -> None:
    for me, said in (
        ("Ada", "You ask to take back h0 and 1 more: Bob and Cleo decide."),
        ("Bob", "Ada asks to take back h0 and 1 more: /undo agrees, /decline declines."),
        ("Dan", "Ada asks to take back h0 and 1 more: Bob and Cleo decide."),
    ):
        room = NarratedRoom(small(1, 3, seats=3), "Bob", "Cleo", "Dan", me=me).started()
        room.moves("h0", "h1")
        assert room.when("Ada", cmd.Undo, ply=2) == [said]
        agreed = room.when("Bob", cmd.AnswerUndo, ply=2, agree=True)
        assert agreed == ["Bob agrees to the takeback."]
        undone = room.when("Cleo", cmd.AnswerUndo, ply=2, agree=True)
        assert undone == ["Ada takes back h0 and 1 more, and is to move."]


def test_how_a_request_for_a_takeback_ends_otherwise() -> None:
    room = NarratedRoom(small(1, 3), "Bob").started()
    room.moves("h0")
    assert room.when("Ada", cmd.Undo, ply=1) == ["You ask to take back h0: Bob decides."]
    declined = room.when("Bob", cmd.AnswerUndo, ply=1, agree=False)
    assert declined == ["Bob declines the takeback."]
    room.when("Ada", cmd.Undo, ply=1)
    ended = room.when("Ada", cmd.AnswerUndo, ply=1, agree=False)
    assert ended == ["Ada doesn't ask for the takeback any more."]
    room.when("Ada", cmd.Undo, ply=1)
    assert room.moves("h1") == [
        "Bob plays h1.",
        "So the takeback that Ada asked for is off.",
    ]
    room.moves("h2", "v0")
    room.when("Bob", cmd.Undo, ply=4)
    assert room.when("Ada", cmd.AnswerUndo, ply=4, agree=True) == [
        "Bob takes back v0, and is to move."
    ]


def test_who_takes_a_move_back_at_one_keyboard() -> None:
    room = NarratedRoom(small(1, 3))
    room.hosted.ask("Ada", cmd.Sit, name="Bea")
    room.started().moves("h0", "h1")
    assert room.when("Ada", cmd.Undo, ply=2) == ["Bea takes back h1, and is to move."]
