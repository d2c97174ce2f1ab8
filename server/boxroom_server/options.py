"""Options of a server: addresses, limits and times, with generous defaults.

`boxroom serve` has a flag for each field, with the help that stands beside it.
"""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network

from boxroom_common.look_alikes import look_alike, mistake_in_new_name
from boxroom_engine.bots.registry import bots_for, plain_name
from boxroom_engine.games.registry import KINDS
from boxroom_engine.room.limits import RoomLimits
from boxroom_engine.wire.links import PageUrl
from boxroom_engine.wire.origins import parse_host_names, parse_origins
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_engine.wire.urls import UrlError, parse_host

MOST = 1_000_000_000
"""Default maximum of a number; the default minimum is 0."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one server, chosen by its operator."""

    host: str = field(
        default="",
        metadata={"group": Group.FIRST, "help": "address or host to listen on (default: all)"},
    )
    port: int = field(
        default=DEFAULT_PORT,
        metadata={"group": Group.FIRST, "help": "port; 0 takes a free one", "most": 65_535},
    )

    tls_cert: str = field(
        default="",
        metadata={
            "group": Group.FIRST,
            "help": "file with the certificate chain in PEM, for wss:// (default: no TLS)",
        },
    )
    tls_key: str = field(
        default="",
        metadata={
            "group": Group.FIRST,
            "help": "file with its key (default: none, as without TLS)",
        },
    )
    trust_proxy: str = field(
        default="",
        metadata={
            "group": Group.NETWORK,
            "help": "addresses of proxies whose X-Forwarded-For is believed, like 10.0.0.5,::1, or "
            "networks with nobody else in them (default: none)",
        },
    )
    origins: str = field(
        default="",
        metadata={
            "group": Group.NETWORK,
            "help": "origins of other web pages that may connect, like https://example.org,… "
            "(default: none; programs other than browsers always may)",
        },
    )
    no_web: bool = field(
        default=False,
        metadata={
            "group": Group.WEB,
            "help": "serve no page for browsers; only programs such as `boxroom join` can play",
        },
    )
    public_url: str = field(
        default="",
        metadata={
            "group": Group.WEB,
            "help": "address of the page for people, like https://play.example.org: for links and "
            "QR codes, and allowed to connect (default: this machine's addresses)",
        },
    )
    web_names: str = field(
        default="",
        metadata={
            "group": Group.WEB,
            "help": "host names by which browsers may come, like boxroom,games.example.org "
            "(default: those in --host and --public-url, localhost, .local; IP addresses always)",
        },
    )
    metrics_host: str = field(
        default="",
        metadata={
            "group": Group.OPERATION,
            "help": "address for /metrics, and /healthz and /readyz as well "
            "(default: 127.0.0.1 with --metrics-port, or else none)",
        },
    )
    metrics_port: int = field(
        default=0,
        metadata={
            "group": Group.OPERATION,
            "help": "port for them; 0 takes a free one with --metrics-host (default: none)",
            "most": 65_535,
        },
    )
    metrics_names: str = field(
        default="",
        metadata={
            "group": Group.OPERATION,
            "help": "host names by which /metrics may be asked for, like boxroom,example.org "
            "(default: none but localhost; IP addresses always)",
        },
    )

    rooms: int = field(default=10_000, metadata={"group": Group.ROOMS, "help": "rooms at once"})
    rooms_per_name: int = field(
        default=20, metadata={"group": Group.ROOMS, "help": "rooms that one person has made"}
    )
    rooms_per_address: int = field(
        default=200,
        metadata={"group": Group.ROOMS, "help": "rooms made from one address, or one /64 of IPv6"},
    )
    bots_per_name: int = field(
        default=200,
        metadata={"group": Group.ROOMS, "help": "bots in all rooms that one person has made"},
    )
    listed: int = field(
        default=50,
        metadata={
            "group": Group.ROOMS,
            "help": "rooms in a page of the list of open rooms",
            "least": 1,
        },
    )
    room_events: int = field(
        default=1_000_000,
        metadata={
            "group": Group.ROOMS,
            "help": "events of a room, after which only a game that is on goes on",
        },
    )
    seats: int = field(default=50, metadata={"group": Group.ROOMS, "help": "seats in a room"})
    members: int = field(default=500, metadata={"group": Group.ROOMS, "help": "members in a room"})
    spectators: int = field(
        default=400, metadata={"group": Group.ROOMS, "help": "spectators in a room"}
    )
    board: int = field(
        default=5_000,
        metadata={"group": Group.ROOMS, "help": "size of a board, in moves that one game can take"},
    )
    name_chars: int = field(
        default=24, metadata={"group": Group.PEOPLE, "help": "characters in a name"}
    )
    chat_chars: int = field(
        default=500, metadata={"group": Group.PEOPLE, "help": "characters in a line of chat"}
    )
    names: int = field(
        default=100_000,
        metadata={"group": Group.PEOPLE, "help": "names that are kept for their owners"},
    )
    name_days: float = field(
        default=180.0,
        metadata={
            "group": Group.PEOPLE,
            "help": "days after which a name that isn't used is free again",
        },
    )
    keep_games: float = field(
        default=0.0,
        metadata={
            "group": Group.PEOPLE,
            "help": "days that finished games are kept (default: 0, which is for ever)",
        },
    )

    new_names: int = field(
        default=500, metadata={"group": Group.PEOPLE, "help": "new names from one address at once"}
    )
    new_names_per_s: float = field(
        default=0.05,
        metadata={"group": Group.PEOPLE, "help": "new names a second from one address, on average"},
    )

    message_bytes: int = field(
        default=16_384, metadata={"group": Group.MESSAGES, "help": "bytes in a client's message"}
    )
    messages_per_s: float = field(
        default=50.0,
        metadata={
            "group": Group.MESSAGES,
            "help": "messages a second from a connection, on average",
        },
    )
    burst: int = field(
        default=200,
        metadata={"group": Group.MESSAGES, "help": "messages at once from a connection"},
    )
    chat_per_s: float = field(
        default=2.0,
        metadata={
            "group": Group.MESSAGES,
            "help": "lines of chat a second from a person, on average",
        },
    )
    chat_burst: int = field(
        default=20, metadata={"group": Group.MESSAGES, "help": "lines of chat at once"}
    )
    wrong_passwords_per_s: float = field(
        default=0.1,
        metadata={
            "group": Group.PEOPLE,
            "help": "wrong passwords a second from an address or at a room, on average",
        },
    )
    wrong_passwords: int = field(
        default=20, metadata={"group": Group.PEOPLE, "help": "wrong passwords at once"}
    )
    frames_per_s: float = field(
        default=20.0,
        metadata={
            "group": Group.MESSAGES,
            "help": "pings, pongs and pieces of messages a second from a connection",
        },
    )
    frames_burst: int = field(
        default=200,
        metadata={"group": Group.MESSAGES, "help": "pings, pongs and pieces of messages at once"},
    )
    connections: int = field(
        default=10_000, metadata={"group": Group.NETWORK, "help": "connections at once"}
    )
    connections_per_address: int = field(
        default=256,
        metadata={
            "group": Group.NETWORK,
            "help": "connections from one address, or from one /64 of IPv6",
        },
    )
    handshake_s: float = field(
        default=10.0,
        metadata={
            "group": Group.NETWORK,
            "help": "seconds that TLS and an HTTP request may take",
            "least": 0.1,
        },
    )
    header_bytes: int = field(
        default=16_384,
        metadata={"group": Group.NETWORK, "help": "bytes in the head of an HTTP request"},
    )
    unread_bytes: int = field(
        default=1_048_576,
        metadata={
            "group": Group.NETWORK,
            "help": "unread bytes beyond which a slow connection is closed",
        },
    )
    drain_s: float = field(
        default=5.0,
        metadata={"group": Group.NETWORK, "help": "seconds that a slow reader has to catch up"},
    )
    hello_s: float = field(
        default=10.0, metadata={"group": Group.NETWORK, "help": "seconds to wait for a greeting"}
    )

    grace_s: float = field(
        default=120.0,
        metadata={
            "group": Group.ROOMS,
            "help": "seconds that the seat of a dropped player is kept",
        },
    )
    empty_room_s: float = field(
        default=3_600.0,
        metadata={"group": Group.ROOMS, "help": "seconds before a room without people is closed"},
    )
    bot_s: float = field(
        default=2.0,
        metadata={
            "group": Group.BOTS,
            "help": "seconds that a bot may think, shared when others wait",
        },
    )
    bot_workers: int = field(
        default=2,
        metadata={
            "group": Group.BOTS,
            "help": "processes in which bots think; quick ones have one more",
            "least": 1,
        },
    )
    pace_s: float = field(
        default=0.3,
        metadata={
            "group": Group.BOTS,
            "help": "seconds that a bot's move takes at least, so that people can follow",
        },
    )

    def __post_init__(self) -> None:
        """Check all values.

        Raises:
            ValueError: one of them is out of range or malformed; the sentence names it.
        """
        for option in fields(self):
            value = getattr(self, option.name)
            least = option.metadata.get("least", 0)
            most = option.metadata.get("most", MOST)
            if not isinstance(value, str) and not least <= value <= most:
                raise ValueError(f"{option.name} is {least} to {most}, not {value}")
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
