import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spec, writeProject } from "./programs";

/** Writes the package of a dynamic provider that does nothing except return the outputs of one real deployment. */
export function writeIdleProvider(modules: string, outputs: object): void {
  const folder = join(modules, "idle-provider");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "outputs.json"), JSON.stringify(outputs));
  writeFileSync(
    join(folder, "index.js"),
    `const outputs = require("./outputs.json");
const ref = (props) => props.sourceRevisionConfig.repoRef;
exports.provider = {
  check: async (olds, news) => ({ inputs: { ...news, ownerId: outputs.ownerId }, failures: [] }),
  diff: async (id, olds, news) => ({ changes: ref(olds) !== ref(news), replaces: [] }),
  create: async (news) => ({ id: outputs.latestRevisionId.slice(0, -6) + String(Math.random()).slice(2, 8), outs: { ...outputs, ...news } }),
  update: async (id, olds, news) => ({ outs: { ...outputs, ...news } }),
  delete: async () => {},
};
`,
  );
}

/**
 * Writes a project whose deployments are resources of the idle provider, with the same properties as real deployments.
 */
export function declareIdle(project: string, size: number, repoRef: string): void {
  writeProject(
    project,
    `const pulumi = require("@pulumi/pulumi");
const type = "pulumi-nodejs:dynamic/idle:Deployment";
class Deployment extends pulumi.CustomResource {
  constructor(name, args) {
    super(type, name, {
      name: undefined, agent: undefined, displayName: undefined, source: undefined, sourceConfig: undefined,
      ...args,
      url: undefined, latestRevisionId: undefined, awaitedRevision: undefined, settledRevision: undefined,
      serving: undefined, controlPlane: undefined, ownerId: undefined, heldBy: undefined,
      __provider: 'exports.handler = () => require("idle-provider").provider;             ',
      __call: { urn: "urn:pulumi:fleet::fleet::" + type + "::" + name, organization: "organization", backend: "0123456789abcdef" },
    });
  }
}
for (let index = 0; index < ${size}; index += 1)
  new Deployment("agent-" + index, { name: "agent-" + index, ...${JSON.stringify(spec(repoRef))} });
`,
  );
}

/** Writes a project that declares the same deployments as real resources. */
export function declareReal(project: string, size: number, repoRef: string): void {
  writeProject(
    project,
    `const { Deployment } = require("pulumi-agentserver");
for (let index = 0; index < ${size}; index += 1)
  new Deployment("agent-" + index, { name: "agent-" + index, ...${JSON.stringify(spec(repoRef))} });
`,
  );
}
