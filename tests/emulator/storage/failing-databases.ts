import { DatabaseSync, StatementSync } from "node:sqlite";

/** SQLite codes and messages for problems with a file. */
const failures = {
  full: [13, "database or disk is full"],
  "read-only": [8, "attempt to write a readonly database"],
  unwritable: [778, "disk I/O error"],
  damaged: [11, "database disk image is malformed"],
} as const;

/** Makes writes to all databases of this process fail. Returns a function that reverts this. */
export function databasesFail(kind: keyof typeof failures = "full"): () => void {
  const [errcode, message] = failures[kind];
  const write = jest.spyOn(StatementSync.prototype, "run").mockImplementation(() => {
    throw Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode, errstr: message });
  });
  return () => write.mockRestore();
}

/**
 * Makes writes to all databases of this process fail after the next transaction has been committed. Returns a function
 * that reverts this.
 */
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
