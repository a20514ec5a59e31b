import { DatabaseSync, StatementSync } from "node:sqlite";

/** Messages and codes of SQLite for faults of a file. */
const failures = {
  full: [13, "database or disk is full"],
  "read-only": [8, "attempt to write a readonly database"],
  unwritable: [778, "disk I/O error"],
  damaged: [11, "database disk image is malformed"],
} as const;

/** Makes all databases of this process read-only; the returned function reverts this. */
export function databasesFail(kind: keyof typeof failures = "full"): () => void {
  const [errcode, message] = failures[kind];
  const write = jest.spyOn(StatementSync.prototype, "run").mockImplementation(() => {
    throw Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode, errstr: message });
  });
  return () => write.mockRestore();
}

/** Does the same, after the next transaction has been written. */
export function databasesFailAfterCommit(): () => void {
  let restore: (() => void) | undefined;
  const unspied: { exec: (this: DatabaseSync, sql: string) => void } = DatabaseSync.prototype;
  const { exec } = unspied;
  const commit = jest.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    exec.call(this, sql);
    if (sql === "COMMIT") restore ??= databasesFail();
  });
  return () => {
    commit.mockRestore();
    restore?.();
  };
}
