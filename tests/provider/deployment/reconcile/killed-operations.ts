import { join } from "node:path";
import type { DialectName } from "../../../../emulator/index";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { temporaryFolder, writeFile } from "../../../tools/temporary-folder";
import { type Kill, killedAt } from "../../killed";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";

/** An operation, and the number of revisions that it creates. */
export interface KilledOperation {
  name: string;
  dialects: DialectName[];
  /** Returns the inputs of the existing deployment. Undefined for a create. */
  from?: () => DeploymentInputs;
  to: () => DeploymentInputs;
  revisions: number;
}

export const both: DialectName[] = ["interface", "langsmith"];

const sized = (repoRef: string, computeTier: string) =>
  agentAt(repoRef, { sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" }, computeTier });

const folder = temporaryFolder();
const local = (source: string): DeploymentInputs => {
  writeFile(join(folder, "langgraph.json"), '{"graphs": {"agent": "./graph.mjs:graph"}}');
  writeFile(join(folder, "graph.mjs"), source);
  return agent({
    source: "internal_source",
    sourceConfig: { deploymentType: "dev" },
    sourceRevisionConfig: { folder },
  });
};

/** Returns the inputs of a deployment whose program does not manage the source of its revisions. */
const template = (change: Partial<DeploymentInputs> = {}): DeploymentInputs =>
  agent({
    source: "internal_template",
    sourceConfig: { templateId: "11111111-1111-4111-8111-111111111111" },
    sourceRevisionConfig: {},
    ...change,
  });

const plain = (LEVEL: string) => ({ secrets: undefined, environmentVariables: { LEVEL } });
const revise = { onSecretChange: "revise" } as const;
const secrets = { MODEL_KEY: `${canary}-new` };

export const operations: KilledOperation[] = [
  {
    name: "a create with a display name",
    dialects: ["langsmith"],
    to: () => agent({ displayName: "Support" }),
    revisions: 1,
  },
  {
    name: "a create with sizes",
    dialects: ["langsmith"],
    to: () => sized("v1", "DEDICATED_L"),
    revisions: 2,
  },
  {
    name: "a create of a folder",
    dialects: ["langsmith"],
    // The control plane reports no owner before the first revision.
    to: () => ({ ...local("1"), adopt: "always" }),
    revisions: 1,
  },
  {
    name: "a different ref and different secrets",
    dialects: both,
    from: () => agent(),
    to: () => agentAt("v2", { secrets }),
    revisions: 1,
  },
  {
    name: "different secrets with a revision",
    dialects: both,
    from: () => agent({ rollout: revise }),
    to: () => agent({ secrets, rollout: revise }),
    revisions: 1,
  },
  {
    name: "different plain variables and a different ref",
    dialects: both,
    from: () => agent(plain("a")),
    to: () => agentAt("v2", plain("b")),
    revisions: 1,
  },
  {
    name: "a different ref and size",
    dialects: ["langsmith"],
    from: () => sized("v1", "DEDICATED_M"),
    to: () => sized("v2", "DEDICATED_L"),
    revisions: 2,
  },
  {
    name: "different contents of a folder",
    dialects: ["langsmith"],
    from: () => local("1"),
    to: () => local("2"),
    revisions: 1,
  },
  {
    name: "different triggers of a template",
    dialects: ["langsmith"],
    from: () => template({ rollout: { triggers: ["1"] } }),
    to: () => template({ rollout: { triggers: ["2"] } }),
    revisions: 1,
  },
  {
    name: "different secrets of a template",
    dialects: ["langsmith"],
    from: () => template(),
    to: () => template({ secrets }),
    revisions: 1,
  },
];

export async function revisionsOf(world: World, id: string): Promise<{ status: string }[]> {
  const list = await world.request("GET", `/v2/deployments/${id}/revisions`);
  return (list as { resources: { status: string }[] }).resources;
}

async function deploymentsOf(world: World): Promise<{ id: string; secrets: { name: string }[] }[]> {
  return ((await world.request("GET", "/v2/deployments")) as { resources: never[] }).resources;
}

/** Runs an operation whose provider is killed, and checks that the next update finishes it. */
export async function expectFinish(
  { from, to, revisions }: KilledOperation,
  dialect: DialectName,
  kill: Kill,
): Promise<void> {
  const world = await World.start({ dialect, state: temporaryFolder() });
  const stack: Stack = world.stack();
  if (from) expect((await stack.up(from())).failure).toBeUndefined();
  const { id, inputs, outputs } = stack;
  const before = id === undefined ? 0 : (await revisionsOf(world, id)).length;
  const wanted = to();
  if (!(await killedAt(kill, () => stack.up(wanted)))) return;
  Object.assign(stack, { id, inputs, outputs, host: world.host() });

  expect((await stack.up(wanted)).failure).toBeUndefined();

  const [deployment, ...others] = await deploymentsOf(world);
  expect([deployment?.id, others]).toEqual([stack.id, []]);
  const made = await revisionsOf(world, stack.deploymentId);
  expect(made).toHaveLength(before + revisions);
  expect(made[0]).toMatchObject({ id: stack.state.settledRevision?.id, status: "DEPLOYED" });
  const variables = { ...wanted.secrets, ...wanted.environmentVariables };
  expect(deployment!.secrets.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(variables), "AGENTSERVER_OWNER"].sort(),
  );
  expect(await stack.up(wanted)).toEqual({ step: "same", checkFailures: [] });
}
