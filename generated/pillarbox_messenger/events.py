# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""What operations of the schema 'messenger' tell once their transaction has committed."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pillarbox_messenger.types import MessageId, MessageNamespace, PeerId


class MessageAdded(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A message is here for the first time."""

    peer_id: PeerId
    namespace: MessageNamespace
    id: int
    incoming: bool


class MessagesDeleted(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """The event `messages_deleted`."""

    ids: tuple[MessageId, ...] = ()


class SettingsConfirmed(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """The event `settings_confirmed`."""

    peer_id: PeerId


Event: TypeAlias = MessageAdded | MessagesDeleted | SettingsConfirmed
