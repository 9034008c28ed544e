"""How hard property tests try: chosen by HYPOTHESIS_PROFILE, one of default, ci, deep."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadlines: the machine is shared, and a slow example is not a wrong one.
settings.register_profile("default", deadline=None, max_examples=60, print_blob=True)
settings.register_profile(
    "ci",
    settings.get_profile("default"),
    derandomize=True,  # the same examples each time: it fails for what a change did, not by luck
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", settings.get_profile("ci"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
