import type * as Pulumi from "@pulumi/pulumi";

interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
}

/** Returns the resources that the program registers with this configuration. */
async function registered(config: Record<string, string>): Promise<Registered[]> {
  const resources: Registered[] = [];
  // A program and its SDK can only run once per process.
  jest.resetModules();
  const { runtime } = jest.requireActual<typeof Pulumi>("@pulumi/pulumi");
  runtime.setAllConfig(
    Object.fromEntries(Object.entries(config).map(([name, value]) => [`agents-deployments:${name}`, value])),
  );
  await runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => {
        resources.push({ type: type.split(":").at(-1)!, name, inputs: inputs as Record<string, unknown> });
        return { id: name, state: inputs as object };
      },
      call: () => ({}),
    },
    "agents-deployments",
    "settings",
  );
  jest.requireActual("../../examples/pulumi-deployments/index");
  await runtime.disconnect();
  return resources;
}

const config = { organization: "example", repository: "example/agents" };
const stack = (name: string) => ({ organization: "example", project: "agents", stack: name });

test("applies pushes to main, previews pull requests, and detects drift without reverting it", async () => {
  const resources = await registered(config);

  expect(resources).toEqual([
    {
      type: "DeploymentSettings",
      name: "prod",
      inputs: expect.objectContaining({
        ...stack("prod"),
        sourceContext: { git: { branch: "main" } },
        vcs: expect.objectContaining({ deployCommits: true, previewPullRequests: true }),
      }),
    },
    {
      type: "DriftSchedule",
      name: "prod",
      inputs: { ...stack("prod"), scheduleCron: "17 5 * * 1-5", autoRemediate: false },
    },
  ]);
  expect(JSON.stringify(resources)).not.toMatch(/api_?key|token/i);
});

test("deletes a trial and its stack on the scheduled date", async () => {
  const resources = await registered({ ...config, trialUntil: "2026-03-31T18:00:00Z" });

  expect(resources.filter(({ name }) => name === "trial")).toMatchObject([
    {
      type: "DeploymentSettings",
      inputs: { ...stack("trial"), sourceContext: { git: { branch: "trial" } } },
    },
    {
      type: "TtlSchedule",
      inputs: { ...stack("trial"), timestamp: "2026-03-31T18:00:00Z", deleteAfterDestroy: true },
    },
  ]);
});
