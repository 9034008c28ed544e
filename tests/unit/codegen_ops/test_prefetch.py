"""What replay reads ahead: each table once, however many operations there are."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.unit.codegen_ops.lab import lab
from tests.unit.codegen_ops.making import Bench, new_engine

from pillarbox.storage import Engine


class Counting:
    """An engine that counts the statements that read, by table."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.reads: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._engine, name)
        if name not in ("get", "get_many", "scan"):
            return method

        def counted(table: Any, *rest: Any, **options: Any) -> Any:
            self.reads[table.name] += 1
            return method(table, *rest, **options)

        return counted


def counting_bench() -> tuple[Bench, Counting]:
    engine: Any = Counting(new_engine(lab()))
    return Bench(lab(), engine), engine


def op(name: str, **params: Any) -> Any:
    return getattr(lab().operations, name)(**params)


def test_many_patches_read_their_rows_with_one_statement() -> None:
    bench, engine = counting_bench()

    bench.replay(*(op("PatchJob", group=1, n=n, by=1, set=0, clear=0) for n in range(50)))

    assert engine.reads == {"jobs": 1}


def test_the_lists_of_many_operations_are_read_together() -> None:
    bench, engine = counting_bench()

    bench.replay(*(op("TakeBest", group=group, ns=tuple(range(20))) for group in range(5)))

    assert engine.reads == {"jobs": 1}


def test_rows_of_a_table_with_an_identity_ask_for_it_once() -> None:
    bench, engine = counting_bench()
    order = lab().types.Orders

    bench.replay(op("OrderNew", orders=tuple(order(group=1, at=1, n=n, text="o") for n in range(1, 60))))

    assert engine.reads == {"order_ids": 1}


def test_rows_of_which_a_put_names_the_old_one_are_read_together() -> None:
    bench, engine = counting_bench()
    job = lab().types.Jobs

    bench.replay(op("PutJobs", jobs=tuple(job(group=1, n=n, text="t") for n in range(50)), least=0))

    assert engine.reads == {"jobs": 1}


def test_a_key_that_depends_on_what_may_be_absent_is_left_out_where_it_is() -> None:
    bench, engine = counting_bench()

    bench.replay(op("Look", group=1, n=None), op("Look", group=1, n=4), op("Look", group=1, n=5))

    assert engine.reads == {"jobs": 1}
