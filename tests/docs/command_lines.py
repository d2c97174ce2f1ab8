"""Each command line of the pages, and each file in deploy/, with the way in which it is tested.

The lines of a page that run do so one after the other, in one folder with files of these names.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """A line that runs to its end without failing, with parts replaced and words added."""

    stand_ins: tuple[tuple[str, str], ...] = ()
    more: str = ""


@dataclass(frozen=True)
class Start:
    """A line that runs until it has printed `until`, and is ended then by SIGTERM.

    One that `stays` runs on, for the lines after it.
    """

    until: str
    stand_ins: tuple[tuple[str, str], ...] = ()
    more: str = ""
    stays: bool = False


@dataclass(frozen=True)
class Takes:
    """A script that takes long: it knows the flags, and explains them."""

    why: str = "it measures for minutes or hours"


@dataclass(frozen=True)
class Elsewhere:
    """Something that another test runs: PATH::NAME."""

    test: str


@dataclass(frozen=True)
class Check:
    """A call of ./check, which would run this test again: the tests that it names exist."""


@dataclass(frozen=True)
class Never:
    """Something that no test can run, for a reason."""

    why: str


Way = Run | Start | Takes | Elsewhere | Check | Never

QUICK = "--grid 2x2 --time 0.05 --jobs 1"
PRIVATE = "--host 127.0.0.1 --port 0 --no-announce"
HOST = Elsewhere("tests/e2e/test_host.py::test_the_host_plays_with_guests_and_stops_the_server")
JOIN = Elsewhere("tests/e2e/test_play_with_others.py::test_in_a_terminal_one_chooses_among_rooms")
PLAY = Elsewhere("tests/e2e/test_play.py::test_a_person_plays_and_makes_mistakes")
MAX_PLY = Elsewhere(
    "tests/docs/test_bots_page.py::test_what_max_ply_is_worth_is_what_the_command_finds"
)
MACHINE = Never("it changes the machine")
A_SERVER = "boxroom backup sqlite:$HOME/.local/share/boxroom --store etcd://10.0.0.10:2379"
ONE_ETCD = (
    ("10.0.0.10:2379", "$ETCD"),
    ("10.0.0.10:2380", "$ETCD_PEER"),
    ("/var/lib/", ""),
    (",10.0.0.11:2379,10.0.0.12:2379", ""),
    (",eleven=http://10.0.0.11:2380,twelve=http://10.0.0.12:2380", ""),
)
"""Replace the three members of the example by one."""

README: dict[str, Way] = {
    "./boxroom play": PLAY,
    "./check": Check(),
    "./boxroom host": HOST,
    "./boxroom join": JOIN,
    "./boxroom lesson": Elsewhere(
        "tests/client/cli/test_lesson.py::test_the_lessons_are_given_in_their_order"
    ),
    "./boxroom puzzle": Elsewhere(
        "tests/client/cli/test_puzzle.py::test_line_mode_reads_answers_from_a_pipe"
    ),
    "./boxroom play --bot expert --rows 7 --cols 7": PLAY,
    "./boxroom play --local Ada Bob Cem": Elsewhere(
        "tests/e2e/test_play.py::test_five_people_share_a_keyboard_and_a_single_box"
    ),
    "./boxroom play --language de": Elsewhere(
        "tests/e2e/test_german.py::test_an_evening_is_german"
    ),
    "./boxroom play noughts --dims 4,4,4 --line 4": Elsewhere(
        "tests/e2e/test_play.py::test_the_other_games_are_played_with_a_bot"
    ),
    "./boxroom analyse docs/examples/lesson.txt": Run(more="--time 0.01"),
}

CONTRIBUTING: dict[str, Way] = {
    "./check": Check(),
    "./check tests/engine -k grid": Check(),
    "./check --long": Check(),
    "./boxroom play": PLAY,
}

PACKAGING: dict[str, Way] = {
    "python -m pip wheel --no-deps --no-build-isolation .": Elsewhere(
        "tests/project/test_share.py::test_a_wheel_from_the_source_distribution_installs_them"
    ),
}

ANALYSIS: dict[str, Way] = {
    "boxroom analyse game.txt": Run(more="--time 0.01"),
    "boxroom analyse games.txt --game 17 --all": Run(more="--time 0.01"),
    "boxroom analyse game.txt --time 60": Run((("60", "0.01"),)),
    "boxroom analyse game.txt --graph game.svg": Run(more="--time 0.01"),
    "boxroom analyse game.txt --json": Run(more="--time 0.01"),
}

BENCHMARKS: dict[str, Way] = {
    ".venv/bin/python benchmarks/broadcast.py": Takes(),
    ".venv/bin/python benchmarks/broadcast.py --rate 1000": Takes(),
    ".venv/bin/python benchmarks/instructions.py": Takes(),
    ".venv/bin/python benchmarks/under_attack.py": Takes(),
    ".venv/bin/python benchmarks/joining.py": Takes(),
    ".venv/bin/python benchmarks/thinking.py": Takes(),
    ".venv/bin/python benchmarks/rules.py": Takes(),
    ".venv/bin/python benchmarks/redraw.py": Takes(),
    ".venv/bin/python benchmarks/idle.py": Takes(),
    ".venv/bin/python -m benchmarks.page": Takes(),
    ".venv/bin/python benchmarks/solver.py --plain": Takes(),
    ".venv/bin/python benchmarks/large_board.py tie.table --hours 2": Takes(),
    ".venv/bin/python benchmarks/memo.py": Takes(),
    ".venv/bin/python -m benchmarks.draughts": Takes(),
    ".venv/bin/python benchmarks/best_moves.py --free 42": Takes(),
    ".venv/bin/python benchmarks/open_spiel_mcts.py": Takes(),
}

LADDER = "python benchmarks/ladder.py greedy random mcts careless alphabeta"
BOTS: dict[str, Way] = {
    "boxroom rating": Elsewhere(
        "tests/docs/test_bots_page.py::test_the_rating_of_the_example_is_what_its_games_lead_to"
    ),
    f"{LADDER} memo chain minimax expert --grid 5x5 --games 12 --time 0.1 --seed 1": Takes(),
    f"{LADDER} recursive iterative memo chain minimax expert --grid 3x3 --games 12 --time 0.1"
    " --seed 1": Takes(),
    "boxroom arena random learner-scribbler learner-careless learner-absent learner-taker"
    " learner-hasty learner-cautious learner-counter learner-chains learner-master beginner easy"
    " --grid 5x5 --games 20 --seed 1": Takes(),
}

BOTS_RESEARCH: dict[str, Way] = {
    "python benchmarks/levels.py levels-games --play": Takes(),
    "python benchmarks/levels.py levels-games": Takes(),
    "boxroom arena greedy chain:max_ply=4 chain:max_ply=6 chain:max_ply=8"
    " --grid 5x5 --games 200 --seed 1": MAX_PLY,
    "python benchmarks/max_ply.py --games 60": Takes(),
    "python -m scripts.fit_draughts english --games 200 --processes 2": Takes(),
    "python benchmarks/game_tree.py": Elsewhere(
        "tests/docs/test_bots_page.py::test_the_sums_of_the_tree_are_those_that_the_script_counts"
    ),
    "boxroom solve dots --rows 2 --cols 2": Run(),
    "boxroom tree dots --rows 2 --cols 2 --depth 2": Run(),
    "boxroom tree dots --rows 2 --cols 2 --merged": Run(),
}

CLUSTER: dict[str, Way] = {
    "etcd --name ten --data-dir /var/lib/etcd --listen-client-urls http://10.0.0.10:2379"
    " --advertise-client-urls http://10.0.0.10:2379 --listen-peer-urls http://10.0.0.10:2380"
    " --initial-advertise-peer-urls http://10.0.0.10:2380"
    " --initial-cluster ten=http://10.0.0.10:2380,eleven=http://10.0.0.11:2380,"
    "twelve=http://10.0.0.12:2380 --auto-compaction-mode periodic"
    " --auto-compaction-retention 10m": Start("ready to serve", ONE_ETCD, stays=True),
    "pip install 'boxroom[cluster,server]'": Never("it installs from a package index"),
    "boxroom serve --store etcd://10.0.0.10:2379,10.0.0.11:2379,10.0.0.12:2379 --node-name node1"
    " --trust-proxy 10.0.0.5 --public-url https://play.example.org --no-announce"
    " --admin-socket /run/boxroom/admin.sock": Start(
        "listens", (*ONE_ETCD, ("/run/boxroom/", "")), more=PRIVATE
    ),
    "BIND=:::443 NODE1=10.0.0.20:8765 NODE2=10.0.0.21:8765 NODE3=10.0.0.22:8765"
    " TLS='ssl crt /etc/haproxy/boxroom.pem alpn http/1.1' haproxy -f deploy/haproxy.cfg": Run(
        (("/etc/haproxy/boxroom.pem", "$PAIR"), ("'", '"')), more="-c"
    ),
    "boxroom backup etcd://10.0.0.10:2379 --data ~/.local/share/boxroom": Run(
        (("boxroom backup", f"{A_SERVER} && empty-etcd && boxroom backup"), *ONE_ETCD)
    ),
    "etcdctl --endpoints 10.0.0.10:2379 snapshot save boxroom-monday.snapshot": Run(ONE_ETCD),
    "etcdctl snapshot restore boxroom-monday.snapshot --name ten --data-dir /var/lib/etcd-restored"
    " --initial-advertise-peer-urls http://10.0.0.10:2380"
    " --initial-cluster ten=http://10.0.0.10:2380,eleven=http://10.0.0.11:2380,"
    "twelve=http://10.0.0.12:2380": Run(ONE_ETCD),
    "boxroom backup boxroom-monday.db --store etcd://10.0.0.10:2379": Run(ONE_ETCD),
    "boxroom backup etcd://10.0.0.10:2379 --data boxroom-monday.db": Run(
        (("boxroom backup", "empty-etcd && boxroom backup"), *ONE_ETCD)
    ),
    "boxroom backup sqlite:alone --store etcd://10.0.0.10:2379": Run(ONE_ETCD),
    "boxroom serve --data alone": Start("listens", more=PRIVATE),
}

CONFIGURATION: dict[str, Way] = {
    "boxroom --print-completion bash > ~/.local/share/bash-completion/completions/boxroom": Run(),
    "boxroom --print-completion zsh > ~/.zfunc/_boxroom": Run(),
    "boxroom --print-completion fish > ~/.config/fish/completions/boxroom.fish": Run(),
}

GAMES: dict[str, Way] = {
    "boxroom solve noughts --position 11.00..../0/- --to-move 2": Run(),
    "boxroom analyse match.pdn --game 3": Run(more="--time 0.01"),
    "boxroom replay game.txt --pdn > game.pdn": Run((("game.txt", "draughts.txt"),)),
}

SYSTEMD = Never("systemd doesn't run here; tests/deploy makes the conditions that the unit sets")
IN_OPT = (("/opt/boxroom/bin/", ""), ("/var/lib", "~/.local/share"))
OPERATOR: dict[str, Way] = {
    "python3 -m venv /opt/boxroom && /opt/boxroom/bin/pip install '.[server]'": Never(
        "it installs from a package index; ./boxroom does the same in a folder of its own"
    ),
    "/opt/boxroom/bin/boxroom solve --rows 2 --cols 2": Run(IN_OPT),
    "cp deploy/boxroom.service /etc/systemd/system/": SYSTEMD,
    "systemctl daemon-reload && systemctl enable --now boxroom": SYSTEMD,
    "curl http://localhost:8765/readyz": Elsewhere(
        "tests/server/ops/test_endpoints.py::test_it_is_ready_while_nothing_speaks_against_it"
    ),
    "journalctl --unit boxroom --output cat": SYSTEMD,
    "/opt/boxroom/bin/boxroom admin list --data /var/lib/boxroom": Run(IN_OPT),
    "curl https://play.example.org:8765/readyz": Elsewhere(
        "tests/server/ops/test_endpoints.py::test_it_is_ready_while_nothing_speaks_against_it"
    ),
    "/opt/boxroom/bin/boxroom backup boxroom-monday.db --data /var/lib/boxroom": Run(IN_OPT),
    "mkdir -m 700 restored && cp boxroom-monday.db restored/boxroom.db": Run(),
    "/opt/boxroom/bin/boxroom serve --data restored --port 8766 --no-announce": Start(
        "Ctrl-C", (*IN_OPT, ("8766", "0")), more="--host 127.0.0.1"
    ),
    "/opt/boxroom/bin/pip install '.[server]'": Never("it installs from a package index"),
    "systemctl restart boxroom": SYSTEMD,
}

OPERATING: dict[str, Way] = {
    "boxroom admin list": Run(),
    "boxroom admin show kiwa-tobe": Run(),
    "boxroom admin kick kiwa-tobe Bob": Run(),
    "boxroom admin close kiwa-tobe": Run(),
    "boxroom admin names a": Run(),
    "boxroom admin release Bob": Run(),
    "boxroom admin ban Bob --reason spam": Run(),
    "boxroom admin bans": Run(),
    "boxroom admin unban Bob": Run(),
    "boxroom admin drain": Run(),
    "boxroom games list": Run(),
    "boxroom games show 17": Run((("17", "1"),)),
    "boxroom games export 17 18 --out games.txt": Run((("17 18", "1 2"), ("games.txt", "new.txt"))),
    "boxroom games delete 17 18": Run((("17 18", "1 2"),)),
    "boxroom games delete --before 2026-01-31": Run(),
    "boxroom backup /backups/boxroom-monday.db": Run((("/backups/", ""),)),
}

RELIABILITY: dict[str, Way] = {
    "./check tests/faults -s": Check(),
    "BOXROOM_KILLS=1000 ./check --long tests/faults/test_kills.py -s": Check(),
}

ROBOTS: dict[str, Way] = {
    "boxroom arena mine.py greedy expert --games 200": Run((("200", "2"),), more=QUICK),
    "boxroom arena mine.py:robot mine.py:other random --time 0.5": Run(
        (("0.5", "0.05"),), more="--games 2 --grid 2x2 --jobs 1"
    ),
    "boxroom robot new mine.py": Run((("mine", "new"),)),
    "boxroom robot mine.py --server 192.168.1.20 --room kiwa-tobe --name Robby": Elsewhere(
        "tests/e2e/test_robot.py::test_a_robot_of_ten_lines_plays_against_a_person"
    ),
    "boxroom robot ws://localhost:8001 --server 192.168.1.20 --room kiwa-tobe --name Leuven"
    " --time 0.5": Elsewhere(
        "tests/e2e/test_agents.py::test_agents_play_in_rooms_and_no_move_is_refused"
    ),
    "boxroom robot serve expert --port 8001": Start("ws://", (("8001", "0"),)),
    "boxroom robot serve mine.py": Start("ws://", more="--port 0"),
}

FIRST_CLIENT = (
    """python docs/examples/first_client.py ws://localhost:8765 "Robin's long random secret\""""
)
PROTOCOL: dict[str, Way] = {
    FIRST_CLIENT: Elsewhere("tests/docs/test_protocol_page.py::test_the_first_client_plays_a_bot"),
}

