import { stringify } from "yaml";
import { manifestOf } from "../../sdk/manifests/format";
import { literalValue, writeManifests } from "../../sdk/manifests/write";
import { secretReference } from "../../sdk/manifests/references";
import { Code, literal } from "../export/literal";
import type { ExportedFile } from "../export/model";
import { projectFiles } from "../export/program";
import { printableJson } from "../printable";
import { oldestSdk } from "../supported-versions";
import { deploymentName, type GraphProject } from "./graph-project";

/** Languages in which the files can be written. */
export const languageNames = ["typescript", "python", "manifests"] as const;

export type Language = (typeof languageNames)[number];

/** Values that determine the contents of the files. */
export interface ProgramOptions {
  language: Language;
  /** Path from the output folder to the folder of the graphs, with forward slashes. */
  sourceFolder: string;
  /** Version of this package. */
  version: string;
}

/** Pulumi configuration key that contains the ID of the GitHub integration. */
export const integrationKey = "integrationId";

/** Inputs of a deployment, with its secrets and its integration already formatted as code or as references. */
type Inputs = Record<string, unknown>;

/** Creates the files that declare the deployment. */
export function programFiles(project: GraphProject, options: ProgramOptions): ExportedFile[] {
  const name = deploymentName(project);
  switch (options.language) {
    case "typescript":
      return [
        { name: "index.ts", text: typescriptText(project, options) },
        ...projectFiles({ name, version: options.version, connection: {}, provider: "dynamic" }),
      ];
    case "python":
      return [
        { name: "__main__.py", text: pythonText(project, options) },
        {
          name: "requirements.txt",
          text: `pulumi>=${oldestSdk},<4\npulumi-agentserver>=${options.version}\n`,
        },
        {
          name: "Pulumi.yaml",
          text: stringify({
            name,
            runtime: { name: "python", options: { toolchain: "pip", virtualenv: "venv" } },
          }),
        },
      ];
    case "manifests":
      return [{ name: `${name}.yaml`, text: manifestText(project, options) }];
  }
}

/** Returns the inputs. `integration` is omitted if it is undefined. */
function inputsFor(
  { github, graphs, secrets }: GraphProject,
  { sourceFolder }: ProgramOptions,
  code: { integration?: unknown; secret: (name: string) => unknown },
): Inputs {
  const names = secrets.map((name) => [name, code.secret(name)]);
  return {
    source: github ? "github" : "internal_source",
    sourceConfig: {
      ...(github && { integrationId: code.integration, repoUrl: github.url }),
      // Only the langsmith dialect accepts folders, and its default type is `serverless`.
      deploymentType: github ? "dev" : "serverless",
      ...(github && { buildOnPush: false }),
    },
    sourceRevisionConfig: github
      ? { repoRef: github.ref, graphConfigPath: github.configPath }
      : { folder: sourceFolder },
    ...(names.length > 0 && { secrets: Object.fromEntries(names) as Inputs }),
    rollout: { verify: { graph: graphs[0] } },
  };
}

function typescriptText(project: GraphProject, options: ProgramOptions): string {
  const name = deploymentName(project);
  const inputs = inputsFor(project, options, {
    integration: new Code(`config.get(${literal(integrationKey)})`),
    secret: (secret) => new Code(`config.requireSecret(${literal(secret)})`),
  });
  return [
    ...(usesConfig(project) ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
    'import { Deployment } from "pulumi-agentserver";\n\n',
    ...(usesConfig(project) ? ["const config = new pulumi.Config();\n\n"] : []),
    `const agent = new Deployment("agent", ${literal({ name, ...inputs }, 0, Infinity)});\n\n`,
    "export const url = agent.url;\n",
  ].join("");
}

function pythonText(project: GraphProject, options: ProgramOptions): string {
  const inputs = inputsFor(project, options, {
    integration: new Code(`config.get(${pythonLiteral(integrationKey)})`),
    secret: (secret) => new Code(`config.require_secret(${pythonLiteral(secret)})`),
  });
  const { secrets, ...others } = inputs;
  const args = {
    name: deploymentName(project),
    ...(snakeCase(others) as object),
    ...(secrets ? { secrets } : {}),
  };
  const lines = Object.entries(args).map(([key, value]) => `    ${key}=${pythonLiteral(value, 4)},\n`);
  return [
    "import pulumi\nimport pulumi_agentserver as agentserver\n\n",
    ...(usesConfig(project) ? ["config = pulumi.Config()\n\n"] : []),
    `agent = agentserver.Deployment(\n    "agent",\n${lines.join("")})\n\n`,
    'pulumi.export("url", agent.url)\n',
  ].join("");
}

function manifestText(project: GraphProject, options: ProgramOptions): string {
  const { secrets: _, ...inputs } = inputsFor(project, options, { secret: () => undefined });
  const references = project.secrets.map((name) => [name, secretReference(name)] as const);
  const manifest = manifestOf(deploymentName(project), {
    ...literalValue(inputs),
    ...(references.length > 0 && { secrets: Object.fromEntries(references) }),
  });
  return writeManifests([manifest]);
}

function usesConfig({ github, secrets }: GraphProject): boolean {
  return github !== undefined || secrets.length > 0;
}

/** Formats a value as Python code. */
function pythonLiteral(value: unknown, indent = 0): string {
  if (value instanceof Code) return value.text;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object" || value === null) return printableJson(JSON.stringify(value));
  const inner = indent + 4;
  const lines = Object.entries(value).map(
    ([key, item]) => `${" ".repeat(inner)}${pythonLiteral(key)}: ${pythonLiteral(item, inner)},\n`,
  );
  return `{\n${lines.join("")}${" ".repeat(indent)}}`;
}

/** Converts the names in a value to those that the Python SDK uses. */
function snakeCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Code) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCase(item),
    ]),
  );
}
