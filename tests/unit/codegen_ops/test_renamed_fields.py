"""Names in rules: what they stand for is compared, not what it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.property.mutants import Fault
from tests.unit.codegen_ops.making import loaded_schema

from pillarbox import layout as layout_module
from pillarbox import rule_names
from pillarbox.layout import compare
from pillarbox_codegen.plan.layout import layout_tree

TEXT = """
schema: {name: renamed}
types:
  Link: {record: {url: [1, text], title: [2, text]}}
  Media:
    union:
      Photo: [1, {id: [1, int64], size: [2, int64]}]
      Sound: [2, {id: [1, int64], size: [2, int64]}]
    facets: {file: {type: opt<int64>, of: {Photo: id}}, length: {type: int64, of: {Photo: size, Sound: id}}}
tables:
  mails:
    id: 1
    key: {box: int32, n: int32}
    record: {at: [1, int64], was: [2, int64], who: [3, text], link: [4, Link], media: [5, list<Media>]}
  by_at: {id: 10, index: {from: mails, key: [at, box, n], value: {seen: was}}}
  by_url: {id: 11, index: {from: mails, when: "who != 'title'", key: [{of_link: link.url}, box, n]}}
  sums: {id: 12, count: {from: mails, group: [who], sum: {all: was}}}
  newest: {id: 13, top: {of: by_at, group: [at], value: {seen: seen}}}
  photos: {id: 14, index: {from: mails, each: {m: media}, when: m is Photo, key: [{s: m.size}, box, n]}}
  files: {id: 15, index: {from: mails, each: {m: media}, when: m.file is present, key: [{f: m.file}, box, n]}}
  words: {id: 16, text: {from: mails, of: [who, link.title]}}
  longs: {id: 17, index: {from: mails, each: {m: media}, key: [{long: m.length}, box, n]}}
"""


def layout(folder: Path, text: str) -> dict[str, Any]:
    return layout_tree(loaded_schema(folder, text))


def remade(tmp_path: Path, *edits: tuple[str, str]) -> list[int]:
    """The tables that are made again after these edits."""
    text = TEXT
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    found = compare(layout(tmp_path / "old", TEXT), layout(tmp_path / "new", text))
    assert found.conflicts == []
    return found.rebuild


@pytest.mark.parametrize(
    ("edits", "tables"),
    [
        ([("at: [1, int64], was: [2", "was: [1, int64], at: [2")], [10, 12]),
        ([("at: [1, int64], was", "was: [1, int64], at")], [10, 12]),
        ([("url: [1, text], title: [2", "title: [1, text], url: [2")], [11, 16]),
        ([("Photo: [1, {id: [1, int64], size: [2", "Photo: [1, {size: [1, int64], id: [2")], [14, 15, 17]),
        ([("Photo: [1", "Noise: [1"), ("Sound: [2", "Photo: [2"), ("Noise: [1", "Sound: [1")], [14, 15, 17]),
        ([("Photo: size, Sound: id", "Photo: id, Sound: size")], [17]),
        ([("[at, box, n], value: {seen: was}", "[{at: was}, box, n], value: {seen: at}")], [10]),
        ([("'title'", "'url'")], [11]),
    ],
)  # fmt: skip
def test_a_name_that_stands_for_another_thing_is_another_rule(
    tmp_path: Path, edits: list[tuple[str, str]], tables: list[int]
) -> None:
    assert remade(tmp_path, *edits) == tables


def test_key_parts_have_no_number_so_names_that_change_places_are_refused(tmp_path: Path) -> None:
    text = TEXT.replace("box: int32, n: int32", "n: int32, box: int32")

    found = compare(layout(tmp_path / "old", TEXT), layout(tmp_path / "new", text))

    assert found.conflicts == [
        "key part 'n' of table 'mails' (1) is number 1, the box wrote it as number 2",
        "key part 'box' of table 'mails' (1) is number 2, the box wrote it as number 1",
    ]


def test_a_field_under_the_name_of_one_that_is_gone_is_another(tmp_path: Path) -> None:
    edits = [
        ("at: [1, int64], was", "was"),
        ("list<Media>]}", "list<Media>], at: {number: 6, type: int64, default: 0}}\n    reserved: [1]"),
    ]  # fmt: skip

    assert remade(tmp_path, *edits) == [10]


@pytest.mark.parametrize(
    "edits",
    [
        [("at: [1", "sent: [1"), ("[at, box, n]", "[sent, box, n]"), ("group: [at]", "group: [sent]")],
        [("who", "sender")],
        [("box", "folder")],
        [("url", "address")],
        [("Photo", "Picture")],
        [("Photo", "Track"), ("Sound", "Clip")],  # which come in another order then
        [("size", "bytes_of_it")],
        [("title: [2", "name: [2"), ("link.title", "link.name")],
        [("mails", "letters")],
        [
            (
                "media: [5, list<Media>]}",
                "media: [5, list<Media>], more: {number: 6, type: int64, default: 0}}",
            )
        ],
        [("tables:\n", "tables:\n  other: {id: 2, key: {at: int64, box: int32, who: text}}\n")],
    ],
    ids=str,
)
def test_another_name_is_the_same_rule(tmp_path: Path, edits: list[tuple[str, str]]) -> None:
    assert remade(tmp_path, *edits) == []


@given(
    st.permutations("abcd"), st.permutations("abcd"), st.permutations([0, 1, 2]), st.permutations([0, 1, 2])
)
def test_a_table_is_made_again_exactly_where_its_names_stand_for_other_numbers(
    tmp_path_factory: pytest.TempPathFactory, one: list[str], other: list[str], was: list[int], now: list[int]
) -> None:
    def tree(names: list[str], key: list[int]) -> dict[str, Any]:
        record = ", ".join(f"{name}: [{number}, int64]" for number, name in enumerate(names[:3], start=1))
        index = f"{{id: 2, index: {{from: t, key: [{names[key[0]]}, n], value: {{x: {names[key[1]]}}}}}}}"
        tables = f"{{t: {{id: 1, key: {{n: int32}}, record: {{{record}}}}}, by: {index}}}"
        return layout(tmp_path_factory.mktemp("schema"), f"schema: {{name: renamed}}\ntables: {tables}\n")

    found = compare(tree(one, was), tree(other, now))

    assert found.rebuild == ([] if was[:2] == now[:2] else [2])


VALUES = """
schema: {name: renamed, doc: "of values"}
seeds: {constants: {loud: [cry, call], word: cry}}
types:
  Kind: {enum: {talk: 0, call: 1, cry: 2}}
  Marks: {flags: {seen: 0, kept: 1}}
