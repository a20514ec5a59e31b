import { stringify } from "yaml";
import { printableJson } from "../printable";
import { commentOut, commentLine } from "./comment";
import { contentStatement } from "./contents/program";
import type { ExportedDeployment, ExportedFile, ExportedWorkspace, ProviderName } from "./model";
import { Code, literal } from "./literal";
import { oldestSdk } from "../supported-versions";

/** Settings of the exported project. */
export interface ProgramProject {
  /** Name of the Pulumi project. */
  name: string;
  /** Minimum version of this package. */
  version: string;
  /** Connection settings, without the API key. */
  connection: Record<string, string>;
  provider: ProviderName;
}

/** npm packages that contain the resources of each provider. */
const packages: Readonly<Record<ProviderName, string>> = {
  dynamic: "pulumi-agentserver",
  plugin: "pulumi-agentserver-plugin",
};

const compilerOptions = {
  strict: true,
  target: "es2022",
  module: "node16",
  moduleResolution: "node16",
  types: ["node"],
  skipLibCheck: true,
  noEmit: true,
};

/** Creates a Pulumi project in TypeScript that declares the deployments. */
export function programFiles(
  workspace: Pick<ExportedWorkspace, "deployments" | "contents">,
  project: ProgramProject,
): ExportedFile[] {
  return [{ name: "index.ts", text: programText(workspace, project.provider) }, ...projectFiles(project)];
}

/** Creates the other files of a TypeScript Pulumi project. */
export function projectFiles({ name, version, connection, provider }: ProgramProject): ExportedFile[] {
  return [
    {
      name: "package.json",
      text: json({
        name: name.toLowerCase(),
        private: true,
        dependencies: {
          "@pulumi/pulumi": `^${oldestSdk}`,
          // This package also contains the command that starts the plugin.
          "pulumi-agentserver": `^${version}`,
          ...(provider === "plugin" && { [packages.plugin]: `^${version}` }),
        },
        devDependencies: { "@types/node": "^24.0.0", typescript: "^5.9.0 || ^6.0.0" },
      }),
    },
    { name: "Pulumi.yaml", text: projectText(name, connection, provider) },
    { name: "tsconfig.json", text: json({ compilerOptions, files: ["index.ts"] }) },
  ];
}

function projectText(name: string, connection: Record<string, string>, provider: ProviderName): string {
  const plugins = { providers: [{ name: "agentserver", path: "node_modules/.bin" }] };
  const config = Object.entries(connection).map(([key, value]) => [`agentserver:${key}`, { value }] as const);
  return stringify({
    name,
    runtime: "nodejs",
    ...(provider === "plugin" && { plugins }),
    ...(config.length > 0 && { config: Object.fromEntries(config) }),
  });
}

/** Creates the program, without the other files of the project. */
export function programText(
  { deployments, contents }: Pick<ExportedWorkspace, "deployments" | "contents">,
  provider: ProviderName = "dynamic",
): string {
  const live = deployments.filter(({ asComment }) => !asComment);
  const urls = live.map(({ resource, variable }) => [resource, new Code(`${variable}.url`)]);
  const classes = [...new Set(["Deployment", ...contents.map(({ kind }) => kind)])].sort();
  const referred = new Set(contents.map(({ assistant }) => assistant));
  const usesSecrets = live.some(({ secrets }) => secrets.length > 0);
  return [
    ...(usesSecrets ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
    ...(live.length > 0 ? [`import { ${classes.join(", ")} } from "${packages[provider]}";\n`] : []),
    ...(usesSecrets ? ["\nconst config = new pulumi.Config();\n"] : []),
    ...deployments.map((deployment) => `\n${createStatement(deployment)}`),
    ...contents.map((content) => `\n${contentStatement(content, referred.has(content))}`),
    "\n/** URLs of the agent servers, by resource name. */\n",
    `export const urls = ${literal(Object.fromEntries(urls))};\n`,
  ].join("");
}

function createStatement(deployment: ExportedDeployment): string {
  const { id, resource, variable, notices, asComment } = deployment;
  const head = [`Deployment ${id}`, ...notices].map((line) => `${commentLine("//", line)}\n`).join("");
  const code = `const ${variable} = new Deployment(${literal(resource)}, ${literal(createArgs(deployment), 0, Infinity)});\n`;
  return head + (asComment ? commentOut("//", code) : code);
}

function createArgs({ inputs, secrets }: ExportedDeployment): object {
  const { name, source, sourceConfig, sourceRevisionConfig, secrets: _, adopt, ...others } = inputs;
  const references = secrets.map(
    (secret) => [secret.name, new Code(`config.requireSecret(${literal(secret.key)})`)] as const,
  );
  return {
    name,
    source,
    sourceConfig,
    sourceRevisionConfig,
    ...(inputs.secrets && { secrets: Object.fromEntries(references) }),
    ...others,
    adopt,
  };
}

function json(value: object): string {
  return `${printableJson(JSON.stringify(value, undefined, 2))}\n`;
}
