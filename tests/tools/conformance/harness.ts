import { join } from "node:path";
import { allAssumptions } from "../../../tools/conformance/assumptions";
import { removeLeftovers, runConformance, type RunOptions } from "../../../tools/conformance/run";
import { availableSources } from "../../../tools/conformance/settings";
import type { DialectName } from "../../../wire";
import { type Rig, start, stopAll } from "../../emulator/control-plane/client";
import { archiveOf } from "../../emulator/control-plane/uploads/archive";
import { temporaryFolder } from "../temporary-folder";
import { type Mutation, startMutatingProxy } from "./mutating-proxy";

const running: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of running.splice(0)) await close();
  await stopAll();
});

/** Control plane under test, and the options of the run. */
export interface Harness {
  rig: Rig;
  options: RunOptions;
  /** Deletes deployments that an earlier run did not delete. */
  clean: () => Promise<string[]>;
  /** Returns the names of all deployments of the workspace. */
  names: () => Promise<string[]>;
}

/** Starts a control plane behind a proxy that may change its responses. */
export async function harness(
  dialect: DialectName,
  {
    mutate,
    refuses,
    signal,
    ...options
  }: {
    mutate?: Mutation;
    refuses?: Parameters<typeof startMutatingProxy>[2];
    signal?: AbortSignal;
    lingerSeconds?: number;
  } = {},
): Promise<Harness> {
  const rig = await start({ dialect, ...options });
  const { plane, clock } = rig;
  let { baseUrl } = plane;
  if (mutate || refuses) {
    const { origin, close } = await startMutatingProxy(
      new URL(baseUrl).origin,
      mutate ?? ((_, answer) => answer),
      refuses,
    );
    running.push(close);
    baseUrl = origin + new URL(baseUrl).pathname.replace(/\/$/, "");
  }
  const settings = {
    repository: "https://git.example.test/agents.git",
    ref: "main",
    config: "langgraph.json",
    folder: ".",
    image: "registry.example.test/agent:1",
    deploymentType: "serverless",
    pushedImage: true,
  };
  const runOptions: RunOptions = {
    connection: { baseUrl, apiKey: plane.apiKey, tenantId: plane.tenantId, dialect },
    settings,
    sources: availableSources(settings, dialect),
    assumptions: allAssumptions(archiveOf({ "langgraph.json": "{}" }), "langgraph.json", false),
    journalFile: join(temporaryFolder(), "journal.jsonl"),
    clock: { now: () => clock.now(), sleep: clock.advancingSleep },
    signal: signal ?? new AbortController().signal,
    rolloutMs: 600_000,
    pollMs: 500,
  };
  return {
    rig,
    options: runOptions,
    clean: () => removeLeftovers({ ...runOptions, signal: new AbortController().signal }),
    async names() {
      const { body } = await rig.client.get<{ resources: { name: string }[] }>("/v2/deployments?limit=100");
      return body.resources.map(({ name }) => name);
    },
  };
}

export { runConformance };
