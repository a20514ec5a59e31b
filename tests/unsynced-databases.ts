import { DatabaseSync } from "node:sqlite";

// No test simulates a power failure, so databases need not wait for the disk after each transaction. Data
// that was written is still kept when the process exits.
const prototype: { exec: (this: DatabaseSync, sql: string) => void } = DatabaseSync.prototype;
const { exec } = prototype;
const patched = Symbol.for("agentserver.unsynced");

if (!(patched in prototype)) {
  Object.assign(prototype, { [patched]: true });
  prototype.exec = function (sql) {
    exec.call(this, sql.replace("synchronous = FULL", "synchronous = OFF"));
  };
}
