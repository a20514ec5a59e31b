import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** Declaration of a stack's deployments: a program or a folder of manifests. */
export type Shape = "program" | "manifests";

interface Program {
  /** Writes a project that declares this number of deployments. */
  declare(project: string, size: number): void;
  /** Changes the tag of one deployment. */
  change(project: string, size: number): void;
}

/** Returns the inputs of a deployment, except for its name. */
export const spec = (repoRef: string) => ({
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "dev" },
  sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
});

/** Writes a project with this program. */
export function writeProject(project: string, program: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "fleet", private: true }));
  writeFileSync(
    join(project, "Pulumi.yaml"),
    "name: fleet\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  writeFileSync(join(project, "index.js"), program);
}

function loop(project: string, size: number, first: string): void {
  writeProject(
    project,
    `const { Deployment } = require("pulumi-agentserver");
for (let index = 0; index < ${size}; index += 1)
  new Deployment("agent-" + index, { name: "agent-" + index, ...(index === 0 ? ${JSON.stringify(spec(first))} : ${JSON.stringify(spec("v1"))}) });
`,
  );
}

function manifest(project: string, index: number, repoRef: string): void {
  const name = `agent-${index}`;
  writeFileSync(
    join(project, "deployments", `${name}.yaml`),
    stringify({ apiVersion: "agentserver/v1", kind: "Deployment", metadata: { name }, spec: spec(repoRef) }),
  );
}

/** Implementations for each form of declaration. */
export const programs: Record<Shape, Program> = {
  program: {
    declare: (project, size) => loop(project, size, "v1"),
    change: (project, size) => loop(project, size, "v2"),
  },
  manifests: {
    declare: (project, size) => {
      writeProject(
        project,
        `new (require("pulumi-agentserver").Workspace)("agents", { manifests: "deployments" });\n`,
      );
      mkdirSync(join(project, "deployments"));
      for (let index = 0; index < size; index += 1) manifest(project, index, "v1");
    },
    change: (project) => manifest(project, 0, "v2"),
  },
};
