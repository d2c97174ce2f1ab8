"""docs/reference/metrics.md names every metric, and Prometheus's files in deploy/ work."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from boxroom_server.cli.serve import parser
from boxroom_server.ops.metrics import Metrics, ServerStatus
from boxroom_server.ops.prometheus import metrics_text
from boxroom_server.options import LOOPBACK
from boxroom_server.session import LOGGED_REFUSALS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
PROMETHEUS = (ROOT / "deploy" / "prometheus.yml").read_text(encoding="utf-8")
ALERTS = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")
METRICS = PAGE.partition("<!-- metrics -->")[2].partition("<!-- end -->")[0]

STATUS = ServerStatus(
    version="1.2.3",
    started_ms=0,
    is_ready=True,
    connections=0,
    unread_bytes=0,
    rooms=0,
    rooms_playing=0,
    members=0,
    rooms_split=0,
    moves_waiting=0,
)


def labels_by_metric() -> dict[str, set[str]]:
    """Return the labels of a server's metrics, by their names as the page writes them."""
    metrics = Metrics()
    metrics.refusals["stale"] = 1
    text = metrics_text(metrics, STATUS).decode()
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        name = family.name + ("_total" if family.type == "counter" else "")
        if name.startswith("boxroom"):
            labels = {label for sample in family.samples for label in sample.labels}
            found[name] = labels - {"le"}
    return found


def rules() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(ALERTS)["groups"][0]["rules"]
    return found


def test_every_metric_stands_in_the_list_with_its_labels() -> None:
    items = re.findall(r"`(boxroom_\w+)`(?:\s\(`(\w+)`\))?", METRICS.partition("\n\n`status`")[0])
    assert {name: {label} - {""} for name, label in items} == labels_by_metric()


def test_the_address_that_is_scraped_is_where_the_flag_has_metrics_served() -> None:
    asked = yaml.safe_load(PROMETHEUS)
    flag = re.search(r"boxroom serve (--metrics-port) (\d+)$", PROMETHEUS, re.MULTILINE)
    assert flag is not None
    assert parser().parse_args(flag.groups()).metrics_port == int(flag[2])
    (job,) = asked["scrape_configs"]
    assert job["static_configs"][0]["targets"] == [f"{LOOPBACK}:{flag[2]}"]
    assert asked["rule_files"] == ["alerts.yml"]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: str(rule["alert"]))
def test_alerts_are_about_metrics_that_there_are(rule: dict[str, Any]) -> None:
    names = {name.removesuffix("_bucket") for name in re.findall(r"boxroom_\w+", rule["expr"])}
    assert names <= labels_by_metric().keys()


def test_refusals_that_are_logged_are_named() -> None:
    named = re.search(r"refusals\s+that may mean trouble \((.*?)\)", PAGE, flags=re.DOTALL)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) == LOGGED_REFUSALS
