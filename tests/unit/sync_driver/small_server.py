"""A server of the tracker that fits on a screen: projects that are renamed, and a connection to it.

Depends on: the generated tracker.  Never on: the engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
from tests.waiting import until

from pillarbox.sync import SessionChanged
from pillarbox_tracker.answers import Answer, Changes, ProjectChanges, Standing
from pillarbox_tracker.containers import Container, Done, Push
from pillarbox_tracker.requests import ConfirmKept, GetChanges, GetProjectChanges, GetStanding, Request
from pillarbox_tracker.types import Comments, Issues, ProjectId, Projects, UserId
from pillarbox_tracker.updates import CommentsAdded, IssueChanged, ProjectsChanged, Update

PROJECT = ProjectId(5)


class SmallServer:
    """Counts what happens, and tells it again to who asks."""

    def __init__(self) -> None:
        self.log: list[Update] = []
        self.said: list[Update] = []
        self.seq = 0

    def rename(self, name: str, number: int = PROJECT) -> Push:
        """A project gets a name; what is pushed then."""
        rev = len(self.log) + 1
        project = Projects(ProjectId(number), name, f"p{number}", UserId(1))
        self.log.append(ProjectsChanged(projects=(project,), rev=rev, count=1))
        return self._push(self.log[-1])

    def say(self, text: str) -> Push:
        """Somebody says something about the one issue of the project; what is pushed then."""
        if not self.said:
            issue = Issues(
                project_id=PROJECT,
                number=1,
                title="it leaks",
                author_id=UserId(1),
                created_at=0,
                updated_at=0,
            )
            self.said.append(IssueChanged(issue=issue, rev=1, count=1))
        rev = len(self.said) + 1
        comment = Comments(
            project_id=PROJECT, number=1, posted_at=rev, comment=rev, author_id=UserId(1), body=text
        )
        update = CommentsAdded(project_id=PROJECT, comments=(comment,), authors=(), rev=rev, count=1)
        self.said.append(update)
        return self._push(update)

    def _push(self, update: Update) -> Push:
        self.seq += 1
        return Push(updates=(update,), first=self.seq, last=self.seq, at=self.seq)

    def answer(self, request: Request) -> Answer:
        """What it says to a request."""
        end = len(self.log)
        match request:
            case GetStanding():
                return Standing(rev=0, seq=0, at=0)
            case GetChanges(since):
                return Changes(updates=tuple(self.log[since:]), rev=end, seq=self.seq, at=1, more=False)
            case GetProjectChanges(_, since):
                return ProjectChanges(updates=tuple(self.said[since:]), rev=len(self.said), more=False)
            case ConfirmKept():
                return Done(rev=0, count=0)
        raise NotImplementedError(request)


class Cable:
    """A transport: what is pushed at one end is said at the other. In the event loop."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._said: deque[Container | SessionChanged] = deque()
        self._news: anyio.Event | None = None
        self.asked: list[Request] = []
        self.is_mute = False

    def push(self, *what: Container | SessionChanged) -> None:
        """The server says this."""
        self._said += what
        if self._news is not None:
            self._news.set()

    async def said(self) -> None:
        """Wait until all that was pushed has been said."""
        await until(lambda: not self._said)

    async def send(self, request: Request, /) -> Any:
        """As `Transport.send`."""
        self.asked.append(request)
        if self.is_mute:
            await anyio.sleep_forever()
        return self._answer(request)

    async def listen(self) -> AsyncIterator[Container | SessionChanged]:
        """As `Transport.listen`."""
        while True:
            while not self._said:
                self._news = anyio.Event()
                await self._news.wait()
            yield self._said.popleft()
