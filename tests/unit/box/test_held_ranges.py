"""What a step read of ranges is forgotten when its transaction is over, whether it wrote or not."""

from __future__ import annotations

from pathlib import Path

from pillarbox_messenger import open_box
from pillarbox_messenger.operations import AddHole, CutHole
from pillarbox_messenger.types import MessageNamespace, PeerNamespace, peer_id

CHAT = peer_id(PeerNamespace.USER, 3)
HISTORY = (CHAT, 0, MessageNamespace.CLOUD, 0, 0)


def test_a_step_that_changed_nothing_leaves_nothing_behind(tmp_path: Path) -> None:
    """P-2: another process has written since."""
    with open_box(tmp_path / "box") as here, open_box(tmp_path / "box") as there:
        here.replay([CutHole(*HISTORY, 1, 9)])
        here.replay([CutHole(*HISTORY, 3, 5)])
        there.replay([AddHole(*HISTORY, 3, 5)])

        assert here.transact(lambda tx: tx.message_holes.covers(*HISTORY, 4))
