import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Database } from "../../../emulator/storage/database";
import { temporaryFolder } from "../rollout/repository";

const file = (): string => join(temporaryFolder("database"), "it.sqlite");

const table = (database: Database): void =>
  database.exec("CREATE TABLE IF NOT EXISTS lines (text TEXT NOT NULL) STRICT");

function open(path: string): Database {
  return new Database(path, table);
}

const insert = (database: Database, bytes: number): number =>
  database.run("INSERT INTO lines VALUES (?)", "x".repeat(bytes));

function faultOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test("rejects writes to a full database, keeps its data, and accepts writes later", () => {
  const path = file();
  const database = open(path);
  insert(database, 10);
  database.exec("PRAGMA max_page_count = 4");
  const grow = () => database.transaction(() => [insert(database, 10), insert(database, 100_000)]);
  expect(faultOf(grow)).toMatchObject({
    kind: "full",
    status: 507,
    message: `${path} cannot be written: database or disk is full. Free some space on its disk, or raise the limit that was reached; a running control plane then continues automatically.`,
  });
  expect(database.get("SELECT count(*) AS lines FROM lines")).toEqual({ lines: 1 });
  database.exec("PRAGMA max_page_count = 1000");
  grow();
  expect(database.get("SELECT count(*) AS lines FROM lines")).toEqual({ lines: 3 });
  database.close();
});

test("reports a database that is not writable", () => {
  const path = file();
  const database = open(path);
  database.exec("PRAGMA query_only = ON");
  expect(faultOf(() => insert(database, 1))).toMatchObject({ kind: "read-only", status: 503 });
  expect(() => insert(database, 1)).toThrow(
    `${path} cannot be written: attempt to write a readonly database.`,
  );
  database.close();
});

test.each([
  ["is not a database", (path: string) => writeFileSync(path, "not a database at all. ".repeat(500))],
  [
    "contains an invalid page",
    (path: string) => {
      const database = open(path);
      for (let line = 0; line < 10; line++) insert(database, 10_000);
      database.close();
      const half = Math.floor(statSync(path).size / 2);
      const handle = openSync(path, "r+");
      writeSync(handle, Buffer.alloc(16 * 1024, 0x5a), 0, 16 * 1024, half);
      closeSync(handle);
    },
  ],
])("reports a file as damaged when it is opened if it %s", (_what, damage) => {
  const path = file();
  damage(path);
  const opening = () => open(path);
  expect(faultOf(opening)).toMatchObject({ kind: "damaged", status: 500 });
  expect(opening).toThrow(`${path} is damaged: `);
  expect(opening).toThrow("restore the file from a backup, or move it and the files whose names start with");
});

test("does not change errors that the storage did not cause", () => {
  const path = file();
  mkdirSync(path);
  expect(() => open(path)).toThrow("EISDIR");
  const database = open(file());
  expect(() => database.run("INSERT INTO lines VALUES (NULL)")).toThrow("NOT NULL constraint failed");
  database.close();
});
