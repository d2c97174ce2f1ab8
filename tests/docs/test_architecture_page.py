"""docs/explanation/architecture.md: the steps of a move are functions that exist."""

import re
from importlib import import_module
from pathlib import Path

PAGE = Path("docs/explanation/architecture.md").read_text()
MOST_STEPS_IN_THE_SERVER = 9


def steps(package: str, heading: str) -> list[str]:
    """Return the full names of the functions in the list with that heading."""
    steps = PAGE.partition(f"\n{heading}:\n\n")[2].partition("\n\n")[0]
    return [f"{package}.{name}" for name in re.findall(r"^- `([\w.]+)`: ", steps, re.MULTILINE)]


def exists(name: str) -> bool:
    """Return whether `package.module.Class.function` exists."""
    module, owner, function = name.rsplit(".", 2)
    return callable(getattr(getattr(import_module(module), owner), function))


def test_every_step_of_a_move_is_a_function() -> None:
    server = steps("boxroom_server", "In the server")
    clients = [
        *steps("boxroom_client", "In the client of the player"),
        *steps("boxroom_client", "In the client of the other player"),
    ]
    assert 3 <= len(server) <= MOST_STEPS_IN_THE_SERVER
    assert len(clients) > 5
    for name in (*server, *clients):
        assert exists(name), name
