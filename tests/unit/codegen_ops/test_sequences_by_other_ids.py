"""A schema by which another sequence numbers what rows hold: no number is given that they have."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from click.testing import CliRunner
from tests.property.test_verify import found_in
from tests.unit.codegen_ops.making import version

from pillarbox.box import Box, opening
from pillarbox.errors import LayoutConflict, SequenceExhausted
from pillarbox.inspect.verbs_versions import breaking
from pillarbox.layout import compare

NAME: Final = "pillarbox_numbered_again"
SCHEMA: Final = """
schema: {name: numbered_again, reserved: [90]}
sequences:
  serials: {id: 11, type: int32, per: {needs: int32}}
  words: {id: 12, type: uint8, intern: text, per: {}}
  tags: {id: 13, type: int32, intern: bytes, per: {needs: int32}}
tables:
  things:
    id: 1
    key: {needs: int32, n: {type: int32, fill: serials}}
    record:
      word: [1, text]
      word_id: {number: 2, type: uint8, fill: words(word)}
      filed: [3, list<bytes>]
      tag_ids: {number: 4, type: list<int32>, fill: tags(each filed)}
      place: {number: 5, type: int32, default: 0}
  by_word: {id: 2, index: {from: words, when: value != '', key: [number, value]}}
"""
_made: Final = count()
ANOTHER: Final = (("id: 11", "id: 21"), ("id: 12", "id: 22"), ("id: 13", "id: 23"))
#: What becomes of the sequences of before: they are given up, or stay and number nothing.
FATES: Final = {
    "the old ones are gone": ("reserved: [90]", "reserved: [90, 11, 12, 13]"),
    "the old ones are there": (
        "sequences:",
        """sequences:
  old_serials: {id: 11, type: int32, per: {needs: int32}}
  old_words: {id: 12, type: uint8, intern: text, per: {}}
  old_tags: {id: 13, type: int32, intern: bytes, per: {needs: int32}}""",
    ),
}
PLACED: Final = (
    ("  words:", "  places: {id: 14, type: int32, per: {}}\n  words:"),
    ("type: int32, default: 0}", "type: int32, fill: places}"),
)


def package(folder: Path, *changes: tuple[str, str]) -> ModuleType:
    """The package of the schema with these texts changed, under a name of its own."""
    text = SCHEMA
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    alias = f"{NAME}_{next(_made)}"
    return version(folder / alias, text, alias)


def put(box: Box[Any, Any], package: ModuleType, needs: int, word: str, *filed: bytes, place: int = 0) -> Any:
    """A thing as it is stored."""
    with box.transaction() as tx:
        return tx.things.put(package.types.Things(needs_=needs, n=0, word=word, filed=filed, place=place))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A box with things of two classes."""
    path, first = tmp_path / "a.box", package(tmp_path)
    with Box(path, first.PACKAGE) as box:
        for needs_, word, *filed in ((1, "a", b"x"), (1, "b", b"x", b"y"), (2, "a", b"z")):
            put(box, first, needs_, word, *filed, place=7 * needs_)
        put(box, first, 1, "")
    return path


@pytest.mark.parametrize("rows", [1, 1000])
@pytest.mark.parametrize("fate", FATES.values(), ids=FATES)
def test_another_sequence_goes_on_behind_what_rows_have(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, fate: tuple[str, str], rows: int
) -> None:
    monkeypatch.setattr(opening, "_SLICE_ROWS", rows)
    then = package(tmp_path, *ANOTHER, fate)

    with Box(path, then.PACKAGE) as box:
        assert box.opened == "upgraded"
        one, other = put(box, then, 1, "c", b"w", b"v"), put(box, then, 2, "c", b"w")
        new = put(box, then, 3, "d", b"w")

    assert (one.n, one.word_id, one.tag_ids) == (4, 3, (3, 4))
    assert (other.n, other.word_id, other.tag_ids) == (2, 3, (2,))
    assert (new.n, new.word_id, new.tag_ids) == (1, 4, (1,))
    assert found_in(path, then.PACKAGE, "derived") == []
    with Box(path, then.PACKAGE) as box:
        assert box.opened == "same"


