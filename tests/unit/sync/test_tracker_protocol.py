"""The tracker's PROTOCOL does what its schema says: each container, answer and recipe, one by one.

What is expected here is written out by hand, from schema/tracker/protocol.yaml and sync.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pillarbox.sync import Claim, Poll
from pillarbox.sync.cursor_parts import PartKind
from pillarbox.sync.debt_rows import Debt
from pillarbox.sync.protocol import AnswerKind, Backoff, Body, Opened, Remedy, Stamp
from pillarbox_tracker import answers, box, containers, operations, requests, types, updates
from pillarbox_tracker.keys import users_key
from pillarbox_tracker.protocol import PROTOCOL

ACCOUNT, PROJECT, USERS = 110, 111, 3
ONE, TWO = types.ProjectId(11), types.ProjectId(12)
ANNA = types.Users(user_id=types.UserId(5), login=types.Login("anna"), name="Anna")
SEEN = updates.UserSeen(user_id=types.UserId(5), at=70)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[box.Box]:
    with box.open_box(tmp_path / "box") as opened:
        yield opened


def opened(**said: Any) -> Opened:
    return Opened(**said)


# ------------------------------------------------------------------------------------------ containers


def test_a_push_claims_its_range_and_brings_its_users_first() -> None:
    """G-6, G-11, G-12, U-1: the claim is the container's, the date is stamped with it, side data is first."""
    push = containers.Push(updates=(SEEN,), users=(ANNA,), first=4, last=6, at=70)

    assert PROTOCOL.open(push) == opened(
        updates=(SEEN,),
        claim=Claim(ACCOUNT, b"", 2, 3, 6),
        stamps=(Stamp(ACCOUNT, b"", 1, 70),),
        side=(operations.PutUsers(users=(ANNA,)),),
        brings=frozenset({(USERS, users_key(ANNA.user_id))}),
        date=70,
    )


def test_a_push_without_a_range_claims_nothing_and_without_users_brings_none() -> None:
    push = containers.Push(updates=(SEEN,), first=0, last=0, at=70)

    taken = PROTOCOL.open(push)

    assert (taken.claim, taken.side, taken.brings) == (None, (), frozenset())


def test_a_short_container_is_the_update_it_stands_for() -> None:
    short = containers.Seen(user_id=types.UserId(5), at=70)

    assert PROTOCOL.open(short) == opened(updates=(SEEN,), date=70)
    assert PROTOCOL.open(containers.PushOne(update=SEEN, at=9)) == opened(updates=(SEEN,), date=9)


def test_what_an_own_request_moved_is_a_step_without_an_update() -> None:
    """U-9, G-19."""
    assert PROTOCOL.open(containers.Done(rev=9, count=2)) == opened(steps=(Claim(ACCOUNT, b"", 0, 7, 9),))
    assert PROTOCOL.open(containers.DoneInProject(project_id=ONE, rev=9, count=2)) == opened(
        steps=(Claim(PROJECT, ONE, 0, 7, 9),)
    )


def test_a_container_that_only_asks() -> None:
    assert PROTOCOL.open(containers.Lost()) == opened(acts=(Poll(ACCOUNT),))


# ------------------------------------------------------------------------------------------ differences


def test_the_account_begins_where_the_server_stands() -> None:
    """C-7."""
    first = PROTOCOL.cursors[ACCOUNT].first
    assert first is not None

    assert first.request() == requests.GetStanding()
    assert first.set[answers.Standing](answers.Standing(rev=3, seq=4, at=5)) == {0: 3, 1: 5, 2: 4}


def test_the_account_is_asked_about_from_where_it_stands() -> None:
    difference = PROTOCOL.cursors[ACCOUNT].difference
    assert difference is not None

    assert difference.request(b"", (7, 70, 9)) == requests.GetChanges(since=7, seq=9)
    assert (difference.errors, difference.backoff) == ({"SIGNED_OUT": Remedy.STOP}, Backoff(200, 5_000))


