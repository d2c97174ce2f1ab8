"""An evening with friends, from its first guest to its last table.

Six people come to Ada's room: at terminals, and Eve with a phone on a network of its own. Two are
late, one falls asleep, one loses her network, one is sent out, and the server dies twice. A referee
who knows the rules counts along.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from tests.e2e.people import AtPhone, AtTerminal, Person, at_terminal, rows_in_json
from tests.e2e.referee import Game, games_on, table_of
from tests.e2e.terminal import CTRL_C, PROGRAM, Terminal
from tests.web.browser import CHROMIUM, NO_BROWSER, chromium, visitor_at
from tests.web.two_machines import HOST, TwoMachines, two_machines

from boxroom_common.exits import Exit
from boxroom_common.run_file import RunFile
from boxroom_engine.wire.ports import DEFAULT_PORT

F5 = "\x1b[15~"
ROWS, COLS = 2, 2


@pytest.fixture
def machines() -> Iterator[TwoMachines]:
    """The machine at which all terminals are, and Eve's phone."""
    with two_machines() as made:
        yield made


class Evening:
    """The people of an evening, and the games as one of them has seen them."""

    def __init__(self, machines: TwoMachines, folder: Path, stack: AsyncExitStack) -> None:
        self.machines = machines
        self._folder = folder
        self._stack = stack
        self.people: dict[str, Person] = {}
        self.away: set[str] = set()
        """People who don't play: a bot does."""

    def __getitem__(self, name: str) -> AtTerminal:
        """Return a person at a terminal."""
        person = self.people[name]
        assert isinstance(person, AtTerminal)
        return person

    @property
    def phone(self) -> AtPhone:
        """Eve at her phone."""
        eve = self.people["Eve"]
        assert isinstance(eve, AtPhone)
        return eve

    # Coming

    def at_terminal(self, name: str, *command: str, lines: int = 40) -> AtTerminal:
        """Let a person come with a terminal, and run a command of the program there."""
        own = self._folder / name
        terminal = Terminal(
            *(*command, "--name", name),
            columns=120,
            lines=lines,
            environ={"BOXROOM_CONFIG_DIR": str(own), "BOXROOM_DATA": str(own / "data")},
            command=(*self.machines.on_host, *PROGRAM),
        )
        self.people[name] = person = self._stack.enter_context(at_terminal(terminal))
        return person

    def joins(self, name: str, *more: str, lines: int = 40) -> AtTerminal:
        """Let a person join the room with a terminal."""
        return self.at_terminal(name, "join", HOST, "--room", "party", *more, lines=lines)

    async def opens_page(self, name: str, link: str) -> None:
        """Let a person come with a phone, and open a link there."""
        if CHROMIUM is None:
            pytest.skip(NO_BROWSER)
        script = self.machines.program_on_phone(CHROMIUM, self._folder)
        browser = await self._stack.enter_async_context(chromium(script, is_root=True))
        visitor = await self._stack.enter_async_context(visitor_at(browser, link))
        await visitor.come_in(name)
        self.people[name] = AtPhone(visitor)

    def kill_server(self) -> None:
        """End the server of Ada as a crash would."""
        run_file = RunFile(self._folder / "Ada" / "hosted" / f"{DEFAULT_PORT}.json")
        server = run_file.read()
        assert server is not None
        os.kill(server.pid, signal.SIGKILL)

    # Playing

    @property
    def games(self) -> list[Game]:
        """The games so far, as Bob has seen them, who is always there."""
        return games_on(self["Bob"].terminal.text.splitlines(), ROWS, COLS)

    async def begins(self, number: int) -> None:
        """Wait until a game begins."""
        await self["Bob"].until(lambda: len(self.games) == number, f"game {number}")

    async def play(self, *, until: Callable[[Game], bool] = lambda game: game.is_over) -> None:
        """Have everybody play at their turn; for those who are `away` a bot does."""
        while not until(game := self.games[-1]):
            if game.to_move in self.people.keys() - self.away:
                await self.people[game.to_move].plays(game.free[0])
            await self["Bob"].until(partial(self._has_gone_on, game), f"after {game.moves} moves")

    def _has_gone_on(self, game: Game) -> bool:
        return self.games[-1].moves > game.moves


