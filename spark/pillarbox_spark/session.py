"""The Spark session a job runs in: one on this machine, or the one that is already there.

Depends on: pyspark, java.  Never on: jobs.

Law: only a session that was made here is stopped here.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.resources import as_file, files
from types import FrameType
from typing import Final

from pyspark.sql import SparkSession

from pillarbox.errors import UsageError
from pillarbox_spark.java import Java, home_for_spark

#: How often Spark tries a task. On one machine it does not try again unless told so; elsewhere this is usual.
ATTEMPTS: Final = 4

_NAME: Final = "pillarbox"
_LOOPBACK: Final = "127.0.0.1"


def session_of_others() -> SparkSession | None:
    """A new session beside the active one, or where `spark-submit` or a Spark Connect server says.

    None where there is nothing of that. What runs in it can be interrupted without touching anything else;
    there is no need to stop it, and with it all others. Spark Connect must be 4.3 or newer.
    """
    active = SparkSession.getActiveSession()
    if active is None and any(os.environ.get(name) for name in ("PYSPARK_GATEWAY_PORT", "SPARK_REMOTE")):
        active = SparkSession.builder.appName(_NAME).getOrCreate()
    return None if active is None else active.newSession()


@contextmanager
def local_session(java: Java, cores: int, memory: str | None = None) -> Iterator[SparkSession]:
    """A new session on `cores` cores of this machine; stopped at the end.

    `memory` is for Java (`2g`), which needs little: what tasks need, Python takes beside it.
    Raises UsageError when Spark does not start.
    """
    logging.getLogger().addFilter(_is_news)  # where Spark's bridge to Java logs
    session = None
    with as_file(files("pillarbox_spark") / "log4j2.properties") as log:
        try:
            with _interrupts_wait(), _environment(_for_spark(java)):
                session = _started(java, cores, _settings(log.as_uri(), memory))
            yield session
        finally:
            if session is not None:
                with suppress(Exception):  # of any kind: where Java is gone, nothing is left to be stopped
                    session.stop()


def _is_news(record: logging.LogRecord) -> bool:
    """Not that an interrupt tore what was just asked of Java: whoever interrupts gets that interrupt."""
    return record.exc_info is None or not isinstance(record.exc_info[1], KeyboardInterrupt)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Keep a Ctrl-C for the end of the block, but for a second one.

    Java that is left alone while it starts stays for good. Spark's own handler, which it puts in place
    meanwhile, asks Java amid what it was just asked; afterwards the one from before is back. In another
    thread than the first one, to which no signal comes, nothing is done.
    """
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def _started(java: Java, cores: int, settings: Mapping[str, str]) -> SparkSession:
    builder = SparkSession.builder.appName(_NAME).master(f"local[{cores},{ATTEMPTS}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # of any kind: what starts it is a shell script, and a protocol after it
        raise UsageError(
            f"Spark does not start on Java {java}: {error}; see what it wrote above, "
            f"or do without Spark: `--engine inline`"
        ) from error


def _settings(log: str, memory: str | None) -> dict[str, str]:
    settings = {
        "spark.driver.bindAddress": _LOOPBACK,
        "spark.driver.host": _LOOPBACK,
        # Java only hands out tasks: the quick compiler and the small collector leave the cores to them.
        "spark.driver.extraJavaOptions": (
            f"-Dlog4j2.configurationFile={log} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        ),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.python.worker.reuse": "true",
    }
    return settings if memory is None else settings | {"spark.driver.memory": memory}


def _for_spark(java: Java) -> dict[str, str]:
    """What Java, and the Python workers under it, are started with."""
    return {
        "JAVA_HOME": str(home_for_spark(java)),
        "SPARK_LOCAL_IP": _LOOPBACK,
        "PYSPARK_PYTHON": sys.executable,
        # What can be imported here can be imported in a task, adapters and packages in this folder included.
        "PYTHONPATH": os.pathsep.join(os.path.abspath(entry) for entry in sys.path),
    }


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
