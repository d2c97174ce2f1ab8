"""Metrics in the Prometheus text format, read back with prometheus_client's parser."""

from prometheus_client.parser import text_string_to_metric_families

from boxroom_engine.bots.registry import BOTS
from boxroom_engine.room.events import MoveSource
from boxroom_server.ops.metrics import SECONDS_BOUNDS, Metrics, ServerStatus
from boxroom_server.ops.prometheus import metrics_text

STATUS = ServerStatus(
    version="1.2.3",
    started_ms=1_700_000_000_500,
    is_ready=True,
    connections=5,
    unread_bytes=4096,
    rooms=3,
    rooms_playing=2,
    members=7,
    rooms_split=1,
    moves_waiting=1,
)

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(metrics: Metrics, status: ServerStatus = STATUS) -> Samples:
    """Return every sample by its name and labels."""
    text = metrics_text(metrics, status).decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


def test_the_status_of_the_server_is_in_gauges() -> None:
    samples = read(Metrics())
    assert value(samples, "boxroom_info", version="1.2.3") == 1
    assert value(samples, "boxroom_start_time_seconds") == 1_700_000_000.5
    assert value(samples, "boxroom_ready") == 1
    assert value(samples, "boxroom_connections") == 5
    assert value(samples, "boxroom_unread_bytes") == 4096
    assert value(samples, "boxroom_rooms") == 3
    assert value(samples, "boxroom_rooms_playing") == 2
    assert value(samples, "boxroom_members") == 7
    assert value(samples, "boxroom_rooms_split") == 1
    assert value(samples, "boxroom_bot_moves_waiting") == 1


def test_what_was_counted_is_told_by_its_kind() -> None:
    metrics = Metrics(opened=9, commands=100)
    metrics.closes["1013"] = 2
    metrics.rejections[403] = 6
    metrics.refusals["stale"] = 3
    metrics.moves[MoveSource.CLOCK] = 4
    metrics.bot_failures["expert"] = 5
    samples = read(metrics)
    assert value(samples, "boxroom_connections_opened_total") == 9
    assert value(samples, "boxroom_commands_total") == 100
    assert value(samples, "boxroom_connections_closed_total", code="1013") == 2
    assert value(samples, "boxroom_connections_turned_away_total", status="403") == 6
    assert value(samples, "boxroom_connections_turned_away_total", status="503") == 0
    assert value(samples, "boxroom_refusals_total", code="stale") == 3
    assert value(samples, "boxroom_moves_total", by="clock") == 4
    assert value(samples, "boxroom_moves_total", by="player") == 0
    assert value(samples, "boxroom_bot_failures_total", bot="expert") == 5
    assert value(samples, "boxroom_bot_failures_total", bot="random") == 0


def test_histograms_count_what_is_up_to_each_bound() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.002, 0.3, 60.0):
        metrics.broadcast.observe(seconds)
    metrics.commits.observe(0.5, 2)
    metrics.lag.observe(0.25)
    metrics.thinking["expert"].observe(1.5)
    samples = read(metrics)
    bucket = "boxroom_broadcast_seconds_bucket"
    assert value(samples, bucket, le="0.0005") == 0
    assert value(samples, bucket, le="0.001") == 1
    assert value(samples, bucket, le="0.25") == 2
    assert value(samples, bucket, le="10.0") == 3
    assert value(samples, bucket, le="+Inf") == 4
    assert value(samples, "boxroom_broadcast_seconds_count") == 4
    assert value(samples, "boxroom_broadcast_seconds_sum") == 60.303
    assert value(samples, "boxroom_commit_seconds_sum") == 0.5
    assert value(samples, "boxroom_commit_entries_bucket", le="2.0") == 1
    assert value(samples, "boxroom_loop_lag_seconds_bucket", le="0.25") == 1
    assert value(samples, "boxroom_bot_thinking_seconds_sum", bot="expert") == 1.5


def test_every_bound_can_be_read_back_as_it_is() -> None:
    name = "boxroom_broadcast_seconds_bucket"
    labels = [dict(key) for found, key in read(Metrics()) if found == name]
    assert [float(it["le"]) for it in labels] == [*SECONDS_BOUNDS, float("inf")]


def test_every_bot_is_there_before_it_has_thought() -> None:
    samples = read(Metrics())
    for bot in BOTS:
        assert value(samples, "boxroom_bot_thinking_seconds_count", bot=bot) == 0


def test_each_family_is_explained_and_of_one_type() -> None:
    families = list(text_string_to_metric_families(metrics_text(Metrics(), STATUS).decode()))
    ours = [family for family in families if family.name.startswith("boxroom")]
    assert len({family.name for family in ours}) == len(ours)
    assert all(family.documentation.endswith(".") for family in ours)
    assert "unknown" not in {family.type for family in ours}


def test_the_interpreter_is_told_of_too() -> None:
    names = {name for name, _ in read(Metrics())}
    assert "python_info" in names
    assert "python_gc_collections_total" in names
