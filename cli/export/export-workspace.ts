import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { regionHosts } from "../../provider/control-plane/base-url";
import { AgentServerError } from "../../provider/errors";
import { manifestSchemaPath } from "../../sdk/manifests/format";
import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { printable } from "../printable";
import { type ContentKind, contentKinds } from "./contents/exported-content";
import { withContents } from "./contents/exported-contents";
import { contentManifests } from "./contents/manifests";
import { readContents } from "./contents/read-contents";
import { exportedFrom } from "./exported";
import type { ExportedWorkspace } from "./exported-workspace";
import { importFile } from "./import-file";
import { manifestFiles } from "./manifests";
import { programFiles } from "./program";
import { readWorkspace } from "./read-workspace";
import { type ExportFormat, readmeFile } from "./readme";
import { sayableContents, sayableInManifests } from "./sayable";
import { setSecrets } from "./set-secrets";
import { summaryOf } from "./summary";
import { holdsSomething, writeFolder } from "./write-folder";

/** Options of `agentserver export`. */
export interface ExportOptions extends ConnectionFlags {
  format: ExportFormat;
  /** Folder that is written. */
  output: string;
  /** Patterns of names; none means all. */
  name: RegExp[];
  /** Whether deployments that carry another Pulumi resource's ownership tag are taken over. */
  includeOwned: boolean;
  /** Whether files of the same names are written over. */
  force: boolean;
  /** What is exported of what is in the deployments: nothing, everything, or these kinds. */
  contents?: true | ContentKind[];
  /** Whether the values of the secrets are set in the configuration of `stack`. */
  setSecrets: boolean;
}

/** Writes the workspace's deployments as manifests or as a program; resolves with the exit code. */
export function exportWorkspace(
  surroundings: CommandProcess,
  options: ExportOptions,
  version: string,
): Promise<number> {
  const { format, setSecrets: sets, stack } = options;
  if (sets && stack === undefined)
    throw new AgentServerError(
      "bad_configuration",
      "--set-secrets needs --stack: which stack gets the secrets?",
    );
  if (options.contents !== undefined && format === "import")
    throw new AgentServerError(
      "bad_configuration",
      "--contents does not go with --format import: an import writes nothing, and what is in a deployment becomes this stack's own by a tag that has to be written. Use --format program, whose first `pulumi up` adopts it.",
    );
  // The stack of a program that is still to be written cannot name a connection.
  const flags = sets && format !== "manifests" ? { ...options, stack: undefined } : options;
  return withControlPlane(surroundings, flags, async (access) => {
    const folder = resolve(surroundings.cwd, options.output);
    const isThere = refuseToOverwrite(folder, options);
    const deployments = await lookAt(access, surroundings.signal, options);
    const workspace = await lookInside(deployments, access, surroundings.signal, options);
    if (isThere) refuseToForget(workspace, options.output);
    writeFolder(folder, await filesOf(workspace, access, folder, surroundings.cwd, format, version));
    if (sets) await giveSecrets(surroundings, workspace, options, folder);
    const target = { folder: options.output, secretsSetIn: sets ? stack : undefined };
    await surroundings.stdout.write(summaryOf(workspace, target));
    return exitCodes.success;
  });
}

/** Sets the secrets in the project that declares the deployments: the one here, or the one that was written. */
async function giveSecrets(
  surroundings: CommandProcess,
  { deployments }: ExportedWorkspace,
  { format, stack = "" }: ExportOptions,
  folder: string,
): Promise<void> {
  const secrets = deployments.filter(({ asComment }) => !asComment).flatMap((one) => one.secrets);
  const isProgram = format !== "manifests";
  await surroundings.stderr.write(
    printable(`Sets ${secrets.length} secrets in the stack ${stack}, one by one.\n`),
  );
  const place = { folder: isProgram ? folder : surroundings.cwd, stack, create: isProgram };
  await setSecrets(surroundings, place, secrets);
}

