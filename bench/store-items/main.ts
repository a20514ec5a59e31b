import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { systemClock } from "../../provider/clock";
import { DynamicHost } from "../../provider/hosts/dynamic/host";
import { kinds } from "../../provider/kinds";
import { SessionPool } from "../../provider/session/session-pool";
import { storeResults } from "../../tools/performance/results";
import { repositoryRoot } from "../../tools/repository";
import { median } from "../median";

const count = 300;
const rounds = 7;
/** Number of concurrent requests, the same as in the provider. */
const atOnce = 8;
/** Maximum ratio of the provider's duration to that of plain requests. */
const mostTimes = 1.5;

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Writes items to the store of a real agent, alternating between plain requests and the provider. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-store-"));
  const plane = await startControlPlane({ rollout: "real", state: join(folder, "state") });
  try {
    const url = await deploy(plane, join(folder, "agent"));
    const host = hostFor(plane);
    const [plain, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const [first, second] = [
        await timed(() => putPlainly(plane, url, round)),
        await timed(() => create(host, url, round)),
      ];
      // The first round warms up.
      if (round === 0) continue;
      plain.push(first);
      ours.push(second);
    }
    const ratio = Math.round((100 * median(ours)) / median(plain)) / 100;
    process.exitCode = storeResults("store-items", {
      tables: [
        {
          title: `${count} items, ${atOnce} requests at a time, medians of ${rounds} rounds`,
          columns: ["", "seconds"],
          rows: [
            ["plain requests", (median(plain) / 1_000).toFixed(1)],
            ["one `StoreItems`", (median(ours) / 1_000).toFixed(1)],
          ],
        },
      ],
      bounds: [{ what: "ratio of one `StoreItems` to plain requests", measured: ratio, most: mostTimes }],
    });
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const valueOf = (item: number) => ({ title: `Item ${item}`, text: "Nothing of note. ".repeat(20) });

async function putPlainly({ apiKey }: ControlPlane, url: string, round: number): Promise<void> {
  const waiting = Array.from({ length: count }, (_, item) => item).values();
  const worker = async () => {
    for (const item of waiting) {
      const body = { namespace: ["plain", `${round}`], key: `item-${item}`, value: valueOf(item) };
      const response = await fetch(`${url}/store/items`, {
        method: "PUT",
        headers: { "content-type": "application/json", "X-Api-Key": apiKey },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`PUT /store/items answers ${response.status}.`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function create(host: DynamicHost, url: string, round: number): Promise<void> {
  const items = Object.fromEntries(
    Array.from({ length: count }, (_, item) => [`item-${item}`, valueOf(item)]),
  );
  const inputs = {
    deployment: { id: url.split("/").at(-1), url },
    namespace: ["provider", `${round}`],
    items,
    __provider: "",
    __call: { urn: "urn:pulumi:dev::bench::pulumi-nodejs:dynamic/agentserver:StoreItems::items" },
  };
  const { inputs: checked } = (await host.check({}, inputs)) as { inputs: Record<string, unknown> };
  await host.create(checked);
}

function hostFor({ baseUrl, apiKey, tenantId }: ControlPlane): DynamicHost {
  const env = { AGENTSERVER_BASE_URL: baseUrl, AGENTSERVER_API_KEY: apiKey, AGENTSERVER_TENANT_ID: tenantId };
  const sessions = new SessionPool({ env, clock: systemClock, random: Math.random });
  const log = { write: () => Promise.resolve(), status: () => Promise.resolve() };
  const host = new DynamicHost(kinds.storeItems(), { argv: [], log, sessions });
  void host.configure({ config: { get: () => undefined } as never });
  return host;
}

/** Deploys the quickstart's agent, and resolves with its URL. */
async function deploy({ baseUrl, apiKey, tenantId }: ControlPlane, repository: string): Promise<string> {
  cpSync(join(repositoryRoot, "examples", "quickstart", "agent"), repository, { recursive: true });
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(
    "-c",
    "user.name=bench",
    "-c",
    "user.email=bench@example.com",
    "commit",
    "--quiet",
    "--message",
    "Agent",
  );
  const headers = { "content-type": "application/json", "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const deployment = await ask("POST", "/v2/deployments", {
    name: "bench",
    source: "github",
    source_config: { repo_url: repository, build_on_push: false, deployment_type: "dev" },
    source_revision_config: {
      repo_ref: "main",
      langgraph_config_path: "langgraph.json",
      graph_config_path: "langgraph.json",
    },
  });
  for (;;) {
    const { status } = await ask(
      "GET",
      `/v2/deployments/${deployment["id"]}/revisions/${deployment["latest_revision_id"]}`,
    );
    if (status === "DEPLOYED") return `${baseUrl}/agents/${deployment["id"]}`;
    if (!status || status.includes("FAILED")) throw new Error(`The agent was not deployed: ${status}.`);
    await sleep(100);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
