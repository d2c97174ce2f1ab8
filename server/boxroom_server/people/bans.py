"""Who isn't welcome on this server: names, and the addresses of networks.

A ban of a name is of little use against who just takes another one, and a ban of an address
hits everybody who comes from there; which of them it should be is left to who runs the server.
"""

from ipaddress import ip_address, ip_network

from boxroom_engine.room.text import clean_name, fold
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import Network, plain_address
from boxroom_server.storage.ledger import BanKind, BanRecord, Ledger

NAME_CHARS = 100
"""No name is longer, whatever the options of a server say."""


def network_of(text: str) -> Network | None:
    """The network that `text`, an address or a CIDR, names; None if it is neither."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


class Bans:
    """The bans of one server."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self._names: dict[str, BanRecord] = {}
        self._networks: dict[Network, BanRecord] = {}
        for ban in ledger.bans():
            self._note(ban)

    def ban(self, who: str, reason: str) -> BanRecord | None:
        """Ban an address, a network (`10.1.0.0/16`) or a name; None if `who` is none of them."""
        kind_and_key = _kind_and_key(who)
        if kind_and_key is None:
            return None
        kept = BanRecord(*kind_and_key, self._clock.now_ms(), reason)
        self._note(kept)
        self._ledger.save_ban(kept)
        return kept

    def unban(self, who: str) -> BanRecord | None:
        """End the ban of exactly that name, address or network; None if there is none."""
        kind_and_key = _kind_and_key(who)
        if kind_and_key is None:
            return None
        kind, key = kind_and_key
        if kind is BanKind.NAME:
            ended = self._names.pop(key, None)
        else:
            ended = self._networks.pop(ip_network(key), None)
        if ended is not None:
            self._ledger.delete_ban(kind, key)
        return ended

    def all(self) -> tuple[BanRecord, ...]:
        """Every ban, the oldest first."""
        both = (*self._names.values(), *self._networks.values())
        return tuple(sorted(both, key=lambda ban: (ban.at_ms, ban.who)))

    def of_name(self, name: str) -> BanRecord | None:
        """The ban that `name` is under, in whatever case it is written."""
        return self._names.get(fold(name))

    def of_address(self, text: str) -> BanRecord | None:
        """The ban that the address `text` is under: of itself, or of a network around it."""
        plain = plain_address(text)
        if not plain:
            return None
        address = ip_address(plain)
        for bits in {network.prefixlen for network in self._networks}:
            if bits <= address.max_prefixlen:
                around = ip_network(f"{address}/{bits}", strict=False)
                if around in self._networks:
                    return self._networks[around]
        return None

    def _note(self, ban: BanRecord) -> None:
        if ban.kind is BanKind.NAME:
            self._names[ban.who] = ban
        else:
            self._networks[ip_network(ban.who)] = ban


def _kind_and_key(who: str) -> tuple[BanKind, str] | None:
    network = network_of(who)
    if network is not None:
        return BanKind.ADDRESS, str(network)
    name = clean_name(who, NAME_CHARS)
    return None if name is None else (BanKind.NAME, fold(name))
