"""Message of an exception, and the position in the project at which it was raised, if the traceback contains one."""

import os
import traceback


def describe(error, root):
    """Returns a description of an exception for the control plane, with paths of source files relative to the
    repository."""
    at = place(error, root)
    return {
        "message": shorten(message(error), root),
        **({"at": at} if at else {}),
        "stack": shorten("".join(traceback.format_exception(error)).rstrip(), root),
    }


def message(error):
    """Returns the exception without the notes that the runtime adds to it."""
    return "".join(traceback.TracebackException.from_exception(bare(error)).format_exception_only()).strip()


def bare(error):
    notes = getattr(error, "__notes__", None)
    if notes:
        notes.clear()
    return error


def shorten(text, root):
    return text.replace(root + os.sep, "")


def place(error, root):
    """Returns the innermost line of the traceback in the project's own files, without installed packages."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError) and error.filename:
        frames.append(traceback.FrameSummary(error.filename, error.lineno or 1, ""))
    for frame in reversed(frames):
        if frame.filename.startswith(root + os.sep) and "site-packages" not in frame.filename:
            return f"{os.path.relpath(frame.filename, root)}:{frame.lineno}"
    return None
