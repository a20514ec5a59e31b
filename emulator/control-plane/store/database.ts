import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { schema, schemaVersion } from "./schema";

/** The database is held by another process. */
export class DatabaseHeld extends Error {
  override readonly name = "DatabaseHeld";
}

/** SQLite's code for "somebody else holds the lock"; its variants differ in the higher bits. */
const busy = 5;

/** One SQLite connection. Statements are synchronous, so a transaction never interleaves with another request. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @param file - Path of the database; omitted = in memory. */
  constructor(file?: string) {
    // SQLite gives its side files the mode of the main one.
    if (file) closeSync(openSync(file, "a", 0o600));
    this.#connection = new DatabaseSync(file ?? ":memory:");
    try {
      // The exclusive lock is the operating system's: it ends with the process, however that ends.
      this.#connection.exec(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
      );
      this.transaction(() => this.#prepareSchema());
    } catch (error) {
      this.#connection.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy)
        throw new DatabaseHeld("The database is held by another process.");
      throw error;
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Runs `work` whole or not at all; it is on disk when this returns. Nested calls join the outer one. */
  transaction<Result>(work: () => Result): Result {
    const { isTransaction: isInside } = this.#connection;
    if (isInside) return work();
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #prepareSchema(): void {
    const found = this.#connection.prepare("PRAGMA user_version").get() as { user_version: number };
    if (found.user_version === schemaVersion) return;
    if (found.user_version !== 0)
      throw new Error(
        `The state was written by another version of the local control plane (schema ${found.user_version}, ` +
          `this one reads ${schemaVersion}). Use that version, or another state folder.`,
      );
    this.#connection.exec(schema);
    this.#connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  }
}
