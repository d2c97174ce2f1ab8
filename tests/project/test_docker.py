"""The Dockerfile and docker-compose.yml agree with the project, and with each other."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cluster.proxy import haproxy

from boxroom_common.kernel.places import find
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_server.cli.serve import parser
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


@pytest.fixture
def cluster(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the services of the profile `cluster`."""
    return {
        name: it for name, it in compose["services"].items() if it.get("profiles") == ["cluster"]
    }


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
    assert f"http://127.0.0.1:{DEFAULT_PORT}/healthz" in healthcheck(instructions)[-1]


def test_health_is_asked_for_in_the_same_way(
    instructions: list[Instruction], service: dict[str, Any]
) -> None:
    asked, *command = service["healthcheck"]["test"]
    assert asked == "CMD"
    assert command == healthcheck(instructions)
    assert command[:2] == ["python", "-c"]
    compile(command[2], "healthcheck", "exec")


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


def test_service_can_do_no_more_than_it_must(service: dict[str, Any]) -> None:
    assert service["build"] == "."
    assert service["restart"] == "unless-stopped"
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


def test_services_of_the_cluster_can_do_no_more_than_they_must(
    compose: dict[str, Any], cluster: dict[str, dict[str, Any]]
) -> None:
    assert len(cluster) == 7
    for service in cluster.values():
        assert service["restart"] == "unless-stopped"
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in service
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or (ROOT / source).exists()


def test_members_of_etcd_differ_in_their_names_and_volumes_alone(
    cluster: dict[str, dict[str, Any]],
) -> None:
    names = ["etcd1", "etcd2", "etcd3"]
    first = cluster["etcd1"]
    for name in names:
        renamed = json.loads(json.dumps(first["environment"]).replace("etcd1", name))
        renamed["ETCD_INITIAL_CLUSTER"] = ",".join(f"{it}=http://{it}:2380" for it in names)
        assert cluster[name]["environment"] == renamed
        assert cluster[name]["volumes"] == [f"{name}:/etcd-data"]
        assert cluster[name]["image"] == first["image"]


def test_servers_of_the_cluster_share_that_etcd(cluster: dict[str, dict[str, Any]]) -> None:
    for name in ("node1", "node2", "node3"):
        command, *words = cluster[name]["command"]
        assert command == "serve"
        args = parser().parse_args(words)
        assert args.host == "0.0.0.0"
        endpoints = parse_address(args.store).endpoints
        assert endpoints == tuple(f"{it}:2379" for it in cluster[name]["depends_on"])
        assert [str(each) for each in Options(trust_proxy=args.trust_proxy).trusted_networks()]


def test_the_balancer_leads_to_the_servers(
    compose: dict[str, Any], cluster: dict[str, dict[str, Any]]
) -> None:
    balancer = cluster["balancer"]
    environment = balancer["environment"]
    nodes = [environment[f"NODE{number}"] for number in (1, 2, 3)]
    assert nodes == [f"{name}:{DEFAULT_PORT}" for name in balancer["depends_on"]]
    assert environment["BIND"] == f":{DEFAULT_PORT}"
    ports = [port for it in compose["services"].values() for port in it.get("ports", ())]
    published = [port.split(":")[0] for port in ports]
    assert len(published) == len(set(published)), "two services publish one port"
    configuration = ROOT / balancer["volumes"][0].split(":")[0]
    checked = subprocess.run(
        [haproxy(), "-c", "-f", str(configuration)],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr.decode()
