import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { regionHosts } from "../../provider/control-plane/base-url";
import type { ControlPlaneClient } from "../../provider/control-plane/client";
import { AgentServerError } from "../../provider/errors";
import { mapConcurrently } from "../../provider/map-concurrently";
import { manifestSchemaPath } from "../../sdk/manifests/format";
import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { printable } from "../printable";
import {
  type ContentKind,
  contentKinds,
  type ExportedFile,
  type ExportedWorkspace,
  type ProviderName,
} from "./model";
import { addContents } from "./contents/add-contents";
import { contentManifests } from "./contents/manifests";
import { readContents } from "./contents/read-contents";
import { selectDeployments } from "./select-deployments";
import { importFile } from "./import-file";
import { manifestFiles } from "./manifests";
import { programFiles } from "./program";
import { type ExportFormat, readmeFile } from "./readme";
import { representableContents, representableInManifests } from "./representable";
import { setSecrets } from "./set-secrets";
import { count, summaryOf } from "./summary";
import type { ReportedRecord } from "./unmanaged-fields";

/** Options of `agentserver export`. */
export interface ExportOptions extends ConnectionFlags {
  format: ExportFormat;
  /** Provider that manages the imported resources. */
  provider: ProviderName;
  /** Output folder. */
  output: string;
  /** Patterns for deployment names. If empty, all deployments are exported. */
  name: RegExp[];
  /** True to adopt deployments that carry another Pulumi resource's ownership tag. */
  includeOwned: boolean;
  /** True to overwrite existing files with the same names. */
  force: boolean;
  /** Kinds of contents to export; `true` for all kinds, undefined for none. */
  contents?: true | ContentKind[];
  /** True to set the secret values in the configuration of `stack`. */
  setSecrets: boolean;
}

/** Exports the workspace's deployments in the requested format, and resolves with the exit code. */
export function exportWorkspace(
  context: CommandProcess,
  options: ExportOptions,
  version: string,
): Promise<number> {
  const { format, provider, setSecrets: shouldSetSecrets, stack } = options;
  if (shouldSetSecrets && stack === undefined)
    throw new AgentServerError(
      "bad_configuration",
      "--set-secrets requires --stack, which specifies the stack whose configuration receives the secrets.",
    );
  if (options.contents !== undefined && format === "import")
    throw new AgentServerError(
      "bad_configuration",
      "--contents cannot be combined with --format import: adopting the contents of a deployment writes an ownership tag, but an import writes nothing. Use --format program, whose first `pulumi up` adopts them.",
    );
  if (provider === "plugin" && format !== "import")
    throw new AgentServerError("bad_configuration", "--provider plugin requires --format import.");
  // The stack of a program that does not exist yet cannot provide a connection.
  const flags = shouldSetSecrets && format !== "manifests" ? { ...options, stack: undefined } : options;
  return withControlPlane(context, flags, async (access) => {
    const folder = resolve(context.cwd, options.output);
    const isExisting = checkOverwrite(folder, options);
    const deployments = await readDeployments(access, context.signal, options);
    const workspace = await addDeploymentContents(deployments, access, context.signal, options);
    if (isExisting) rejectDroppedDeployments(workspace, options.output);
    writeFolder(folder, await filesOf(workspace, access, folder, context.cwd, options, version));
    if (shouldSetSecrets) await setStackSecrets(context, workspace, options, folder);
    const target = { folder: options.output, secretsSetIn: shouldSetSecrets ? stack : undefined };
    await context.stdout.write(summaryOf(workspace, target));
    return exitCodes.success;
  });
}

/** Sets the secrets in the project that declares the deployments: either the current or the exported project. */
async function setStackSecrets(
  context: CommandProcess,
  { deployments }: ExportedWorkspace,
  { format, stack = "" }: ExportOptions,
  folder: string,
): Promise<void> {
  const secrets = deployments.filter(({ asComment }) => !asComment).flatMap((one) => one.secrets);
  const isProgram = format !== "manifests";
  await context.stderr.write(
    printable(`Setting ${count(secrets.length, "secret")} in the stack ${stack}.\n`),
  );
  const target = { folder: isProgram ? folder : context.cwd, stack, create: isProgram };
  await setSecrets(context, target, secrets);
}

async function readDeployments(
  { session, client }: ControlPlaneAccess,
  signal: AbortSignal,
  { format, provider, name, includeOwned }: ExportOptions,
): Promise<ExportedWorkspace> {
  const records = await readWorkspace(client, signal);
  const workspace = selectDeployments(records, await session.dialect(), {
    names: name,
    includeOwned,
    ...(format === "import" && { importedBy: provider }),
  });
  if (workspace.deployments.length + workspace.omitted.length > 0)
    return format === "manifests" ? representableInManifests(workspace) : workspace;
  throw new AgentServerError(
    "deployment_gone",
    "No deployments to export: the workspace has none, or no name matches. Run `npx agentserver status` to list all deployments.",
  );
}

