# Generated from the schema 'tracker' by pillarbox_codegen. Edit that, then run `pillarbox generate`.
# schema-hash: 514826db26ca
"""The schema 'tracker' as Python: open a box with `open_box`.

A small issue tracker: projects, users, issues, comments, labels, watchers, milestones. Its second purpose is
to use every word of the language at least once.
"""

from __future__ import annotations

from pillarbox_tracker.box import PACKAGE, Box, open_box

__all__ = ["PACKAGE", "Box", "open_box"]
