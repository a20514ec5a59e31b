"""Persistence of the runtime's state. The runtime keeps everything in memory, reads its files when it is imported, and
writes them every ten seconds. This module can change the folder while the runtime serves requests, and writes changes
to disk sooner."""

import asyncio
import os
import pickle
import sqlite3
import time

from .guard import delivery

LOCK_WITHIN_S = 15
LOOK_EVERY_S = 0.05
SOON_S = 0.1
# Maximum fraction of time spent on writing, because a write blocks the whole process.
SHARE = 0.1


class Data:
    """State of the runtime, kept in one folder at a time."""

    def __init__(self):
        from langgraph_runtime_inmem import _persistence, checkpoint, database, store

        self.checkpoints = checkpoint.Checkpointer()
        self.operations = database.GLOBAL_STORE
        # These are functions, because the runtime replaces some of the values.
        self.found = {
            # Written before the runs, so that a crash between the writes does not give a run another attempt.
            ".langgraph_retry_counter.pckl": lambda: database.GLOBAL_RETRY_COUNTER._counters,
            ".langgraph_ops.pckl": lambda: self.operations,
            ".langgraph_checkpoint.1.pckl": lambda: self.checkpoints.storage,
            ".langgraph_checkpoint.2.pckl": lambda: self.checkpoints.writes,
            ".langgraph_checkpoint.3.pckl": lambda: self.checkpoints.blobs,
            "store.pckl": lambda: store.STORE._data,
            "store.vectors.pckl": lambda: store.STORE._vectors,
        }
        self.persistence = _persistence
        self.on_disk = {}
        self.changed = False
        self.cost_s = 0
        self.lock = None
        self.folder = None
        self.keep_in(os.getcwd())

    @property
    def parts(self):
        return {name: find() for name, find in self.found.items()}

    def keep_in(self, folder):
        """Makes the runtime write its files to this folder."""
        self.folder = os.path.join(folder, ".langgraph_api")
        os.makedirs(self.folder, exist_ok=True)
        self.on_disk.clear()
        for name, part in self.parts.items():
            part.filename = os.path.join(self.folder, name)

    async def take_over(self, folder, register):
        """Loads the data in this folder and continues to write there. Returns the number of interrupted runs."""
        held = await asyncio.to_thread(hold, folder)
        if self.lock:
            self.lock.close()
        self.lock = held
        loaded = {name: load(os.path.join(folder, ".langgraph_api", name)) for name in self.parts}
        for name, part in self.parts.items():
            dict.clear(part)
            dict.update(part, loaded[name])
        self.keep_in(folder)
        cut = self.complete()
        await register()
        self.write()
        return cut

    def complete(self):
        """Requeues runs that were active when the data was written, as the runtime does when it starts."""
        operations = self.operations
        for key in ("runs", "threads", "assistants", "assistant_versions", "crons"):
            operations.setdefault(key, [])
        from langgraph_api.graph import GRAPHS

        operations["assistants"] = [
            assistant
            for assistant in operations["assistants"]
            if assistant["metadata"].get("created_by") != "system" or assistant["graph_id"] in GRAPHS
        ]
        cut = [run for run in operations["runs"] if run["status"] == "running"]
        for run in cut:
            run["status"] = "pending"
        return len(cut)

    def refuse_bad_states(self):
        """Makes the runtime reject states that a graph does not accept, and exclude threads without values from
        searches for values."""
        from langgraph_runtime_inmem import ops
        from starlette.exceptions import HTTPException

        state, contains = ops.Threads.State, ops.is_jsonb_contained

        def refusing(update):
            async def updated(*args, **more):
                try:
                    return await update(*args, **more)
                except HTTPException as error:
                    raise HTTPException(400 if error.status_code < 400 else error.status_code, error.detail) from error
                except Exception as error:
                    raise HTTPException(400, f"{type(error).__name__}: {error}") from error

            return staticmethod(updated)

        state.post, state.bulk = refusing(state.post), refusing(state.bulk)
        ops.is_jsonb_contained = lambda superset, subset: superset is not None and contains(superset, subset)

    def deliver_crons_once(self):
        """Makes the runtime create only one run for each cron and due time. The run is written to disk before it can
        start."""
        from langgraph_runtime.ops import Runs
        from starlette.exceptions import HTTPException

        put = Runs.put

        async def put_once(conn, assistant_id, kwargs, **more):
            due = delivery.get()
            if due is None:
                return await put(conn, assistant_id, kwargs, **more)
            cron, due_at = due
            kwargs["config"].setdefault("configurable", {})["cron_id"] = cron
            # Set here, because the runtime removes it from the metadata in requests.
            more["metadata"] = {**(more["metadata"] or {}), "cron_id": cron}
            delivered = self.operations.setdefault("cron_deliveries", {})
            found = None
            if delivered.get(cron) != due_at:
                found = await put(conn, assistant_id, kwargs, **more)
                if all(run["run_id"] != more["run_id"] for run in self.operations["runs"]):
                    return found
                delivered[cron] = due_at
            self.write()
            if self.changed:
                raise HTTPException(507, "The run of the cron cannot be written to the disk.")
            if found is None:
                raise HTTPException(208, "This cron already has a run for this due time.")
            return found

        Runs.put = staticmethod(put_once)

    def keep_latest(self, thread):
        """Deletes all checkpoints of a thread except the latest of each namespace. The runtime does not support
        this."""
        for space, checkpoints in self.checkpoints.storage.get(thread, {}).items():
            for checkpoint in sorted(checkpoints)[:-1]:
                del checkpoints[checkpoint]
                self.checkpoints.writes.pop((thread, space, checkpoint), None)
        self.changed = True

    def write(self):
        """Writes pending changes. Each file is replaced atomically."""
        started = time.perf_counter()
        self.changed = False
        for name, part in self.parts.items():
            try:
                content = pickle.dumps(dict(part), 2)
                if self.on_disk.get(name) != content:
                    replace(os.path.join(self.folder, name), content)
                    self.on_disk[name] = content
            except Exception as error:
                self.changed = True
                print(f"Error: {name} cannot be written: {error}. Trying again.", flush=True)
        self.cost_s = time.perf_counter() - started

    async def keep_writing(self, active):
        """Keeps writing while requests change data or runs are active."""
        self.persistence.stop_flush_loop()
        was_active = False
        while True:
            await asyncio.sleep(max(SOON_S, self.cost_s / SHARE))
            is_active = active()
            if self.changed or is_active or was_active:
                self.write()
            was_active = is_active

    def noting_changes(self, app):
        """Returns an app that also marks the data as changed after every request that is not a read."""

        async def serve(scope, receive, send):
            try:
                await app(scope, receive, send)
            finally:
                if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
                    self.changed = True

        return serve


def load(file):
    """Returns the contents of a file. An unreadable file is renamed."""
    try:
        with open(file, "rb") as opened:
            return pickle.load(opened)
    except FileNotFoundError:
        return {}
    except Exception as error:
        print(f"Error: {file} cannot be read ({error}); it was kept as {file}.unreadable.", flush=True)
        os.replace(file, f"{file}.unreadable")
        return {}


def replace(file, content):
    with open(f"{file}.new", "wb") as opened:
        opened.write(content)
    os.replace(f"{file}.new", file)


def hold(folder):
    """Waits until no other process uses the folder, and locks it until this process exits. The operating system holds
    the lock and releases it regardless of how the process exits. The JavaScript runtime uses the same lock."""
    os.makedirs(folder, exist_ok=True)
    until = time.monotonic() + LOCK_WITHIN_S
    while True:
        database = sqlite3.connect(
            os.path.join(folder, "in-use"), timeout=0, check_same_thread=False, isolation_level=None
        )
        try:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
            return database
        except sqlite3.OperationalError:
            database.close()
            if time.monotonic() > until:
                raise RuntimeError(
                    f"the data folder is still in use by another agent server after {LOCK_WITHIN_S} s"
                ) from None
        time.sleep(LOOK_EVERY_S)