def test_so_does_one_for_what_no_sequence_numbered(tmp_path: Path, path: Path) -> None:
    then = package(tmp_path, *PLACED)

    with Box(path, then.PACKAGE) as box:
        assert (box.opened, put(box, then, 5, "").place) == ("upgraded", 15)


def test_a_sequence_that_was_away_meanwhile_takes_up_what_it_did_not_give(tmp_path: Path, path: Path) -> None:
    kept = ("  words:", "  places: {id: 14, type: int32, per: {}}\n  words:")
    with_places, without = package(tmp_path, *PLACED), package(tmp_path, kept)
    with Box(path, with_places.PACKAGE) as box:
        put(box, with_places, 5, "")
    with Box(path, without.PACKAGE) as box:
        put(box, without, 5, "", place=70)

    with Box(path, with_places.PACKAGE) as box:
        assert put(box, with_places, 5, "").place == 71


def test_rows_with_the_greatest_number_leave_none(tmp_path: Path) -> None:
    first, then = package(tmp_path), package(tmp_path, *PLACED)
    with Box(tmp_path / "a.box", first.PACKAGE) as box:
        put(box, first, 1, "", place=2**31 - 1)

    with Box(tmp_path / "a.box", then.PACKAGE) as box, pytest.raises(SequenceExhausted):
        put(box, then, 1, "")


def test_a_layout_from_before_this_was_told_is_the_same(tmp_path: Path) -> None:
    now = json.loads(package(tmp_path).PACKAGE.layout)
    before = deepcopy(now)
    for table in before["tables"].values():
        table.pop("fills", None)

    assert compare(before, now).same
    assert compare(now, before).same


def test_what_it_makes_of_a_box_is_foretold(tmp_path: Path, path: Path) -> None:
    then = Path(package(tmp_path, *ANOTHER, FATES["the old ones are gone"]).__file__ or "").parent

    told = CliRunner().invoke(breaking, [str(then), "--against", str(path)])

    assert told.exit_code == 0
    assert [line for line in told.output.splitlines() if "sequence" in line and "begins" in line] == [
        "  sequence 'serials' (21) begins beyond the numbers that 'n' of table 'things' (1) has",
        "  sequence 'words' (22) begins beyond the numbers that 'word_id' of table 'things' (1) has",
        "  sequence 'tags' (23) begins beyond the numbers that 'tag_ids' of table 'things' (1) has",
    ]


GROUPED: Final = """
schema: {name: numbered_again}
sequences:
  numbers: {id: 11, type: int8, per: {one: int32}, start: -100}
tables:
  rows:
    id: 1
    key: {at: int32}
    record: {one: [1, int32], other: [2, int32], number: {number: 3, type: int8, fill: numbers}}
"""


def given(box: Box[Any, Any], package: ModuleType, *row: int) -> int:
    """The number that a row gets, or has."""
    with box.transaction() as tx:
        stored = tx.rows.put(package.types.Rows(*row))
    return int(stored.number)


def test_one_that_counts_by_another_field_goes_on_behind_what_its_groups_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", GROUPED)
    first, renamed = package(tmp_path), package(tmp_path, ("one: ", "first: "))
    then = package(tmp_path, ("per: {one", "per: {other"))
    with Box(tmp_path / "a.box", first.PACKAGE) as box:
        assert [given(box, first, at, 1, 2, 0) for at in range(3)] == [-100, -99, -98]
        assert given(box, first, 3, 2, 1, 0) == -100
    with Box(tmp_path / "a.box", renamed.PACKAGE) as box:
        assert box.opened == "same"

    with Box(tmp_path / "a.box", then.PACKAGE) as box:
        assert box.opened == "upgraded"
        # The cell of 1 is that of the rows which were counted with it: it has no smaller number.
        assert (given(box, then, 4, 1, 2, 0), given(box, then, 5, 2, 1, 0)) == (-97, -97)


