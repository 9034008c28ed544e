"""A server of the messenger, by hand: what it pushes, what it answers, what boxes should hold in the end.

Depends on: messenger_history, the generated structs and the protocol's claims.  Never on: what operations do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from tests.sim.messenger_fold import is_channel
from tests.sim.messenger_history import (
    ACCOUNT,
    CHANNEL,
    CHANNELS,
    CHATS,
    OWN,
    PEOPLE,
    PTS,
    QTS,
    SEQ,
    MessengerHistory,
    channel_pts,
)

from pillarbox.box import Package
from pillarbox.sync.claims import Instance, Position
from pillarbox.sync.protocol import SyncProtocol, Tables, Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Domain, Entry, Own
from pillarbox_messenger.answers import (
    Answer,
    ChannelDifference,
    ChannelDifferenceEmpty,
    ChannelDifferenceTooLong,
    Dialogs,
    Difference,
    DifferenceEmpty,
    DifferenceSlice,
    DifferenceTooLong,
    HistoryPage,
    Received,
    State,
)
from pillarbox_messenger.box import PACKAGE
from pillarbox_messenger.containers import (
    AffectedHistory,
    AffectedMessages,
    Container,
    Updates,
    UpdatesCombined,
    UpdateShort,
    UpdateShortChatMessage,
    UpdateShortMessage,
    UpdateShortSentMessage,
    UpdatesTooLong,
)
from pillarbox_messenger.keys import channel_key
from pillarbox_messenger.operations import AddMessages, DeleteByGlobalIds, DeleteIds, ReadInbox
from pillarbox_messenger.protocol import PROTOCOL
from pillarbox_messenger.requests import (
    GetChannelDifference,
    GetDialogs,
    GetDifference,
    GetHistory,
    GetPeerDialogs,
    GetState,
    ReceivedQueue,
    Request,
)
from pillarbox_messenger.types import (
    Dialog,
    Message,
    MessageFlags,
    MessageNamespace,
    MessagePlace,
    PeerId,
    PeerSettings,
)
from pillarbox_messenger.updates import (
    UpdateChannel,
    UpdateChannelTooLong,
    UpdateDeleteChannelMessages,
    UpdateEditChannelMessage,
    UpdateNewChannelMessage,
    UpdateNewEncryptedMessage,
    UpdateNewMessage,
    UpdatePinnedChannelMessages,
    UpdatePtsChanged,
    UpdateReadChannelInbox,
    UpdateReadChannelOutbox,
    UpdateReadHistoryInbox,
    UpdateUserStatus,
)

CLOUD: Final = MessageNamespace.CLOUD


@dataclass
class MessengerServer(MessengerHistory):
    """The service, as one account sees it."""

    _pending: list[Update] = field(default_factory=list, init=False)
    _refused: set[PeerId] = field(default_factory=set, init=False)
    #: Channels that could not be asked about at some time.
    _was_refused: set[PeerId] = field(default_factory=set, init=False)
    _is_over: bool = field(default=False, init=False)
    #: Chats that somebody who is told everything in order knows.
    _introduced: set[PeerId] = field(default_factory=set, init=False)

    @property
    def package(self) -> Package[Any, Any]:
        return PACKAGE

    @property
    def protocol(self) -> SyncProtocol:
        return PROTOCOL

    # ------------------------------------------------------------------------------ what happens

    def change(self, random: Random) -> Sequence[Container]:
        self.at += 1
        update = self._next(random)
        channel = channel_of(update)
        if channel is not None and shows(update) is not None and random.random() < self.knobs.hinted:
            update = UpdateChannelTooLong(channel, random.choice((None, self.log(channel_pts(channel)).end)))
        self._pending.append(update)
        asked: list[Container] = []
        if random.random() < self.knobs.asking:
            if random.random() < 0.3:
                asked.append(UpdatesTooLong())
            elif random.random() < 0.5:
                self._pending.append(UpdatePtsChanged())
            else:
                self._pending.append(UpdateChannel(random.choice(CHANNELS)))
        if random.random() < self.knobs.bundle:
            return asked
        return [*self._flushed(random), *asked]

    def finish(self) -> Sequence[Container]:
        """What was held back; and where silence is not broken by itself, a word of each counter."""
        self._is_over = True
        random, found = self.random, [*self._flushed(self.random)]
        if not self.knobs.idle_poll:
            for chat in (PEOPLE[1].peer_id, *CHANNELS):
                self.at += 1
                self._pending.append(self._said(random, chat))
            self.at += 1
            self._pending.append(self._secret(random))
            found += self._flushed(random, numbered=True)
        return found

    def own(self, random: Random, tables: Tables) -> tuple[Own | None, Sequence[Container]]:
        self.at += 1
        chat = random.choice([*self.fold.chats, PEOPLE[1].peer_id])
        kind = random.random()
        message = self._message(random, chat) if chat in self.fold.chats else None
        if chat in self._refused:
            return None, ()
        if message is not None and kind < 0.3:
            is_here = tables.message.get(chat, CLOUD, message.timestamp, message.id) is not None
            if not is_here:
                return None, ()
            update = self._deleted(random, message)
            done: Any = DeleteIds(chat, CLOUD, (message.id,))
            if not is_channel(chat):
                done = DeleteByGlobalIds((message.id,))
            answer: Container = _affected(chat, update)
        elif message is not None and kind < 0.6 and not is_channel(chat):
            top = self.fold.top(chat)
            update = self._counted(
                random,
                chat,
                lambda pts, n: UpdateReadHistoryInbox(
                    peer=chat, max_id=top, still_unread_count=0, pts=pts, pts_count=n
                ),
            )
            done = ReadInbox(chat, CLOUD, top)
            answer = AffectedHistory(pts=update.pts, pts_count=update.pts_count, offset=0)
        else:
            update = self._said(random, chat, is_own=True)
            sent: Message = update.message
            self._sent.add((chat, sent.id))
            done = AddMessages((sent,), MessagePlace.ANYWHERE)
            answer = UpdateShortSentMessage(True, sent.id, update.pts, update.pts_count, self.at)
            if is_channel(chat):
                answer = _affected(chat, update)
        self._pending.append(update)
        mark = self.mark(update)
        return Own((done,), answer, () if mark is None else (mark,)), self._flushed(random)

    def forget(self, random: Random) -> None:
        channels = [channel_pts(channel) for channel in CHANNELS if channel_pts(channel) in self.logs]
        log = self.log(random.choice((PTS, *channels)))
        if log.entries:
            log.horizon = random.choice(log.entries[-3:]).end

    def refuse(self, random: Random) -> None:
        channel = random.choice(CHANNELS)
        self._refused.add(channel)
        self._was_refused.add(channel)

    def allow(self) -> None:
        self._refused.clear()

    # ------------------------------------------------------------------------------------ containers

    def _flushed(self, random: Random, *, numbered: bool = False) -> list[Container]:
        updates = [update for update in self._pending if channel_of(update) not in self._refused]
        self._pending.clear()
        if not updates:
            return []
        self.at += 1
        if random.random() < self.knobs.shuffled:
            random.shuffle(updates)
        if not numbered and random.random() < self.knobs.unnumbered:
            return [self._unnumbered(random, updates)]
        others = tuple(update for update in updates if not is_of_account(update))
        marks = [mark for it in others if isinstance(it, UpdateUserStatus) and (mark := self.mark(it))]
        count = random.randint(2, 3) if random.random() < self.knobs.ranged else 1
        # All that travels with it, and its date, by which the client asks for it.
        entry = self.logged(SEQ, count, (others, self.at), marks)
        users, chats = self._peers(random, updates)
        if count == 1:
            return [Updates(updates=tuple(updates), users=users, chats=chats, date=self.at, seq=entry.end)]
        return [
            UpdatesCombined(
                updates=tuple(updates),
                users=users,
                chats=chats,
                date=self.at,
                seq_start=entry.start + 1,
                seq=entry.end,
            )
        ]

    def _unnumbered(self, random: Random, updates: Sequence[Update]) -> Container:
        if len(updates) == 1 and random.random() < 0.7:
            short = self._short(updates[0])
            if short is not None:
                return short
        users, chats = self._peers(random, updates)
        return Updates(updates=tuple(updates), users=users, chats=chats, date=self.at, seq=0)

    def _short(self, update: Update) -> Container | None:
        """As a container that brings nobody; where nothing may be asked for, only of who is known."""
        if not isinstance(update, (UpdateNewMessage, UpdateNewChannelMessage)):
            return UpdateShort(update, self.at)
        message = update.message
        if message.peer_id not in self._introduced and self.knobs.is_calm:
            return None
        if isinstance(update, UpdateNewChannelMessage):
            return None if self.knobs.is_calm else UpdateShort(update, self.at)
        out = not message.flags & MessageFlags.INCOMING
        said: dict[str, Any] = {"id": message.id, "message": message.text, "date": message.timestamp}
        said |= {"pts": update.pts, "pts_count": update.pts_count, "out": out}
        said |= {"mentioned": False, "media_unread": False}
        if message.peer_id in {chat.peer_id for chat in CHATS}:
            return UpdateShortChatMessage(from_id=message.author_id, chat_id=message.peer_id, **said)
        return UpdateShortMessage(user_id=message.peer_id, own_id=OWN, **said)

    def _peers(self, random: Random, updates: Sequence[Update]) -> tuple[Any, Any]:
        """Those whom it speaks of, and in a world that is not calm sometimes nobody."""
        if not self.knobs.is_calm and random.random() < 0.1:
            return (), ()
        self._introduced.update(it.message.peer_id for it in updates if isinstance(it, UpdateNewMessage))
        return PEOPLE, CHATS

    # --------------------------------------------------------------------------------------- answers

    def answer(self, request: Request) -> Answer | Failure:
        match request:
            case GetState():
                return State(self.log(PTS).end, self.log(QTS).end, self.at, self.log(SEQ).end, 0)
            case GetDifference():
                return self._difference(request)
            case GetChannelDifference():
                return self._channel_difference(request)
            case GetPeerDialogs():
                if self._refused.intersection(request.peer_ids):
                    return Refused("CHANNEL_PRIVATE")
                return self._dialogs(request.peer_ids)
            case GetDialogs():
                chats = [chat for chat in self.fold.chats if chat not in self._refused]
                return self._dialogs(sorted(chats, key=lambda it: -self._last_at(it)))
            case ReceivedQueue():
                return Received()
            case GetHistory():
                return self._history(request)
        return Refused("NOT_HERE")

    def _difference(self, asked: GetDifference) -> Answer:
        seq_here = self._seq_at(asked.date)
        if asked.pts < self.log(PTS).horizon:
            return DifferenceTooLong(self.log(PTS).end)
        if not self._is_over and self.random.random() < self.knobs.lag:
            # A replica that has not heard of the newest, and knows of no container.
            ends = [entry.end for entry in self.log(PTS).entries[-4:]] or [asked.pts]
            end = self.random.choice(ends) if asked.pts else self.log(PTS).end
            old = [entry for entry in self.log(PTS).after(asked.pts) if entry.end <= end]
            return Difference(
                **_told(old), **_all_peers(), pts=end, qts=asked.qts, date=asked.date, seq=seq_here
            )
        some, more = self.told_since(PTS, asked.pts)
        secrets, more_secrets = self.told_since(QTS, asked.qts)
        others, seq, date = self._others(seq_here), self.log(SEQ).end, self.at
        if more or more_secrets:
            if self.random.random() < 0.5:
                others, seq, date = (), seq_here, asked.date
            return DifferenceSlice(
                **_told([*some, *secrets], others),
                **_all_peers(),
                pts=some[-1].end if more else self.log(PTS).end,
                qts=secrets[-1].end if more_secrets else self.log(QTS).end,
                date=date,
                seq=seq,
            )
        if not (some or secrets or others) and self.random.random() < 0.5:
            return DifferenceEmpty(date, seq)
        return Difference(
            **_told([*some, *secrets], others),
            **_all_peers(),
            pts=self.log(PTS).end,
            qts=self.log(QTS).end,
            date=date,
            seq=seq,
        )

    def _seq_at(self, date: int) -> int:
        return max((entry.end for entry in self.log(SEQ).entries if entry.update[1] <= date), default=0)

    def _others(self, seq: int) -> tuple[Update, ...]:
        """What travelled with containers since then; of a channel all of it, or only that there is more."""
        others = [update for entry in self.log(SEQ).after(seq) for update in entry.update[0]]
        others = [update for update in others if channel_of(update) not in self._refused]
        if self.random.random() < 0.5:
            return tuple(others)
        behind = {channel for it in others if (channel := channel_of(it)) is not None}
        hints = [UpdateChannelTooLong(it, self.log(channel_pts(it)).end) for it in sorted(behind)]
        return (*(it for it in others if channel_of(it) is None or shows(it) is None), *hints)

    def _channel_difference(self, asked: GetChannelDifference) -> Answer | Failure:
        channel, domain = asked.channel_id, channel_pts(asked.channel_id)
        if channel in self._refused:
            return Refused("CHANNEL_PRIVATE")
        if domain not in self.logs:
            return ChannelDifferenceEmpty(True, 1)
        log, timeout_ms = self.log(domain), self.random.choice((None, 20_000))
        if asked.pts < log.horizon:
            page = self._dialogs([channel])
            newest = [self.fold.chats[channel][id] for id in sorted(self.fold.chats[channel])[-2:]]
            return ChannelDifferenceTooLong(
                final=True,
                timeout_ms=timeout_ms,
                dialog=page.dialogs[0],
                messages=tuple(newest),
                **_all_peers(),
            )
        some, more = self.told_since(domain, asked.pts)
        if not some:
            return ChannelDifferenceEmpty(True, log.end, timeout_ms)
        told = _told(some)
        del told["new_encrypted_messages"]
        return ChannelDifference(
            final=not more,
            pts=some[-1].end if more else log.end,
            timeout_ms=timeout_ms,
            **told,
            **_all_peers(),
        )

    def _dialogs(self, chats: Sequence[PeerId]) -> Dialogs:
        tops = [self.fold.chats[chat][self.fold.top(chat)] for chat in chats if self.fold.chats.get(chat)]
        return Dialogs(tuple(map(self._dialog, chats)), tuple(tops), **_all_peers())

    def _dialog(self, chat: PeerId) -> Dialog:
        domain = channel_pts(chat)
        return Dialog(
            peer_id=chat,
            top_message=self.fold.top(chat),
            read_in=self.fold.read_in.get(chat, 0),
            read_out=self.fold.read_out.get(chat, 0),
            unread=self.fold.unread(chat),
            mentions=0,
            reactions=0,
            votes=0,
            pts=(self.logs[domain].end if domain in self.logs else 1) if is_channel(chat) else None,
            settings=PeerSettings(),
        )

    def _last_at(self, chat: PeerId) -> int:
        return max((message.timestamp for message in self.fold.chats[chat].values()), default=0)

    def _history(self, asked: GetHistory) -> Answer:
        newest = sorted(self.fold.chats.get(asked.peer_id, {}).values(), key=lambda it: -it.id)
        start = sum(message.id >= asked.offset_id for message in newest) + asked.add_offset
        page = newest[max(start, 0) : max(start + asked.limit, 0)]
        found = tuple(message for message in page if asked.min_id < message.id < asked.max_id)
        pts = self.log(channel_pts(asked.peer_id)).end if is_channel(asked.peer_id) else None
        return HistoryPage(found, (*PEOPLE, *CHATS), pts)

    # ------------------------------------------------------------------------------------ what is true

    def asks_about(self, request: Request) -> Instance | None:
        return (
            (CHANNEL, channel_key(request.channel_id)) if isinstance(request, GetChannelDifference) else None
        )

    def confirmed(self, request: Request) -> tuple[Domain, int] | None:
        return (QTS, request.max_qts) if isinstance(request, ReceivedQueue) else None

    def watched(self) -> Sequence[Instance]:
        return [channel_pts(it)[:2] for it in CHANNELS if channel_pts(it) in self.logs]

    def is_excused(self, domain: Domain) -> bool:
        return domain[0] == CHANNEL and domain[1] in {channel_key(it) for it in self._was_refused}

    def evidence(self, instance: Instance, before: Position, after: Position) -> Iterator[tuple[Domain, int]]:
        if instance != (ACCOUNT, SEQ[1]) or before is None or after is None:
            return
        for entry in self.log(SEQ).between(before[2], after[2]):
            for update in entry.update[0]:
                channel, end = channel_of(update), shows(update)
                if channel is not None and end is not None:
                    yield channel_pts(channel), end

    def wrong(self, tables: Tables) -> Iterator[str]:
        known = [chat for chat in self.fold.chats if self._is_here(tables, chat)]
        reads = [chat for chat in known if not is_channel(chat) or self._is_sure]
        yield from self.fold.wrong(tables, known, reads)
        stored = sorted(row.job for row in tables.log.all())
        if len(stored) != len(self.fold.secrets):
            yield f"{len(stored)} secret messages, not {len(self.fold.secrets)}"

    def _is_here(self, tables: Tables, chat: PeerId) -> bool:
        return not is_channel(chat) or tables.channel.get(chat) is not None


def is_of_account(update: Update) -> bool:
    """Whether a counter of the account counts it."""
    claim = PROTOCOL.updates.claim(update)
    return claim is not None and claim.cursor == ACCOUNT


def channel_of(update: Update) -> PeerId | None:
    """The channel that it is about."""
    match update:
        case UpdateNewChannelMessage(message=message) | UpdateEditChannelMessage(message=message):
            return message.peer_id
        case (
            UpdateDeleteChannelMessages()
            | UpdatePinnedChannelMessages()
            | UpdateChannelTooLong()
            | UpdateReadChannelInbox()
            | UpdateReadChannelOutbox()
        ):
            return update.channel_id
    return None


def shows(update: Update) -> int | None:
    """How far it shows that its channel is."""
    claim = PROTOCOL.updates.claim(update)
    return None if claim is None or claim.cursor != CHANNEL or claim.start == claim.end else claim.end


def _told(entries: Sequence[Entry], others: Sequence[Update] = ()) -> dict[str, Any]:
    """New messages by themselves, and the rest."""
    updates = [entry.update for entry in entries]
    new = (UpdateNewMessage, UpdateNewChannelMessage)
    rest = [it for it in updates if not isinstance(it, (*new, UpdateNewEncryptedMessage))]
    return {
        "new_messages": tuple(it.message for it in updates if isinstance(it, new)),
        "new_encrypted_messages": tuple(
            it.message for it in updates if isinstance(it, UpdateNewEncryptedMessage)
        ),
        "other_updates": (*rest, *others),
    }


def _all_peers() -> dict[str, Any]:
    return {"chats": CHATS, "users": PEOPLE}


def _affected(chat: PeerId, update: Any) -> AffectedMessages:
    channel = chat if is_channel(chat) else None
    return AffectedMessages(channel_id=channel, pts=update.pts, pts_count=update.pts_count)
