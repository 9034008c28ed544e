"""A packed id is a plain number until one of its parts is asked for: one that is of no member of its enum."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.codegen_ops.making import imported

from pillarbox.box import Box
from pillarbox.errors import RangeError
from pillarbox.storage import MEMORY

SCHEMA = """
schema: {{name: of_no_member_in_{word}}}
types:
  Store: {{enum: {{near: 0, far: 2}}}}
  FileId: {{packed: int64, parts: {{store: {{type: Store, bits: 7}}, number: {{type: int64, bits: 40}}}}}}
tables:
  files: {{id: 1, key: {{n: int32}}, record: {{file: [1, FileId]}}}}
  derived: {{id: 2, {rule}}}
operations:
  put_files: {{code: 1, params: {{files: [1, list<row<files>>]}}, steps: [{{put: {{into: files, row: f}}, each: files as f}}]}}
"""  # noqa: E501
RULES = {
    "index": "index: {from: files, key: [{store: file.store}, n]}",
    "count": "count: {from: files, group: [{store: file.store}], sum: {n: 1}}",
    "join": "join: {by: [n], rows: files, row: {store: file.store}}",
}


@pytest.mark.parametrize("word", RULES)
def test_who_put_it_is_told_of_which_table_the_row_is(tmp_path: Path, word: str) -> None:
    package = imported(tmp_path, SCHEMA.format(word=word, rule=RULES[word]))
    put, t = package.operations.PutFiles, package.types
    good, bad = t.Files(1, t.file_id(t.Store.FAR, 5)), t.Files(1, 9 << 40)
    box = Box(MEMORY, package.box.PACKAGE)
    box.replay([put((good,))])

    with pytest.raises(RangeError, match="a row of 'files' is 9, which is not a member of Store; pass"):
        box.replay([put((bad,))])

    with box.reading() as tables:
        assert tables.files.all() == [good]
    box.close()