@pytest.mark.parametrize(("more", "kind"), [(True, AnswerKind.SLICE), (False, AnswerKind.FULL)])
def test_changes_are_a_slice_while_there_is_more(more: bool, kind: AnswerKind) -> None:
    """C-4, G-8: what the answer covers goes unchecked, and it says where the cursor stands."""
    answer = answers.Changes(updates=(SEEN,), users=(ANNA,), rev=8, seq=2, at=71, more=more)
    difference = PROTOCOL.cursors[ACCOUNT].difference
    assert difference is not None
    rule = difference.answers[answers.Changes]
    assert rule.set is not None
    assert rule.body is not None

    assert rule.kind(answer) is kind
    assert rule.set(answer) == {0: 8, 1: 71, 2: 2}
    assert rule.body(answer, b"") == Body(
        side=(operations.PutUsers(users=(ANNA,)),),
        updates=(SEEN,),
        brings=frozenset({(USERS, users_key(ANNA.user_id))}),
        covered=frozenset({(ACCOUNT, 0), (ACCOUNT, 2)}),
    )


def test_an_answer_without_changes_names_only_some_parts() -> None:
    """C-4: parts that are not named stay."""
    difference = PROTOCOL.cursors[ACCOUNT].difference
    assert difference is not None
    rule = difference.answers[answers.Unchanged]
    assert rule.set is not None

    assert rule.kind(answers.Unchanged(seq=4, at=9)) is AnswerKind.EMPTY
    assert rule.set(answers.Unchanged(seq=4, at=9)) == {1: 9, 2: 4}
    assert rule.body is None


def test_what_is_too_long_needs_the_recipe_or_brings_all_itself() -> None:
    account, project = PROTOCOL.cursors[ACCOUNT].difference, PROTOCOL.cursors[PROJECT].difference
    assert account is not None
    assert project is not None
    expired, anew = account.answers[answers.Expired], project.answers[answers.ProjectExpired]
    issue = types.Issues(
        project_id=ONE, number=1, title="x", author_id=ANNA.user_id, created_at=1, updated_at=1
    )
    told = answers.ProjectExpired(rev=5, issues=(issue,))
    assert anew.body is not None

    assert (expired.kind(answers.Expired()), expired.reset) == (AnswerKind.TOO_LONG, "everything")
    assert (anew.kind(told), anew.reset) == (AnswerKind.TOO_LONG, None)
    assert anew.body(told, ONE) == Body(
        tail=(
            operations.PutIssue(issue=issue, rev=5),
            operations.LoseComments(project_id=ONE, number=1, lower=1),
        ),
        covered=frozenset({(PROJECT, 0)}),
    )


@pytest.mark.parametrize(("position", "since"), [((4,), 4), (None, 0)])
def test_a_project_is_asked_about_by_its_key(position: tuple[int, ...] | None, since: int) -> None:
    """K-8: it is asked again at once while there is more."""
    difference = PROTOCOL.cursors[PROJECT].difference
    assert difference is not None
    again = difference.answers[answers.ProjectChanges].again
    assert again is not None

    assert difference.request(ONE, position) == requests.GetProjectChanges(project_id=ONE, since=since)
    assert [again(answers.ProjectChanges(rev=1, more=more)) for more in (True, False)] == [True, False]
    errors = {"GONE": Remedy.DONE, "FORBIDDEN": Poll(ACCOUNT), "SIGNED_OUT": Remedy.STOP}
    assert difference.errors == errors


# -------------------------------------------------------------------------------------------- cursors


def test_the_cursors_wait_and_travel_as_declared() -> None:
    """G-14, K-9, U-4."""
    account, project = PROTOCOL.cursors[ACCOUNT], PROTOCOL.cursors[PROJECT]
    assert project.open_poll is not None

    parts = [(part.name, part.kind, part.hold_ms) for part in account.parts]
    assert parts == [
        ("rev", PartKind.COUNTER, 500), ("at", PartKind.STAMP, 0), ("seq", PartKind.COUNTER, 500),
    ]  # fmt: skip
    assert (account.keyed, account.idle_poll_ms) == (False, 60_000)
    assert (project.keyed, project.travels) == (True, (ACCOUNT, 2))
    assert (project.open_poll.first_ms, project.open_poll.missing_ms) == (1_000, 30_000)
    assert project.open_poll.every_ms(answers.ProjectChanges(rev=1, more=False)) == 30_000


def test_what_is_kept_is_confirmed() -> None:
    """G-10."""
    confirm = PROTOCOL.cursors[ACCOUNT].parts[0].confirm
    assert confirm is not None
    assert confirm.when is not None

    assert confirm.request(5) == requests.ConfirmKept(rev=5)
    assert [confirm.when(0), confirm.when(5)] == [False, True]


# --------------------------------------------------------------------------------------------- recipe


def page(next: types.ProjectId | None, *projects: types.Projects) -> answers.ProjectPage:
    star = types.Stars(user_id=ANNA.user_id, project_id=ONE)
    return answers.ProjectPage(projects=projects, users=(ANNA,), stars=(star,), next=next)


