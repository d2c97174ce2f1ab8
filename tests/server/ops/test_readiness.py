"""Reasons against readiness, set and cleared by subject."""

import pytest

from boxroom_server.ops.readiness import Readiness


def test_without_a_reason_it_is_ready() -> None:
    readiness = Readiness()
    assert readiness.is_ready
    assert readiness.reasons == ()


def test_it_is_ready_again_when_the_last_reason_is_gone() -> None:
    readiness = Readiness()
    readiness.set("saving", "the disk is full")
    readiness.set("listening", "the server is starting")
    readiness.clear("saving")
    assert not readiness.is_ready
    assert readiness.reasons == ("the server is starting",)
    readiness.clear("listening")
    assert readiness.is_ready


def test_a_subject_has_one_reason_the_newest() -> None:
    readiness = Readiness()
    readiness.set("saving", "the disk is full")
    readiness.set("saving", "the disk is gone")
    assert readiness.reasons == ("the disk is gone",)
    readiness.clear("saving")
    assert readiness.is_ready


def test_clearing_what_was_never_set_does_nothing() -> None:
    readiness = Readiness()
    readiness.clear("saving")
    assert readiness.is_ready


def test_changes_are_logged_and_repetitions_are_not(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    readiness = Readiness()
    readiness.set("saving", "the disk is full")
    readiness.set("saving", "the disk is full")
    readiness.set("stopping", "the server is stopping")
    readiness.clear("stopping")
    readiness.clear("saving")
    readiness.clear("saving")
    assert [record.message for record in caplog.records] == ["not ready", "not ready", "ready"]