async function lookAt(
  { session, client }: ControlPlaneAccess,
  signal: AbortSignal,
  { format, name, includeOwned }: ExportOptions,
): Promise<ExportedWorkspace> {
  const records = await readWorkspace(client, signal);
  const workspace = exportedFrom(records, await session.dialect(), {
    names: name,
    includeOwned,
    imports: format === "import",
  });
  if (workspace.deployments.length + workspace.leftOut.length > 0)
    return format === "manifests" ? sayableInManifests(workspace) : workspace;
  throw new AgentServerError(
    "deployment_gone",
    "There is no deployment to export: the workspace has no deployments, or none whose name matches. `npx agentserver status` lists all.",
  );
}

/** What is in the deployments that are declared, where that is asked for. */
async function lookInside(
  workspace: ExportedWorkspace,
  { session }: ControlPlaneAccess,
  signal: AbortSignal,
  { contents, includeOwned, format }: ExportOptions,
): Promise<ExportedWorkspace> {
  if (contents === undefined) return workspace;
  const kinds = contents === true ? contentKinds : contents;
  const declared = workspace.deployments.filter(({ asComment }) => !asComment);
  const found = await readContents(declared, kinds, session, signal);
  const whole = withContents(workspace, found, { kinds, includeOwned });
  return format === "manifests" ? sayableContents(whole) : whole;
}

async function filesOf(
  workspace: ExportedWorkspace,
  { session }: ControlPlaneAccess,
  folder: string,
  cwd: string,
  format: ExportFormat,
  version: string,
) {
  const { deployments, contents } = workspace;
  const readme = readmeFile(format, workspace);
  const schema = (path: string) => schemaFrom(path, folder, cwd);
  if (format === "manifests")
    return [
      ...manifestFiles(deployments, schema(manifestSchemaPath)),
      ...contentManifests(contents, schema),
      readme,
    ];
  const { baseUrl, tenantId, dialect } = session.connection;
  const region = regionOf(baseUrl);
  const connection = {
    ...(region ? { region } : { baseUrl }),
    ...(tenantId && { tenantId }),
    ...(dialect && { dialect }),
  };
  // What a folder is called may not be a name for a project.
  const name = basename(folder)
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const place = { baseUrl, tenantId: tenantId ?? "", dialect: (await session.dialect()).name };
  return [
    ...(format === "import" ? [importFile(deployments, place)] : []),
    ...programFiles(workspace, { name: name.slice(0, 100) || "agents", version, connection }),
    readme,
  ];
}

/** The region of the cloud service that has this address; its name reads better, and cannot contradict a stack's. */
function regionOf(baseUrl: string): string | undefined {
  return Object.entries<string>(regionHosts).find(([, address]) => address === baseUrl)?.[0];
}

/** Where an editor finds a schema, if the package is installed where the command runs. */
function schemaFrom(path: string, folder: string, cwd: string): string | undefined {
  const schema = join(cwd, "node_modules", "pulumi-agentserver", path);
  return existsSync(schema) ? relative(folder, schema).replaceAll("\\", "/") : undefined;
}

/** Whether there is something to write over, which has to be wanted. */
function refuseToOverwrite(folder: string, { output, force }: ExportOptions): boolean {
  const isThere = holdsSomething(folder);
  if (isThere && !force)
    throw new AgentServerError(
      "bad_configuration",
      `${output} is not empty, and nothing was written. Choose another folder, or pass --force to overwrite files of the same names.`,
    );
  return isThere;
}

/** A program that manages deployments already would delete those that become comments in it. */
function refuseToForget({ deployments }: ExportedWorkspace, output: string): void {
  const owned = deployments.filter(({ asComment }) => asComment).map(({ name }) => name);
  if (owned.length === 0) return;
  const few = `${owned.slice(0, 3).join(", ")}${owned.length > 3 ? ", …" : ""}`;
  throw new AgentServerError(
    "bad_configuration",
    `${owned.length} of the deployments (${few}) carry the ownership tag of a Pulumi resource: they would become comments in ${output}, and if that is where they are declared, the next \`pulumi up\` would delete them. Nothing was written. Pass --include-owned to write them as deployments, or choose another folder.`,
  );
}
