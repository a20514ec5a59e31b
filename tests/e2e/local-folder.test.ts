import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;
let stack: Stack;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  stack = await world.stack("local-folder");
  rmSync(join(stack.folder, "index.js"));
  cpSync(join(repositoryRoot, "examples", "local-folder"), stack.folder, { recursive: true });
});
afterAll(() => world?.end());

const graph = () => join(stack.folder, "agent", "graph.ts");

function edit(change: (text: string) => string): void {
  writeFileSync(graph(), change(readFileSync(graph(), "utf8")));
}

/** Returns the response of the deployed agent. */
async function answer(): Promise<string> {
  const { outputs } = (await stack.resource("agent"))!;
  const response = await fetch(`${outputs!["url"] as string}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "you" }] } }),
  });
  return JSON.stringify(await response.json());
}

const requests = () =>
  world.writes().map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"));

const sending = [
  "POST /v2/deployments/ID/upload-url",
  expect.stringMatching(/^PUT /),
  "PATCH /v2/deployments/ID",
];

test("deploys a plain folder, and its agent responds", async () => {
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.output).toMatch(/The source \(\d+ bytes\) was uploaded\./);
  expect(requests()).toEqual(["POST /v2/deployments", ...sending]);
  expect(await answer()).toContain("Hello, you!");
});

test("does not send unchanged files, regardless of their times and the project's location", async () => {
  utimesSync(graph(), 1_000, 1_000);
  writeFileSync(join(stack.folder, "agent", ".gitignore"), "");
  rmSync(join(stack.folder, "agent", ".gitignore"));
  mkdirSync(join(stack.folder, "agent", "node_modules"));
  writeFileSync(join(stack.folder, "agent", "node_modules", "left-out"), "");
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, changes: { same: 2 } });
  expect(requests()).toEqual([]);
});

test("lists the changed files in a preview, and creates one revision", async () => {
  edit((text) => text.replace("}!`", "}, again!`"));
  const preview = await stack.preview("--diff");
  expect(preview.output).toContain("1 of 2 files changed: graph.ts");
  expect(preview.output).not.toContain("__files");
  expect(requests()).toEqual([]);
  expect(await stack.up()).toMatchObject({ code: 0, changes: { update: 1 } });
  expect(requests()).toEqual(sending);
  expect(await answer()).toContain("Hello, you, again!");
});

test("keeps the old agent when a build fails, and rolls out the fix", async () => {
  edit((text) => text.replace("export const graph", "export const other"));
  const failed = await stack.up();
  expect(failed.code).not.toBe(0);
  expect(await answer()).toContain("Hello, you, again!");
  edit((text) => text.replace("export const other", "export const graph").replace("again", "mended"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await answer()).toContain("Hello, you, mended!");
});

test("deletes the deployment on destroy", async () => {
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
});