VALUES: dict[str, Way] = {
    "python benchmarks/values.py --most-free 40": Takes(),
    "boxroom solve --rows 3 --cols 4 --border half": Run(),
}

GUEST_TUTORIAL: dict[str, Way] = {"./boxroom join": JOIN, "./boxroom play": PLAY}

HOST_TUTORIAL: dict[str, Way] = {
    "./boxroom host --name Ada --room party": HOST,
    "./boxroom host --stop": HOST,
    "./boxroom history": Run(more="list"),
}

ROBOT_TUTORIAL: dict[str, Way] = {
    "./boxroom robot new mine.py": Run((("mine", "new"),)),
    "./boxroom arena mine.py random --games 20": Run((("20", "2"),), more=QUICK),
    "./boxroom arena safe.py mine.py greedy --games 20 --grid 4x4": Run(
        (("20", "2"), ("--grid 4x4", ""), ("safe.py", "mine.py:other")), more=QUICK
    ),
    "./boxroom robot safe.py --room lab --name Robby": Elsewhere(
        "tests/e2e/test_robot.py::test_a_robot_of_ten_lines_plays_against_a_person"
    ),
}

INSTALLS = Never("it changes a user's commands; tests/project/test_installation.py does it by pip")
INSTALL: dict[str, Way] = dict.fromkeys(
    (
        *("pipx install .", "uv tool install .", "pip install ."),
        *("pipx uninstall boxroom", "uv tool uninstall boxroom", "pip uninstall boxroom"),
    ),
    INSTALLS,
)

