"""Every view of the shipped schemas, in one box while others write: replaying a journal is loading anew.

Law. Whatever two boxes of one file commit, in any turns, each one's views show after a look what fresh ones
show, were told of it exactly if it differs, and were never loaded anew. What is carried and united reads back
as the difference between the two states, shared values included.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.fresh import fresh_box
from tests.property.random_store import Subject, random_store
from tests.property.test_bulk import IN_MEMORY
from tests.property.test_random_store import SHIPPED, play

from pillarbox.box import Box
from pillarbox.views.parts.part import MOMENTARY


@pytest.mark.parametrize("name", SHIPPED)
def test_replaying_a_journal_is_loading_anew(name: str) -> None:
    store = random_store(name)

    def drawn(subject: Subject) -> st.SearchStrategy[Any]:
        done = store.operations(subject.operations, 4)
        history = st.lists(st.tuples(st.integers(0, 1), done, st.booleans()), min_size=1, max_size=8)
        keys = st.lists(store.view_keys(subject.views), min_size=1, max_size=6, unique=True)
        return st.tuples(keys, history)

    @settings(max_examples=max(30, settings().max_examples // 2))
    @given(drawn=store.shown_subject().flatmap(drawn))
    def law(drawn: tuple[list[Any], list[tuple[int, list[Any], bool]]]) -> None:
        keys, history = drawn
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            path = Path(folder, "a.box")
            boxes = [fresh_box(path, store.package), Box(path, store.package, durability="relaxed")]
            told: list[dict[Any, list[Any]]] = [{key: [] for key in keys} for _ in boxes]
            for box, heard in zip(boxes, told, strict=True):
                box._watcher.stop()  # it looks when it is told to
                for key in keys:
                    box.watch(key, every=True).listen(heard[key].append)
            shown = [{key: heard[key].pop().snapshot for key in keys} for heard in told]
            for who, operations, looks in [*history, (0, [], True), (1, [], True)]:
                box = boxes[who]
                box.poll()
                check(box, told[who], shown[who])
                if play(store, box, operations):
                    check(box, told[who], shown[who])
                if looks:
                    boxes[1 - who].poll()
                    check(boxes[1 - who], told[1 - who], shown[1 - who])
            assert [box.met.refreshes for box in boxes] == [0, 0], "views were loaded anew"
            for box in boxes:
                box.close()

    law()


def check(box: Box[Any, Any], told: dict[Any, list[Any]], shown: dict[Any, Any]) -> None:
    """What a box shows after it looked is as if loaded, and was told once if it is another."""
    for key, heard in told.items():
        fresh, told_of = box.get(key), momentary(box, key)
        if told_of and heard:  # that is no state: it is gone when it is told
            gone = {name: getattr(fresh, name) for name in told_of}
            assert len(heard) == 1
            assert any(getattr(heard[0].snapshot, name) for name in told_of) or fresh != shown[key]
            shown[key] = msgspec.structs.replace(heard.pop().snapshot, **gone)
            assert shown[key] == fresh, f"{key} is not as if loaded"
            continue
        assert len(heard) == (fresh != shown[key]), f"{key} was told {len(heard)} times"
        now = heard.pop().snapshot if heard else shown[key]
        assert now == fresh, f"{key} is not as if loaded"
        for field in msgspec.structs.fields(now):
            was, there = getattr(shown[key], field.name), getattr(now, field.name)
            assert was != there or was is there, f"{field.name} was made anew"
        shown[key] = now


def momentary(box: Box[Any, Any], key: Any) -> list[str]:
    """The parts of a view that tell what a commit did."""
    view = box.package.views[type(key)](key, box._own_tables)
    return [name for name, part in zip(view._names, view._parts, strict=True) if part.traits & MOMENTARY]
