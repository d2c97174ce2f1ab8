"""Bans of names, addresses and networks.

A banned person can come back under another name, and a banned address may be shared by many people;
the operator chooses between the two.
"""

from collections.abc import Callable
from ipaddress import ip_address, ip_network

from boxroom_engine.room.text import clean_name, fold
from boxroom_server.clock import Clock
from boxroom_server.net.client_address import Network, plain_address
from boxroom_server.storage.ledger import BanKind, BanRecord, Ledger

NAME_CHARS = 100
"""Longest name that can be banned, whatever a server's limit is."""


def network_of(text: str) -> Network | None:
    """Return the network that `text`, an address or a CIDR, denotes; None if it is neither."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


class Bans:
    """The bans of one server."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self._names: dict[str, BanRecord] = {}  # by folded name
        self._networks: dict[Network, BanRecord] = {}  # an address is a network of one
        self.on_ban: list[Callable[[BanRecord], None]] = []
        """Called with each ban that another server has made."""
        for ban in ledger.bans():
            self._add(ban)
        ledger.ban_changed.append(self._changed_elsewhere)

    def _changed_elsewhere(self, kind: BanKind, who: str, ban: BanRecord | None) -> None:
        if ban is None:
            self._remove(kind, who)
        else:
            self._add(ban)
            for listener in self.on_ban:
                listener(ban)

    def ban(self, who: str, reason: str) -> BanRecord | None:
        """Ban an address, a network (`10.1.0.0/16`) or a name; None if `who` is none of them."""
        kind_and_key = _kind_and_key(who)
        if kind_and_key is None:
            return None
        ban = BanRecord(*kind_and_key, self._clock.now_ms(), reason)
        self._add(ban)
        self._ledger.save_ban(ban)
        return ban

    def unban(self, who: str) -> BanRecord | None:
        """End the ban of exactly that name, address or network; return None if there is none."""
        kind_and_key = _kind_and_key(who)
        if kind_and_key is None:
            return None
        ended = self._remove(*kind_and_key)
        if ended is not None:
            self._ledger.delete_ban(*kind_and_key)
        return ended

    def _remove(self, kind: BanKind, who: str) -> BanRecord | None:
        """Remove a ban, and return it; None if there is none."""
        if kind is BanKind.NAME:
            return self._names.pop(who, None)
        return self._networks.pop(ip_network(who), None)

    def all(self) -> tuple[BanRecord, ...]:
        """Return every ban, the oldest first."""
        both = (*self._names.values(), *self._networks.values())
        return tuple(sorted(both, key=lambda ban: (ban.at_ms, ban.who)))

    def of_name(self, name: str) -> BanRecord | None:
        """Return the ban of `name`, in any case; None if there is none."""
        return self._names.get(fold(name))

    def of_address(self, text: str) -> BanRecord | None:
        """Return a ban of the address `text`, or of a network that contains it, if there is one."""
        plain = plain_address(text)
        if not plain:
            return None
        address = ip_address(plain)
        for bits in {network.prefixlen for network in self._networks}:
            if bits <= address.max_prefixlen:
                containing = ip_network(f"{address}/{bits}", strict=False)
                if containing in self._networks:
                    return self._networks[containing]
        return None

    def _add(self, ban: BanRecord) -> None:
        if ban.kind is BanKind.NAME:
            self._names[ban.who] = ban
        else:
            self._networks[ip_network(ban.who)] = ban


def _kind_and_key(who: str) -> tuple[BanKind, str] | None:
    network = network_of(who)
    if network is not None:
        return BanKind.ADDRESS, str(network)
    name = clean_name(who, NAME_CHARS, lambda name: True)
    return None if name is None else (BanKind.NAME, fold(name))
