"""One Spark for all tests of a process; `make test` runs them all in one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pillarbox_spark.spark_engine import SparkEngine, local_engine


@pytest.fixture(scope="session")
def engine() -> Iterator[SparkEngine]:
    """Spark on two cores, on the Java that a job would take."""
    with local_engine(2) as engine:
        yield engine
