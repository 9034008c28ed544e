"""What a messenger's server answers: its state, differences, dialogs, and pages of a history.

Depends on: messenger_history, the generated structs and the protocol's claims.  Never on: what operations do.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.sim.messenger_fold import is_channel
from tests.sim.messenger_history import CHANNEL, CHATS, PEOPLE, PTS, QTS, SEQ, MessengerHistory, channel_pts

from pillarbox.sync.protocol import Update
from pillarbox.sync.signals import Failure, Refused
from pillarbox.testing import Entry
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
from pillarbox_messenger.types import Dialog, PeerId, Peers, PeerSettings
from pillarbox_messenger.updates import (
    UpdateChannelTooLong,
    UpdateDeleteChannelMessages,
    UpdateEditChannelMessage,
    UpdateNewChannelMessage,
    UpdateNewEncryptedMessage,
    UpdateNewMessage,
    UpdatePinnedChannelMessages,
    UpdateReadChannelInbox,
    UpdateReadChannelOutbox,
)


@dataclass
class MessengerAnswers(MessengerHistory, ABC):
    """What it says to those who ask."""

    _refused: set[PeerId] = field(default_factory=set, init=False)
    _is_over: bool = field(default=False, init=False)

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
                if not self._is_over and self.random.random() < self.knobs.refusals / 4:
                    return Refused("TRY_LATER")  # no code that the schema knows
                return self._dialogs(request.peer_ids)
            case GetDialogs():
                last = {it: self._last_at(it) for it in self.fold.chats if it not in self._refused}
                found = [it for it in last if request.below_date is None or last[it] < request.below_date]
                return self._dialogs(sorted(found, key=lambda it: -last[it])[: request.limit])
            case ReceivedQueue():
                return Received()
            case GetHistory():
                if request.peer_id in self._refused:
                    return Refused("CHANNEL_PRIVATE")
                return self._history(request)
        return Refused("NOT_HERE")

    def _untold(self) -> set[PeerId]:
        """Channels of which nothing is told."""
        return self._refused

    def _chats(self) -> tuple[Peers, ...]:
        """Groups and channels as they are."""
        return CHATS

    def _all_peers(self) -> dict[str, Any]:
        return {"chats": self._chats(), "users": PEOPLE}

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
                **_told(old), **self._all_peers(), pts=end, qts=asked.qts, date=asked.date, seq=seq_here
            )
        some, more = self.told_since(PTS, asked.pts)
        secrets, more_secrets = self.told_since(QTS, asked.qts)
        others, seq, date = self._others(seq_here), self.log(SEQ).end, self.at
        if more or more_secrets:
            if self.random.random() < 0.5:
                others, seq, date = (), seq_here, asked.date
            return DifferenceSlice(
                **_told([*some, *secrets], others),
                **self._all_peers(),
                pts=some[-1].end if more else self.log(PTS).end,
                qts=secrets[-1].end if more_secrets else self.log(QTS).end,
                date=date,
                seq=seq,
            )
        if not (some or secrets or others) and self.random.random() < 0.5:
            return DifferenceEmpty(date, seq)
        return Difference(
            **_told([*some, *secrets], others),
            **self._all_peers(),
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
                **self._all_peers(),
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
            **self._all_peers(),
        )

    def _dialogs(self, chats: Sequence[PeerId]) -> Dialogs:
        tops = [self.fold.chats[chat][self.fold.top(chat)] for chat in chats if self.fold.chats.get(chat)]
        return Dialogs(tuple(map(self._dialog, chats)), tuple(tops), **self._all_peers())

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
        return HistoryPage(found, (*PEOPLE, *self._chats()), pts)


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
