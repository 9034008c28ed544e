"""Two views followed by `async for`, while a task beside them writes.

    python -m examples.async_for

Loading and committing leave the event loop alone: `watch_async` and `replay_async` run on other threads. A
loop that is too slow gets the latest snapshot and skips those between; with `every=True` it skips none.
Leaving the block of a subscription, or of the box, closes it; who waits in a loop then leaves that too.

Depends on: the generated `pillarbox_messenger`.  Never on: files, networks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from examples.chats import ADA, said

from pillarbox.views import Subscription
from pillarbox_messenger import Box, open_box
from pillarbox_messenger.items import LastMessage
from pillarbox_messenger.types import Message
from pillarbox_messenger.views import History, HistorySnapshot

Print = Callable[[str], object]
LAST_WORD = "Bye."


async def follow_history(chat: Subscription[HistorySnapshot], write: Print) -> None:
    """Every commit that changes what the chat shows, up to the last word."""
    async for emission in chat:
        texts = [message.text for message in emission.snapshot.messages.entries]
        write(f"history, {emission.why.value}: {texts}")
        if LAST_WORD in texts:
            break


async def follow_last(last: Subscription[Message | None], write: Print) -> None:
    """An item alike."""
    async for emission in last:
        message = emission.snapshot
        write(f"last: {message.text if message else 'nothing'}")
        if message is not None and message.text == LAST_WORD:
            break


async def talk(box: Box) -> None:
    """Two commits on the box's writer thread."""
    await box.replay_async([said(1, "It rains in.")])
    await box.replay_async([said(2, LAST_WORD)])


async def main(write: Print = print) -> None:
    """All three side by side."""
    with (
        open_box(":memory:") as box,
        await box.watch_async(History(ADA), every=True) as chat,
        box.data.watch(LastMessage(ADA), every=True) as last,
    ):
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow_history(chat, write))
            tasks.create_task(follow_last(last, write))
            tasks.create_task(talk(box))


if __name__ == "__main__":
    asyncio.run(main())
