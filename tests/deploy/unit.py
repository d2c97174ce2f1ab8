"""The settings of deploy/boxroom.service, as systemd reads them."""

import shlex
from pathlib import Path

UNIT = Path(__file__).parents[2] / "deploy" / "boxroom.service"


def settings(section: str) -> dict[str, list[str]]:
    """Return the values of each setting in a section, in their order; one may be set repeatedly."""
    found: dict[str, list[str]] = {}
    current = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif line and not line.startswith("#") and current == section:
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


SERVICE = settings("Service")


def command() -> list[str]:
    """Return the program that the service runs, and its arguments."""
    (line,) = SERVICE["ExecStart"]
    return shlex.split(line)


def environment(state: Path) -> dict[str, str]:
    """Return the whole environment of the service, where `state` is the folder `%S`.

    A user that DynamicUser= makes has no HOME; see systemd.exec(5), Environment Variables.
    """
    words = shlex.split(" ".join(SERVICE["Environment"]).replace("%S", str(state)))
    user = {"LOGNAME": "boxroom", "USER": "boxroom"}
    system = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
    return user | system | dict(word.split("=", 1) for word in words)
