import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { inPlace } from "./own-files";
import { StorageFault } from "./storage-fault";

/** The database is held by another process. */
export class DatabaseHeld extends Error {
  override readonly name = "DatabaseHeld";
}

/** SQLite's code for "somebody else holds the lock"; its variants differ in the higher bits. */
const busy = 5;

/**
 * One SQLite connection. Statements are synchronous, so a transaction never interleaves with another request. Whatever
 * keeps the file from being used is thrown as a `StorageFault`.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #place: string;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * @param file - Path of the database; undefined = in memory.
   * @param prepare - Makes the tables that are missing.
   * @throws DatabaseHeld if another process works with the file; StorageFault if it is damaged.
   */
  constructor(file: string | undefined, prepare: (database: Database) => void) {
    this.#place = file ?? "The database in memory";
    this.#connection = this.#sound(() => {
      // SQLite gives its side files the mode of the main one.
      if (file !== undefined) closeSync(openSync(file, "a", 0o600));
      return new DatabaseSync(file ?? ":memory:");
    });
    try {
      // The exclusive lock is the operating system's: it ends with the process, however that ends.
      this.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      if (file !== undefined) this.#check(file);
      this.transaction(() => prepare(this));
    } catch (error) {
      this.#connection.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === busy)
        throw new DatabaseHeld("The database is held by another process.");
      throw error;
    }
  }

  /** Runs statements that have no values and no results. */
  exec(sql: string): void {
    this.#sound(() => this.#connection.exec(sql));
  }

  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#sound(() => Number(this.#statement(sql).run(...values).changes));
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#sound(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#sound(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Runs `work` whole or not at all; it is on disk when this returns. Nested calls join the outer one. */
  transaction<Result>(work: () => Result): Result {
    const { isTransaction: isInside } = this.#connection;
    if (isInside) return work();
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has ended it by itself where the disk refused to take it.
      if (this.#connection.isTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  /** Finds damage now rather than with the first request that meets it. */
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
