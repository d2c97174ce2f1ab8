"""`boxroom serve` as a process with a command line, stopped by signals."""

import argparse
import asyncio
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import IO, cast

import pytest
from tests.cases import each
from tests.certificates import Authority
from tests.server.storage.sqlite.data_folders import data_folder, finished, left_by_a_kill
from tests.server.talk import lobby, secret_of
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from boxroom_client.main import main
from boxroom_common.run_file import RunFile, RunningServer
from boxroom_engine.wire.origins import as_host
from boxroom_engine.wire.ports import DEFAULT_PORT
from boxroom_server.cli import serve as serve_command
from boxroom_server.ops import announce, runtime
from boxroom_server.ops.logs import set_up
from boxroom_server.options import Group, Options
from boxroom_server.server import Server
from boxroom_server.storage.etcd import identity
from boxroom_server.storage.sqlite.folder import DataFolder

Output = pytest.CaptureFixture[str]
ONE_LOOP = True


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "boxroom_client", "serve", *args]


@contextmanager
def running(*args: str) -> Iterator[tuple[subprocess.Popen[str], int, list[str]]]:
    """Run a server; yields its process, its port and its output."""
    with subprocess.Popen(
        command("--memory", "--port", "0", *args),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while not lines or "nnounced on the local network" not in lines[-1]:
                line = process.stdout.readline()
                assert line, process.stderr and process.stderr.read()
                lines.append(line.rstrip("\n"))
            port = re.search(r"port\D{1,3}([1-9]\d*)", "\n".join(lines))
            assert port is not None, lines
            yield process, int(port[1]), lines
        finally:
            process.kill()


def refused(capsys: Output, *args: str) -> tuple[int, str]:
    """Run a server that can't start, in this process; return its exit code and its errors."""
    return main(["serve", "--port", "0", *args]), capsys.readouterr().err


def answer_of(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=20) as response:
        body: bytes = response.read()
        return body


def say(client: ClientConnection, **message: object) -> None:
    client.send(json.dumps(message))


def hear(client: ClientConnection, kind: str) -> dict[str, object]:
    while True:
        message: dict[str, object] = json.loads(client.recv(timeout=20))
        if message["type"] == kind:
            return message


@contextmanager
def client(port: int, name: str) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{port}", compression=None) as connection:
        say(connection, type="hello", protocol=1, name=name, secret=secret_of(name))
        hear(connection, "welcome")
        yield connection


def children_of(pid: int) -> list[int]:
    """Return the child processes of `pid`, from Linux's /proc."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [int(child) for child in found]


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_it_says_how_to_join_and_what_it_says_answers() -> None:
    with running("--host", "127.0.0.1", "--metrics-host", "127.0.0.1") as (_, port, lines):
        metrics = re.fullmatch(r"Metrics are at (http://127\.0\.0\.1:\d+/metrics)", lines.pop(5))
        assert metrics is not None, lines
        assert lines == [
            f"Boxroom listens on port {port}. Others join with:",
            f"  boxroom join 127.0.0.1:{port}",
            "In a browser, with nothing to install, they open:",
            f"  http://127.0.0.1:{port}/",
            "Ctrl-C stops the server.",
            "Not announced on the local network: other machines can't reach 127.0.0.1.",
        ]
        assert answer_of(f"http://127.0.0.1:{port}/healthz") == b"ok\n"
        assert b"boxroom_ready 1.0" in answer_of(metrics[1])


@each("host", ["0.0.0.0", "::", "*", "LOCALHOST."])
async def test_every_line_that_is_shown_is_answered(host: str, capsys: Output) -> None:
    set_up(0, as_json=False)
    async with lobby(host=host, metrics_host="0.0.0.0") as place:
        serve_command._say_where(place.server, place.options, as_json=False)
        *lines, metrics = capsys.readouterr().out.splitlines()
        shown = [line.split()[-1] for line in lines if line.startswith("  boxroom join ")]
        assert shown
        for each_host in shown:
            assert await asyncio.to_thread(answer_of, f"http://{each_host}/healthz") == b"ok\n"
        url = metrics.removeprefix("Metrics are at ")
        assert b"boxroom_info" in await asyncio.to_thread(answer_of, url)
        if host in ("0.0.0.0", "::"):
            assert all(("[" in it) == (host == "::") for it in shown if "localhost" not in it)


async def test_a_certificate_decides_which_addresses_are_shown(
    tmp_path: Path, capsys: Output
) -> None:
    files = Authority(tmp_path).issue()
    set_up(0, as_json=False)
    async with lobby(host="", tls_cert=str(files.chain), tls_key=str(files.key)) as place:
        serve_command._say_where(place.server, place.options, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    (join,) = (line for line in lines if line.startswith("  boxroom join "))
    assert join == f"  boxroom join wss://localhost:{place.server.port}"
    assert f"  https://localhost:{place.server.port}/" in lines


def test_it_goes_on_when_nobody_reads_what_it_prints() -> None:
    with running("--host", "127.0.0.1") as (process, _, _):
        assert process.stdout is not None
        process.stdout.close()
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert process.stderr.read() == ""
        assert process.wait(timeout=20) == 0


@each(
    "args, code, event",
    [
        (("--port", "http"), 2, "argument --port: it is a whole number, not 'http'"),
        (("--prot", "1"), 2, "there is no option --prot: did you mean --port?"),
        (("--port", "-1"), 2, "port is 0 to 65535, not -1"),
        (("--host", "203.0.113.1"), 1, "can't listen on 203.0.113.1:"),
        (("--tls-cert", "no.pem", "--tls-key", "no.pem"), 2, "can't read no.pem: "),
        (("--memory", "--admin-socket", "/"), 1, "/ is there already, and is no socket"),
    ],
)
def test_what_keeps_it_from_starting_is_json_too(
    args: tuple[str, ...], code: int, event: str, tmp_path: Path, capsys: Output
) -> None:
    place = ("--port", "0") if "--memory" in args else ("--data", str(tmp_path))
    assert main(["serve", "--log-json", *place, *args]) == code
    lines = [json.loads(line) for line in "".join(capsys.readouterr()).splitlines()]
    (error,) = (line for line in lines if line["level"] == "error")
    assert error["event"].startswith(event)


@each("data", ["file", "file/below", "nowhere"])
def test_data_that_is_no_folder_is_one_clear_line(
    data: str, tmp_path: Path, capsys: Output
) -> None:
    (tmp_path / "file").write_text("")
    if not (tmp_path / "nowhere").is_symlink():
        (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    place = tmp_path / data.partition("/")[0]
    line = f"boxroom: {place} can't be used: it is there already, and is no folder\n"
    assert refused(capsys, "--data", str(tmp_path / data)) == (1, line)


@pytest.mark.parametrize("flag", ["--port", "--metrics-port"])
def test_a_port_that_is_taken_is_named(flag: str, capsys: Output) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, error = refused(capsys, "--memory", "--host", "127.0.0.1", flag, str(port))
    assert code == 1
    assert error == (
        f"boxroom: can't listen on 127.0.0.1:{port}: another program does, perhaps another server;"
        f" {flag} takes another port\n"
    )


def test_a_path_that_is_too_long_for_a_socket_is_told(tmp_path: Path, capsys: Output) -> None:
    code, error = refused(capsys, "--memory", "--admin-socket", str(tmp_path / ("a" * 120)))
    assert code == 1
    assert error.endswith("can't be a socket: its path is too long for a socket\n")


def test_it_logs_json_without_anybody_s_secret() -> None:
    args = ("--host", "127.0.0.1", "--verbose", "--verbose", "--log-json", "--rooms", "7")
    with running(*args) as (process, port, shown), client(port, "Ada") as ada:
        say(ada, type="create_room", id=1, token="0123456789", room="attic")
        say(ada, type="say", id=2, text="nobody's business")
        while hear(ada, "done")["id"] != 2:
            pass
        ada.close()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    first, second, last = (json.loads(line) for line in (*shown, *out.splitlines()))
    assert (first["event"], first["level"], first["port"]) == ("listening", "info", port)
    assert first["join"] == [f"127.0.0.1:{port}"]
    assert first["pages"] == [f"http://127.0.0.1:{port}/"]
    assert second["event"].startswith("Not announced on the local network: ")
    assert last["event"] == "Stopping: members are told."
    lines = [first, *(json.loads(line) for line in err.splitlines())]
    happened = ["started", "connection opened", "greeted", "room made", "connection closed"]
    ours = [line for line in lines if line["logger"].startswith("boxroom_server")]
    assert [line["event"] for line in ours if line["event"] in happened] == happened
    assert (ours[-1]["event"], ours[-1]["level"]) == ("stopped", "info")
    assert lines[0].keys() >= {"time", "level", "logger", "event"}
    started = next(line for line in ours if line["event"] == "started")
    assert (started["port"], started["addresses"]) == (port, "127.0.0.1")
    assert started["options"] == {"host": "127.0.0.1", "port": 0, "rooms": 7}
    for secret in (secret_of("Ada"), "0123456789", "nobody's business"):
        assert secret not in err


def test_it_ends_by_itself_when_nobody_is_there_if_that_is_wanted() -> None:
    with running("--host", "127.0.0.1", "--stop-when-empty", "0") as (process, _, _):
        assert process.wait(timeout=20) == 0


def test_its_run_file_says_where_it_runs_until_it_ends(tmp_path: Path) -> None:
    run_file, admin = tmp_path / "run.json", tmp_path / "admin"
    options = ("--host", "127.0.0.1", "--run-file", str(run_file), "--admin-socket", str(admin))
    with running(*options) as (process, port, _):
        while not run_file.exists():  # it comes just after the last line that is printed
            assert process.poll() is None
        described = RunFile(run_file).read()
        assert described == RunningServer(
            pid=process.pid,
            joined_at=(f"127.0.0.1:{port}",),
            admin_socket=str(admin),
            saves=False,
            arguments=("serve", "--memory", "--port", "0", *options),
            folder=str(Path.cwd()),
        )
        assert RunFile(run_file).is_held()
        process.terminate()
        process.wait()
        assert not run_file.exists()


@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="impossible here: reads Linux's /proc"
)
@each("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_stops_it_with_members_told_and_no_process_left(number: signal.Signals) -> None:
    with running("--host", "127.0.0.1") as (process, port, _), client(port, "Ada") as ada:
        board = {"options": {"rows": 20, "cols": 20}}
        say(ada, type="create_room", id=1, token="0123456789", settings=board)
        say(ada, type="unseat", id=2, seat=0)
        say(ada, type="fill", id=3, bot="random")
        say(ada, type="start", id=4)
        while "played" not in json.dumps(hear(ada, "events")):
            pass
        workers = children_of(process.pid)
        assert workers
        if number is signal.SIGINT:
            os.killpg(process.pid, number)  # as Ctrl-C in a terminal does
        else:
            process.send_signal(number)
        if number is not signal.SIGKILL:
            assert hear(ada, "notice")["code"] == "stopping"
            with pytest.raises(ConnectionClosed) as closed:
                ada.recv(timeout=20)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        out, err = process.communicate(timeout=20)
        if number is not signal.SIGKILL:
            assert process.returncode == 0
            assert out == "Stopping: members are told.\n"
            assert err == ""
        until = time.monotonic() + 20
        while any(map(is_running, workers)):
            assert time.monotonic() < until, "workers live on"


@each(
    "host, why",
    [
        ("203.0.113.1", "this machine doesn't have that address"),
        ("no.such.host.invalid", ""),
        ("fe80::5", "a link-local address needs its zone"),
    ],
)
def test_where_nobody_can_listen_is_one_clear_line_and_exit_1(
    host: str, why: str, capsys: Output
) -> None:
    assert main(["serve", "--memory", "--host", host]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"boxroom: can't listen on {as_host(host)}:{DEFAULT_PORT}: {why}")
    assert "Errno" not in line


def test_lost_commits_are_one_clear_line_and_exit_1_unless_the_loss_is_accepted(
    tmp_path: Path,
) -> None:
    whole = data_folder(tmp_path / "whole", finished(1))
    path = left_by_a_kill(whole, tmp_path / "damaged").path
    serving = command("--data", str(path), "--port", "0", "--no-announce")
    ended = subprocess.run(serving, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"boxroom: {path}/boxroom.db-wal is damaged: frame 1 of ")
    with subprocess.Popen(
        [*serving, "--accept-loss"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert "listens" in process.stdout.readline()
        process.terminate()
        _, errors = process.communicate()
    assert process.returncode == 0
    assert f"{path}/boxroom.db-wal-damaged-1 is a copy of the log" in errors


def test_a_certificate_that_cant_be_read_is_one_clear_line_and_exit_2(
    tmp_path: Path, capsys: Output
) -> None:
    files = Authority(tmp_path).issue()
    files.chain.unlink()
    line = f"boxroom: can't read {files.chain}: No such file or directory\n"
    assert refused(capsys, *files.flags) == (2, line)


@each(
    "args",
    [
        *(("--port", "http"), ("--rooms", "many"), ("--colour", "blue")),
        *(("--stop-when-empty", "soon"), ("--stop-when-empty", "-1"), ("--stop-when-empty", "nan")),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(args: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        serve_command.parser().parse_args(args)
    assert stopped.value.code == 2


@each(
    "args, line",
    [
        (("--port", "99999"), "boxroom: port is 0 to 65535, not 99999\n"),
        (("--rooms", "-1"), "boxroom: rooms is 0 to 1000000000, not -1\n"),
        (("--bot-workers", "0"), "boxroom: bot_workers is 1 to 1000000000, not 0\n"),
        (("--grace-s", "inf"), "boxroom: grace_s is 0 to 1000000000, not inf\n"),
        (("--bot-s", "nan"), "boxroom: bot_s is 0 to 1000000000, not nan\n"),
    ],
)
def test_a_number_out_of_bounds_is_a_usage_error(
    args: tuple[str, str], line: str, capsys: Output
) -> None:
    assert serve_command.run(serve_command.parser().parse_args(args)) == 2
    assert capsys.readouterr().err == line


def test_every_option_is_a_flag_with_its_default_and_its_help() -> None:
    parsed = serve_command.parser().parse_args([])
    for option in fields(Options):
        assert getattr(parsed, option.name) == option.default
    text = serve_command.parser().format_help()
    for option in fields(Options):
        assert f"--{option.name.replace('_', '-')}" in text


@each(
    "args, why",
    [
        (("--host", "localhost"), "other machines can't reach localhost"),
        (("--host", "127.0.0.1", "--no-announce"), "--no-announce is given"),
        (("--host", "127.0.0.1", "--announce-on", "127.0.0.2"), "it doesn't listen on 127.0.0.2"),
    ],
)
async def test_a_line_says_why_it_isnt_announced(
    args: tuple[str, ...], why: str, capsys: Output
) -> None:
    set_up(0, as_json=False)
    local = cast("Server", SimpleNamespace(port=4000, bound_addresses=["127.0.0.1"]))
    async with serve_command._announced(local, serve_command.parser().parse_args(args)):
        line = f"Not announced on the local network: {why}.\n"
        assert capsys.readouterr().out == line


async def test_a_machine_without_a_network_has_nothing_to_announce(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    set_up(0, as_json=False)
    monkeypatch.setattr(serve_command, "lan_addresses", list)
    everywhere = cast("Server", SimpleNamespace(port=4000, bound_addresses=["0.0.0.0", "::"]))
    async with serve_command._announced(everywhere, serve_command.parser().parse_args([])):
        assert capsys.readouterr().out == (
            "Not announced on the local network: this machine has no address there.\n"
        )


async def test_it_is_announced_under_the_addresses_that_it_listens_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    announcements: list[dict[str, object]] = []

    def announced(port: int, **fields: object) -> AbstractAsyncContextManager[None]:
        announcements.append({"port": port, **fields})
        return nullcontext()

    monkeypatch.setattr(announce, "announced", announced)
    monkeypatch.setattr(serve_command, "lan_addresses", lambda: ["192.168.1.3", "2001:db8::2"])
    monkeypatch.setattr(socket, "gethostname", lambda: "kiwa.example.org")
    bound_to_ipv4 = cast("Server", SimpleNamespace(port=4000, bound_addresses=["0.0.0.0"]))
    for args in ([], ["--announce-on", "192.168.1.3"]):
        async with serve_command._announced(bound_to_ipv4, serve_command.parser().parse_args(args)):
            pass
    anywhere, there = announcements
    assert (anywhere["port"], anywhere["name"]) == (4000, "Boxroom on kiwa")
    assert (anywhere["addresses"], anywhere["interfaces"]) == (["192.168.1.3"], None)
    assert (there["addresses"], there["interfaces"]) == (["192.168.1.3"], ["192.168.1.3"])


@each("args", [("--announce-on", "here"), ("--no-announce", "--announce-on", "192.168.1.3")])
def test_where_it_cant_be_announced_is_a_usage_error(args: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as stopped:
        serve_command.parser().parse_args(args)
    assert stopped.value.code == 2


def test_flags_set_the_options() -> None:
    args = ["--port", "0", "--rooms", "7", "--messages-per-s", "2.5", "--grace-s", "3"]
    parsed = serve_command.parser().parse_args(args)
    assert isinstance(parsed, argparse.Namespace)
    assert (parsed.rooms, parsed.messages_per_s, parsed.grace_s) == (7, 2.5, 3.0)


def certificate_shown(port: int, authority: Authority) -> str:
    """Return the certificate that a server presents, in PEM, after checking it with `authority`."""
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        authority.trusting().wrap_socket(plain, server_hostname="localhost") as secured,
    ):
        shown = secured.getpeercert(binary_form=True)
    assert shown is not None
    return ssl.DER_cert_to_PEM_cert(shown)


def test_sighup_has_new_connections_see_the_new_certificate(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    files = authority.issue()
    with running("--verbose", "--host", "127.0.0.1", *files.flags) as (process, port, lines):
        assert f"  boxroom join wss://127.0.0.1:{port}" in lines
        assert lines[-1].endswith("with TLS, people join by the name in the certificate.")
        assert process.stderr is not None
        url = f"wss://localhost:{port}"
        with connect(url, ssl=authority.trusting()) as ada:
            say(ada, type="hello", protocol=1, name="Ada", secret=secret_of("Ada"))
            hear(ada, "welcome")
            before = certificate_shown(port, authority)

            authority.issue()
            process.send_signal(signal.SIGHUP)
            line_with(process.stderr, "new connections are shown the certificate as it is now")
            after = certificate_shown(port, authority)
            assert after != before
            assert after in files.chain.read_text()

            files.key.write_text("nonsense")
            process.send_signal(signal.SIGHUP)
            line = line_with(process.stderr, "the certificate stays as it was: ")
            assert "server.key its key, both in PEM" in line
            assert certificate_shown(port, authority) == after

            say(ada, type="list_rooms", id=1)
            hear(ada, "rooms")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == 0


def line_with(lines: IO[str], text: str) -> str:
    """Read up to a line with `text`, and return that."""
    for line in lines:
        if text in line:
            return line
    raise AssertionError(f"no line has {text!r}")


@each(
    "args, line",
    [
        (
            ("--tls-cert", "a.pem"),
            "tls_cert and tls_key go together: give both of them, or neither",
        ),
        (("--tls-key", "a.key"), "tls_cert and tls_key go together: give both of them, or neither"),
        (("--origins", "example.org"), "an origin is like https://example.org, without a path"),
        (("--web-names", "a b"), "a host name is like games.example.org, without a port"),
        (("--public-url", "https://ann:secret@a.example"), "the address of a page is like https"),
        (("--origins", "https://ann:secret@a.example"), "an origin is like https://example.org"),
        (("--host", "ann:secret@here"), "host: an address has no @"),
        (("--public-url", "a.example"), "the address of a page is like https://play.example.org"),
        (("--no-web", "--web-names", "a"), "no_web serves no page"),
        (("--trust-proxy", "proxy"), "a network is like 10.0.0.0/8 or 2001:db8::/32"),
        (("--store", "redis://here"), "a store is sqlite:DIR, memory or etcd://HOST:PORT,…"),
        (
            ("--store", "ETCD://ann:secret@here"),
            "a store is sqlite:DIR, memory or etcd://HOST:PORT,…, not ETCD:…",
        ),
        (("--store", "sqlite:"), "a store is sqlite:DIR, memory or etcd://HOST:PORT,…"),
        (("--store", "etcd:here"), "an etcd cluster is etcd://HOST:PORT,HOST:PORT,…"),
        (("--store", "etcd://here:http"), "'here' has no valid port"),
        (("--node-name", "one", "--memory"), "--node-name is for a server of a cluster"),
        (("--node-name", "o/ne", "--store", "etcd://here"), "a node's name is 1 to 64 letters"),
        (("--store", "memory", "--memory"), "--store names the store"),
    ],
)
def test_what_cant_be_served_is_a_sentence_and_exit_2(
    args: tuple[str, ...], line: str, capsys: Output
) -> None:
    assert serve_command.run(serve_command.parser().parse_args(["--port", "0", *args])) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"boxroom: {line}")
    assert "secret" not in printed


def test_without_uvloop_it_runs_on_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert runtime.event_loop_factory() is None


def test_the_help_has_first_what_a_host_needs_first() -> None:
    text = serve_command.parser().format_help()
    _, *groups = re.findall(r"^(\w[\w ,]*):$", text, re.MULTILINE)  # the first one has --help
    assert groups == [group.value for group in Group]
    first = text.partition(f"{Group.FIRST}:")[2].partition(f"{Group.ROOMS}:")[0]
    flags = re.findall(r"^  (--[\w-]+)", first, re.MULTILINE)
    assert flags == ["--data", "--memory", "--host", "--port", "--tls-cert", "--tls-key"]
    assert len(text.partition(f"{Group.ROOMS}:")[0].splitlines()) <= 20


def test_no_etcd_at_the_address_is_one_line_and_exit_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(identity, "START_S", 0.0)
    with socket.socket() as taken:  # a port on which nothing listens
        taken.bind(("127.0.0.1", 0))
        endpoint = f"127.0.0.1:{taken.getsockname()[1]}"
        code, error = refused(capsys, "--store", f"etcd://{endpoint}")
    assert code == 1
    assert error.startswith(f"boxroom: etcd at {endpoint} can't be used: ")
    assert error.count("\n") == 1


def test_the_environment_can_name_the_store(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setenv("BOXROOM_STORE", "redis://here")
    code, error = refused(capsys)
    assert code == 2
    assert "a store is sqlite:DIR" in error


def test_a_missing_extra_is_one_line_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "aetcd.py").write_text("raise ModuleNotFoundError(name='aetcd')\n")
    ended = subprocess.run(
        command("--port", "0", "--store", "etcd://127.0.0.1"),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert ended.returncode == 1
    line = "boxroom: aetcd isn't installed: pip install 'boxroom[cluster]' brings it\n"
    assert ended.stderr == line


def test_a_store_can_be_named_as_a_folder_or_as_memory(tmp_path: Path) -> None:
    parse = serve_command.parser().parse_args
    assert serve_command._store(parse(["--store", "memory"])) is None
    folder = serve_command._store(parse(["--store", f"sqlite:{tmp_path}"]))
    assert isinstance(folder, DataFolder)
    assert folder.path == tmp_path
