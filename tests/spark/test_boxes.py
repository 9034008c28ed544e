"""Boxes read by a real Spark: what the page says, each row once, only where it may be, and errors."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pillarbox.inspect.stored import looked_at
from pillarbox_spark.boxes import register
from pillarbox_spark.spark_engine import SparkEngine
from pillarbox_tracker import open_box
from pillarbox_tracker.box import PACKAGE
from pillarbox_tracker.types import Comments, Issues, ProjectId, Projects, State, UserId

PAGE = Path(__file__).resolve().parents[2] / "docs" / "spark.md"
STATES = tuple(State)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three projects of 200 issues each, the first twenty of which have a comment."""
    path = tmp_path_factory.mktemp("boxes") / "tracker.box"
    with open_box(path, durability="relaxed") as box, box.transaction() as tx:
        for project in (1, 2, 3):
            tx.projects.put(
                Projects(project_id=ProjectId(project), slug=f"p{project}", name="P", owner_id=UserId(1))
            )
            for number in range(1, 201):
                tx.issues.put(issue(project, number))
            for number in range(1, 21):
                author = UserId(number % 7)
                tx.comments.put(
                    Comments(
                        project_id=ProjectId(project), number=number, posted_at=50 + number, comment=number,
                        author_id=author, body="",
                    )
                )  # fmt: skip
    return path


def issue(project: int, number: int) -> Issues:
    return Issues(
        project_id=ProjectId(project), number=number, title=f"{project}.{number}", body="",
        state=STATES[number % len(STATES)], author_id=UserId(number % 7),
        assignee_id=UserId(number) if number % 2 else None, created_at=number, updated_at=number + 1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def spark(engine: SparkEngine) -> SparkSession:
    """A session that reads boxes; one alone, for Spark refuses a second while the first is the active one."""
    active = SparkSession.getActiveSession()
    assert active is not None
    session = active.newSession()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    register(session)
    return session


def table_of(spark: SparkSession, path: Path, table: str, **options: str) -> DataFrame:
    return spark.read.format("pillarbox").options(table=table, **options).load(str(path))


def written(spark: SparkSession, path: Path, table: str) -> DataFrame:
    """What was written, of which Spark's reader and its columns were not asked."""
    schema = table_of(spark, path, table).schema
    with looked_at(str(path)) as box:
        rows = PACKAGE.tables(box.engine).by_id()[box.named(table).id].rows_between(None, None)
    values = [[getattr(row, name) for name in schema.names] for row in rows]
    return spark.createDataFrame(
        [tuple(int(it) if isinstance(it, IntEnum) else it for it in row) for row in values], schema
    )


def rows_read(frame: DataFrame) -> int:
    """How many rows left the source, before Spark's own filters."""
    frame.collect()
    plan = frame._jdf.queryExecution().executedPlan()
    nodes = plan.collectLeaves()
    return int(nodes.apply(0).metrics().apply("numOutputRows").value())


def test_what_the_page_does_works(
    spark: SparkSession, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {"spark": spark}

    for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        exec(compile(block.replace("tracker.box", str(path)), str(PAGE), "exec"), names)

    assert sum(int(it) for it in re.findall(r"\|\s*(\d+)\|$", capsys.readouterr().out, re.MULTILINE)) == 100
    assert names["titles"].count() == 600
    assert names["titles"].columns == ["project_id", "number", "title"]


@pytest.mark.parametrize("partitions", [1, 3])
@pytest.mark.parametrize(
    ("table", "where", "read"),
    [
        ("issues", "true", 600),
        ("issues", "project_id = 2", 200),
        ("issues", "project_id IN (1, 3) AND number > 150", 100),
        ("issues", "project_id = 2 AND number BETWEEN 5 AND 7 AND title LIKE '2.6%'", 3),
        ("issues", "number > 150", 600),
        ("issues", "project_id = 1 OR number = 5", 600),
        ("issues", "project_id = 9", 0),
        ("project_slugs", "slug >= 'p2'", 2),
        ("by_author", "author_id = 3 AND project_id = 1", 9),
    ],
)
def test_filters_change_what_is_read_and_never_what_is_found(
    spark: SparkSession, path: Path, partitions: int, table: str, where: str, read: int
) -> None:
    whole = written(spark, path, table)
    frame = table_of(spark, path, table, partitions=str(partitions), narrow="true").where(where)

    found = frame.collect()

    assert sorted(found) == sorted(whole.where(where).collect())
    assert rows_read(frame) == read


def test_one_frame_may_be_read_by_several_filters(spark: SparkSession, path: Path) -> None:
    """Spark reads a frame, or a view, of which it planned a part once as that part for good."""
    frame = table_of(spark, path, "issues")
    one, two = frame.where("project_id = 1"), frame.where("project_id = 2")

    assert (one.count(), frame.count()) == (200, 600)
    of_each = one.union(two).groupBy("project_id").count()
    assert sorted(of_each.collect()) == [(1, 200), (2, 200)]
    assert one.alias("a").join(two.alias("b"), "number").count() == 200

    frame.createOrReplaceTempView("issues_read_twice")
    (found,) = spark.sql(
        "SELECT (SELECT count(*) FROM issues_read_twice WHERE project_id = 3 AND number > 150),"
        " (SELECT count(*) FROM issues_read_twice)"
    ).collect()
    assert tuple(found) == (50, 600)


def test_what_is_read_is_the_last_commit(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "tracker.box"
    with open_box(path, durability="relaxed") as box:
        for number in (1, 2):
            with box.transaction() as tx:
                if number == 1:
                    tx.projects.put(Projects(project_id=ProjectId(1), slug="p", name="P", owner_id=UserId(1)))
                tx.issues.put(issue(1, number))
            assert table_of(spark, path, "issues").count() == number


def test_errors_reach_who_asked(spark: SparkSession, path: Path) -> None:
    with pytest.raises(PySparkException, match=r"no table 'isues'; did you mean 'issues'\?"):
        table_of(spark, path, "isues").collect()


def test_a_session_may_be_told_twice(spark: SparkSession, path: Path) -> None:
    register(spark)

    assert table_of(spark, path, "projects").count() == 3
