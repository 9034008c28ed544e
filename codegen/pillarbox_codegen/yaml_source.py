"""A folder of YAML files, read defensively into trees whose every node knows its place.

Depends on: diagnostics, yaml_nodes, PyYAML's events.  Never on: what nodes mean; PyYAML's constructors.

Law: nothing here runs, expands, refers or recurses: a file within the caps costs time in proportion to
its length.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from pillarbox_codegen.diagnostics import Diagnostic
from pillarbox_codegen.yaml_nodes import SourceFile, YamlList, YamlMap, YamlNode, YamlScalar

FILE_BYTES_MAX: Final = 1_000_000
FILES_MAX: Final = 200
DEPTH_MAX: Final = 40
#: In all files of a folder together.
NODES_MAX: Final = 200_000

#: Characters without a shape of their own, some of which change the order in which text is shown: a reviewer
#: would not see what is there. Halves of a pair of surrogates are no text at all. A wide blank before a
#: word is part of it to YAML.
_INVISIBLE: Final = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]|\\A\xa0"
)

#: A text within an expression.
_QUOTED: Final = re.compile("'[^']*'")
_PIECE: Final = re.compile("'[^']*'|.")

#: What begins no plain text.
_MARKS: Final = ("&", "*", "!", "|", ">", "%", "@", "`")
_ODD_BREAK: Final = re.compile("\r(?!\n)|[\x85\u2028\u2029]")

#: The loaders differ in speed, and in how deep they scan; only their event scanners are used.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NODES: Final = frozenset({yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent})
_ENDS: Final = frozenset({yaml.MappingEndEvent, yaml.SequenceEndEvent})


@dataclass(frozen=True, slots=True)
class Folder:
    """Files by path, their trees (of those that could be read), and what was wrong with the rest."""

    files: dict[str, SourceFile]
    trees: dict[str, YamlNode]
    findings: tuple[Diagnostic, ...]


def load_folder(folder: Path) -> Folder:
    """Read every `*.yaml` below `folder`, sorted by path. Raises nothing: what fails is a finding."""
    files: dict[str, SourceFile] = {}
    trees: dict[str, YamlNode] = {}
    findings: list[Diagnostic] = []
    nodes_left = NODES_MAX
    for path in _yaml_paths(folder, findings):
        name = path.relative_to(folder).as_posix()
        text = _read_text(path, name, findings)
        if text is None:
            continue
        files[name] = SourceFile(name, text)
        tree, nodes = _parse(files[name], findings, nodes_left)
        nodes_left -= nodes
        if tree is not None:
            trees[name] = tree
    return Folder(files, trees, tuple(findings))


def _yaml_paths(folder: Path, findings: list[Diagnostic]) -> list[Path]:
    try:
        if not folder.is_dir():
            raise NotADirectoryError(f"{folder.name or folder} is not a folder")
        found = sorted(folder.rglob("*.[yY]*[mM][lL]"), key=lambda path: path.relative_to(folder).as_posix())
        paths = [path for path in found if path.suffix == ".yaml" and path.is_file()]
    except OSError as error:
        findings.append(
            Diagnostic(".", 1, 1, "folder", f"cannot read the folder: {error.strerror or error}",
                       "give the folder that holds the schema's *.yaml files")
        )  # fmt: skip
        return []
    findings.extend(
        Diagnostic(path.relative_to(folder).as_posix(), 1, 1, "file-name", "this file is not read",
                   f"rename it to {path.stem}.yaml")
        for path in found if path.suffix != ".yaml" and path.suffix.lower() in (".yaml", ".yml")
    )  # fmt: skip
    if not paths:
        findings.append(
            Diagnostic(".", 1, 1, "folder", "there is no *.yaml file in the folder",
                       "`pillarbox init DIR` writes a schema to start from")
        )  # fmt: skip
    if len(paths) > FILES_MAX:
        text = f"the folder holds {len(paths)} files, at most {FILES_MAX} are read"
        findings.append(Diagnostic(".", 1, 1, "too-big", text, "merge some of them"))
        return []
    return paths


def _read_text(path: Path, name: str, findings: list[Diagnostic]) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        findings.append(
            Diagnostic(name, 1, 1, "file-unreadable", f"cannot read the file: {error.strerror or error}",
                       "check its permissions")
        )  # fmt: skip
        return None
    if len(data) > FILE_BYTES_MAX:
        findings.append(
            Diagnostic(name, 1, 1, "too-big", f"the file is larger than {FILE_BYTES_MAX:,} bytes",
                       "split it by kind or by subject")
        )  # fmt: skip
        return None
    try:
        return _without_odd_breaks(data.decode("utf-8-sig"), name, findings)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = _place(before.decode("utf-8", "replace"))
        text = f"byte {data[error.start]:#04x} is not UTF-8"
        findings.append(Diagnostic(name, line, column, "not-utf8", text, "save the file as UTF-8"))
        return None


def _without_odd_breaks(text: str, name: str, findings: list[Diagnostic]) -> str | None:
    """The text, unless it breaks lines where most editors do not: places would not be found again."""
    odd = _ODD_BREAK.search(text)
    if odd is None:
        return text
    what = f"the line break U+{ord(odd[0]):04X} is not one everywhere"
    place = _place(text[: odd.start()])
    findings.append(Diagnostic(name, *place, "control-character", what, "end lines as Unix or Windows does"))
    return None


def _place(before: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows `before`."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def parse(file: SourceFile, findings: list[Diagnostic]) -> YamlNode | None:
    """The tree of one file, or none after a finding that leaves no tree."""
    return _parse(file, findings, NODES_MAX)[0]


def _parse(
    file: SourceFile, findings: list[Diagnostic], nodes_max: int, loader: Any = _Loader
) -> tuple[YamlNode | None, int]:
    """The tree, and how many nodes were read."""
    told = len(findings)
    builder = _Builder(file, findings, nodes_max)
    try:
        for event in yaml.parse(file.text, Loader=loader):
            if not builder.take(event):
                return None, builder.nodes
    except yaml.MarkedYAMLError as error:
        if loader is not yaml.SafeLoader and "nesting depth" in (error.problem or ""):
            # It scans ahead of its events, up to a limit of its own. The other one has none, and meets ours.
            del findings[told:]
            return _parse(file, findings, nodes_max, yaml.SafeLoader)
        found = _syntax_finding(file, error)
        if found.line != builder.cut_line:
            findings.append(found)
        return None, builder.nodes
    except yaml.YAMLError as error:  # a reader error: it has an offset, in bytes or characters, but no mark
        place = _line_of_control(file.text)
        findings.append(
            Diagnostic(file.path, *place, "yaml", f"not YAML: {_one_line(error)}", "remove the character")
        )
        return None, builder.nodes
    return builder.finish(), builder.nodes


def _syntax_finding(file: SourceFile, error: yaml.MarkedYAMLError) -> Diagnostic:
    begun, mark = error.context_mark, error.problem_mark or error.context_mark
    place = _last_place(file.text, mark.line, mark.column) if mark else (1, 1)
    text = f"not YAML: {error.problem}"
    if begun is not None and mark is not None and begun.line != mark.line:
        text += f", {error.context} that began in line {begun.line + 1}, column {begun.column + 1}"
    return Diagnostic(file.path, *place, "yaml", text, _syntax_hint(file.text, place[0], error))


def _syntax_hint(text: str, line: int, error: yaml.MarkedYAMLError) -> str:
    """What to look at first; what is wrong may stand before the place."""
    lines, quote = text.split("\n")[:line], "quote a text that holds any of [ ] { } , : #"
    content = lines.pop()
    before = next((one for one in reversed(lines) if one.strip()), ":")
    if "\t" in content[: _indent(content)]:
        return "indent with blanks: YAML takes no tabs there"
    if "not allowed" in (error.problem or "") and _indent(content) > _indent(before) and before[-1:] != ":":
        return "let it begin in the column of the keys beside it: the line before it has a value already"
    if "escape" in (error.problem or ""):
        return "between double quotes a backslash is written twice; or put the text into single quotes"
    if "\xa0" in content or "\xa0" in before:
        return "a no-break space (U+00A0) is no blank to YAML: write a plain one"
    if "document start" in (error.problem or ""):
        return "one file is one document: remove the `...` before it, or what follows"
    mark, scanned = error.problem_mark, error.context or ""
    begins = mark is not None and content[mark.column : mark.column + 1] in _MARKS
    if begins or "alias" in scanned or "anchor" in scanned:
        return f"quote a text that begins with any of {' '.join(_MARKS)}"
    if "block" in (error.context or ""):
        return f"let all keys of a mapping begin in one column, and {quote}"
    if "flow" in (error.context or ""):
        return f"close each bracket, and {quote}"
    return quote


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_place(text: str, line: int, column: int) -> tuple[int, int]:
    """The place, from 1; the end of the text is told at the end of its last line that holds anything."""
    lines = text.rstrip().split("\n")
    return (line + 1, column + 1) if line < len(lines) else (len(lines), len(lines[-1]) + 1)


def _one_line(error: Exception) -> str:
    return " ".join(str(getattr(error, "reason", error)).split())


def _line_of_control(text: str) -> tuple[int, int]:
    for line, content in enumerate(text.split("\n"), 1):
        for column, char in enumerate(content, 1):
            if char not in "\t\r" and unicodedata.category(char) in ("Cc", "Cs", "Cn"):
                return line, column
    return 1, 1


def _is_cut(node: YamlScalar) -> bool:
    """Whether a plain text ended at a comma within its own brackets."""
    outside = _QUOTED.sub("", node.value)
    return outside.count("(") > outside.count(")") and node.file.text[node.end :].lstrip().startswith(",")


def _whole(node: YamlScalar) -> str:
    """The line from the text on, up to what ends it behind the brackets that it opened."""
    line = node.file.text[node.start :].partition("\n")[0]
    depth = 0
    for found in _PIECE.finditer(line):
        piece = found[0]
        if depth == 0 and piece in ",}]":
            return line[: found.start()].rstrip()
        depth += (piece in "([{") - (piece in ")]}")
    return line.rstrip()


class _Builder:
    """Takes events one by one; refuses at once what could make later work unbounded."""

    def __init__(self, file: SourceFile, findings: list[Diagnostic], nodes_max: int) -> None:
        self._file = file
        self._findings = findings
        self._open: list[YamlMap | YamlList] = []
        self._key: list[YamlScalar | None] = []
        self._root: YamlNode | None = None
        self._documents = 0
        self._nodes_max = nodes_max
        self.nodes = 0
        #: The last line in which a text ended too early: what follows there is the rest of it.
        self.cut_line = 0

    def take(self, event: Any) -> bool:
        """False when reading on makes no sense."""
        kind = type(event)
        if kind in _NODES:
            return self._node(event, kind)
        if kind in _ENDS:
            self._open.pop()
            self._key.pop()
        elif kind is yaml.AliasEvent:
            return self._stop(event, "yaml-alias", f"`*{event.anchor}` is an alias",
                              "write the value out: aliases are not read")  # fmt: skip
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                return self._stop(event, "yaml-document", "a second document begins here",
                                  "one file is one document: remove the `---`")  # fmt: skip
        return True

    def finish(self) -> YamlNode:
        return self._root or YamlMap(self._file, 1, 1)

    def _stop(self, event: Any, code: str, text: str, suggestion: str) -> bool:
        self._find(event, code, text, suggestion)
        return False

    def _find(self, event: Any, code: str, text: str, suggestion: str) -> None:
        mark = event.start_mark
        self._findings.append(
            Diagnostic(self._file.path, mark.line + 1, mark.column + 1, code, text, suggestion)
        )

    def _node(self, event: Any, kind: type) -> bool:
        self.nodes += 1
        if event.anchor is not None:
            return self._stop(event, "yaml-alias", f"`&{event.anchor}` is an anchor",
                              "write the value out where it is needed: anchors are not read")  # fmt: skip
        if event.tag is not None:
            return self._stop(event, "yaml-tag", f"`{event.tag}` is a tag", "remove it: tags are not read")
        if len(self._open) >= DEPTH_MAX and kind is not yaml.ScalarEvent:
            text = f"nested deeper than {DEPTH_MAX} levels"
            return self._stop(event, "too-deep", text, "take levels out: a schema needs about ten")
        if self.nodes > self._nodes_max:
            text = f"the files hold more than {NODES_MAX:,} values together"
            return self._stop(event, "too-big", text, "make two schemas of it")
        start: Any = event.start_mark
        line, column = start.line + 1, start.column + 1
        if kind is yaml.ScalarEvent:
            end: Any = event.end_mark
            scalar = YamlScalar(
                self._file, line, column, event.value, event.style or None, start.index, end.index
            )
            self._check_characters(event)
            if "(" in scalar.value and scalar.style is None and _is_cut(scalar):
                shown = scalar.value[-60:]
                text = f"`{shown}` ends at the comma: inside {{ }} and [ ] one ends a text without quotes"
                self._find(event, "cut-text", text, f'quote the whole text: "{_whole(scalar)[:100]}"')
                self.cut_line = line
            return self._attach(scalar, event)
        opened: YamlMap | YamlList
        opened = (YamlMap if kind is yaml.MappingStartEvent else YamlList)(self._file, line, column)
        if not self._attach(opened, event):
            return False
        self._open.append(opened)
        self._key.append(None)
        return True

    def _check_characters(self, event: Any) -> None:
        found = _INVISIBLE.search(event.value)
        if found is not None:
            text = f"the text holds the invisible character U+{ord(found[0]):04X}"
            self._find(event, "control-character", text, "remove it")

    def _attach(self, node: YamlNode, event: Any) -> bool:
        if not self._open:
            self._root = node
            return True
        parent = self._open[-1]
        if isinstance(parent, YamlList):
            parent.items.append(node)
            return True
        key = self._key[-1]
        if key is not None:
            self._key[-1] = None
            if parent.keys.get(key.value) is key:
                parent.values[key.value] = node
            return True
        if not isinstance(node, YamlScalar):
            return self._stop(event, "yaml-key", "a key must be one word", "quote it, or write `name: value`")
        if node.value == "<<" and node.style is None:
            return self._stop(event, "yaml-alias", "`<<` merges nothing here",
                              "write the keys out where they are needed")  # fmt: skip
        return self._add_key(parent, node, event)

    def _add_key(self, parent: YamlMap, key: YamlScalar, event: Any) -> bool:
        first = parent.keys.get(key.value)
        if first is None:
            parent.keys[key.value] = key
        else:
            text = f"`{key.value[:60]}` was already given in line {first.line}, column {first.column}"
            self._find(event, "duplicate-key", text, "keep one of the two, with what both hold")
        self._key[-1] = key
        return True
