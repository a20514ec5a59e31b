import { join } from "node:path";
import { agentServerAssumptions } from "../../../tools/conformance/assumptions/agent-server";
import { runConformance } from "../../../tools/conformance/run";
import { systemClock as providerClock } from "../../../provider/clock";
import { type DialectName, dialectNames } from "../../../wire";
import { versatileAgent } from "../../emulator/gateway/agent";
import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { Repository, temporaryFolder } from "../../emulator/rollout/repository";
import { type Mutation, startMutatingProxy } from "./mutating-proxy";

const planes: ControlPlane[] = [];
const proxies: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of proxies.splice(0)) await close();
  await Promise.all(planes.splice(0).map((plane) => plane.close()));
});

/** Probes the agent server of a real deployment. Returns the verdicts by ID. */
async function verdictsOn(dialect: DialectName, mutate?: Mutation): Promise<[string, string, string][]> {
  const plane = await startControlPlane({ rollout: "real", state: temporaryFolder("state"), dialect });
  planes.push(plane);
  let { baseUrl } = plane;
  if (mutate) {
    const { origin, close } = await startMutatingProxy(new URL(baseUrl).origin, mutate);
    proxies.push(close);
    baseUrl = origin + new URL(baseUrl).pathname.replace(/\/$/, "");
  }
  const { results } = await runConformance({
    connection: { baseUrl, apiKey: plane.apiKey, tenantId: plane.tenantId, dialect },
    settings: {
      repository: new Repository(versatileAgent()).folder,
      ...{ ref: "main", config: "langgraph.json", deploymentType: "serverless" },
    },
    sources: ["github"],
    assumptions: agentServerAssumptions,
    journalFile: join(temporaryFolder("journal"), "journal.jsonl"),
    clock: providerClock,
    signal: new AbortController().signal,
    rolloutMs: 120_000,
    pollMs: 100,
  });
  return results.map(({ assumption, outcome }) => [assumption.id, outcome.verdict, outcome.observed]);
}

test.each(dialectNames)(
  "confirms the assumptions about agent servers in the %s dialect",
  async (dialect) => {
    const verdicts = await verdictsOn(dialect);

    expect(verdicts.map(([id]) => id)).toEqual(agentServerAssumptions.map(({ id }) => id));
    expect(verdicts.filter(([, verdict]) => verdict !== "confirmed")).toEqual([]);
  },
  120_000,
);

test("refutes the assumptions that an agent server violates", async () => {
  const verdicts = await verdictsOn("langsmith", ({ method, path, origin }, answer) => {
    const { url } = (answer.body ?? {}) as { url?: unknown };
    if (method === "GET" && path.includes("/v2/deployments/") && typeof url === "string")
      return { ...answer, body: { ...(answer.body as object), url: origin + new URL(url).pathname } };
    if (method === "POST" && path.endsWith("/assistants") && answer.status === 409)
      return { ...answer, status: 200 };
    if (path.endsWith("/runs/crons/search")) return { ...answer, body: [] };
    return answer;
  });

  const refuted = verdicts.filter(([, verdict]) => verdict !== "confirmed");
  expect(refuted.map(([id, verdict]) => [id, verdict])).toEqual([
    ["agent.assistants", "refuted"],
    ["agent.crons", "refuted"],
  ]);
}, 120_000);
