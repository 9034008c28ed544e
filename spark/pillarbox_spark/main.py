"""A job run by its own name: `python -m PACKAGE.jobs.SOURCE`, or `spark-submit PACKAGE/jobs/SOURCE.py`.

Depends on: pillarbox.cli, verbs.  Never on: how a job works.

Law: it ends the process as `pillarbox ingest` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from pillarbox.cli import end_with
from pillarbox.verbs import run_command
from pillarbox_spark.job import Job
from pillarbox_spark.verbs import command_of


def main(job: Job, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the job as `arguments` (by default those of the process) say, and exit."""
    end_with(lambda: run_command(command_of(job), arguments, f"python -m {job.module}"))
