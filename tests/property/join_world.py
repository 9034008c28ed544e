"""The tables of `tests/data/schemas/join`, computed anew from the given rows alone.

Depends on: nothing.  Never on: maintainers, generated code; not one line is shared with what is tested.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, TypeAlias

#: Rows of a table as plain tuples: the fields of the key, then the others.
Rows: TypeAlias = set[tuple[Any, ...]]
#: Table -> key -> the other fields.
Given: TypeAlias = dict[str, dict[tuple[int, ...], tuple[Any, ...]]]

KEY_PARTS = {"people": 1, "desks": 1, "tasks": 2, "errands": 2, "settings": 1, "ratings": 2}


def nothing_given() -> Given:
    return {name: {} for name in KEY_PARTS}


class World:
    """Every table that follows from the given rows."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.people = {key[0]: fields for key, fields in given["people"].items()}
        self.desks = {key[0]: fields for key, fields in given["desks"].items()}
        self.latest = self._latest()
        self.load = self._load()
        self.cards = {person: card for person in self.people if (card := self._card(person)) is not None}
        self.floors = self._floors()
        self.lightest = self._lightest()

    def rows(self) -> dict[str, Rows]:
        """Table -> its rows, those of given tables included."""
        given = {name: {(*key, *row) for key, row in held.items()} for name, held in self.given.items()}
        states = {
            (floor, cards, *self.lightest.get(floor, (None, False)))
            for floor, (cards, _) in self.floors.items()
        }
        due = {(starred, at, floor, cards) for floor, cards, at, starred in states if at is not None}
        weights = {floor: weight for floor, (_, weight) in self.floors.items()}
        agenda = {(at or 0, floor, weights[floor]) for floor, _, at, _ in states if weights[floor] > 1}
        times = [at for _, at, _, _ in due] + [at for at, _, _ in agenda]
        return {
            **given,
            "by_backup": {(row[2], person) for person, row in self.people.items() if row[2] is not None},
            "by_desk": {(self._desk(person), person) for person in self.people},
            "by_owner": {
                (owner, person) for person in self.people if (owner := self._owner(person)) is not None
            },
            "by_weight": {(weight, person) for person, (_, weight) in self.load.items()},
            "task_times": {
                (person, at, n, weight) for (person, n), (at, weight) in self.given["tasks"].items()
            },
            "latest": {(person, *row) for person, row in self.latest.items()},
            "load": {(person, *row) for person, row in self.load.items()},
            "cards": {(person, *card) for person, card in self.cards.items()},
            "both": self._both(),
            "by_floor": {
                (card[0], card[2], person, card[1], card[5])
                for person, card in self.cards.items()
                if card[1] > 0
            },
            "floors": {(floor, *sums) for floor, sums in self.floors.items()},
            "lightest": {(floor, *row) for floor, row in self.lightest.items()},
            "floor_states": states,
            "due": due,
            "agenda": agenda,
            "summary": {(at, times.count(at)) for at in times},
        }

    def _latest(self) -> dict[int, tuple[int, int, int]]:
        best: dict[int, tuple[int, int, int]] = {}
        for (person, n), (at, weight) in self.given["tasks"].items():
            best[person] = max(best.get(person, (at, n, 2 * weight)), (at, n, 2 * weight))
        return best

    def _load(self) -> dict[int, tuple[int, int]]:
        things = [
            *((person, at, weight) for (person, _), (at, weight) in self.given["tasks"].items()),
            *((person, at, weight) for (person, at), (weight,) in self.given["errands"].items()),
        ]
        found: dict[int, tuple[int, int]] = {}
        for person, at, weight in things:
            if at >= 0:
                number, total = found.get(person, (0, 0))
                found[person] = (number + 1, total + weight)
        return found

    def _desk(self, person: int) -> int:
        home, desk = self.people[person][:2]
        return int(home if desk is None else desk)

    def _owner(self, person: int) -> int | None:
        place = self.desks.get(self._desk(person))
        return None if place is None else place[1]

    def _card(self, person: int) -> tuple[Any, ...] | None:
        level, backup = self.people[person][3], self.people[person][2]
        place = self.desks.get(self._desk(person))
        least, bonus = self.given["settings"].get((0,), (0, None))
        latest = self.latest.get(person)
        if place is None or (latest is None and level <= least):
            return None
        owner = self.people.get(place[1])
        spare = self.people.get(backup)
        return (
            place[0],
            0 if latest is None else latest[0],
            self.load.get(person, (0, 0))[1] + (bonus or 0),
            None if owner is None else owner[3],
            -1 if spare is None else spare[3],
            self.given["ratings"].get((level, person), (0,))[0],
            place[1] == person,
        )

    def _both(self) -> Rows:
        found = set()
        for person in self.people.keys() | self.load.keys():
            row, load = self.people.get(person), self.load.get(person)
            rating = self.given["ratings"].get((1, person))
            if row is None or load is None or rating is not None:
                level, marks = (None, ()) if row is None else (row[3], row[4])
                spare = None if row is None else self.people.get(row[2])
                tier = None if load is None else self.given["settings"].get((load[1],))
                found.add(
                    (
                        person,
                        level,
                        0 if load is None else load[0],
                        None if rating is None else rating[0],
                        marks,
                        None if spare is None else spare[3],
                        None if tier is None else tier[0],
                    )
                )
        return found

    def _floors(self) -> dict[int, tuple[int, int]]:
        weights = defaultdict(list)
        for card in self.cards.values():
            weights[card[0]].append(card[2])
        return {floor: (len(held), sum(held)) for floor, held in weights.items()}

    def _lightest(self) -> dict[int, tuple[int, bool]]:
        found = {}
        for floor in self.floors:
            cards = [
                (card[2], -person, card[1], card[5])
                for person, card in self.cards.items()
                if card[0] == floor and card[1] > 0
            ]
            first = sorted(cards)[:2]
            if first:
                found[floor] = (max(card[2] for card in first), any(card[3] > 0 for card in first))
        return found
