import * as pulumi from "@pulumi/pulumi";
import { Environments, type EnvironmentsArgs } from "../../../sdk";
import { planned } from "../../../sdk/components/environments-plan";
import { World } from "../../provider/world";
import { registeredAs, valueOf, withoutEngine } from "../program";

const commit = "1".repeat(40);

const args: EnvironmentsArgs = {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
  environments: [{ environment: "development" }, { environment: "staging" }],
};

/** Every deployment serves what it was asked for. */
beforeEach(() =>
  withoutEngine(({ sourceRevisionConfig }) => ({
    settledRevision: { id: "r1", status: "DEPLOYED" },
    serving: { revisionId: "r1", sourceRevisionConfig },
  })),
);
afterEach(() => pulumi.runtime.setAllConfig({}));

/** The configuration of a control plane that holds nothing. */
async function connected(more: Record<string, string> = {}) {
  const { plane } = await World.start();
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": plane.baseUrl,
    "agentserver:apiKey": plane.apiKey,
    "agentserver:tenantId": plane.tenantId,
    ...more,
  });
}

async function registered(made: Environments, environment: string) {
  await valueOf(made.deployments[environment]!.id);
  return registeredAs(`support-${environment}`)!;
}

test("each environment is a deployment below the component, with what differs in it", async () => {
  const made = new Environments("support", {
    ...args,
    secrets: { KEY: "common" },
    environments: [
      { environment: "development" },
      { environment: "staging", name: "the-stage", sourceConfig: { resourceSpec: { cpu: 2 } }, secrets: {} },
    ],
  });
  const staging = await registered(made, "staging");
  const development = await registered(made, "development");
  expect(development.inputs).toMatchObject({
    name: "support-agent-development",
    sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
    rollout: { verify: {} },
  });
  expect(Object.keys(development.inputs.secrets)).toEqual(["KEY"]);
  expect(staging.inputs).toMatchObject({
    name: "the-stage",
    source: "github",
    sourceConfig: { ...(args.sourceConfig as object), resourceSpec: { cpu: 2 } },
    sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
    secrets: {},
  });
  const type = "agentserver:index:Environments$pulumi-nodejs:dynamic/agentserver:Deployment";
  expect(await valueOf(made.deployments["staging"]!.urn)).toBe(
    `urn:pulumi:dev::shop::${type}::support-staging`,
  );
  expect(await valueOf(made.serves["staging"]!)).toBe(commit);
  expect(await valueOf(made.urls["staging"]!)).toBe("https://agent.example.com");
});

test("images and folders are promoted as well", async () => {
  const imageUri = `registry.example.com/support@sha256:${"a".repeat(64)}`;
  const images = new Environments("support", {
    ...args,
    source: "external_docker",
    sourceConfig: {},
    sourceRevisionConfig: { imageUri },
  });
  expect((await registered(images, "staging")).inputs["sourceRevisionConfig"]).toEqual({ imageUri });
  await withoutEngine(() => ({
    settledRevision: { id: "r1", status: "DEPLOYED" },
    serving: { revisionId: "r1", sourceRevisionConfig: {} },
  }));
  const folders = new Environments("support", {
    ...args,
    source: "internal_source",
    sourceConfig: {},
    sourceRevisionConfig: { folder: "/srv/agent" },
  });
  expect((await registered(folders, "staging")).inputs["sourceRevisionConfig"]).toEqual({
    folder: "/srv/agent",
  });
});

test("nothing behind a gate that is shut is made", () => {
  const environments = [
    { environment: "development" },
    { environment: "staging", gate: { approved: null } },
    { environment: "production" },
    { environment: "elsewhere", gate: { approved: commit } },
  ];
  const made = planned("Environments", { ...args, environments });
  expect(made.map(({ isDeclared }) => isDeclared)).toEqual([true, false, false, false]);
});

test("what is approved passes, and what is not is not made", async () => {
  await connected({ "shop:approved": "1111111" });
  const environments: EnvironmentsArgs["environments"] = [
    { environment: "development" },
    { environment: "staging", gate: { approvedFrom: "approved" } },
    { environment: "production", gate: { approved: null } },
  ];
  const said = new Promise((resolve) => {
    jest.spyOn(pulumi.log, "info").mockImplementation((text) => Promise.resolve(resolve(text)));
  });
  const made = new Environments("support", { ...args, environments });
  expect(Object.keys(made.deployments)).toEqual(["development", "staging"]);
  expect(await said).toBe(
    `production is not made yet; 1111111 is verified in staging and waits for approval: set gate.approved to "${commit}".`,
  );
  expect((await registered(made, "staging")).inputs["sourceRevisionConfig"]).toMatchObject({
    repoRef: commit,
  });
});

const gate = { approved: null };
test.each<[string, object, string]>([
  ["a name", { name: "" }, "name is missing"],
  [
    "a source",
    { source: "internal_template" },
    "source must be one of github, external_docker, internal_source",
  ],
  ["environments", { environments: [] }, "environments must be a list with at least one environment"],
  [
    "an image by its tag",
    { source: "external_docker", sourceRevisionConfig: { imageUri: "a:v1" } },
    "sourceRevisionConfig.imageUri a:v1 must name its digest",
  ],
  ["no waiting", { rollout: { wait: false } }, "environments[0].rollout.wait must not be false"],
  [
    "a gate of the first",
    { environments: [{ environment: "a", gate }] },
    "environments[0].gate: the first environment gets what the program says",
  ],
  [
    "two of one name",
    { environments: [{ environment: "a" }, { environment: "a" }] },
    'environments[1].environment: there are two environments "a"',
  ],
  [
    "one deployment of two",
    {
      environments: [
        { environment: "a", name: "x" },
        { environment: "b", name: "x" },
      ],
    },
    'environments[1].name: "x" is the deployment of "a" already',
  ],
  [
    "another source of one",
    { environments: [{ environment: "a" }, { environment: "b", sourceRevisionConfig: {} }] },
    "environments[1].sourceRevisionConfig is the same in all environments",
  ],
  [
    "a gate for folders",
    { source: "internal_source", environments: [{ environment: "a" }, { environment: "b", gate }] },
    "environments[1].gate: what a folder held before is not kept",
  ],
  [
    "a gate without an approval",
    { environments: [{ environment: "a" }, { environment: "b", gate: {} }] },
    "environments[1].gate needs either approved (null for nothing yet) or approvedFrom",
  ],
  [
    "an approval of too little",
    { environments: [{ environment: "a" }, { environment: "b", gate: { approved: "1" } }] },
    "environments[1].gate.approved must be a commit (at least its first seven digits)",
  ],
])("arguments are refused by their field: %s", (_, change, message) => {
  const refused = () => new Environments("support", { ...args, ...change });
  expect(refused).toThrow(`Environments "support": ${message}`);
  expect(registeredAs("support")).toBeUndefined();
});
