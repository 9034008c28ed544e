"""Files as they come: hostile, broken, or in order. Nothing but findings comes out of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from tests.unit.schema.cases import MARK, findings, marked
from tests.waiting import SECONDS_MAX

from pillarbox_codegen.expr_parse import DEPTH_MAX
from pillarbox_codegen.yaml_nodes import SourceFile, YamlMap, YamlScalar, place_in, plain, scalar_value
from pillarbox_codegen.yaml_source import FILE_BYTES_MAX, FILES_MAX, NODES_MAX, load_folder, parse

LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

HOSTILE = [
    ("yaml-alias", "a: «&x 1\nb: *x"),
    ("yaml-alias", "a: «*nowhere"),
    ("yaml-alias", LAUGHS.replace("&a", MARK + "&a", 1)),
    ("yaml-alias", "a: 1\n«<<: *a"),
    ("yaml-tag", "a: «!!python/object/apply:os.system ['true']"),
    ("yaml-tag", "a: «!!binary aGk="),
    ("yaml-tag", "a: «! text"),
    ("yaml-document", "a: 1\n«---\nb: 2"),
    ("yaml-key", "«? [a, b]\n: 1".replace("«? ", "? «")),
    ("duplicate-key", "a: 1\n«a: 2"),
    ("duplicate-key", "a: {b: 1, c: 2, «b: 3}"),
    ("yaml-alias", "a: {«<<: {b: 1}, c: 2}"),
    ("yaml-alias", "a:\n  «<<: [{b: 1}]\n"),
    ("too-deep", "a: " + "[" * (DEPTH_MAX - 1) + "«" + "[" * 100_000),
    ("too-deep", "a: " + "{b: " * (DEPTH_MAX - 1) + "«{b: "),
    ("control-character", 'a: «"nul \\x00"'),
    ("control-character", 'a: «"\\x1b[31mred"'),
    ("control-character", "a: «'\u202esdrawkcab'"),
    ("control-character", "«zero\u200bwidth: 1"),
    ("control-character", "a:\n  «\u00a0b: 1"),
    ("yaml", "a: {b«"),
    ("yaml", "a:\n«\t- b"),
    ("yaml", 'a: "\\u«d800"'),
    ("yaml", 'a: "«\\q"'),
    ("yaml", "a: b«: c"),
]


@pytest.mark.parametrize(("code", "text"), HOSTILE, ids=lambda value: repr(value[:40]))
def test_a_hostile_file_is_a_finding_at_its_place(tmp_path: Path, code: str, text: str) -> None:
    text, line, column = marked(text)
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")

    found = load_folder(tmp_path).findings

    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("case.yaml", line, column, code)
    ]


@pytest.mark.parametrize("text", ["a:\n  id: 1\n   key: 2\n", "a: b\n\n    c: d\n"])
def test_a_line_that_is_indented_too_far_is_told_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")

    (found,) = load_folder(tmp_path).findings

    assert found.suggestion is not None
    assert "in the column of the keys beside it" in found.suggestion


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *((f"a: {{doc: {mark}x, b: 1}}\n", "quote a text that begins with any of") for mark in "%@`"),
        ("a: {doc: *, b: 1}\n", "quote a text that begins with any of"),
        ("a:\n  id:\u00a01\n  b: 2\n", "a no-break space (U+00A0)"),
        ("a: 1\n...\nb: 2\n", "one file is one document"),
    ],
)
def test_what_no_plain_text_can_be_is_told_as_that(tmp_path: Path, text: str, told: str) -> None:
    """The characters of which the usual hint speaks are not in it."""
    (tmp_path / "case.yaml").write_text(text, encoding="utf-8")

    (found,) = load_folder(tmp_path).findings

    assert found.code == "yaml"
    assert found.suggestion is not None
    assert told in found.suggestion


def test_blanks_within_texts_may_be_of_any_width(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text("doc: 10\u00a0%, and na\u00efve\n", encoding="utf-8")

    assert load_folder(tmp_path).findings == ()


def test_a_bare_control_character_is_refused(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_bytes(b"a: b\nc: \x07d\n")

    assert [one.code for one in load_folder(tmp_path).findings] == ["yaml"]


def test_bytes_that_are_no_text_are_found_at_their_place(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_bytes("é: b\nc: ".encode() + b"\xff\n")

    found = load_folder(tmp_path).findings

    assert [(one.line, one.column, one.code) for one in found] == [(2, 4, "not-utf8")]


@pytest.mark.parametrize("line_break", ["\r", "\x85", "\u2028", "\u2029"])
def test_a_line_break_that_only_some_know_is_refused(tmp_path: Path, line_break: str) -> None:
    (tmp_path / "case.yaml").write_bytes(f"a: b\r\né: c{line_break}d: e\n".encode())

    found = load_folder(tmp_path).findings

    assert [(one.line, one.column, one.code) for one in found] == [(2, 5, "control-character")]


def test_a_file_of_a_million_bytes_is_read_and_a_larger_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "fits.yaml").write_text("# " + "x" * (FILE_BYTES_MAX - 2), encoding="utf-8")
    (tmp_path / "more.yaml").write_text("# " + "x" * (FILE_BYTES_MAX - 1), encoding="utf-8")

    found = load_folder(tmp_path).findings

    assert [(one.file, one.code) for one in found] == [("more.yaml", "too-big")]


def test_a_million_bytes_of_brackets_take_no_time(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text("[" * FILE_BYTES_MAX, encoding="utf-8")
    begun = time.process_time()

    found = load_folder(tmp_path).findings

    assert [one.code for one in found] == ["too-deep"]
    assert time.process_time() - begun < SECONDS_MAX


def test_values_are_counted_over_all_files(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"f{number}.yaml").write_text("[" + "a," * (NODES_MAX // 2 - 10) + "]", encoding="utf-8")

    assert [(one.file, one.code) for one in load_folder(tmp_path).findings] == [("f2.yaml", "too-big")]


def test_too_many_files_are_not_read(tmp_path: Path) -> None:
    for number in range(FILES_MAX + 1):
        (tmp_path / f"f{number}.yaml").touch()

    assert [one.code for one in load_folder(tmp_path).findings] == ["too-big"]


def test_a_folder_that_is_missing_empty_or_a_file_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()

    for name in ("missing", "file", "empty"):
        assert [(one.file, one.code) for one in findings(tmp_path / name)] == [(".", "folder")], name


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "case.yaml").touch()

    def refuse(self: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    found = load_folder(tmp_path).findings

    assert [(one.file, one.code) for one in found] == [("case.yaml", "file-unreadable")]
    assert "Permission denied" in found[0].text


def test_a_pipe_and_a_dangling_link_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "nothing")
    (tmp_path / "case.yaml").touch()

    folder = load_folder(tmp_path)

    assert (list(folder.files), folder.findings) == (["case.yaml"], ())


@pytest.mark.parametrize("ending", ["yml", "YAML", "Yml"])
def test_the_other_ending_is_a_finding(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"case.{ending}").touch()
    (tmp_path / "more.yaml").touch()

    found = load_folder(tmp_path).findings

    assert [(one.file, one.code, one.suggestion) for one in found] == [
        (f"case.{ending}", "file-name", "rename it to case.yaml")
    ]


def test_files_are_read_sorted_by_path_also_in_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/a.yaml", "c.yaml", "a.yaml"):
        (tmp_path / name).write_text("# nothing", encoding="utf-8")

    assert list(load_folder(tmp_path).trees) == ["a.yaml", "b/a.yaml", "c.yaml"]


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_bytes(b"\xef\xbb\xbfa: b")

    folder = load_folder(tmp_path)

    assert plain(folder.trees["case.yaml"]) == {"a": "b"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("false", False), ("True", "True"), ("yes", "yes"), ("on", "on"), ("n", "n"),
        ("'true'", "true"), ("12", 12), ("-1", -1), ("'12'", "12"), ("0x10", "0x10"), ("010", "010"),
        ("1_000", "1_000"), ("1.5", 1.5), ("1e3", "1e3"), ("null", None), ("~", None), ("", None),
        ("2024-01-01", "2024-01-01"), ("9" * 21, "9" * 21), (".nan", ".nan"),
    ],
)  # fmt: skip
def test_only_plain_decimal_numbers_true_and_false_are_not_text(text: str, value: object) -> None:
    tree = parse(SourceFile("a.yaml", f"a: {text}"), [])

    assert isinstance(tree, YamlMap)
    node = tree.values["a"]
    assert isinstance(node, YamlScalar)
    assert scalar_value(node) == value
    assert type(scalar_value(node)) is type(value)


SCALARS = [
    ("abc", [(1, 4), (1, 5), (1, 6)]),
    ("'a''b'", [(1, 5), (1, 6), (1, 8)]),
    ('"\\u00e9\\n\\\\x"', [(1, 5), (1, 11), (1, 13), (1, 15)]),
    ("a\n  b", [(1, 4), (1, 5), (2, 3)]),
    ("'a\n\n  b'", [(1, 5), (1, 6), (3, 3)]),
    ('"a\\\n  b"', [(1, 5), (2, 3)]),
    ("|\n  ab\n  c\n", [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4)]),
    (">\n  ab\n  c\n", [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4)]),
    ("𝄞é", [(1, 4), (1, 5)]),
]


@pytest.mark.parametrize(("text", "places"), SCALARS)
def test_every_character_of_a_scalar_knows_where_it_stands(text: str, places: list[tuple[int, int]]) -> None:
    tree = parse(SourceFile("a.yaml", f"a: {text}"), [])

    assert isinstance(tree, YamlMap)
    node = tree.values["a"]
    assert isinstance(node, YamlScalar)
    assert [place_in(node, offset) for offset in range(len(node.value))] == places
