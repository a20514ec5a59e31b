import { configCommand } from "../../provider/text/config-command";
import type { ExportedFile, ExportedWorkspace, ProviderName } from "./model";
import { importFileName } from "./import-file";

export const formatNames = ["manifests", "program", "import"] as const;

export type ExportFormat = (typeof formatNames)[number];

/** Creates the README with the next steps, including one command per secret. */
export function readmeFile(
  format: ExportFormat,
  provider: ProviderName,
  { deployments, contents }: Pick<ExportedWorkspace, "deployments" | "contents">,
): ExportedFile {
  const keys = deployments.filter(({ asComment }) => !asComment).flatMap(({ secrets }) => secrets);
  const adoption = [adoptionStep, ...(contents.length > 0 ? [contentsStep] : []), lastStep];
  const last = format === "import" ? importSteps[provider] : adoption;
  const steps = [firstStep[format], ...(keys.length > 0 ? [secretsStep(keys)] : []), ...last];
  const numbered = steps.map((step, at) => `${at + 1}. ${step.replace(/\n(?=.)/g, "\n   ")}\n`);
  return { name: "README.md", text: `# Exported deployments\n\n${numbered.join("")}` };
}

const projectStep = `Run \`npm install\` and \`pulumi stack init\`, then set the API key with
\`pulumi config set --secret agentserver:apiKey\`. \`Pulumi.yaml\` contains the other connection settings; a stack can
override them.`;

const firstStep: Record<ExportFormat, string> = {
  manifests: `Declare this folder in a Pulumi program, by its path relative to the project:
\`new Workspace("agents", { manifests: "…" })\` from \`pulumi-agentserver\`.`,
  program: projectStep,
  import: projectStep,
};

function secretsStep(secrets: readonly { key: string }[]): string {
  const commands = secrets.map(({ key }) => `${configCommand({ isSecret: true }, key)}\n`).join("");
  return `Set the secrets. Each command prompts for the value:

\`\`\`sh
${commands}\`\`\`

\`npx agentserver export\` with \`--set-secrets --stack NAME\` sets them to the values on the control plane.
`;
}

const importCommand = `pulumi import --file ${importFileName} --generate-code=false --protect=false --yes`;

const importSteps: Record<ProviderName, string[]> = {
  dynamic: [
    `Import the deployments into the stack's state, then refresh to add what the file does not contain, such as the values
of secrets:

\`\`\`sh
${importCommand}
pulumi refresh --yes
\`\`\`
`,
    "The next preview shows no changes. These steps do not write to the control plane.",
  ],
  plugin: [
    `Import the deployments into the stack's state. This does not write to the control plane:

\`\`\`sh
${importCommand}
\`\`\`

For a program in another language, copy \`${importFileName}\` into its project and omit \`--generate-code=false\`, so that
Pulumi prints the code.
`,
    `Run \`pulumi up\`, which adds the secrets to the state and sends those that the control plane does not report or whose
values differ.`,
  ],
};

const adoptionStep = `Run \`pulumi up\`, which adopts every deployment unchanged and creates no revisions. Pulumi shows adoptions as created
resources. The next preview shows no changes.`;

const contentsStep = `The same \`pulumi up\` adopts the contents of the deployments. It adds an ownership tag to the metadata of assistants
and crons, which creates a new version of each assistant. Their values and those of store items are in plain text
here, so check them before you commit these files to a repository.`;

const lastStep = "After that, you can remove `adopt`. Removing it sends no requests.";
