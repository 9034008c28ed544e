"""Lists that give a name to what they look at, or are chosen: Python goes over neither in a comprehension."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from tests.property.random_store import SCHEMAS
from tests.unit.codegen_ops.making import Bench, Package, imported, mypy, ruff, written

from pillarbox_codegen.check import load_schema

SCHEMA = """
schema: {name: named_in_clauses, doc: Lists that give a name to what they look at.}
types:
  Kind: {enum: {one: 1, two: 2}}
  Leaf: {record: {words: [1, list<text>], n: [2, list<int32>]}}
  Part:
    union: {Leafy: [1, {leaves: [1, list<Leaf>]}], Called: [2, {name: [1, text], n: [2, list<int32>]}]}
    facets:
      title:
        type: text
        of: {Leafy: "first(first(leaves).words // []) // ''", Called: if first(n) // 2 > 2 then 'c' else name}
tables:
  trees:
    id: 1
    key: {tree: int32}
    record: {leaves: [1, list<Leaf>], kind: {number: 2, type: Kind, default: one}}
  by_word:
    id: 2
    index:
      from: trees
      each: {word: "first(leaves).words // []", n: "last(leaves).n // []"}
      when: kind == one
      key: [word, n, tree]
  chosen:
    id: 8
    index:
      from: trees
      each: {word: "first(leaves).words // []"}
      when: if kind == one then tree > 1 else size(leaves) > 1
      key: [word, tree]
  words:
    id: 3
    count:
      from: trees
      each: {word: "first(leaves).words // []", n: "if word == 'a' then last(leaves).n // [] else []"}
      when: kind == one and n > 0
      group: [word]
      sum: {trees: 1, n: n}
  holes:
    id: 4
    ranges:
      group: {tree: int32}
      space: {kind: Kind}
      over: {n: int32}
      spread:
        from: one
        each: {k: "[first([Kind.two]) // Kind.one]"}
        into: k
        when: tree != first(seeds.trees) // 2
      seeded: {id: 5}
  order: {id: 6, list: {group: {}, item: {tree: int32}, places: {id: 7}}}
seeds:
  constants: {trees: [7]}
  group:
    holes: [{do: [{add_range: {space: "first([Kind.one]) // Kind.two", range: "[1, 5]"}}]}]
cursors:
  stream:
    id: 11
    parts: {rev: {kind: counter, number: 1, claim: {end: rev, count: n}}}
    difference:
      request: ask
      with: {rev: rev // 0}
      answers:
        told: {kind: full, set: {rev: rev}, body: told}
        many:
          kind: full
          slice_when: if size(few) > 0 then rev > 5 else rev < 5
          set: {rev: rev}
          body: many
requests: {ask: {code: 1, fields: {rev: [1, int64]}, answers: [told, many]}}
answers:
  told: {code: 2, fields: {trees: [1, list<row<trees>>], rev: [2, int64]}}
  many:
    code: 3
    fields: {few: [1, list<update>], rest: [2, list<update>], leaves: [3, list<Leaf>], rev: [4, int64]}
bodies:
  told:
    lists: [{list: "first(trees).leaves // []", as: leaf_came, field: leaf, with: {rev: rev, n: 0}}]
    covered: [stream.rev]
  many:
    lists:
      - {list: if rev > 5 then rest else few, as: update}
      - {list: "if rev > 5 then leaves else []", as: leaf_came, field: leaf, with: {rev: rev, n: 0}}
      - {list: if rev > 5 then few else rest, as: update, only: [leaf_came]}
    covered: [stream.rev]
updates:
  leaf_came:
    code: 1
    fields: {leaf: [1, Leaf], rev: [2, int64], n: [3, int32]}
    claims: stream.rev
    needs: [{row: trees, key: t, each: "if n > 0 then leaf.n else [1, 2] as t", absent: ignore}]
    emits: [{put_tree: {leaf: leaf}}]
views:
  wood:
    key: {tree: int32, kind: opt<Kind>, many: bool, few: list<text>, all: list<text>}
    parts:
      trunk: {get: trees, at: tree}
      other: {get: trees, at: tree + 1, show: none}
      counts: {get_each: words, at: "first(trunk.leaves).words // []", when: trunk is present}
      same:
        get_each: by_word
        at: "[first(trunk.leaves // []).words // [], 3, other.tree]"
        when: other is present
      above:
        get_each: holes
        at:
          each: "first(trunk.leaves // []).n // []"
          key: "[tree, kind, item]"
          where: item < other.tree + 3
        when: kind is present and other is present
      lanes:
        window: {of: by_word, each: "first(trunk.leaves).words // []", prefix: [item]}
        anchor: newest
        around: 2
        when: trunk is present
      chosen:
        window: {of: by_word, each: if many then all else few, prefix: [item]}
        anchor: oldest
        around: 1
operations:
  put_tree:
    code: 1
    params: {leaf: [1, Leaf]}
    idempotent: true
    steps: [{put: {into: trees, row: {tree: 1, leaves: "[leaf]"}}}]
  sort:
    code: 2
    params: {up: [1, bool], some: [2, list<int32>], rest: [3, list<int32>]}
    steps:
      - reorder:
          list: order
          items: {each: if up then some else rest as t, when: if up then t > 1 else t > 0, item: t}
  line_up:
    code: 3
    params: {trees: [1, list<int32>]}
    steps: [{place: {list: order, item: t, at: end}, each: trees as t}]
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return imported(Path(tmp_path_factory.mktemp("named_in_clauses")), SCHEMA)


@pytest.fixture
def folder(package: Package) -> Path:
    return Path(package.rules.__file__).parents[2]


@pytest.fixture
def bench(package: Package) -> Bench:
    return Bench(package)


def test_all_of_it_is_python_that_reads_well(folder: Path) -> None:
    assert (ruff(folder, "format", "--check"), mypy(folder)) == ("", "")


def test_an_index_and_a_count_go_over_them(bench: Bench) -> None:
    t = bench.package.types
    leaves = (t.Leaf(words=("a", "b"), n=()), t.Leaf(words=("c",), n=(0, 3)))

    bench.tx.trees.put(t.Trees(tree=1, leaves=leaves))
    bench.tx.trees.put(t.Trees(tree=2))
    bench.commit()

    assert [(row.word, row.n) for row in bench.tx.by_word.all()] == [("a", 0), ("a", 3), ("b", 0), ("b", 3)]
    assert [(row.word, row.trees, row.n) for row in bench.tx.words.all()] == [("a", 1, 3)]


@pytest.mark.parametrize(("tree", "kinds"), [(1, [1, 2]), (7, [1])])
def test_ranges_are_spread_and_seeded_over_them(bench: Bench, tree: int, kinds: list[int]) -> None:
    bench.tx.holes.add_range(tree, bench.package.types.Kind.ONE, 9, 9)

    assert sorted({row.kind for row in bench.tx.holes.of_tree(tree)}) == kinds
    assert [row.lower for row in bench.tx.holes.of_kind(tree, bench.package.types.Kind.ONE)] == [1, 9]


def test_a_list_is_put_in_order_by_them(bench: Bench) -> None:
    o = bench.package.operations
    bench.replay(o.LineUp(trees=(1, 2, 3)))

    bench.replay(o.Sort(up=False, some=(2,), rest=(0, 3)))

    assert [row.tree for row in bench.tx.order.all()] == [3, 1, 2]


def test_views_look_things_up_by_them(package: Package) -> None:
    t, v = package.types, package.views
    leaf = t.Leaf(words=("a", "b"), n=(0, 3))
    with package.box.open_box(":memory:") as box:
        with box.transaction() as tx:
            for tree in (1, 2):
                tx.trees.put(t.Trees(tree=tree, leaves=(leaf,)))
            tx.holes.cut_range(1, t.Kind.TWO, 4, 9)

        wood = box.get(v.Wood(tree=1, kind=t.Kind.TWO, many=True, all=("b",)))

    assert [(row.word, row.n) for row in wood.counts.values()] == [("a", 6)]
    assert [(row.word, row.n, row.tree) for row in wood.same.values()] == [("a", 3, 2), ("b", 3, 2)]
    assert [row.upper for row in wood.above.values()] == [3]
    assert [row.tree for row in wood.lanes.entries] == [2, 2]
    assert [row.tree for row in wood.chosen.entries] == [1]


def test_what_is_chosen_by_branches_is(bench: Bench) -> None:
    t = bench.package.types
    leaf = t.Leaf(words=("a",), n=())
    for tree, kind, leaves in ((1, 1, 2), (2, 1, 1), (3, 2, 1), (4, 2, 2)):
        bench.tx.trees.put(t.Trees(tree=tree, kind=t.Kind(kind), leaves=(leaf,) * leaves))
    bench.commit()

    assert [row.tree for row in bench.tx.chosen.all()] == [2, 4]


def test_facets_of_several_cases_name_values_of_several_types(package: Package) -> None:
    t, title = package.types, package.facets.part_title

    leafy = t.Leafy(leaves=(t.Leaf(words=("a",), n=()),))

    assert [title(it) for it in (leafy, t.Called(name="b"), t.Called(name="b", n=(3,)))] == ["a", "b", "c"]


def test_bodies_and_needs_go_over_them(package: Package) -> None:
    a, u, leaf = package.answers, package.updates, package.types.Leaf(words=(), n=(4,))
    one, two = (u.LeafCame(leaf=leaf, rev=rev, n=rev) for rev in (1, 2))
    tree = package.types.Trees(tree=1, leaves=(leaf,))

    told = package.bodies.body_told(a.Told(trees=(tree,), rev=9), b"")
    answers = [a.Many(few=(one,), rest=(two,), leaves=(leaf,), rev=rev) for rev in (5, 6)]
    every = [package.bodies.body_many(answer, b"") for answer in answers]

    came = [u.LeafCame(leaf=leaf, rev=rev, n=0) for rev in (9, 6)]
    assert told.updates == (came[0],)
    assert [body.updates for body in every] == [(one, two), (two, came[1], one)]
    assert [need.row[1] for need in one.needs()] == [package.keys.trees_key(4)]


def test_stored_rows_are_looked_up_by_them(tmp_path: Path) -> None:
    of, stored = "[project_id, number]", "[project_id, first([number]) // number]"
    copytree(SCHEMAS / "tracker", tmp_path / "schema")
    fetching = tmp_path / "schema/fetching.yaml"
    text = fetching.read_text()
    assert text.count(f'at: "{of}"') == 1
    fetching.write_text(text.replace(f'at: "{of}"', f'at: "{stored}"'))

    written(tmp_path / "generated", load_schema(tmp_path / "schema"))

    holes = (tmp_path / "generated/pillarbox_tracker/holes.py").read_text()
    assert ":=" in holes
    compile(holes, "holes.py", "exec")
