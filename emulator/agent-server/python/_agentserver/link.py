"""Link to the control plane: a pipe that transports reports as lines of JSON."""

import json
import os
import threading
import time

LINK = 3

stage = "start"


def report(message):
    """Sends a report to the control plane. Returns after the report has been written, so that it is not lost when the
    process exits."""
    try:
        rest = (json.dumps(message) + "\n").encode()
        while rest:
            rest = rest[os.write(LINK, rest) :]
    except OSError:
        pass


def enter(next_stage, graph=None):
    """Reports the current activity of this process to the control plane."""
    global stage
    stage = next_stage
    report({"type": "stage", "stage": next_stage, **({"graph": graph} if graph else {})})


def end(code):
    """Exits immediately, because threads of the project must not keep this process running."""
    report({"type": "exit", "code": code, "stage": stage})
    os._exit(code)


def fail(fault):
    """Reports why this process cannot serve requests, and exits."""
    report({"type": "failed", **fault})
    end(1)


def end_with_parent():
    """Exits when the supervisor no longer exists, so that the data does not stay locked. Normally, the supervisor stops
    this process."""
    supervisor = os.getppid()

    def watch():
        while os.getppid() == supervisor:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
