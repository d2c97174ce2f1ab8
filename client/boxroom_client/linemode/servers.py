"""Choice of a server without an address, among those found on this machine and its network."""

import asyncio
from collections.abc import Sequence

from boxroom_client.linemode.frontend import LineFrontend
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.printer import Printer
from boxroom_client.link.errors import Unreachable
from boxroom_client.servers.discovery import FoundServer, SearchResult, find_servers
from boxroom_client.servers.localhost import LOCALHOST, local_server, with_local_server
from boxroom_client.servers.reachability import own_interfaces
from boxroom_client.shell.frontend import Interrupted, JoinOptions
from boxroom_client.shell.joining import join
from boxroom_client.shell.output.wording import sentence
from boxroom_client.shell.turns import PROMPT_END
from boxroom_client.text_width import left_aligned, text_width
from boxroom_common.exits import Exit
from boxroom_common.phrases import say
from boxroom_engine.room.text import clean, same_name

SEARCH_S = 1.3
"""Seconds that servers have to answer: enough to repeat a lost query once."""


async def join_found(name: str | None, join_options: JoinOptions, frontend: LineFrontend) -> Exit:
    """Find a server, and play there in the room that `join_options` asks for.

    Raises:
        Failure: there is no server, or it refuses us.
        IdentityError: the stored identity can't be used.
        UsageError: the name isn't valid.
    """
    lines, printer = frontend.lines, frontend.printer
    findings, joinable = await _search_and_report(printer)
    if not joinable:
        return await _join_unfound(findings, name, join_options, frontend)
    try:
        server = await choose_server(joinable, lines, printer)
    except Interrupted:
        return Exit.INTERRUPTED
    if server is None:
        return Exit.DONE
    return await join(server.address, name, join_options, frontend)


async def first_found(printer: Printer) -> FoundServer | None:
    """Return the first server that can be joined, without asking, and print which it is."""
    _, joinable = await _search_and_report(printer)
    return _first(joinable, printer) if joinable else None


async def search(
    *, limit_s: float = SEARCH_S, interfaces: Sequence[str] | None = None
) -> SearchResult:
    """Return the servers on this machine and its networks, the one on this machine first."""
    findings, here = await asyncio.gather(
        find_servers(wait_s=limit_s, interfaces=interfaces),
        local_server(limit_s=limit_s),
    )
    servers = with_local_server(findings.servers, here, own_interfaces())
    return SearchResult(servers, findings.error)


async def choose_server(
    servers: Sequence[FoundServer], lines: Lines, printer: Printer
) -> FoundServer | None:
    """Return the server that the person chooses; None at the end of input.

    Without a choice, or without a terminal, it is the first one, which is printed.

    Raises:
        Interrupted: Ctrl-C.
    """
    if len(servers) == 1 or not lines.is_terminal:
        return _first(servers, printer)
    printer.say([say("terminal.line.servers"), *_numbered(servers)])
    with lines.opened():
        while True:
            answer = await lines.next(lambda: f"{say('terminal.line.which_server')}{PROMPT_END}")
            if answer is None:
                return None
            chosen = _parse_answer(clean(answer), servers)
            if chosen is not None:
                return chosen
            printer.say([say("terminal.line.type_server", last=len(servers))])


async def _search_and_report(printer: Printer) -> tuple[SearchResult, list[FoundServer]]:
    """Search; return the findings and the joinable servers, and print why others aren't."""
    printer.say([say("terminal.line.looking")])
    findings = await search()
    printer.say(
        say("terminal.line.cannot_join", server=_described(server), why=server.incompatibility)
        for server in findings.servers
        if server.incompatibility is not None
    )
    return findings, [server for server in findings.servers if server.incompatibility is None]


def _first(servers: Sequence[FoundServer], printer: Printer) -> FoundServer:
    key = "terminal.line.joining" if len(servers) == 1 else "terminal.line.joining_first"
    printer.say([say(key, server=_described(servers[0]), n=len(servers))])
    return servers[0]


async def _join_unfound(
    findings: SearchResult, name: str | None, join_options: JoinOptions, frontend: LineFrontend
) -> Exit:
    """Try this machine after all: its failure explains best why there is no server."""
    try:
        return await join(LOCALHOST, name, join_options, frontend)
    except Unreachable as error:
        why = f"{sentence(str(error), capital=False)} {_why_none(findings)}"
        raise Unreachable(why) from None


def _why_none(findings: SearchResult) -> str:
    if findings.error is not None:
        return say("terminal.line.no_search", why=findings.error)
    return say("terminal.line.none_joinable" if findings.servers else "terminal.line.none_found")


def _described(server: FoundServer) -> str:
    return say("terminal.line.server_at", name=server.name, address=str(server.address))


def _numbered(servers: Sequence[FoundServer]) -> list[str]:
    widest = max(text_width(server.name) for server in servers)
    digits = len(str(len(servers)))
    return [
        f"  {number:>{digits}}  {left_aligned(server.name, widest)}  {server.address}"
        for number, server in enumerate(servers, start=1)
    ]


def _parse_answer(answer: str, servers: Sequence[FoundServer]) -> FoundServer | None:
    """Return the server that `answer` means; None if it is invalid."""
    if answer.isdecimal() and len(answer) < 9 and 1 <= int(answer) <= len(servers):
        return servers[int(answer) - 1]
    return next((server for server in servers if same_name(answer, server.name)), None)
