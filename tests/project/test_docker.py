"""The Dockerfile and docker-compose.yml agree with the project, and with each other."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import signature
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.certificates import Authority
from tests.cluster.proxy import HaProxy, haproxy
from tests.cluster.shared import new_address
from tests.faults.server_process import free_port
from tests.server.talk import lobby

from boxroom_common.kernel.places import find
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_server.cli import backup
from boxroom_server.cli.serve import parser
from boxroom_server.ops.health_check import is_healthy
from boxroom_server.options import Options
from boxroom_server.storage.etcd.address import parse_address
from boxroom_server.storage.sqlite.folder import FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parents[2]

Instruction = tuple[str, str]


@pytest.fixture
def instructions() -> list[Instruction]:
    """Return the Dockerfile's instructions and their arguments, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in lines if line)]


@pytest.fixture
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return read


@pytest.fixture
def service(compose: dict[str, Any]) -> dict[str, Any]:
    """Return the service that starts without a profile."""
    (boxroom,) = (it for it in compose["services"].values() if "profiles" not in it)
    assert boxroom is compose["services"]["boxroom"]
    found: dict[str, Any] = boxroom
    return found


@dataclass(frozen=True)
class Profile:
    """The services of a profile of several servers, by name, and what each of them is."""

    services: dict[str, dict[str, Any]]
    etcds: tuple[str, ...]
    nodes: tuple[str, ...]
    balancer: str

    def commands(self) -> Iterator[Namespace]:
        """Yield the options of each server."""
        for name in self.nodes:
            command, *words = self.services[name]["command"]
            assert command == "serve"
            yield parser().parse_args(words)


PROFILES = {
    "cluster": (("etcd1", "etcd2", "etcd3"), ("node1", "node2", "node3"), "balancer"),
    "machine": (("etcd",), ("core1", "core2", "core3"), "machine-balancer"),
}


@pytest.fixture(params=PROFILES)
def profile(request: pytest.FixtureRequest, compose: dict[str, Any]) -> Profile:
    """Return each profile of several servers."""
    services = {
        name: it
        for name, it in compose["services"].items()
        if it.get("profiles") == [request.param]
    }
    etcds, nodes, balancer = PROFILES[request.param]
    assert services.keys() == {*etcds, *nodes, balancer}
    return Profile(services, etcds, nodes, balancer)


def last(instructions: list[Instruction], wanted: str) -> str:
    return [rest for name, rest in instructions if name == wanted][-1]


def healthcheck(instructions: list[Instruction]) -> list[str]:
    command: list[str] = json.loads(last(instructions, "HEALTHCHECK").split("CMD ", 1)[1])
    return command


def test_image_does_not_run_as_root(instructions: list[Instruction]) -> None:
    names = [name for name, _ in instructions]
    assert last(instructions, "USER") not in {"root", "0"}
    # Nothing is installed or started as another user.
    assert "RUN" not in names[names.index("USER") :]
    assert names.index("USER") < names.index("ENTRYPOINT")


def test_image_runs_a_command_that_boxroom_knows(instructions: list[Instruction]) -> None:
    assert json.loads(last(instructions, "ENTRYPOINT")) == ["boxroom"]
    command, *args = json.loads(last(instructions, "CMD"))
    assert command == "serve"
    assert parser().parse_args(args).host == "0.0.0.0"


@pytest.mark.skipif(find() is None, reason="there is no C++ compiler")
def test_the_build_ends_by_loading_the_kernel(instructions: list[Instruction]) -> None:
    building = instructions[: [name for name, _ in instructions].index("FROM", 1)]
    *_, option, code = shlex.split(last(building, "RUN"))
    assert option == "-c"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_everything_speaks_of_the_same_port(
    instructions: list[Instruction], service: dict[str, Any]
) -> None:
    assert last(instructions, "EXPOSE") == str(DEFAULT_PORT)
    assert service["ports"] == [f"{DEFAULT_PORT}:{DEFAULT_PORT}"]
    assert signature(is_healthy).parameters["port"].default == DEFAULT_PORT


