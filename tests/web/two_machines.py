"""Two machines on a network of their own: that of a host, and a guest's phone.

They are network namespaces, joined by a cable (a pair of veth devices).
"""

import itertools
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.namespaces import Namespaces, namespaces

HOST = "10.77.0.1"
"""Address of the host's machine; the phone has later ones."""


class TwoMachines:
    """Both machines, which `cable` joins.

    The command `on_host` runs another one on the host's machine, and `on_phone` on the phone.
    """

    def __init__(self, host: Namespaces, phone: Namespaces) -> None:
        self.on_host = host.within
        self.on_phone = phone.within
        self._addresses = (f"10.77.0.{number}" for number in itertools.count(2))  # of the phone
        for machine in (self.on_host, self.on_phone):
            _run(machine, "ip link set lo up")
            # A second address, some time later, would be another change of the network.
            _run(machine, "ip link set cable addrgenmode none")
        _run(self.on_host, f"ip address add {HOST}/24 dev cable")
        _run(self.on_host, "ip link set cable up")
        self.join_network()

    def join_network(self) -> None:
        """Join the phone to the host's network, with an address that it didn't have before."""
        _run(self.on_phone, f"ip address add {next(self._addresses)}/24 dev cable")
        _run(self.on_phone, "ip link set cable up")

    def leave_network(self) -> None:
        """Cut the phone off, silently: everything that either machine sends gets lost."""
        _run(self.on_phone, "ip link set cable down")
        _run(self.on_phone, "ip address flush dev cable")

    def program_on_phone(self, program: str, folder: Path) -> Path:
        """Write a script that runs a program on the phone, where it is root."""
        script = folder / Path(program).name
        script.write_text(f'#!/bin/sh\nexec {" ".join(self.on_phone)} {program} "$@"\n')
        script.chmod(0o755)
        return script


def _run(machine: Sequence[str], command: str) -> None:
    subprocess.run([*machine, *command.split()], check=True)


@contextmanager
def two_machines() -> Iterator[TwoMachines]:
    """Make both machines; skip the test where that is impossible."""
    with namespaces("net") as host, namespaces("net", within=host.within) as phone:
        if shutil.which("ip") is None:
            pytest.skip("needs ip: apt install iproute2")
        cable = f"ip link add cable type veth peer name cable netns {phone.pid}"
        if subprocess.run([*host.within, *cable.split()], check=False).returncode != 0:
            pytest.skip("impossible here: no veth devices may be made")
        yield TwoMachines(host, phone)
