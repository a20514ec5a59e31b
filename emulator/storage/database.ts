import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { inPlace } from "./own-files";
import { StorageFault } from "./storage-fault";

/** Error for a database that another process is using. */
export class DatabaseHeld extends Error {
  override readonly name = "DatabaseHeld";
}

/** SQLite result code for a lock held by another connection. Its extended codes differ in the higher bits. */
const busy = 5;

/**
 * A SQLite connection. Statements are synchronous, so that a transaction is never interleaved with another request. An
 * unusable file results in a `StorageFault`.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #place: string;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file - Path of the database. If `undefined`, the database is in memory.
   * @param prepare - Creates the missing tables.
   * @throws DatabaseHeld if another process uses the file; StorageFault if it is damaged.
   */
  constructor(file: string | undefined, prepare: (database: Database) => void) {
    this.#place = file ?? "The database in memory";
    this.#connection = this.#sound(() => {
      // SQLite gives its side files the mode of the main one.
      if (file !== undefined) closeSync(openSync(file, "a", 0o600));
      return new DatabaseSync(file ?? ":memory:");
    });
    try {
      // The operating system holds the exclusive lock and releases it no matter how the process exits.
      this.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      if (file !== undefined) this.#check(file);
      this.transaction(() => prepare(this));
    } catch (error) {
      this.#connection.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy)
        throw new DatabaseHeld("The database is in use by another process.");
      throw error;
    }
  }

  /** Executes statements that have no parameters and no results. */
  exec(sql: string): void {
    this.#sound(() => this.#connection.exec(sql));
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#sound(() => Number(this.#statement(sql).run(...values).changes));
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#sound(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#sound(() => this.#statement(sql).all(...values) as Row[]);
  }

  /**
   * Runs `work` completely or not at all. When this method returns, the changes are on disk. Nested calls join the
   * outer transaction.
   */
  transaction<Result>(work: () => Result): Result {
    const { isTransaction: isInside } = this.#connection;
    if (isInside) return work();
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has already ended the transaction if the disk rejected the write.
      if (this.#connection.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  /** Checks for damage immediately, instead of failing during a later request. */
  #check(file: string): void {
    const found = this.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
    if (found !== "ok") throw new StorageFault("damaged", file, new Error(found));
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #sound<Result>(work: () => Result): Result {
    return inPlace(this.#place, work);
  }
}
