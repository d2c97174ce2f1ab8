"""Without an address: which server, of those on this network and on this machine."""

import asyncio
from collections.abc import Sequence

from boxroom_client.linemode.front import LineFront
from boxroom_client.linemode.lines import Lines
from boxroom_client.linemode.page import Page
from boxroom_client.servers.discovery import FoundServer, SearchResult, find_servers
from boxroom_client.servers.localhost import LOCALHOST, local_server, with_local_server
from boxroom_client.servers.reachability import own_interfaces
from boxroom_client.shell.front import Interrupted
from boxroom_client.shell.join_options import JoinOptions
from boxroom_client.shell.joining import join
from boxroom_client.shell.output.wording import sentence
from boxroom_common.exits import Exit, Failure
from boxroom_engine.room.text import clean, same_name

PATIENCE_S = 1.3
"""How long servers have to answer: so long that a lost question is asked once more."""


async def join_found(name: str | None, join_options: JoinOptions, front: LineFront) -> Exit:
    """Find a server, and play there in the room that `join_options` leads to.

    Raises:
        Failure: there is no server, or it doesn't let us in.
        UsageError: the name can't be one.
    """
    lines, page = front.lines, front.page
    findings, joinable = await _looked_for(page)
    if not joinable:
        return await _join_unfound(findings, name, join_options, front)
    try:
        server = await choose_server(joinable, lines, page)
    except Interrupted:
        return Exit.INTERRUPTED
    if server is None:
        return Exit.DONE
    return await join(server.address, name, join_options, front)


async def first_found(page: Page) -> FoundServer | None:
    """The first server that can be joined, where there is nobody to ask; `page` tells which."""
    _, joinable = await _looked_for(page)
    return _first(joinable, page) if joinable else None


async def search(
    *, patience_s: float = PATIENCE_S, interfaces: Sequence[str] | None = None
) -> SearchResult:
    """The servers on this machine and on its networks, the one on this machine first."""
    findings, here = await asyncio.gather(
        find_servers(wait_s=patience_s, interfaces=interfaces),
        local_server(limit_s=patience_s),
    )
    servers = with_local_server(findings.servers, here, own_interfaces())
    return SearchResult(servers, findings.error)


async def choose_server(
    servers: Sequence[FoundServer], lines: Lines, page: Page
) -> FoundServer | None:
    """The one of `servers` that a person chooses, or the first; None at the end of input.

    Nobody is asked where there is no choice, or no person; `page` tells which it is.

    Raises:
        Interrupted: Ctrl-C.
    """
    if len(servers) == 1 or not lines.is_terminal:
        return _first(servers, page)
    page.say(["The servers:", *_numbered(servers)])
    with lines.opened():
        while True:
            answer = await lines.next(lambda: "Its number or name> ")
            if answer is None:
                return None
            chosen = _chosen(clean(answer), servers)
            if chosen is not None:
                return chosen
            page.say([f"Type a number, 1 to {len(servers)}, or the name of a server."])


async def _looked_for(page: Page) -> tuple[SearchResult, list[FoundServer]]:
    """What is found, and the servers of it that can be joined; `page` tells why others can't."""
    page.say(["Looking for a server on this machine and its network."])
    findings = await search()
    page.say(
        f"{_described(server)} can't be joined: {server.incompatibility}."
        for server in findings.servers
        if server.incompatibility is not None
    )
    return findings, [server for server in findings.servers if server.incompatibility is None]


def _first(servers: Sequence[FoundServer], page: Page) -> FoundServer:
    which = "" if len(servers) == 1 else f", the first of {len(servers)} servers"
    page.say([f"Joining {_described(servers[0])}{which}."])
    return servers[0]


async def _join_unfound(
    findings: SearchResult, name: str | None, join_options: JoinOptions, front: LineFront
) -> Exit:
    """Try this machine after all, which says best why there is no server on it."""
    try:
        return await join(LOCALHOST, name, join_options, front)
    except Failure as failure:
        if failure.code is not Exit.UNREACHABLE:
            raise
        why = f"{sentence(str(failure), capital=False)} {_why_none(findings)}"
        raise Failure(why, failure.code) from None


def _why_none(findings: SearchResult) -> str:
    if findings.error is not None:
        return f"The network can't be searched for others: {findings.error}."
    which = "No server that can be joined" if findings.servers else "No server"
    return f"{which} was found on this network: boxroom serve starts one."


def _described(server: FoundServer) -> str:
    return f"{server.name} at {server.address}"


def _numbered(servers: Sequence[FoundServer]) -> list[str]:
    widest = max(len(server.name) for server in servers)
    digits = len(str(len(servers)))
    return [
        f"  {number:>{digits}}  {server.name:<{widest}}  {server.address}"
        for number, server in enumerate(servers, start=1)
    ]


def _chosen(answer: str, servers: Sequence[FoundServer]) -> FoundServer | None:
    """What `answer` means; None if nothing."""
    if answer.isdecimal() and len(answer) < 9 and 1 <= int(answer) <= len(servers):
        return servers[int(answer) - 1]
    return next((server for server in servers if same_name(answer, server.name)), None)