def test_rows_without_a_number_or_with_negative_ones_take_none_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", GROUPED)
    plain = package(tmp_path, ("type: int8, fill: numbers", "type: int8, default: 0"))
    then = package(tmp_path)
    with Box(tmp_path / "a.box", plain.PACKAGE) as box:
        for at, number in enumerate((-90, -95, 0)):
            given(box, plain, at, 1, 0, number)
        given(box, plain, 3, 2, 0, -1)
        given(box, plain, 4, 3, 0, 0)

    with Box(tmp_path / "a.box", then.PACKAGE) as box:
        assert [given(box, then, 10 + one, one, 0, 0) for one in (1, 2, 3)] == [-89, 1, -100]


def test_for_reading_only_the_box_is_refused_until_it_is_brought_up(tmp_path: Path, path: Path) -> None:
    there, numbered = package(tmp_path, PLACED[0]), package(tmp_path, *PLACED)
    with Box(path, there.PACKAGE) as box:
        assert box.opened == "upgraded"

    with pytest.raises(LayoutConflict, match="is older than the package, and it is opened read-only"):
        Box(path, numbered.PACKAGE, read_only=True)


INTERNING: Final = """
schema: {name: numbered_again, reserved: [19]}
sequences:
  words: {id: 11, type: int32, intern: text, per: {one: text}}
  marks: {id: 12, type: int32, per: {word: text}}
tables:
  rows:
    id: 1
    key: {at: int32}
    record:
      one: [1, text]
      other: [2, text]
      word: [3, text]
      word_id: {number: 4, type: int32, fill: words(word)}
      mark: {number: 5, type: int32, fill: marks}
  others: {id: 2, key: {at: int32}, record: {word: [1, text], one: [2, text]}}
"""
MISREAD: Final = {
    "values come where it counted": (
        (("per: {word: text}", "intern: text, per: {}"), ("fill: marks", "fill: marks(word)")),
        "sequence 'marks' (12) gives numbers to values, and the box counted by it: give it another id",
    ),
    "it counts where it had values": (
        (("intern: text, per: {one:", "per: {one: text, word:"), ("fill: words(word)", "fill: words")),
        "sequence 'words' (11) counts, and the box has numbers of values in it: give it another id",
    ),
    "values have other groups": (
        (("intern: text, per: {one", "intern: text, per: {other"),),
        "sequence 'words' (11) gives numbers to values by other groups than in the box: give it another id",
    ),
}


@pytest.mark.parametrize(("changes", "reason"), MISREAD.values(), ids=MISREAD)
def test_what_would_be_read_as_numbers_of_other_values_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: tuple[tuple[str, str], ...], reason: str
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", INTERNING)
    first, then = package(tmp_path), package(tmp_path, *changes)
    with Box(tmp_path / "a.box", first.PACKAGE) as box, box.transaction() as tx:
        for at, word in enumerate(("a", "b", "a")):
            tx.rows.put(first.types.Rows(at=at, one="x", other="y", word=word))
    before = (tmp_path / "a.box").read_bytes()

    with pytest.raises(LayoutConflict) as refused:
        Box(tmp_path / "a.box", then.PACKAGE)

    assert refused.value.reasons == (reason,)
    assert (tmp_path / "a.box").read_bytes() == before
    number = reason.split("(")[1][:2]
    led_out = (("reserved: [19]", f"reserved: [19, {number}]"), (f"id: {number}", "id: 21"))
    with Box(tmp_path / "a.box", package(tmp_path, *changes, *led_out).PACKAGE) as box:
        assert box.opened == "upgraded"


def test_values_keep_their_numbers_where_groups_are_only_called_otherwise_or_rows_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SCHEMA", INTERNING)
    first = package(tmp_path)
    more = "other_id: {number: 3, type: int32, fill: words(word)}"
    then = package(tmp_path, ("one: ", "first: "), ("first: [2, text]", f"first: [2, text], {more}"))

    found = compare(json.loads(first.PACKAGE.layout), json.loads(then.PACKAGE.layout))

    assert (found.conflicts, found.renumbered) == ([], [])
