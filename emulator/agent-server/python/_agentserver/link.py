"""The link to the control plane: a pipe that carries reports there as lines of JSON."""

import json
import os
import threading
import time

LINK = 3

stage = "start"


def report(message):
    """Tells the control plane something; returns when it is written, so that it survives the end of the process."""
    try:
        rest = (json.dumps(message) + "\n").encode()
        while rest:
            rest = rest[os.write(LINK, rest) :]
    except OSError:
        pass


def enter(next_stage, graph=None):
    """Says what this process is at."""
    global stage
    stage = next_stage
    report({"type": "stage", "stage": next_stage, **({"graph": graph} if graph else {})})


def end(code):
    """Ends this process at once: threads of the project must not keep it."""
    report({"type": "exit", "code": code, "stage": stage})
    os._exit(code)


def fail(fault):
    """Says why this process cannot serve, and ends it."""
    report({"type": "failed", **fault})
    end(1)


def end_with_parent():
    """The leash ends this process with the control plane. Without it, the data must not stay taken for ever."""
    leash = os.getppid()

    def watch():
        while os.getppid() == leash:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