def test_the_recipe_asks_page_by_page() -> None:
    """D-6: where the account stands is asked first."""
    standing, pages = PROTOCOL.resets["everything"].fetch
    assert pages.more is not None

    assert standing.request(b"", {}) == requests.GetStanding()
    assert pages.request(b"", {}) == requests.ListProjects(after=None)
    assert pages.request(b"", {"pages": (page(TWO),)}) == requests.ListProjects(after=TWO)
    assert [pages.more({"pages": (page(TWO),)}), pages.more({"pages": (page(TWO), page(None))})] == [
        True,
        False,
    ]


def test_the_recipe_makes_everything_anew_and_owes_each_project(store: box.Box) -> None:
    """D-6, D-7: one commit; what is not in the pages is gone."""
    gone = types.Projects(project_id=TWO, name="gone", slug="gone", owner_id=ANNA.user_id)
    there = types.Projects(project_id=ONE, name="there", slug="there", owner_id=ANNA.user_id)
    reset = PROTOCOL.resets["everything"]
    with store.transaction() as tx:
        tx.projects.put(gone)
        tx.stars.put(types.Stars(user_id=ANNA.user_id, project_id=TWO))

    with store.transaction() as tx:
        fetched = {"standing": answers.Standing(rev=3, seq=4, at=5), "pages": (page(None, there),)}
        emitted = reset.commit(tx, b"", fetched)

    assert emitted == [
        operations.RemoveProject(project_id=TWO),
        operations.RestartProject(project_id=TWO, rev=0),
        operations.Star(user_id=ANNA.user_id, project_id=TWO, starred=False),
        operations.PutUsers(users=(ANNA,)),
        operations.PutProjects(projects=(there,)),
        operations.Star(user_id=ANNA.user_id, project_id=ONE),
        Poll(PROJECT, ONE),
    ]
    assert reset.set(b"", fetched) == {0: 3, 1: 5, 2: 4}
    assert (reset.retry, reset.cursor) == (True, ACCOUNT)


# ------------------------------------------------------------------------------------- rows and wires


def test_debts_are_written_over_and_paid(store: box.Box) -> None:
    """K-13: one debt an instance."""
    debts = PROTOCOL.debts
    assert debts is not None
    first, second = Debt(PROJECT, ONE, 5, "", 1), Debt(PROJECT, TWO, None, "anew", 2)
    with store.transaction() as tx:
        debts.owe(tx, first)
        debts.owe(tx, second)
        debts.owe(tx, first._replace(hint=3))

    with store.transaction() as tx:
        assert debts.all(tx) == [first._replace(hint=3), second]
        debts.pay(tx, (PROJECT, ONE))
        assert debts.all(tx) == [second]


def test_what_a_need_asked_for_brings_its_rows(store: box.Box) -> None:
    """A-9."""
    fetched = PROTOCOL.fetched
    assert fetched is not None
    asked = requests.GetPeople(ids=(ANNA.user_id,))

    body = fetched(asked, answers.People(users=(ANNA,)))
    with store.transaction() as tx:
        before = PROTOCOL.row(tx, (USERS, users_key(ANNA.user_id)))
        PROTOCOL.replay(tx, body.side)
        after = PROTOCOL.row(tx, (USERS, users_key(ANNA.user_id)))

    assert (before, after) == (None, ANNA)
    assert body.brings == frozenset({(USERS, users_key(ANNA.user_id))})


def test_every_request_names_its_answers() -> None:
    assert PROTOCOL.answers[requests.GetChanges] == (answers.Changes, answers.Unchanged, answers.Expired)
    assert PROTOCOL.answers[requests.ConfirmKept] == (containers.Done,)


def test_what_goes_over_the_wire_comes_back_whole() -> None:
    changes = answers.Changes(updates=(SEEN,), users=(ANNA,), rev=8, seq=2, at=71, more=False)
    push = containers.PushOne(update=SEEN, at=9)
    asked = requests.GetProjectChanges(project_id=ONE, since=3)

    assert answers.decode_answer(answers.encode_answer(changes)) == changes
    assert answers.decode_answer_json(answers.encode_answer_json(changes)) == changes
    assert answers.decode_answer(answers.encode_answer(containers.Done(rev=1, count=1))) == containers.Done(
        1, 1
    )
    assert containers.decode_container(containers.encode_container(push)) == push
    assert requests.decode_request_json(requests.encode_request_json(asked)) == asked
