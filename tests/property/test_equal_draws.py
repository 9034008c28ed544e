"""What laws are tried at.

Law: examples that are not left to chance are the same, whatever modules the process has loaded.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st


def drawn() -> list[int]:
    """Numbers of a law that is always tried at the same ones."""
    numbers: list[int] = []

    @settings(max_examples=300, derandomize=True, database=None, phases=[Phase.generate])
    @given(st.lists(st.integers(), max_size=9))
    def law(some: list[int]) -> None:
        numbers.extend(some)

    law()
    return numbers


def test_a_module_that_is_loaded_changes_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    path = tmp_path / "of_many_numbers.py"
    path.write_text(f"NUMBERS = {[7_000_000_001 + number for number in range(200)]}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("of_many_numbers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "of_many_numbers", module)

    assert drawn() == before
    assert len(before) > 300
