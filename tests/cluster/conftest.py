"""Tests of servers that share an etcd; docs/explanation/reliability.md says what they prove.

As in tests/faults, a run prints its seed, and BOXROOM_SEED in the environment repeats one.
"""

from tests.faults.conftest import seed

__all__ = ["seed"]