COMMANDS: dict[str, Way] = {
    r"printf 'h0\nv0\n/resign\n' | boxroom play --json --rows 2 --cols 2": Elsewhere(
        "tests/e2e/test_json.py::test_a_script_plays_against_two_bots"
    )
}

LINES: dict[str, dict[str, Way]] = {
    "README.md": README,
    "CONTRIBUTING.md": CONTRIBUTING,
    "docs/reference/analysis.md": ANALYSIS,
    "docs/explanation/benchmarks.md": BENCHMARKS,
    "docs/reference/bots.md": BOTS,
    "docs/how-to/cluster.md": CLUSTER,
    "docs/reference/commands.md": COMMANDS,
    "docs/reference/configuration.md": CONFIGURATION,
    "docs/reference/games.md": GAMES,
    "docs/how-to/install.md": INSTALL,
    "docs/how-to/operating.md": OPERATING,
    "docs/how-to/packaging.md": PACKAGING,
    "docs/explanation/reliability.md": RELIABILITY,
    "docs/research/bots.md": BOTS_RESEARCH,
    "docs/how-to/robots.md": ROBOTS,
    "docs/reference/protocol.md": PROTOCOL,
    "docs/reference/values.md": VALUES,
    "docs/tutorial/guest.md": GUEST_TUTORIAL,
    "docs/tutorial/host.md": HOST_TUTORIAL,
    "docs/tutorial/operator.md": OPERATOR,
    "docs/tutorial/robot.md": ROBOT_TUTORIAL,
}

