"""`pillarbox ingest` and a job run by its own name: what they find, ask for, print and end with."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from pillarbox import cli
from pillarbox.box import Package
from pillarbox.bulk import Source
from pillarbox.errors import StoreError, UsageError
from pillarbox.installing import install_line
from pillarbox_spark import pipeline, verbs
from pillarbox_spark.engines import Progress
from pillarbox_spark.job import Job, load_job
from pillarbox_spark.main import main
from pillarbox_spark.pipeline import Options
from pillarbox_spark.report import Report
from pillarbox_spark.verbs import find_job, jobs_of

INSTALL = install_line("pillarbox", "spark")
JOB = Job(
    module="planted.jobs.trees",
    package=cast("Package[Any, Any]", None),
    source=Source(name="trees", adapter="x:y", row=tuple, group=None, emits=()),
    parquet=(),
    encode=repr,  # type: ignore[arg-type]
    decode=bytes,
)
REPORT = Report(
    package="planted",
    source="trees",
    engine="inline",
    java=None,
    files=1,
    input_bytes=3,
    read=3,
    written=2,
    quarantined={"not-json": 1},
    skipped={},
    tables={"trees": 2},
    seconds={"read": 1.0},
    shards=1,
    out="out",
    into=None,
)


def plant_package(folder: Path, name: str, *sources: str) -> None:
    """A package with jobs, which says so when it is imported."""
    jobs = folder / name / "jobs"
    jobs.mkdir(parents=True)
    for file in (jobs.parent / "__init__.py", jobs / "__init__.py"):
        file.write_text(f"raise AssertionError('{file} was imported')\n")
    for source in sources:
        (jobs / f"{source}.py").touch()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder that is on the path, and no generated packages elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        verbs, "installed_packages", lambda: sorted(path.name for path in tmp_path.glob("pillarbox_*"))
    )
    return tmp_path


# ------------------------------------------------------------------------------------ finding a job


def test_a_source_is_found_in_the_one_package_that_has_it_and_nothing_is_imported(here: Path) -> None:
    plant_package(here, "pillarbox_forest", "trees", "birds")
    plant_package(here, "pillarbox_lake", "fish")

    assert find_job("fish") == "pillarbox_lake.jobs.fish"
    assert jobs_of("pillarbox_forest") == ["birds", "trees"]


def test_a_package_of_another_name_is_found_when_it_is_named(here: Path) -> None:
    plant_package(here, "grove", "trees")

    assert find_job("trees", "grove") == "grove.jobs.trees"


def test_an_unknown_source_is_told_with_what_was_meant_and_what_there_is(here: Path) -> None:
    plant_package(here, "pillarbox_forest", "trees", "birds")

    with pytest.raises(
        UsageError, match=r"^no source 'treees'; did you mean 'trees'\? There are: birds, trees$"
    ):
        find_job("treees")
    with pytest.raises(
        UsageError, match=r"^no source 'x' can be imported here, but birds, trees; run this where"
    ):
        find_job("x")


@pytest.mark.parametrize("name", ["missing.pillarbox_forest", ".forest"])
def test_a_package_that_cannot_be_is_told_so(here: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"there is no package .*; install it, or run this where it lies"):
        find_job("trees", name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("./history.lines", "no job './history.lines': no module is called so; "),
        ("..", "no job '..': no module is called so; "),
        ("a.ndjson", "no job 'a.ndjson': No module named 'a'; "),
        ("os.path", "'os.path' holds no job; "),
    ],
)
def test_a_file_in_the_place_of_a_source_is_told_to_be_no_job(name: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_job(name)

    assert str(caught.value).startswith(f"{told}give a source first, as `news`, or its module, as `")


def test_a_source_of_two_packages_asks_for_one(here: Path) -> None:
    for name in ("pillarbox_forest", "pillarbox_grove"):
        plant_package(here, name, "trees")

    with pytest.raises(UsageError, match="pillarbox_forest, pillarbox_grove; name one by --package"):
        find_job("trees")
    assert find_job("trees", "pillarbox_grove") == "pillarbox_grove.jobs.trees"


def test_without_any_source_or_package_the_error_says_what_to_do(here: Path) -> None:
    with pytest.raises(UsageError, match="no source in any generated package; add `sources` to the schema"):
        find_job("trees")
    with pytest.raises(UsageError, match="there is no package 'pillarbox_x'; install it"):
        find_job("trees", "pillarbox_x")
    plant_package(here, "pillarbox_bare")
    with pytest.raises(UsageError, match="no source in pillarbox_bare"):
        find_job("trees", "pillarbox_bare")


# ------------------------------------------------------------------------------------ running it


class FakePipeline:
    """Takes the place of `pipeline.run`, and keeps what it was asked."""

    def __init__(self) -> None:
        self.report = REPORT
        self.error: BaseException | None = None
        self.asked: list[tuple[str, Sequence[Path], Path, Options]] = []

    def run(
        self, job: Job, inputs: Sequence[Path], out: Path, options: Options, *, progress: Progress
    ) -> Report:
        self.asked.append((job.module, inputs, out, options))
        if self.error:
            raise self.error
        return self.report


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, here: Path) -> FakePipeline:
    (here / "trees.json").touch()
    fake = FakePipeline()
    monkeypatch.setattr(pipeline, "run", fake.run)
    return fake


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main(JOB, arguments)
    return int(cast("int", caught.value.code))


def test_arguments_become_options(runs: FakePipeline, here: Path) -> None:
    (here / "more").mkdir()
    given = (
        "trees.json more --out o --into b.box --replace --engine spark --cores 3 --no-parquet --shard-mb 8"
    )

    assert exit_code("trees.json", "--out", "o") == 0
    assert exit_code(*given.split()) == 0

    inputs = (Path("trees.json"), Path("more"))
    asked = Options(
        engine="spark", into=Path("b.box"), replace=True, cores=3, parquet=False, shard_bytes=8 << 20
    )
    assert runs.asked == [
        ("planted.jobs.trees", inputs[:1], Path("o"), Options()),
        ("planted.jobs.trees", inputs, Path("o"), asked),
    ]


def test_the_verb_and_the_job_by_its_own_name_ask_for_the_same(
    runs: FakePipeline, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_package(here, "planted", "trees")
    for file in here.glob("planted/**/*.py"):
        file.write_text("")
    (here / "planted" / "jobs" / "trees.py").write_text(f"from {__name__} import JOB\n")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    arguments = ["trees.json", "--out", "o", "--cores", "1"]

    codes = [exit_code(*arguments)]
    for source in (["planted.jobs.trees"], ["trees", "--package", "planted"]):
        with pytest.raises(SystemExit) as caught:
            cli.main(["ingest", *source, *arguments])
        codes.append(int(cast("int", caught.value.code)))

    assert codes == [0, 0, 0]
    assert runs.asked == [runs.asked[0]] * 3


@pytest.mark.parametrize(
    ("start", "told"),
    [
        (
            "import runpy; runpy.run_module('pillarbox_tracker.jobs.issue_dump', run_name='__main__')",
            f"jobs need pyspark, which is not installed; install it with `{INSTALL}`",
        ),
        (
            "from pillarbox.cli import main; main(['ingest', 'issue_dump', '.', '--out', 'o'])",
            f"`pillarbox ingest` needs pyspark, which is not installed; install it with `{INSTALL}`",
        ),
    ],
)
def test_without_pyspark_it_is_told_what_to_install(start: str, told: str, tmp_path: Path) -> None:
    code = f"import sys; sys.modules['pyspark'] = None; {start}"

    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)

    assert done.returncode != 0
    assert told in done.stderr.splitlines()[-1]


def test_a_job_that_is_run_without_pyspark_ends_as_wrong_use_does(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['pyspark'] = None\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])

    done = subprocess.run(
        [sys.executable, "-m", "pillarbox_tracker.jobs.issue_dump", "dump.json", "--out", "o"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )

    told = f"jobs need pyspark, which is not installed; install it with `{INSTALL}`"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"pillarbox: {told}\n")


POST = {
    "message_id": 1,
    "sender_id": -1001000724666,
    "text": "a",
    "date": "2024-07-19T09:42:43Z",
    "channel": "A",
}


@pytest.mark.parametrize(
    ("streams", "code"), [("2>&-", 0), ("2>&0", 0), ("1>&- 2>&-", 0), ("1>&0 2>&0", cli.ExitCode.UNREAD)]
)
def test_a_run_of_which_nothing_can_be_told_is_committed_all_the_same(
    streams: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "posts.ndjson").write_text(json.dumps(POST))
    command = f"'{sys.executable}' -m pillarbox ingest news posts.ndjson --out o --engine inline {streams}"
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(command, shell=True, cwd=tmp_path, stdin=writing, check=False)

    os.close(writing)
    assert done.returncode == code
    assert json.loads((tmp_path / "o" / "manifest.json").read_text())["report"]["written"] == 1


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("'' --out o", "INPUT..."),
        ("trees.json --out ''", "--out"),
        ("trees.json --out o --into ''", "--into"),
    ],
)
def test_an_empty_name_is_no_folder_that_one_is_in(
    given: str, name: str, runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*shlex.split(given)) == 2

    assert f"Invalid value for '{name}': it is empty; give a name" in capsys.readouterr().err
    assert runs.asked == []


@pytest.mark.parametrize("begin", ["file:", "file://", "file://localhost"])
def test_what_it_reads_and_writes_may_be_uris(begin: str, runs: FakePipeline, here: Path) -> None:
    (here / "a b.json").touch()
    places = (f"{begin}{here}/{name}" for name in ("a%20b.json", "o", "b.box"))

    assert exit_code(next(places), "--out", next(places), "--into", next(places)) == 0

    asked = Options(into=here / "b.box")
    assert runs.asked == [("planted.jobs.trees", (here / "a b.json",), here / "o", asked)]


@pytest.mark.parametrize(
    "given", ["{}t.json --out o", "trees.json --out {}", "trees.json --out o --into {}o"]
)
@pytest.mark.parametrize("uri", ["s3a://a/", "file://elsewhere/", "file:"])
def test_no_folder_is_called_as_what_is_elsewhere(
    given: str, uri: str, runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*given.format(uri).split()) == 2
    assert "is no file of this machine; give a path, or file:///PATH" in capsys.readouterr().err
    assert runs.asked == []


def test_a_link_that_leads_nowhere_is_told_to_be_one(
    runs: FakePipeline, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "stray.json").symlink_to("nowhere")

    assert exit_code("stray.json", "--out", "o") == 2

    assert "'stray.json' is a link that leads nowhere; mend it" in capsys.readouterr().err
    assert runs.asked == []


def test_the_report_is_on_standard_output_and_quarantine_is_no_failure(
    runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = exit_code("trees.json", "--out", "o"), exit_code("trees.json", "--out", "o", "--json")

    text, _, tree = capsys.readouterr().out.partition("{")
    assert codes == (0, 0)
    assert text == REPORT.to_text()
    assert json.loads("{" + tree) == REPORT.to_tree()


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UsageError("no"), 2, "pillarbox: no\n"),
        (StoreError("full"), 3, "pillarbox: full\n"),
        (KeyboardInterrupt(), 130, "pillarbox: interrupted\n"),
        (KeyboardInterrupt("half of it stands"), 130, "pillarbox: interrupted: half of it stands\n"),
    ],
)
def test_an_error_ends_it_with_the_code_of_who_must_act(
    error: BaseException, code: int, told: str, runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.error = error

    assert exit_code("trees.json", "--out", "o") == code
    assert capsys.readouterr().err.endswith(told)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--out o", "Missing argument 'INPUT...'"),
        ("trees.json", "Missing option '--out'"),
        ("absent.json --out o", "'absent.json' does not exist"),
        ("trees.json --out o --engine x", "'x' is not one of 'auto', 'spark', 'inline'"),
        ("trees.json --out o --cores 0", "0 is not in the range"),
        ("trees.json --out o --replace", "--replace is about the box of --into"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_runs(
    arguments: str, told: str, runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*arguments.split()) == 2
    assert told in capsys.readouterr().err
    assert runs.asked == []


def test_its_help_says_how_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--help") == 0

    assert capsys.readouterr().out.startswith("Usage: python -m planted.jobs.trees [OPTIONS] INPUT...\n")


def test_a_report_that_quarantined_nothing_is_printed_the_same_way(
    runs: FakePipeline, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.report = replace(REPORT, read=2, quarantined={})

    assert exit_code("trees.json", "--out", "o") == 0
    assert capsys.readouterr().out == runs.report.to_text()
