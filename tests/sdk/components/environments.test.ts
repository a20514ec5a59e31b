import { Environments, type EnvironmentsArgs } from "../../../sdk";
import { registeredAs, valueOf, withoutEngine } from "../program";

beforeEach(() => withoutEngine());

const commit = "1".repeat(40);
const shared: EnvironmentsArgs["deployment"] = {
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
  secrets: { KEY: "value" },
};

const made = (change: Partial<EnvironmentsArgs> = {}) =>
  new Environments("support", {
    agent: "support",
    deployment: shared,
    environments: [{ name: "development" }],
    ...change,
  });

test("an environment has what all share, and what is its own", async () => {
  const { deployments } = made({
    environments: [
      {
        name: "development",
        deploymentName: "support-lab",
        sourceConfig: { resourceSpec: { cpu: 2 } },
        displayName: "Support (lab)",
        rollout: { timeout: "5m" },
      },
    ],
  });
  await valueOf(deployments["development"]!.id);
  expect(registeredAs("support-development")!.inputs).toMatchObject({
    name: "support-lab",
    source: "github",
    displayName: "Support (lab)",
    sourceConfig: { deploymentType: "dev", buildOnPush: false, resourceSpec: { cpu: 2 } },
    sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
    rollout: { onFailure: "rollback", verify: {}, timeout: "5m" },
  });
  for (const own of ["approved", "allowUnverified", "deploymentName"])
    expect(registeredAs("support-development")!.inputs).not.toHaveProperty(own);
});

test.each<[string, Partial<EnvironmentsArgs>, string]>([
  ["no environment", { environments: [] }, "environments is empty"],
  ["two of one name", { environments: [{ name: "a" }, { name: "a" }] }, 'the environment "a" is there twice'],
  ["a strange name", { environments: [{ name: "a b" }] }, 'the environment "a b" must be named by letters'],
  [
    "a gate before the first",
    { environments: [{ name: "a", approved: commit }] },
    "a is the first environment, so there is nothing that could be approved for it",
  ],
  [
    "one that is not waited for",
    { environments: [{ name: "a" }, { name: "b", rollout: { wait: false } }] },
    "rollout.wait of b is false",
  ],
  [
    "a folder",
    { deployment: { ...shared, source: "internal_source", sourceRevisionConfig: { folder: "./agent" } } },
    'deployment.source is "internal_source", which has neither a commit nor an image',
  ],
])("%s is refused before anything is made", (_what, change, text) => {
  expect(() => made(change)).toThrow(text);
  expect(registeredAs("support-a")).toBeUndefined();
});
