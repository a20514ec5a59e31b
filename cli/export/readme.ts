import { shellOperands } from "../../provider/text/shell-word";
import type { ExportedWorkspace } from "./exported-workspace";
import { importFileName } from "./import-file";
import type { ExportedFile } from "./exported-file";

/** Formats of an export. */
export const formatNames = ["manifests", "program", "import"] as const;

export type ExportFormat = (typeof formatNames)[number];

/** What is to be done with an export, with a command for each secret. */
export function readmeFile(
  format: ExportFormat,
  { deployments, contents }: Pick<ExportedWorkspace, "deployments" | "contents">,
): ExportedFile {
  const keys = deployments.filter(({ asComment }) => !asComment).flatMap(({ secrets }) => secrets);
  const adoption = [adoptionStep, ...(contents.length > 0 ? [contentsStep] : []), lastStep];
  const last = format === "import" ? importSteps : adoption;
  const steps = [firstStep[format], ...(keys.length > 0 ? [secretsStep(keys)] : []), ...last];
  const numbered = steps.map((step, at) => `${at + 1}. ${step.replace(/\n(?=.)/g, "\n   ")}\n`);
  return { name: "README.md", text: `# Exported deployments\n\n${numbered.join("")}` };
}

const projectStep = `\`npm install\`, \`pulumi stack init\`, and the API key: \`pulumi config set --secret agentserver:apiKey\` asks
for it. \`Pulumi.yaml\` has the other settings of the connection; a stack may have others.`;

const firstStep: Record<ExportFormat, string> = {
  manifests: `Declare this folder in a Pulumi program, by its path from the project:
\`new Workspace("agents", { manifests: "…" })\`, of \`pulumi-agentserver\`.`,
  program: projectStep,
  import: projectStep,
};

function secretsStep(secrets: readonly { key: string }[]): string {
  const commands = secrets.map(({ key }) => `pulumi config set --secret ${shellOperands(key)}\n`).join("");
  return `Set the secrets; only their names are listed here. Each command asks for its value:

\`\`\`sh
${commands}\`\`\`

\`npx agentserver export\` with \`--set-secrets --stack NAME\` sets them to the values that the control plane has.
`;
}

const importSteps = [
  `Put the deployments into the stack's state, and let a refresh fill in what the file does not hold, such as the values
of secrets:

\`\`\`sh
pulumi import --file ${importFileName} --generate-code=false --protect=false --yes
pulumi refresh --yes
\`\`\`
`,
  "The next preview shows no change. Nothing of this writes to the control plane.",
];

const adoptionStep = `\`pulumi up\` adopts every deployment as it is, and makes no revision. Pulumi shows adoptions as created resources.
The next preview shows no change.`;

const contentsStep = `What is in the deployments is adopted by the same \`pulumi up\`. Assistants and crons get a tag in their metadata
that says whose they are, for which each assistant gets a new version. Their values are here in clear text, as are
those of store items: look whether that may go into a repository.`;

const lastStep = "After that, you may remove `adopt`: nothing is sent for that.";