FILES: dict[str, Way] = {
    "deploy/alerts.yml": Elsewhere(
        "tests/docs/test_metrics_page.py::test_alerts_are_about_metrics_that_there_are"
    ),
    "deploy/boxroom.service": Elsewhere(
        "tests/deploy/test_boxroom_service.py::test_a_game_with_a_bot_goes_on_after_a_restart"
    ),
    "deploy/haproxy.cfg": Elsewhere(
        "tests/cluster/test_behind_proxy.py::test_a_banned_network_is_sent_away_from_all_servers"
    ),
    "deploy/prometheus.yml": Elsewhere(
        "tests/docs/test_metrics_page.py"
        "::test_the_address_that_is_scraped_is_where_the_flag_has_metrics_served"
    ),
    "deploy/requirements-build.txt": Elsewhere(
        "tests/project/test_lock_requirements.py::test_what_builds_is_locked_to_the_last_package"
    ),
    "deploy/requirements.txt": Elsewhere(
        "tests/project/test_lock_requirements.py::test_what_runs_is_locked_to_the_last_package"
    ),
    "Dockerfile": Never("it needs Docker and a registry; tests/project/test_docker.py reads it"),
    "docker-compose.yml": Never("as the Dockerfile"),
}

WITHOUT_VALUES = {
    "history --server ADDRESS …",
    "history --server",
    "history replay N",
    "history export N…",
    "history delete N…",
    "serve --keep-games DAYS",
}
"""Calls of `boxroom` in the text that leave out a value, or have a name in its place."""
