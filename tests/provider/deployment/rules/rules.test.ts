import {
  interfaceDialect,
  langsmithDialect,
  type Dialect,
} from "../../../../provider/control-plane/dialects";
import { checkRules } from "../../../../provider/deployment/rules/check";
import type { Finding } from "../../../../provider/resource/inputs/finding";
import { besides, shapeFindings } from "../../../../provider/resource/inputs/shape";
import { DesiredInputs } from "../../../../provider/resource/inputs/wanted";
import { deploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { Props } from "../../../../provider/resource/inputs/values";
import { notKnownYet } from "../../../../provider/resource/inputs/unknown";
import { agent } from "../../world";

const github: Props = { ...agent() };
const image: Props = {
  name: "image-agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
};

function rules(
  news: Props,
  { dialect = langsmithDialect, olds = {}, selfHosted = false }: Place = {},
): string[] {
  const misshapen = shapeFindings(deploymentInputs, news);
  return besides(misshapen, checkRules(new DesiredInputs(olds, news), dialect, selfHosted)).map(inWords);
}

interface Place {
  dialect?: Dialect;
  olds?: Props;
  selfHosted?: boolean;
}

const inWords = ({ severity, property, reason }: Finding): string => `${severity} ${property}: ${reason}`;

const pushedTag = {
  ...github,
  sourceConfig: { ...agent().sourceConfig, buildOnPush: true },
  sourceRevisionConfig: { repoRef: "refs/tags/v1", graphConfigPath: "langgraph.json" },
};

test("accepts valid inputs in both dialects", () => {
  for (const inputs of [github, image])
    for (const dialect of [interfaceDialect, langsmithDialect])
      expect(rules(inputs, { dialect })).toEqual([]);
});

test("rejects buildOnPush for a tag, except in a dialect that allows it", () => {
  expect(rules(pushedTag)).toEqual([
    "failure sourceConfig.buildOnPush: cannot be true together with the tag refs/tags/v1 in sourceRevisionConfig.repoRef: a push does not move a tag; set it to false, or specify a branch",
  ]);
  // An update is rejected as well.
  expect(rules(pushedTag, { olds: github })).toHaveLength(1);
  expect(rules(pushedTag, { dialect: interfaceDialect })).toEqual([]);
});

test("rejects reserved secret names", () => {
  expect(rules({ ...github, secrets: { PORT: "1", LSD_ANY: "2", MODEL_KEY: "3" } })).toEqual([
    "failure secrets.PORT: is reserved by the control plane",
    "failure secrets.LSD_ANY: is reserved by the control plane",
  ]);
  expect(rules({ ...github, secrets: { PORT: "1" } }, { dialect: interfaceDialect })).toEqual([]);
});

test("accepts, on a self-hosted control plane, names that only the public service reserves", () => {
  const wanted = { ...github, secrets: { LANGSMITH_API_KEY: "1" } };
  expect(rules(wanted)).toEqual(["failure secrets.LANGSMITH_API_KEY: is reserved by the control plane"]);
  expect(rules(wanted, { selfHosted: true })).toEqual([]);
});

test("rejects new values that the service does not support, and lists the supported ones", () => {
  const odd = { ...github, sourceConfig: { ...agent().sourceConfig, deploymentType: "huge" } };
  expect(rules(odd)).toEqual([
    expect.stringMatching(
      /^failure sourceConfig\.deploymentType: "huge" is not one of the values that this control plane supports \(dev_free, /,
    ),
  ]);
  expect(rules({ ...github, source: "gitub" })).toEqual([
    expect.stringMatching(
      /^failure source: "gitub" is not one of the values that this control plane supports \(github, external_docker, /,
    ),
  ]);
  expect(rules(odd, { olds: odd })).toEqual([]);
  expect(rules(odd, { dialect: interfaceDialect })).toEqual([]);
});

test("names the properties that a source requires and those that it does not accept", () => {
  expect(rules({ ...github, sourceConfig: {}, sourceRevisionConfig: {} })).toEqual([
    "failure sourceConfig.repoUrl: is required if source is github",
    "failure sourceRevisionConfig.repoRef: is required if source is github",
    "failure sourceRevisionConfig.graphConfigPath: is required if source is github",
  ]);
  const mixed = {
    ...image,
    sourceConfig: { deploymentType: "prod" },
    sourceRevisionConfig: { graphConfigPath: "langgraph.json" },
  };
  expect(rules(mixed)).toEqual([
    "failure sourceConfig.resourceSpec: is required if source is external_docker",
    "failure sourceRevisionConfig.imageUri: is required if source is external_docker",
    "failure sourceConfig.deploymentType: does not apply if source is external_docker; omit it",
    "failure sourceRevisionConfig.graphConfigPath: does not apply if source is external_docker; omit it",
  ]);
  expect(rules(mixed, { dialect: interfaceDialect })).toEqual([]);
});

test("applies different rules to an update than to a create or a replacement", () => {
  const bare = {
    ...github,
    sourceConfig: { repoUrl: "https://git.example.com/a.git" },
    sourceRevisionConfig: {},
  };
  expect(rules(bare, { olds: { ...bare, secrets: {} } })).toEqual([]);
  expect(rules({ ...bare, name: "another" }, { olds: bare })).toHaveLength(2);
  const [one, other] = ["a", "b"].map((integrationId) => ({
    ...bare,
    sourceConfig: { ...bare.sourceConfig, integrationId },
  }));
  expect(rules(other!, { olds: one! })).toHaveLength(2);
  expect(rules(other!, { olds: bare })).toEqual([]);
});

test("rejects fields that the dialect does not support", () => {
  const sourceConfig = {
    repoUrl: "https://git.example.com/a.git",
    buildCommand: "make",
    listenerConfig: { k8sNamespace: "a" },
  };
  expect(rules({ ...github, sourceConfig }, { dialect: interfaceDialect })).toEqual([
    "failure sourceConfig.buildCommand: is not supported by this control plane (dialect interface); omit it",
    "failure sourceConfig.listenerConfig: is not supported by this control plane (dialect interface); omit it",
  ]);
  expect(rules({ ...github, sourceConfig })).toEqual([]);
});

test.each([interfaceDialect, langsmithDialect])(
  "rejects documented keys of resourceSpec under their wire names ($name dialect)",
  (dialect) => {
    const spec = (resourceSpec: object) => ({ ...image, sourceConfig: { resourceSpec } });
    const twice = spec({ memoryMb: 512, memory_mb: 1024, queue_cpu: notKnownYet, future_key: 1, cpu: 1 });
    expect(rules(twice, { dialect })).toEqual([
      "failure sourceConfig.resourceSpec.memory_mb: must be written as memoryMb here",
      "failure sourceConfig.resourceSpec.queue_cpu: must be written as queueCpu here",
    ]);
    // Values that the control plane has accepted are not checked again.
    expect(rules(twice, { dialect, olds: twice })).toEqual([]);
  },
);

test("validates numbers in resourceSpec like the service, and reports the user's field names", () => {
  const spec = (resourceSpec: object) => ({ ...image, sourceConfig: { resourceSpec } });
  const odd = spec({
    cpu: 0.01,
    memoryMb: 1_000,
    queueCpu: 0,
    redisMemoryMb: 512,
    redisMemoryLimitMb: 256,
    labels: { cpu: "0" },
  });
  expect(rules(odd)).toEqual([
    "failure sourceConfig.resourceSpec.cpu: too small: expected number to be >=0.1",
    "failure sourceConfig.resourceSpec.queueCpu: too small: expected number to be >=0.1",
    "failure sourceConfig.resourceSpec.memoryMb: invalid number: must be a multiple of 128",
    "failure sourceConfig.resourceSpec.redisMemoryLimitMb: redisMemoryLimitMb must not be less than redisMemoryMb",
  ]);
  expect(rules(odd, { dialect: interfaceDialect })).toEqual([]);
  expect(rules(odd, { olds: odd })).toEqual([]);
  expect(rules(spec({ cpu: notKnownYet, memoryMb: 256, dbCpu: 0.05 }))).toEqual([]);
  expect(rules(spec({ labels: { cpu: 0 }, sidecars: [{ name: "log" }] }))).toEqual([
    "failure sourceConfig.resourceSpec.labels.cpu: invalid input: expected string, received number",
    "failure sourceConfig.resourceSpec.sidecars.0.image: is required",
  ]);
});

test("warns about new names that prevent a successful rollout", () => {
  expect(rules({ ...github, name: "my_agent" })).toEqual([
    "warning name: should consist of letters, digits, and dashes, starting with a letter; rollouts with other names fail",
  ]);
  const long = { ...github, name: "a-name-of-22-characters" };
  expect(rules(long)).toEqual([]);
  expect(rules(long, { selfHosted: true })).toEqual([
    expect.stringMatching(/^warning name: has 23 characters: .*21/),
  ]);
  expect(rules(long, { selfHosted: true, olds: long })).toEqual([]);
  expect(rules({ ...github, name: "a".repeat(21) }, { selfHosted: true })).toEqual([]);
  expect(rules(long, { selfHosted: true, dialect: interfaceDialect })).toEqual([]);
});

test("treats unknown values as present", () => {
  const hidden = { source: notKnownYet, name: notKnownYet, secrets: notKnownYet };
  for (const dialect of [interfaceDialect, langsmithDialect]) {
    expect(rules({ ...github, ...hidden }, { dialect })).toEqual([]);
    const groups = { sourceConfig: notKnownYet, sourceRevisionConfig: notKnownYet };
    expect(rules({ ...github, ...groups }, { dialect })).toEqual([]);
    expect(rules({ ...image, ...groups }, { dialect })).toEqual([]);
  }
  const fields = {
    sourceConfig: { repoUrl: notKnownYet, buildOnPush: notKnownYet },
    sourceRevisionConfig: { repoRef: "refs/tags/v1", graphConfigPath: notKnownYet },
  };
  expect(rules({ ...github, ...fields })).toEqual([]);
});

test("reports a property of the wrong type once, and does not hide other failures", () => {
  const wrong = {
    ...image,
    sourceConfig: { resourceSpec: [], deploymentType: "prod" },
    sourceRevisionConfig: 7,
  };
  expect(rules(wrong)).toEqual([
    "failure sourceConfig.deploymentType: does not apply if source is external_docker; omit it",
  ]);
});

test.each([langsmithDialect, interfaceDialect])(
  "rejects a name in two of secrets, environmentVariables, and secretReferences ($name)",
  (dialect) => {
    const reference = { secretName: "s", secretKey: "k" };
    const inputs = {
      ...image,
      secrets: { A: "1", B: "2", S: "3" },
      environmentVariables: { B: "4", C: "5", P: "6" },
      secretReferences: { A: reference, C: reference, R: reference },
    };
    expect(rules(inputs, { dialect }).filter((text) => text.includes("as well"))).toEqual([
      "failure environmentVariables.B: is in `secrets` as well; remove it from one of the two",
      "failure secretReferences.A: is in `secrets` as well; remove it from one of the two",
      "failure secretReferences.C: is in `environmentVariables` as well; remove it from one of the two",
    ]);
  },
);

test("rejects a secret reference with the name of the ownership tag", () => {
  const inputs = { ...image, secretReferences: { AGENTSERVER_OWNER: { secretName: "s", secretKey: "k" } } };
  expect(rules(inputs)).toContain(
    "failure secretReferences.AGENTSERVER_OWNER: is the name of the ownership tag; choose another one",
  );
});