tables:
  notes:
    id: 1
    key: {n: int32}
    record: {kind: [1, Kind], marks: [2, Marks], min: [3, int64], text: [4, text]}
  by_loud: {id: 10, index: {from: notes, when: kind in seeds.loud, key: [n]}}
  by_kind: {id: 11, index: {from: notes, when: kind == cry, key: [n]}}
  by_mark: {id: 12, index: {from: notes, when: marks == kept, key: [n]}}
  by_both: {id: 13, index: {from: notes, when: "marks == flags(seen: n > 3, kept: true)", key: [n]}}
  by_least: {id: 14, index: {from: notes, key: [{least: "min(n, 3)"}, n]}}
  by_case: {id: 15, index: {from: notes, when: text == seeds.word, key: [n]}}
"""


EDITS_OF_VALUES: Final[list[tuple[list[tuple[str, str]], list[int]]]] = [
    # A text that is called as a value is: nobody can tell, so its table is made again as well.
    ([("talk: 0, call: 1, cry: 2", "cry: 0, call: 1, talk: 2")], [10, 11, 15]),
    ([("talk: 0, call: 1", "call: 0, talk: 1")], [10]),
    ([("seen: 0, kept: 1", "kept: 0, seen: 1")], [12, 13]),
    ([("talk: 0", "whisper: 0"), ("seen: 0", "read: 0"), ("seen: n", "read: n")], []),
    ([("min: [3", "max: [3"), ("min(n", "max(n")], [14]),
    ([("[cry, call]", "[cry, talk]")], [10]),
]


@pytest.mark.parametrize(("edits", "tables"), EDITS_OF_VALUES)
def test_values_and_flags_are_what_their_numbers_are(
    tmp_path: Path, edits: list[tuple[str, str]], tables: list[int]
) -> None:
    text = VALUES
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)

    found = compare(layout(tmp_path / "old", VALUES), layout(tmp_path / "new", text))

    assert (found.conflicts, found.rebuild) == ([], tables)


PLACES = """
schema: {name: renamed}
tables:
  calls: {id: 1, key: {room: int32, at: int64, n: int32}, record: {loud: [1, bool]}}
  heard:
    id: 2
    marker:
      over: calls
      group: [room]
      by: [at, n]
      counts: loud
      marks: [seen, told]
      counted: told
      base: {count: unseen, known: known}
      stale: stale_heard
  stale_heard: {id: 3, stale: {of: heard}}
"""


@pytest.mark.parametrize(
    ("edits", "doubt"),
    [
        ([("[seen, told]", "[met, read]"), (": told", ": read"), ("known: known", "known: sure")], []),
        ([("[seen, told]", "[seen, read]"), (": told", ": seen")], [2]),
    ],
)
def test_marks_of_several_parts_are_what_their_places_are(
    tmp_path: Path, edits: list[tuple[str, str]], doubt: list[int]
) -> None:
    text = PLACES
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)

    found = compare(layout(tmp_path / "old", PLACES), layout(tmp_path / "new", text))

    assert (found.conflicts, found.doubt) == ([], doubt)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(
            "values have no numbers",
            layout_module,
            "make_alike",
            'for kind in ("enum", "flags")',
            "for kind in ()",
        ),
        Fault("functions are names", rule_names, "_say_alike", "if one[:2] != other[:2]:", "if False:"),
        Fault("constants are texts", rule_names, "_texts", "isinstance(each, str)", "False"),
        Fault("flags are texts", rule_names, "_say_alike", "[*spaces, *values]", "spaces"),
        Fault(
            "another constant is the same", rule_names, "_say_alike", "bool(one == other) and all(", "all("
        ),
    ],
    ids=str,
)
def test_a_planted_fault_is_found(tmp_path: Path, fault: Fault) -> None:
    with fault.planted(), pytest.raises(AssertionError):
        check_values(tmp_path)


def check_values(tmp_path: Path) -> None:
    for number, (edits, tables) in enumerate(EDITS_OF_VALUES):
        test_values_and_flags_are_what_their_numbers_are(tmp_path / str(number), edits, tables)
