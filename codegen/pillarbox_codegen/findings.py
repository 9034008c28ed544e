"""Where the checker writes its findings, and how a check stops without stopping the others.

Depends on: diagnostics, yaml_nodes, codes.  Never on: what is checked.

Law: `Invalid` is raised only after a finding was written, or because of one that was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from pillarbox_codegen.codes import CODES
from pillarbox_codegen.diagnostics import Diagnostic
from pillarbox_codegen.model import Place
from pillarbox_codegen.yaml_nodes import YamlNode, YamlScalar, place_in

Result = TypeVar("Result")

#: After so many findings the check ends.
FINDINGS_MAX: Final = 1_000
#: What to do about what is faulty for each of its uses, and for each in another way.
_IN_ALL: Final = "name what there is wherever it is used"


class Invalid(Exception):
    """The thing under check cannot be used, and why has been written down. Never leaves the checker."""


class TooMany(Exception):
    """So much is wrong that going on would only cost time. Never leaves the checker."""


class Findings:
    """Collects diagnostics; the same code at the same place is kept once."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._seen: set[tuple[str, int, int, str]] = set()
        self._elsewhere: YamlNode | None = None
        self._used_at: YamlNode | None = None
        #: What stands in one place and is checked for many: by its node, for as long as all are not through.
        self._uses: dict[int, _Shared] = {}
        self._shared: _Shared | None = None

    def add(
        self, node: YamlNode, code: str, text: str, suggestion: str | None = None, offset: int | None = None
    ) -> Invalid:
        """Write a finding at `node`, or `offset` characters into its text; returns what to raise to stop."""
        if self._used_at is not None:
            text = f"{text} (as used at {where(self._used_at)})"
        own = told = _diagnostic(node, offset, code, text, suggestion)
        if self._elsewhere is not None:
            told = _diagnostic(self._elsewhere, None, code, text, suggestion)
        if self._shared is None:
            self.add_diagnostic(told)
        else:
            self._shared.found.setdefault(replace(own, suggestion=None), []).append((own, told))
        return Invalid()

    def add_diagnostic(self, found: Diagnostic) -> None:
        assert found.code in CODES, f"the code {found.code!r} is not in codes.py"
        key = (found.file, found.line, found.column, found.code)
        if key not in self._seen:
            self._seen.add(key)
            self.diagnostics.append(found)
            if len(self.diagnostics) >= FINDINGS_MAX:
                raise TooMany

    def silent(self) -> Invalid:
        """What to raise where the fault lies, and is told, elsewhere."""
        return Invalid()

    @contextmanager
    def at(self, node: YamlNode | None) -> Iterator[None]:
        """A block whose findings are told at `node`, because that is what can be changed."""
        before, self._elsewhere = self._elsewhere, node
        try:
            yield
        finally:
            self._elsewhere = before

    @contextmanager
    def used_at(self, node: YamlNode | None) -> Iterator[None]:
        """A block that checks what stands elsewhere once more, for its use at `node`."""
        before, self._used_at = self._used_at, node or self._used_at
        try:
            yield
        finally:
            self._used_at = before

    @contextmanager
    def shared(self, node: YamlNode) -> Iterator[None]:
        """A block that checks what stands at `node` for one of its uses; its findings wait for `tell_shared`.

        What the checks of all uses find is a fault of what they share; else it is one of the use.
        """
        before, self._shared = self._shared, self._uses.setdefault(id(node), _Shared(node))
        self._shared.uses += 1
        try:
            yield
        finally:
            self._shared = before

    def tell_shared(self) -> None:
        """Tell what is wrong with what is shared once, where it stands, and the rest at the uses."""
        uses, self._uses = self._uses, {}
        for it in uses.values():
            for fault, found in it.found.items():
                if len(found) == it.uses > 1:
                    hints = {own.suggestion for own, _ in found}
                    self.add_diagnostic(
                        replace(fault, suggestion=hints.pop() if len(hints) == 1 else _IN_ALL)
                    )
                else:
                    for _, told in found:
                        self.add_diagnostic(told)

    def attempt(self, check: Callable[..., Result], *arguments: object) -> Result | None:
        """What the check gives, or none when it found something."""
        try:
            return check(*arguments)
        except Invalid:
            return None

    @contextmanager
    def together(self) -> Iterator[Together]:
        """A block whose every check runs; it ends with `Invalid` when one of them failed."""
        block = Together(self)
        yield block
        if block.failed:
            raise Invalid


@dataclass(slots=True)
class _Shared:
    """What checks of one node found: a fault, without a hint -> it where it stands, and as told at a use."""

    #: Kept, so that no other node gets its number.
    node: YamlNode
    uses: int = 0
    found: dict[Diagnostic, list[tuple[Diagnostic, Diagnostic]]] = field(default_factory=dict)


class Together:
    """Runs checks that do not hang on each other, so that all of them speak."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.failed = False

    def attempt(self, check: Callable[..., Result], *arguments: object) -> Result | None:
        try:
            return check(*arguments)
        except Invalid:
            self.failed = True
            return None


def _diagnostic(
    node: YamlNode, offset: int | None, code: str, text: str, suggestion: str | None
) -> Diagnostic:
    line, column = node.line, node.column
    if isinstance(node, YamlScalar) and offset is not None:
        line, column = place_in(node, offset)
    return Diagnostic(node.file.path, line, column, code, text, suggestion)


def place_of(node: YamlNode) -> Place:
    return Place(node.file.path, node.line, node.column)


def where(node: YamlNode) -> str:
    """`tables.yaml:12:3`, for a finding that names a second place."""
    return f"{node.file.path}:{node.line}:{node.column}"
