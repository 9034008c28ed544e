"""What was aimed at, beside what was measured. Nothing here passes or fails."""

from __future__ import annotations

from collections.abc import Sequence


def print_aim(what: str, found: float, *, least: float | None = None, most: float | None = None) -> None:
    """Print a figure with its aim and whether it was met."""
    bounds = [f"<= {most:,g}"] if most is not None else []
    if least is not None:
        bounds = [f"{least:,g}"] if least == most else [f">= {least:,g}", *bounds]
    met = (least is None or found >= least) and (most is None or found <= most)
    print(f"  aim: {what:<56}{_figure(found):>10}  ({', '.join(bounds)}) {'met' if met else 'MISSED'}")


def _figure(found: float) -> str:
    if found == int(found):
        return f"{found:,.0f}"
    return f"{found:,.0f}" if abs(found) >= 1_000 else f"{found:,.3g}"


def at_share(ascending: Sequence[float], share: float) -> float:
    """What this share of the values does not exceed: 0.5 is the median."""
    return ascending[min(len(ascending) - 1, int(len(ascending) * share))]