@pytest.mark.long
async def test_an_evening_with_friends(machines: TwoMachines, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        evening = Evening(machines, tmp_path, stack)
        stack.callback(evening.kill_server)
        await game_1_the_server_dies_and_dora_is_late(evening)
        await game_2_cid_falls_asleep_and_eve_is_late(evening)
        await game_3_eve_loses_her_network(evening)
        await game_4_finn_is_sent_out_and_ada_leaves_a_server_that_dies(evening)
        await game_5_is_the_last_one(evening)
        await the_table_is_right_everywhere(evening, tmp_path)


async def game_1_the_server_dies_and_dora_is_late(evening: Evening) -> None:
    ada = evening.at_terminal("Ada", "host", "--room", "party")
    await ada.sees(f"boxroom join {HOST} --room party")
    ada.types("/players 2-7")
    ada.types(f"/set rows {ROWS} cols {COLS} standin 5")
    await ada.sees("2×2, 2 to 7 seats, a bot may play after 5 s.")
    bob = evening.joins("Bob", "--brief", lines=2000)
    await ada.sees("Bob sits down")
    for name in ("Cid", "Finn"):
        evening.joins(name)
        await ada.sees(f"{name} sits down")
    ada.types("/bot random")
    await bob.sees("random, a bot, sits down in seat 5.")
    ada.presses(F5)
    await evening.begins(1)
    await evening.play(until=lambda game: game.moves >= 2)
    dora = evening.joins("Dora")
    await bob.sees("Dora has a seat in the next game.")
    await dora.sees("You have a seat in the next game.")
    evening.kill_server()
    await ada.sees("Your server had crashed; it runs again")
    await dora.sees("Connected again.")
    await evening.play()


async def game_2_cid_falls_asleep_and_eve_is_late(evening: Evening) -> None:
    for name in ("Ada", "Bob", "Cid", "Finn"):
        evening[name].types("/rematch")
    await evening.begins(2)
    await evening.play(until=lambda game: game.to_move == "Cid")
    await evening.opens_page("Eve", f"http://{HOST}:{DEFAULT_PORT}/#party")
    await evening.phone.sees("You are watching")
    bob, cid, dora = evening["Bob"], evening["Cid"], evening["Dora"]
    await dora.sees("thinking for 0:1")
    bob.types("/nudge Cid")
    await cid.sees("Bob nudges you: it is your turn!")
    bob.types("/standin Cid")
    for name in ("Ada", "Dora", "Finn"):
        await evening[name].sees("/accept agrees")
        evening[name].types("/accept")
    await cid.sees("plays on for Cid. Type /sit")
    evening.away.add("Cid")
    await evening.play()


async def game_3_eve_loses_her_network(evening: Evening) -> None:
    ada = evening["Ada"]
    ada.types("/start")
    await evening.begins(3)
    evening.away.discard("Cid")
    await evening.play(until=lambda game: game.to_move == "Eve")
    evening.machines.leave_network()
    await ada.sees("thinking for 0:1")
    ada.types("/standin Eve")
    await ada.sees("The bot of Eve")
    evening.machines.join_network()
    await ada.sees("Eve plays again.")
    await evening.play()


async def game_4_finn_is_sent_out_and_ada_leaves_a_server_that_dies(evening: Evening) -> None:
    ada, bob, dora, finn = (evening[name] for name in ("Ada", "Bob", "Dora", "Finn"))
    ada.types("/start")
    await evening.begins(4)
    finn.types("This is boring!!!")
    await ada.sees("Finn: This is boring!!!")
    ada.types("/kick Finn")
    await ada.sees("Send Finn out?")
    ada.types("y")
    assert await finn.comes_to_the_end() == Exit.FAILED
    assert "You were sent out of the room." in finn.terminal.text
    evening.away.add("Finn")
    await evening.play(until=lambda game: game.moves >= 2)
    ada.presses(CTRL_C)
    await ada.sees("Ctrl-C again leaves")
    ada.presses(CTRL_C)
    assert await ada.comes_to_the_end() == Exit.DONE
    assert "The server goes on for the others" in ada.terminal.text
    await bob.sees("You are the host now.")
    evening.kill_server()
    for guest in (dora, evening.phone):
        await guest.sees("No connection")
    ada = evening.at_terminal("Ada", "host")
    await ada.sees("Go on in party")
    ada.presses("\r")
    await bob.sees("Ada plays again.")
    await evening.play()


async def game_5_is_the_last_one(evening: Evening) -> None:
    evening["Bob"].types("/start")
    await evening.begins(5)
    await evening.play()


async def the_table_is_right_everywhere(evening: Evening, folder: Path) -> None:
    table = table_of(evening.games)
    assert {row.name for row in table if row.games == 5} >= {"Ada", "Bob", "Cid", "random"}
    for number, name in enumerate(("Ada", "Bob", "Cid", "Dora", "Eve")):
        person = evening.people[name]
        await person.sees_table(table)
        await person.saves_table(folder / f"{number}.json")
        assert rows_in_json(folder / f"{number}.json") == table
    evening.phone.visitor.forgive_failures()
