"""A box kept in step with a server over TCP, while connections break.

    python -m examples.over_tcp

`Connection` is what a program writes: it connects, frames, and tells answers from news. It tries nothing
again and remembers no counter. What was lost with a connection the engine asks for; a comment whose answer
was lost it sends again, and the server knows it by its token.

Depends on: the generated `pillarbox_tracker`, anyio, `examples.tcp_server`.  Never on: files.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import count

import anyio
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.memory import MemoryObjectSendStream
from examples.tcp_server import LINE_MAX, Server, port_of

from pillarbox.sync import DriverLimits, Engine, SessionChanged, SessionLost
from pillarbox_tracker import open_box
from pillarbox_tracker.answers import Answer, decode_answer_json
from pillarbox_tracker.containers import Container, Push, decode_container_json
from pillarbox_tracker.items import LastSaid, ProjectName
from pillarbox_tracker.operations import EnqueuePostComment
from pillarbox_tracker.protocol import PROTOCOL
from pillarbox_tracker.requests import PostComment, Request, encode_request_json
from pillarbox_tracker.types import ProjectId
from pillarbox_tracker.views import OutboxRows

Print = Callable[[str], object]
HOUSE = ProjectId(5)


class Connection:
    """The adapter. One connection at a time: `listen` makes it, and ends with it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stream: SocketStream | None = None
        self._numbers = count(1)
        #: Who waits for an answer; closed without one when the connection ends.
        self._waiting: dict[int, MemoryObjectSendStream[bytes]] = {}
        self._writing = anyio.Lock()

    async def send(self, request: Request) -> Answer | SessionLost:
        """One line, and the one that comes back under its number."""
        stream = self._stream
        if stream is None:
            return SessionLost()
        number = next(self._numbers)
        self._waiting[number], answers = anyio.create_memory_object_stream[bytes](1)
        try:
            async with self._writing:
                with anyio.CancelScope(shield=True):  # half a line would spoil all that follow
                    await stream.send(b"%d %s\n" % (number, encode_request_json(request)))
            return decode_answer_json(await answers.receive())
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return SessionLost()
        finally:
            answers.close()
            if number in self._waiting:
                self._waiting.pop(number).close()

    async def listen(self) -> AsyncIterator[Container | SessionChanged]:
        """All that one connection brings. The engine calls it anew after it has ended or raised."""
        async with await anyio.connect_tcp("127.0.0.1", self._port) as self._stream:
            try:
                yield SessionChanged()
                lines = BufferedByteReceiveStream(self._stream)
                while True:
                    number, _, said = (await lines.receive_until(b"\n", LINE_MAX)).partition(b" ")
                    if number == b"0":
                        yield decode_container_json(said)
                    elif waiting := self._waiting.get(int(number)):
                        waiting.send_nowait(said)
            except (anyio.IncompleteRead, anyio.EndOfStream, anyio.BrokenResourceError):
                return
            finally:
                self._stream = None
                for waiting in self._waiting.values():
                    waiting.close()


async def main(write: Print = print, path: str = ":memory:") -> None:
    """A session in which a push and an answer are cut in their middle."""
    server = Server()
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, listener)
        with open_box(path) as box, box.data.watch(ProjectName(HOUSE), LastSaid(HOUSE, 1)) as watched:
            transport, soon = Connection(port_of(listener)), DriverLimits(listen_ms=(50, 1_000))
            async with Engine(box, PROTOCOL, transport, driver_limits=soon):
                news = aiter(watched)

                async def until(name: str, body: str | None) -> None:
                    while True:
                        shown, last = (await anext(news)).snapshot
                        if (shown, last and last.body) == (name, body):
                            break
                    write(f"{name}: {body or 'nothing was said'}")

                await server.rename(HOUSE, "House")
                await server.open(HOUSE, 1, "The roof")
                await until("House", None)
                server.cuts = Push
                await server.rename(HOUSE, "House with a leak")
                await until("House with a leak", None)
                server.cuts = PostComment
                box.replay([EnqueuePostComment(HOUSE, 1, token=17, body="It rains in.")])
                await until("House with a leak", "It rains in.")
                while box.get(OutboxRows(limit=1)).post_comment:  # until the server has said that it is done
                    await anyio.sleep(0.01)
                write(f"asked for it {server.asked[PostComment]} times, done {len(server.posted)} time")
        tasks.cancel_scope.cancel()


if __name__ == "__main__":
    anyio.run(main)
