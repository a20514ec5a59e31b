import { DatabaseSync } from "node:sqlite";

// No test cuts the power, so their databases need not wait for the disk after each transaction. What a process has
// written still survives its end.
const prototype: { exec: (this: DatabaseSync, sql: string) => void } = DatabaseSync.prototype;
const { exec } = prototype;
const patched = Symbol.for("agentserver.unsynced");

if (!(patched in prototype)) {
  Object.assign(prototype, { [patched]: true });
  prototype.exec = function (sql) {
    exec.call(this, sql.replace("synchronous = FULL", "synchronous = OFF"));
  };
}