def test_servers_are_checked_as_the_image_says(
    instructions: list[Instruction], service: dict[str, Any], profile: Profile
) -> None:
    command = healthcheck(instructions)
    assert command == ["python", "-m", is_healthy.__module__]
    for server in (service, *(profile.services[name] for name in profile.nodes)):
        assert server["healthcheck"]["test"] == ["CMD", *command]


def test_what_is_copied_exists_and_is_sent_to_the_builder(instructions: list[Instruction]) -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copies = [shlex.split(rest) for name, rest in instructions if name == "COPY"]
    sources = [
        source for copy in copies if not copy[0].startswith("--from") for source in copy[:-1]
    ]
    assert "pyproject.toml" in sources
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_rooms_are_kept_when_the_container_is_made_anew(
    instructions: list[Instruction], service: dict[str, Any]
) -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    folder = last(instructions, "VOLUME")
    variables = dict(
        word.split("=", 1) for word in shlex.split(last(instructions, "ENV").replace("\\", " "))
    )
    assert variables[FOLDER_VARIABLE] == folder
    ((volume, mounted),) = (each.split(":") for each in service["volumes"])
    assert mounted == folder
    assert volume in compose["volumes"]
    owned = last(instructions[: instructions.index(("VOLUME", folder))], "RUN")
    assert f"--owner={last(instructions, 'USER')}" in owned
    assert owned.endswith(f" {folder}")


