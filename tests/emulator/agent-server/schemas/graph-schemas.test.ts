import { execFile } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../rollout/repository";

const script = join(__dirname, "fixtures/ask.mjs");

/** A revision with a simulated type reader, which sends a specified number of results and then fails. */
class Revision {
  readonly root = temporaryFolder("schemas");

  /** Requests the schemas of these graphs, in order, from a new agent server process. */
  async ask(ids: string[], results: number): Promise<unknown> {
    writeFileSync(join(this.root, "results"), String(results));
    const { stdout } = await promisify(execFile)(process.execPath, [script, this.root, ...ids]);
    return JSON.parse(stdout);
  }

  /** Graphs that the type reader processes were asked to read. */
  get read(): string[] {
    return readFileSync(join(this.root, "asked"), "utf8").trimEnd().split("\n");
  }
}

const interrupted = (id: string) => ({
  status: 503,
  message: expect.stringContaining(`The schemas of the graph "${id}" are not available yet: `),
});

test("extracts schemas only from the remaining graphs after an interruption", async () => {
  const revision = new Revision();
  expect(await revision.ask(["a", "b", "b", "a"], 1)).toEqual({ a: { a: "of a" }, b: { b: "of b" } });
  expect(revision.read).toEqual(["a,b,c", "b,c"]);
});

test("keeps the schemas that were extracted before an interruption", async () => {
  const revision = new Revision();
  expect(await revision.ask(["a"], 2)).toEqual({ a: { a: "of a" } });
  expect(await revision.ask(["c", "b", "a"], 1)).toEqual({
    a: { a: "of a" },
    b: { b: "of b" },
    c: { c: "of c" },
  });
  expect(revision.read).toEqual(["a,b,c", "c"]);
});

test("starts with the requested graph, so that the failure of other graphs has no effect", async () => {
  const revision = new Revision();
  expect(await revision.ask(["c"], 1)).toEqual({ c: { c: "of c" } });
  expect(await revision.ask(["b"], 0)).toEqual({ b: interrupted("b") });
  expect(await revision.ask(["b", "c"], 1)).toEqual({ b: { b: "of b" }, c: { c: "of c" } });
  expect(revision.read).toEqual(["c,a,b", "b,a", "b,a"]);
});

test("ignores an incomplete result, and keeps the results after it", async () => {
  const revision = new Revision();
  await revision.ask(["a"], 1);
  appendFileSync(join(revision.root, "schemas.jsonl"), '\n{"b":{"sch');
  expect(await revision.ask(["b"], 1)).toEqual({ b: { b: "of b" } });
  expect(await revision.ask(["a", "b"], 0)).toEqual({ a: { a: "of a" }, b: { b: "of b" } });
  expect(revision.read).toEqual(["a,b,c", "b,c"]);
});
