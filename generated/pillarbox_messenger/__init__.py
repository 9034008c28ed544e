# Generated from the schema 'messenger' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: ee35c98f0108
"""The schema 'messenger' as Python: open a box with `open_box`.

The part of a messenger's state that a client keeps: peers, messages with their indexes and counts, the chat
list, presence, settings, collections, and how much of the server's stream is applied.
"""

from __future__ import annotations

from pillarbox_messenger.box import PACKAGE, Box, open_box

__all__ = ["PACKAGE", "Box", "open_box"]