def test_services_can_do_no_more_than_they_must(
    compose: dict[str, Any], service: dict[str, Any]
) -> None:
    assert service["build"] == "."
    assert service["tmpfs"] == ["/tmp"]
    for name, each in compose["services"].items():
        assert each["restart"] == ("no" if name == "move" else "unless-stopped")
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]
        assert each["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in each
        for volume in each.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or (ROOT / source).exists()


def test_no_service_can_fill_the_machine(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert service["mem_limit"] in {"1g", "2g"}
        assert 0 < service["pids_limit"] <= 200
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "3"}


def test_what_a_service_needs_is_checked_before_it_starts(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services
            assert how == {"condition": "service_healthy"}


def test_the_check_of_etcd_knows_one_that_runs(profile: Profile) -> None:
    _, *command = profile.services[profile.etcds[0]]["healthcheck"]["test"]
    port = int(new_address().endpoints[0].rpartition(":")[2])
    for asked, is_running in ((port, True), (free_port(), False)):
        words = [word.replace("2379", str(asked)) for word in command]
        environment = {**os.environ, "ETCDCTL_API": "3"}
        done = subprocess.run(words, env=environment, capture_output=True, check=False)
        assert (done.returncode == 0) is is_running, done.stderr.decode()


@pytest.mark.parametrize("has_tls", [False, True])
async def test_the_check_of_the_balancer_knows_one_that_runs(
    compose: dict[str, Any], tmp_path: Path, has_tls: bool
) -> None:
    if shutil.which("wget") is None:
        pytest.skip("missing here: wget")
    kind, command = compose["services"]["balancer"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    certificate = None
    if has_tls:
        files = Authority(tmp_path).issue()
        certificate = tmp_path / "pair.pem"
        certificate.write_bytes(files.chain.read_bytes() + files.key.read_bytes())
    async with lobby(trust_proxy="127.0.0.1") as place:
        ports = [place.server.port] * 3
        async with HaProxy(free_port(), ports, certificate=certificate) as proxy:
            for asked, is_running in ((proxy.port, True), (free_port(), False)):
                process = await asyncio.create_subprocess_shell(
                    command.replace(str(DEFAULT_PORT), str(asked))
                )
                assert (await process.wait() == 0) is is_running


def test_members_of_etcd_differ_in_their_names_and_volumes_alone(
    compose: dict[str, Any], profile: Profile
) -> None:
    first = compose["services"]["etcd1"]
    for name in profile.etcds:
        renamed = json.loads(json.dumps(first["environment"]).replace("etcd1", name))
        renamed["ETCD_INITIAL_CLUSTER"] = ",".join(f"{it}=http://{it}:2380" for it in profile.etcds)
        assert profile.services[name]["environment"] == renamed
        assert profile.services[name]["volumes"] == [f"{name}:/etcd-data"]
        assert profile.services[name]["image"] == first["image"]


def test_servers_of_a_profile_share_its_etcd(profile: Profile) -> None:
    for name, args in zip(profile.nodes, profile.commands(), strict=True):
        assert args.host == "0.0.0.0"
        endpoints = parse_address(args.store).endpoints
        assert endpoints == tuple(f"{it}:2379" for it in profile.etcds)
        assert [*profile.services[name]["depends_on"]] == [*profile.etcds]
        assert str(args.admin_socket.parent) in profile.services[name]["tmpfs"]


def test_servers_trust_their_balancer_and_no_other_address(
    compose: dict[str, Any], profile: Profile
) -> None:
    (network,) = compose["networks"]["players"]["ipam"]["config"]
    networks = profile.services[profile.balancer]["networks"]
    balancer = ip_address(networks["players"]["ipv4_address"])
    assert balancer in ip_network(network["subnet"])
    assert balancer not in ip_network(network["ip_range"]), "Docker could give it to another one"
    for args in profile.commands():
        trusted = Options(trust_proxy=args.trust_proxy).trusted_networks()
        assert trusted == (ip_network(balancer),)


def test_a_server_moves_into_the_etcd_of_one_machine(
    compose: dict[str, Any], service: dict[str, Any]
) -> None:
    move, machine = compose["services"]["move"], compose["services"]["core1"]
    command, *words = move["command"]
    assert command == "backup"
    args = backup.parser().parse_args(words)
    store = parser().parse_args(machine["command"][1:]).store
    assert parse_address(args.target) == parse_address(store)
    assert move["volumes"] == service["volumes"] == [f"data:{args.data}"]
    assert move["environment"]["TMPDIR"] == str(args.data), "the copy needs its size there"
    assert move["depends_on"].keys() == machine["depends_on"].keys()
    assert move["networks"] == ["store"]


def test_balancers_have_addresses_of_their_own(compose: dict[str, Any]) -> None:
    balancers = [compose["services"][balancer] for *_, balancer in PROFILES.values()]
    addresses = {it["networks"]["players"]["ipv4_address"] for it in balancers}
    assert len(addresses) == len(PROFILES)


def test_only_servers_reach_etcd(compose: dict[str, Any], profile: Profile) -> None:
    assert compose["networks"]["store"] == {"internal": True}
    reaching = {name for name, it in profile.services.items() if "store" in it["networks"]}
    assert reaching == {*profile.etcds, *profile.nodes}
    assert "store" not in compose["services"]["boxroom"].get("networks", ())
    for name in profile.etcds:
        assert profile.services[name]["networks"] == ["store"]


def test_the_balancer_leads_to_the_servers(compose: dict[str, Any], profile: Profile) -> None:
    balancer = profile.services[profile.balancer]
    environment = balancer["environment"]
    assert balancer["depends_on"].keys() == {*profile.nodes}
    for number, name in enumerate(profile.nodes, 1):
        assert environment[f"NODE{number}"] == f"{name}:{DEFAULT_PORT}"
        assert profile.services[name]["environment"] == {"BOXROOM_NODE_NAME": f"node{number}"}
    assert environment["BIND"] == f":{DEFAULT_PORT}"
    ports = [port for it in compose["services"].values() for port in it.get("ports", ())]
    published = [port.rpartition(":")[0] for port in ports]
    assert len(published) == len(set(published)), "two services publish one port"
    configuration = ROOT / balancer["volumes"][0].split(":")[0]
    checked = subprocess.run(
        [haproxy(), "-c", "-f", str(configuration)],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr.decode()
