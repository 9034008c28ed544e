"""A small server of projects and comments over TCP, for `examples.over_tcp`; it cuts connections if told to.

A line is a number, a blank and JSON of the tracker's package. A client numbers its requests, and finds that
number before the answer; before what the server says by itself stands 0.

Depends on: the generated `pillarbox_tracker`, anyio.  Never on: boxes, engines.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import anyio
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from pillarbox_tracker.answers import Answer, Changes, ProjectChanges, Standing, encode_answer_json
from pillarbox_tracker.containers import Done, Push, encode_container_json
from pillarbox_tracker.requests import (
    ConfirmKept,
    GetChanges,
    GetProjectChanges,
    GetStanding,
    PostComment,
    Request,
    decode_request_json,
)
from pillarbox_tracker.types import Comments, Issues, ProjectId, Projects, UserId
from pillarbox_tracker.updates import CommentsAdded, IssueChanged, ProjectsChanged

LINE_MAX = 1 << 20
ADA = UserId(7)


@dataclass
class Server:
    """What happened, in order; the place of each in its list is what the server counts."""

    renamed: list[ProjectsChanged] = field(default_factory=list)
    #: The same of each project.
    told: dict[ProjectId, list[IssueChanged | CommentsAdded]] = field(default_factory=dict)
    #: By the token of the request.
    posted: dict[int, CommentsAdded] = field(default_factory=dict)
    clients: set[SocketStream] = field(default_factory=set)
    #: The next push, or answer to such a request, is cut in its middle, and the connection with it.
    cuts: type[Push | Request] | None = None
    asked: Counter[type[Request]] = field(default_factory=Counter)

    async def serve(self, listener: anyio.abc.Listener[SocketStream]) -> None:
        """For ever."""
        await listener.serve(self._talk)

    async def rename(self, project: ProjectId, name: str) -> None:
        """Something happens, and is told to who is connected."""
        rev = len(self.renamed) + 1
        row = Projects(project, name, f"p{project}", ADA)
        self.renamed.append(ProjectsChanged(projects=(row,), rev=rev, count=1))
        await self._push(Push(updates=(self.renamed[-1],), first=0, last=0, at=rev))

    async def open(self, project: ProjectId, number: int, title: str) -> None:
        """The same of an issue."""
        told = self.told.setdefault(project, [])
        at = len(told) + 1
        row = Issues(
            project_id=project, number=number, title=title, author_id=ADA, created_at=at, updated_at=at
        )
        told.append(IssueChanged(issue=row, rev=at, count=1))
        await self._push(Push(updates=(told[-1],), first=0, last=0, at=at))

    async def _push(self, push: Push) -> None:
        for stream in tuple(self.clients):
            await self._say(stream, b"0 " + encode_container_json(push), Push)

    async def _talk(self, stream: SocketStream) -> None:
        self.clients.add(stream)
        lines = BufferedByteReceiveStream(stream)
        try:
            async with stream:
                while True:
                    number, _, line = (await lines.receive_until(b"\n", LINE_MAX)).partition(b" ")
                    request = decode_request_json(line)
                    answer = encode_answer_json(self._answer(request))
                    await self._say(stream, number + b" " + answer, type(request))
        except (
            anyio.IncompleteRead,
            anyio.EndOfStream,
            anyio.BrokenResourceError,
            anyio.ClosedResourceError,
        ):
            pass
        finally:
            self.clients.discard(stream)

    async def _say(self, stream: SocketStream, line: bytes, what: type[Push | Request]) -> None:
        if self.cuts is what:
            self.cuts = None
            await stream.send(line[: len(line) // 2])
            await stream.aclose()
        else:
            await stream.send(line + b"\n")

    def _answer(self, request: Request) -> Answer:
        self.asked[type(request)] += 1
        end = len(self.renamed)
        match request:
            case GetStanding():
                return Standing(rev=0, seq=0, at=0)
            case GetChanges(since):
                return Changes(updates=tuple(self.renamed[since:]), rev=end, seq=0, at=end, more=False)
            case GetProjectChanges(project, since):
                told = self.told.get(project, [])
                return ProjectChanges(updates=tuple(told[since:]), rev=len(told), more=False)
            case ConfirmKept():
                return Done(rev=0, count=0)
            case PostComment():
                return self._post(request)
        raise NotImplementedError(request)

    def _post(self, asked: PostComment) -> Push:
        """What was asked before is not done again, but answered."""
        if asked.token not in self.posted:
            told = self.told.setdefault(asked.project_id, [])
            rev = len(told) + 1
            comment = Comments(
                project_id=asked.project_id,
                number=asked.number,
                posted_at=rev,
                comment=rev,
                author_id=ADA,
                body=asked.body,
            )
            added = CommentsAdded(project_id=asked.project_id, comments=(comment,), rev=rev, count=1)
            told.append(added)
            self.posted[asked.token] = added
        return Push(updates=(self.posted[asked.token],), first=0, last=0, at=0)


def port_of(listener: anyio.abc.Listener[SocketStream]) -> int:
    """Where it listens."""
    port: int = listener.extra(SocketAttribute.local_port)
    return port