/** Adds the contents of the declared deployments, if requested. */
async function addDeploymentContents(
  workspace: ExportedWorkspace,
  { session }: ControlPlaneAccess,
  signal: AbortSignal,
  { contents, includeOwned, format }: ExportOptions,
): Promise<ExportedWorkspace> {
  if (contents === undefined) return workspace;
  const kinds = contents === true ? contentKinds : contents;
  const declared = workspace.deployments.filter(({ asComment }) => !asComment);
  const found = await readContents(declared, kinds, session, signal);
  const whole = addContents(workspace, found, { kinds, includeOwned });
  return format === "manifests" ? representableContents(whole) : whole;
}

async function filesOf(
  workspace: ExportedWorkspace,
  { session }: ControlPlaneAccess,
  folder: string,
  cwd: string,
  { format, provider }: ExportOptions,
  version: string,
) {
  const { deployments, contents } = workspace;
  const readme = readmeFile(format, provider, workspace);
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
  // The name of a folder is not always a valid project name.
  const name = basename(folder)
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const controlPlane = { baseUrl, tenantId: tenantId ?? "", dialect: (await session.dialect()).name };
  return [
    ...(format === "import" ? [importFile(deployments, controlPlane, provider)] : []),
    ...programFiles(workspace, { name: name.slice(0, 100) || "agents", version, connection, provider }),
    readme,
  ];
}

/**
 * Returns the region of the public service at this URL. The name of the region is easier to read than the URL, and
 * cannot conflict with the stack's settings.
 */
function regionOf(baseUrl: string): string | undefined {
  return Object.entries<string>(regionHosts).find(([, address]) => address === baseUrl)?.[0];
}

/** Returns the relative path of a schema for editors, if the package is installed in the current directory. */
function schemaFrom(path: string, folder: string, cwd: string): string | undefined {
  const schema = join(cwd, "node_modules", "pulumi-agentserver", path);
  return existsSync(schema) ? relative(folder, schema).replaceAll("\\", "/") : undefined;
}

/** Rejects a non-empty folder unless overwriting is requested. Returns true if files may be overwritten. */
function checkOverwrite(folder: string, { output, force }: ExportOptions): boolean {
  const isExisting = isNonEmptyFolder(folder);
  if (isExisting && !force)
    throw new AgentServerError(
      "bad_configuration",
      `${output} is not empty, so nothing was written. Choose another folder, or pass --force to overwrite files with the same names.`,
    );
  return isExisting;
}

/** Rejects an export that would comment out, and thereby delete, deployments in an existing program. */
function rejectDroppedDeployments({ deployments }: ExportedWorkspace, output: string): void {
  const owned = deployments.filter(({ asComment }) => asComment).map(({ name }) => name);
  if (owned.length === 0) return;
  const examples = `${owned.slice(0, 3).join(", ")}${owned.length > 3 ? ", …" : ""}`;
  throw new AgentServerError(
    "bad_configuration",
    `Nothing was written, because deployments with the ownership tag of a Pulumi resource (${owned.length}: ${examples}) would be exported to ${output} only as comments. If the existing files declare them, the next \`pulumi up\` would delete them. Pass --include-owned to export them as deployments, or choose another folder.`,
  );
}

/** True if the folder exists and is not empty. @throws AgentServerError if the path is not a folder */
function isNonEmptyFolder(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) throw new AgentServerError("bad_configuration", `${folder} is not a folder.`);
  return readdirSync(folder).length > 0;
}

/**
 * Writes the files to a folder, which is created if necessary. Each file is either written completely or not changed,
 * and no existing file is replaced until all files have been written. Other files are not changed.
 */
function writeFolder(folder: string, files: readonly ExportedFile[]): void {
  mkdirSync(folder, { recursive: true });
  const drafts = mkdtempSync(join(folder, ".export-"));
  try {
    for (const { name, text } of files) writeFileSync(join(drafts, name), text);
    for (const { name } of files) renameSync(join(drafts, name), join(folder, name));
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
}

/** Maximum number of deployments that are read at the same time. */
const concurrency = 6;

/** Returns the workspace's deployments with everything that the server reports, in the server's order. */
async function readWorkspace(client: ControlPlaneClient, signal: AbortSignal): Promise<ReportedRecord[]> {
  const listed = await client.deployments.list(signal);
  const records = await mapConcurrently(listed, concurrency, ({ id }) =>
    client.deployments.findWhole(id, signal),
  );
  // Deployments that were deleted since they were listed are ignored.
  return records.filter((record) => record !== undefined);
}
