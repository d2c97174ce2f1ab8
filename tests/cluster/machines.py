"""Machines on a network of their own, each of which the test can cut off from any other.

They are network namespaces with cables (veth devices) to one more, the switch, which has a bridge.
A process of the test isn't on that network, but it can connect to a socket file that a process on a
machine listens at.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from tests.namespaces import Namespaces, namespaces


class Machine:
    """One machine; the command `within` runs another one on it."""

    def __init__(self, number: int, namespace: Namespaces) -> None:
        self.address = f"10.78.0.{number}"
        """Its address on the network."""
        self.within = namespace.within

    def run(self, command: str) -> None:
        """Run `command` on it, which must succeed."""
        subprocess.run([*self.within, *command.split()], check=True)

    def send_nothing_to(self, other: "Machine") -> None:
        """Lose all that it sends to `other`, in silence; what comes from there arrives."""
        self.run(f"ip route add blackhole {other.address}/32")

    def send_again_to(self, other: "Machine") -> None:
        """Undo `send_nothing_to`."""
        self.run(f"ip route del blackhole {other.address}/32")


class Network:
    """The machines and what is between them."""

    def __init__(self, machines: list[Machine]) -> None:
        self.machines = machines
        self._blocked: set[tuple[Machine, Machine]] = set()  # from and to

    def cut(self, one: Machine, other: Machine) -> None:
        """Cut two machines off from each other."""
        self.cut_one_way(one, other)
        self.cut_one_way(other, one)

    def cut_one_way(self, sender: Machine, receiver: Machine) -> None:
        """Lose what `sender` sends to `receiver`."""
        if (sender, receiver) not in self._blocked:
            self._blocked.add((sender, receiver))
            sender.send_nothing_to(receiver)

    def isolate(self, machine: Machine) -> None:
        """Cut `machine` off from all others."""
        for other in self.machines:
            if other is not machine:
                self.cut(machine, other)

    def heal(self) -> None:
        """Let everything arrive again."""
        for sender, receiver in self._blocked:
            sender.send_again_to(receiver)
        self._blocked.clear()


@contextmanager
def network(size: int) -> Iterator[Network]:
    """Make `size` machines on a network; skip the test where that is impossible."""
    if shutil.which("ip") is None:
        pytest.skip("needs ip: apt install iproute2")
    with ExitStack() as stack:
        switch = stack.enter_context(namespaces("net"))
        if _fails(switch, "ip link add bridge type bridge"):
            pytest.skip("impossible here: no bridge may be made")
        subprocess.run([*switch.within, *["ip", "link", "set", "bridge", "up"]], check=True)
        machines = []
        for number in range(1, size + 1):
            namespace = stack.enter_context(namespaces("net", within=switch.within))
            cable = f"ip link add cable{number} type veth peer name cable netns {namespace.pid}"
            if _fails(switch, cable):
                pytest.skip("impossible here: no veth devices may be made")
            for command in (f"set cable{number} master bridge", f"set cable{number} up"):
                subprocess.run([*switch.within, "ip", "link", *command.split()], check=True)
            machine = Machine(number, namespace)
            machine.run("ip link set lo up")
            machine.run(f"ip address add {machine.address}/24 dev cable")
            machine.run("ip link set cable up")
            machines.append(machine)
        yield Network(machines)


def _fails(machine: Namespaces, command: str) -> bool:
    done = subprocess.run([*machine.within, *command.split()], check=False, capture_output=True)
    return done.returncode != 0
