"""Local control planes for the tests of Pulumi programs."""

from .control_plane import (
    ControlPlane,
    ControlPlaneError,
    Dialect,
    JournalEntry,
    Pace,
    Write,
    start_control_plane,
)

__all__ = [
    "ControlPlane",
    "ControlPlaneError",
    "Dialect",
    "JournalEntry",
    "Pace",
    "Write",
    "start_control_plane",
]
