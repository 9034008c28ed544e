"""Values that rows of two shards share, and those of a box that is older than the word for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.property.law_machine import SCHEMAS, package_of
from tests.property.test_bulk import figures
from tests.unit.codegen_ops.making import imported

from pillarbox.box import Box
from pillarbox.bulk import ShardBuilder, merge
from pillarbox.inspect.findings import Finding, Findings
from pillarbox.inspect.verify import verify
from pillarbox.storage import open_engine

REFS: Any = package_of("refs")


def letter(package: Any, box: int, n: int, *stamps: tuple[int, str]) -> Any:
    made = tuple(package.types.Printed(number=number, face=face) for number, face in stamps)
    return package.operations.PutLetter(
        letter=package.types.Letters(box=box, at=0, n=n, text="", stamps=made)
    )


def faces(path: Path) -> dict[tuple[int, int], list[str]]:
    with REFS.box.open_box(path) as box, box.reading() as tables:
        return {(row.box, row.n): [stamp.face for stamp in row.stamps] for row in tables.letters.all()}


def faults(path: Path) -> list[Finding]:
    told: list[Finding] = []
    engine = open_engine(str(path), durability="relaxed", read_only=True)
    verify(engine, "derived", REFS.box.PACKAGE, Findings(told.append))
    engine.close()
    return told


def test_a_value_that_two_shards_use_is_shared_after_the_merge(tmp_path: Path) -> None:
    for box, stamps in enumerate([((1, "cat"),), ((1, "cat"), (2, "sun")), ((3, "dog"),), ((2, "sun"),)]):
        with ShardBuilder(REFS.box.PACKAGE, tmp_path / f"{box}.shard") as builder:
            for n in range(2 if box == 2 else 1):
                builder.add(n, [letter(REFS, box, n, *stamps)])
            assert builder.finish().refused == ()

    merge(REFS.box.PACKAGE, [tmp_path / f"{box}.shard" for box in range(4)], tmp_path / "a.box")

    assert faces(tmp_path / "a.box") == {
        (0, 0): ["cat"], (1, 0): ["cat", "sun"], (2, 0): ["dog"], (2, 1): ["dog"], (3, 0): ["sun"]
    }  # fmt: skip
    with REFS.box.open_box(tmp_path / "a.box") as box, box.reading() as tables:
        assert [row.ref for row in tables.stamps.all()] == [1, 2, 3]
    assert faults(tmp_path / "a.box") == []


def test_the_figures_of_a_shard_are_of_its_rows_as_they_are_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.box"

    with ShardBuilder(REFS.box.PACKAGE, path, slice_records=1) as builder:
        for n, stamps in enumerate([((1, "cat"),), ((1, "cat"), (2, "sun")), ()]):
            builder.add(n, [letter(REFS, 0, n % 2, *stamps)])
            builder.add(n, [letter(REFS, 1, n, *stamps)])
        made = builder.finish()

    assert made.tables == figures(REFS.box.PACKAGE, path)


def test_an_older_box_shares_what_its_rows_have_in_common(tmp_path: Path) -> None:
    text = (SCHEMAS / "refs/schema.yaml").read_text()
    begin, end = text.index("  stamps:\n"), text.index("  by_text:")
    older = text[:begin] + text[end:]
    steps = older.index("  keep_stamp:"), older.index("  put_letter:")
    older = (older[: steps[0]] + older[steps[1] :]).replace("law_of_refs", "law_of_refs_before")
    plain: Any = imported(tmp_path / "plain", older)
    before = plain.box.PACKAGE  # Python has one package of a name, and a box is of one schema
    before = replace(before, layout=before.layout.replace("law_of_refs_before", "law_of_refs"))
    path = tmp_path / "a.box"
    with Box(path, before) as box:
        box.replay([letter(plain, 0, 0, (1, "cat")), letter(plain, 0, 1, (1, "dog"), (2, "sun"))])

    with REFS.box.open_box(path) as box:
        assert box.opened == "upgraded"
    assert faces(path) == {(0, 0): ["cat"], (0, 1): ["cat", "sun"]}
    assert faults(path) == []
