"""Options of a server: addresses, limits and times, with generous defaults.

The annotation of a field has the field's flag: `boxroom serve` adds it to its command line.
"""

from dataclasses import Field, dataclass, fields
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any, Self, get_args

from boxroom_common.look_alikes import look_alike, mistake_in_new_name
from boxroom_engine.bots.levels import LEVELS
from boxroom_engine.bots.registry import bots_for, plain_name
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import parse_host_names, parse_origins
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_engine.wire.urls import UrlError, parse_host

LOOPBACK = "127.0.0.1"
"""The default address of the metrics server, for programs on this machine only."""

_ALL = "*"
"""Stands for all addresses, as in many programs."""


class Group(StrEnum):
    """Groups of options in the help of `boxroom serve`, in their order."""

    FIRST = "first of all"
    ROOMS = "rooms"
    BOTS = "bots"
    PEOPLE = "names, chat and passwords"
    NETWORK = "the network"
    WEB = "the page for browsers"
    MESSAGES = "messages"
    OPERATION = "operation"


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of an option in the help of `boxroom serve`, and the bounds of a number."""

    group: Group
    help: str
    least: float = 0
    most: float = 1_000_000_000

    @classmethod
    def of(cls, option: "Field[Any]") -> Self:
        """Return the flag of a field of `Options`."""
        flag: Self = get_args(option.type)[1]
        return flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one server, chosen by its operator."""

    host: Annotated[str, Flag(Group.FIRST, "address or host to listen on (default: all)")] = ""
    port: Annotated[int, Flag(Group.FIRST, "port; 0 takes a free one", most=65_535)] = DEFAULT_PORT

    tls_cert: Annotated[
        str,
        Flag(Group.FIRST, "file with the certificate chain in PEM, for wss:// (default: no TLS)"),
    ] = ""
    tls_key: Annotated[
        str, Flag(Group.FIRST, "file with its key (default: none, as without TLS)")
    ] = ""
    trust_proxy: Annotated[
        str,
        Flag(
            Group.NETWORK,
            "addresses of proxies whose X-Forwarded-For is believed, like 10.0.0.5,::1, or "
            "networks with nobody else in them (default: none)",
        ),
    ] = ""
    origins: Annotated[
        str,
        Flag(
            Group.NETWORK,
            "origins of other web pages that may connect, like https://example.org,… "
            "(default: none; programs other than browsers always may)",
        ),
    ] = ""
    no_web: Annotated[
        bool,
        Flag(
            Group.WEB, "serve no page for browsers; only programs such as `boxroom join` can play"
        ),
    ] = False
    public_url: Annotated[
        str,
        Flag(
            Group.WEB,
            "address of the page for people, like https://play.example.org: for links and "
            "QR codes, and allowed to connect (default: this machine's addresses)",
        ),
    ] = ""
    web_names: Annotated[
        str,
        Flag(
            Group.WEB,
            "host names by which browsers may come, like boxroom,games.example.org "
            "(default: those in --host and --public-url, localhost, .local; IP addresses always)",
        ),
    ] = ""
    metrics_host: Annotated[
        str,
        Flag(
            Group.OPERATION,
            "address for /metrics, and /healthz and /readyz as well "
            "(default: 127.0.0.1 with --metrics-port, or else none)",
        ),
    ] = ""
    metrics_port: Annotated[
        int,
        Flag(
            Group.OPERATION,
            "port for them; 0 takes a free one with --metrics-host (default: none)",
            most=65_535,
        ),
    ] = 0
    metrics_names: Annotated[
        str,
        Flag(
            Group.OPERATION,
            "host names by which /metrics may be asked for, like boxroom,example.org "
            "(default: none but localhost; IP addresses always)",
        ),
    ] = ""

    rooms: Annotated[int, Flag(Group.ROOMS, "rooms at once")] = 10_000
    rooms_per_name: Annotated[int, Flag(Group.ROOMS, "rooms that one person has made")] = 20
    rooms_per_address: Annotated[
        int, Flag(Group.ROOMS, "rooms made from one address, or one /64 of IPv6")
    ] = 200
    bots_per_name: Annotated[
        int, Flag(Group.ROOMS, "bots in all rooms that one person has made")
    ] = 200
    listed: Annotated[
        int, Flag(Group.ROOMS, "rooms in a page of the list of open rooms", least=1)
    ] = 50
    room_events: Annotated[
        int, Flag(Group.ROOMS, "events of a room, after which only a game that is on goes on")
    ] = 1_000_000
    seats: Annotated[int, Flag(Group.ROOMS, "seats in a room")] = 50
    members: Annotated[int, Flag(Group.ROOMS, "members in a room")] = 500
    spectators: Annotated[int, Flag(Group.ROOMS, "spectators in a room")] = 400
    board: Annotated[
        int,
        Flag(Group.ROOMS, "size of a board, in moves that one game can take"),
    ] = 5_000
    name_chars: Annotated[int, Flag(Group.PEOPLE, "characters in a name")] = 24
    chat_chars: Annotated[int, Flag(Group.PEOPLE, "characters in a line of chat")] = 500
    names: Annotated[int, Flag(Group.PEOPLE, "names that are kept for their owners")] = 100_000
    name_days: Annotated[
        float, Flag(Group.PEOPLE, "days after which a name that isn't used is free again")
    ] = 180.0
    keep_games: Annotated[
        float,
        Flag(Group.PEOPLE, "days that finished games are kept (default: 0, which is for ever)"),
    ] = 0.0

    new_names: Annotated[int, Flag(Group.PEOPLE, "new names from one address at once")] = 500
    new_names_per_s: Annotated[
        float, Flag(Group.PEOPLE, "new names a second from one address, on average")
    ] = 0.05

    message_bytes: Annotated[int, Flag(Group.MESSAGES, "bytes in a client's message")] = 16_384
    messages_per_s: Annotated[
        float, Flag(Group.MESSAGES, "messages a second from a connection, on average")
    ] = 50.0
    burst: Annotated[int, Flag(Group.MESSAGES, "messages at once from a connection")] = 200
    chat_per_s: Annotated[
        float, Flag(Group.MESSAGES, "lines of chat a second from a person, on average")
    ] = 2.0
    chat_burst: Annotated[int, Flag(Group.MESSAGES, "lines of chat at once")] = 20
    wrong_passwords_per_s: Annotated[
        float,
        Flag(Group.PEOPLE, "wrong passwords a second from an address or at a room, on average"),
    ] = 0.1
    wrong_passwords: Annotated[int, Flag(Group.PEOPLE, "wrong passwords at once")] = 20
    frames_per_s: Annotated[
        float,
        Flag(Group.MESSAGES, "pings, pongs and pieces of messages a second from a connection"),
    ] = 20.0
    frames_burst: Annotated[
        int, Flag(Group.MESSAGES, "pings, pongs and pieces of messages at once")
    ] = 200
    connections: Annotated[int, Flag(Group.NETWORK, "connections at once")] = 10_000
    connections_per_address: Annotated[
        int, Flag(Group.NETWORK, "connections from one address, or from one /64 of IPv6")
    ] = 256
    handshake_s: Annotated[
        float, Flag(Group.NETWORK, "seconds that TLS and an HTTP request may take", least=0.1)
    ] = 10.0
    header_bytes: Annotated[
        int,
        Flag(Group.NETWORK, "bytes in the head of an HTTP request"),
    ] = 16_384
    unread_bytes: Annotated[
        int, Flag(Group.NETWORK, "unread bytes beyond which a slow connection is closed")
    ] = 1_048_576
    drain_s: Annotated[
        float,
        Flag(Group.NETWORK, "seconds that a slow reader has to catch up"),
    ] = 5.0
    hello_s: Annotated[float, Flag(Group.NETWORK, "seconds to wait for a greeting")] = 10.0

    grace_s: Annotated[
        float, Flag(Group.ROOMS, "seconds that the seat of a dropped player is kept")
    ] = 120.0
    empty_room_s: Annotated[
        float, Flag(Group.ROOMS, "seconds before a room without people is closed")
    ] = 3_600.0
    bot_s: Annotated[
        float, Flag(Group.BOTS, "seconds that a bot may think, shared when others wait")
    ] = 2.0
    bot_workers: Annotated[
        int, Flag(Group.BOTS, "processes in which bots think; quick ones have one more", least=1)
    ] = 2
    pace_s: Annotated[
        float,
        Flag(Group.BOTS, "seconds that a bot's move takes at least, so that people can follow"),
    ] = 0.3

    def __post_init__(self) -> None:
        """Check all values.

        Raises:
            ValueError: one of them is out of range or malformed; the sentence names it.
        """
        for option in fields(self):
            value, flag = getattr(self, option.name), Flag.of(option)
            if not isinstance(value, str) and not flag.least <= value <= flag.most:
                raise ValueError(f"{option.name} is {flag.least} to {flag.most}, not {value}")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ValueError("tls_cert and tls_key go together: give both of them, or neither")
        _bind_host("host", self.host)
        _bind_host("metrics_host", self.metrics_host)
        parse_networks(self.trust_proxy)
        parse_origins(self.origins)
        parse_host_names(self.web_names)
        if self.no_web and (self.public_url or self.web_names):
            raise ValueError("no_web serves no page: leave public_url and web_names out")
        self.public_page()

    @property
    def bind_host(self) -> str | None:
        """Host to listen on, an IP address or a name; None for all addresses."""
        return _bind_host("host", self.host or _ALL)

    @property
    def metrics_bind_host(self) -> str | None:
        """Host on which the metrics server listens, if there is one; None for all addresses."""
        return _bind_host("metrics_host", self.metrics_host or LOOPBACK)

    def trusted_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Return the networks of trusted proxies."""
        return parse_networks(self.trust_proxy)

    def allowed_origins(self) -> frozenset[str]:
        """Return the origins of web pages that may connect, whatever the name of the server."""
        page = self.public_page()
        return parse_origins(self.origins) | ({page.origin} if page is not None else set())

    def allowed_web_names(self) -> frozenset[str]:
        """Return the host names by which the server's own page may connect, in lower case."""
        page = self.public_page()
        named = {self.bind_host, page.host if page is not None else None}
        return parse_host_names(self.web_names) | {name for name in named if name is not None}

    def public_page(self) -> PageUrl | None:
        """Return the address of the page for people; None if the operator hasn't given one."""
        return PageUrl.parse(self.public_url) if self.public_url else None

    @property
    def has_https(self) -> bool:
        """Whether browsers come by HTTPS, to this server or to a proxy."""
        page = self.public_page()
        return bool(self.tls_cert) or (page is not None and page.secure)

    def page_link(self) -> str | None:
        """Return the link to the page that clients are told; see `Welcome.page`."""
        return None if self.no_web else str(self.public_page() or "")

    @property
    def has_metrics_server(self) -> bool:
        """Whether the options give metrics an address, without which none are served."""
        return bool(self.metrics_host or self.metrics_port)

    def allowed_metrics_names(self) -> frozenset[str]:
        """Return the host names by which metrics may be asked for, in lower case."""
        names = f"{self.metrics_host},{self.metrics_names}".split(",")
        return frozenset(name.strip().lower() for name in names if name.strip())

    def changed(self) -> dict[str, str | int | float]:
        """Return the options that differ from their defaults."""
        values = {option.name: getattr(self, option.name) for option in fields(self)}
        return {
            option.name: values[option.name]
            for option in fields(self)
            if values[option.name] != option.default
        }

    def room_limits(self) -> RoomLimits:
        """Return the limits that the engine applies to each room."""
        return RoomLimits(
            bots={name: bots_for(kind) for name, kind in KINDS.items()},
            levels=LEVELS,
            plain_bot=plain_name,
            mistake_in_new_name=mistake_in_new_name,
            look_alike=look_alike,
            events=self.room_events,
            seats=self.seats,
            members=self.members,
            spectators=self.spectators,
            longest_game=self.board,
            chat_chars=self.chat_chars,
            name_chars=self.name_chars,
            grace_ms=round(self.grace_s * 1000),
        )


def _bind_host(name: str, text: str) -> str | None:
    """Return the normal form of the host to listen on; None for all addresses.

    Raises:
        ValueError: it isn't a host; the sentence begins with the option's `name`.
    """
    if text in ("", _ALL):
        return None
    try:
        return parse_host(text)
    except UrlError as error:
        raise ValueError(f"{name}: {error}") from None


def parse_networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks in `CIDR,CIDR,…`; a single address is a network too.

    Raises:
        ValueError: an entry is malformed; the sentence says which.
    """
    return tuple(_parse_network(each.strip()) for each in text.split(",") if each.strip())


def _parse_network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise ValueError(f"a network is like 10.0.0.0/8 or 2001:db8::/32: {error}") from None
