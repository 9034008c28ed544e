"""Tools on any box file: looking into it, checking it, mending what follows from the rest of it.

Depends on: bulk, box, storage, codec, layout; a generated package only where it is handed in, to recompute.
Never on: what rows mean; keys and records are read as the layout in the box itself says.

This module imports nothing, so that `pillarbox --help` can find the verbs beside it at no cost.
"""
