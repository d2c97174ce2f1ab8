"""The work of commands in rooms within a server's limits, counted in bytecodes; the dearest ten.

Hypothesis draws games, options, seats and commands, and looks for dear ones. What a server does in
a step of its event loop is decided, applied, encoded and shown to a new member. Boards of more
than `LARGE_BOARD` moves begin in a thread, so their start isn't counted here.
"""

import random
from collections.abc import Callable
from heapq import nlargest
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, target
from hypothesis import strategies as st
from tests.bytecodes import counting
from tests.engine.room.hosting import HostedRoom

from boxroom_engine.games.errors import OptionError
from boxroom_engine.room import commands as cmd
from boxroom_engine.room.accepted import checkpoint
from boxroom_engine.room.decision import CommandRefused
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.room.room import Audience, Settings
from boxroom_engine.room.rules.playing import check_settings
from boxroom_engine.room.view import snapshot
from boxroom_engine.wire.codec import encode
from boxroom_engine.wire.messages import InRoom

MOST_BYTECODES = 150_000
"""Some 3 to 4 ms."""

LARGE_BOARD = 1_000

BOTS = ("random", "greedy")
LIMITS = RoomLimits(
    bots=dict.fromkeys(("dots", "noughts", "stonehenge", "subtract-square", "draughts"), BOTS)
)

options: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "dots": st.one_of(
        [
            st.fixed_dictionaries(
                {"rows": st.integers(1, rows), "cols": st.integers(1, cols)},
                optional={"border": st.sampled_from(("none", "half", "full"))},
            )
            for rows, cols in ((60, 60), (1, 1_000), (1_000, 2))
        ]
    ),
    "noughts": st.fixed_dictionaries(
        {
            "dims": st.lists(st.integers(2, 22), min_size=1, max_size=8).map(
                lambda dims: ",".join(map(str, dims))
            ),
            "line": st.integers(2, 20),
        }
    ),
    "stonehenge": st.fixed_dictionaries({"size": st.integers(1, 5)}),
    "subtract-square": st.fixed_dictionaries({"start": st.integers(1, 1_000)}),
    "draughts": st.fixed_dictionaries(
        {
            "rules": st.sampled_from(["english", "international"]),
            "size": st.sampled_from(["usual", "6", "8", "10", "12"]),
        }
    ),
}


def is_allowed(wanted: Settings) -> bool:
    """Return whether a server takes `wanted` and begins its games on the event loop."""
    try:
        check_settings(wanted, LIMITS)
        return wanted.make_game().work <= LARGE_BOARD or wanted.game != "dots"
    except (CommandRefused, OptionError):
        return False


@st.composite
def any_settings(draw: st.DrawFn) -> Settings:
    game = draw(st.sampled_from(tuple(options)))
    seats = draw(st.integers(2, 50 if game == "dots" else 10 if game == "noughts" else 2))
    return Settings(game=game, options=draw(options[game]), seats=seats, hints=draw(st.booleans()))


allowed_settings = any_settings().filter(is_allowed)


class Dearest:
    """The commands that took the most bytecodes, with the settings of their rooms."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}

    def count(self, what: str, step: Callable[[], object]) -> int:
        """Count the bytecodes of `step`."""
        with counting() as counter:
            step()
        self.found[what] = max(counter.bytecodes, self.found.get(what, 0))
        return counter.bytecodes

    def ten(self) -> list[str]:
        """Return a line for each of the ten dearest."""
        found = nlargest(10, self.found.items(), key=lambda item: item[1])
        return [f"{bytecodes:>9,} bytecodes: {what}" for what, bytecodes in found]


def commands_of(room: HostedRoom, rng: random.Random, wanted: Settings) -> list[cmd.Command]:
    """Return commands that may be given now: one of each kind, some of which are refused."""
    state, members = room.room.running, list(room.room.members) or ["Ada"]
    member, host = rng.choice(members), room.room.host or "Ada"
    seat = rng.randrange(room.room.settings.seats)
    asked: list[cmd.Command] = [
        room.asked(host, cmd.Start),
        room.asked(host, cmd.Fill, bot=rng.choice(BOTS)),
        room.asked(host, cmd.Configure, settings=wanted),
        room.asked(host, cmd.Unseat, seat=seat),
        room.asked(member, cmd.Sit),
        room.asked(member, cmd.Sit, seat=seat, name=f"N{rng.randrange(99)}"),
        room.asked(member, cmd.Rematch),
        room.asked(member, cmd.Say, text="x" * 500),
        cmd.Enter(f"M{rng.randrange(500)}", watch=rng.random() < 0.5),
        cmd.Drop((member,)),
    ]
    if state is not None and state.to_move is not None:
        move = state.game.format_move(rng.choice(state.legal_moves()))
        mover = state.to_move
        owner = room.room.seats[mover].member or host
        asked += [
            room.asked(owner, cmd.Play, seat=mover, move=move, ply=state.ply),
            room.asked(owner, cmd.Resign, seat=mover),
            cmd.PlayFor(mover, move, state.ply),
            cmd.PlayFor(mover, move, state.ply),
        ]
    return asked


def play_on(
    dearest: Dearest, choices: tuple[Settings, Settings], members: int, seed: int, steps: int
) -> int:
    """Give random commands in a room; return the bytecodes of the dearest step."""
    rng = random.Random(seed)
    first, second = choices
    room = HostedRoom(first, limits=LIMITS, others=map("Friend {}".format, range(members)))
    most = 0
    for _ in range(steps):
        command = rng.choice(commands_of(room, rng, rng.choice((first, second))))
        inner = command.command if isinstance(command, cmd.FromMember) else command
        now = room.room.settings
        where = f"{now.game} {now.options}, {now.seats} seats"
        name = type(inner).__name__
        most = max(most, dearest.count(f"{name} in {where}", lambda: room.answer(command)))  # noqa: B023
        most = max(most, dearest.count(f"room shown in {where}", lambda: shown(room)))
    return max(most, dearest.count("checkpoint", lambda: checkpoint(room.room, room.accepted)))


def shown(room: HostedRoom) -> bytes:
    """Return the message with which a member comes in."""
    return encode(InRoom("Ada", Audience.PLAYER, 1, snapshot(room.room, Audience.PLAYER), 0))


def search(examples: int, steps: int) -> Dearest:
    """Look for dear commands in so many rooms, with so many steps in each."""
    dearest = Dearest()

    @settings(
        max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(
        st.tuples(allowed_settings, allowed_settings),
        st.sampled_from((0, 5, 300)),
        st.integers(0, 2**32),
    )
    def look(choices: tuple[Settings, Settings], members: int, seed: int) -> None:
        target(float(play_on(dearest, choices, members, seed, steps)))

    look()
    return dearest


@pytest.mark.parametrize(
    ("examples", "steps"), [(15, 15), pytest.param(1_000, 40, marks=pytest.mark.long)]
)
def test_no_command_within_the_limits_is_dear(
    examples: int, steps: int, capsys: pytest.CaptureFixture[str]
) -> None:
    dearest = search(examples, steps)
    with capsys.disabled():
        print("", *dearest.ten(), sep="\n")
    assert max(dearest.found.values()) < MOST_BYTECODES, dearest.ten()[0]
