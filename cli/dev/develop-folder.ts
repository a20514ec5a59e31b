import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { readFolder } from "../../provider/deployment/source/folder";
import { isInside, slashed } from "../../provider/local-source/files";
import { changedFiles, packedListing } from "../../provider/local-source/listing";
import { SessionPool } from "../../provider/session/session-pool";
import { formatDuration } from "../../provider/text/duration";
import { redactor } from "../../provider/text/redact";
import { isCommonValue } from "../../wire";
import type { CommandProcess } from "../command-process";
import { deploymentName, findGraphProject, readEnvFile } from "../init/graph-project";
import type { Browser } from "../open/browser";
import { printable } from "../printable";
import { ChangeLoop } from "./change-loop";
import { type Attempt, DevDeployment } from "./dev-deployment";
import { FolderWatcher, type WatchFolder, watchFolder } from "./folder-watcher";
import { RevisionLogs } from "./revision-logs";

/** Options of `agentserver dev`. */
export interface DevOptions {
  port?: number;
  /** Folder for persistent data. */
  state?: string;
  /** Name of the deployment. @default the name of the folder */
  name?: string;
  /** True to open the web console in the browser. */
  open?: boolean;
}

/** Control plane that was started for the command. */
interface DevPlane {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
  signInLink(): string;
  close(): Promise<void>;
}

/** Functions that the command requires, for example to start a control plane. */
export interface DevDeps {
  startPlane: (options: Pick<DevOptions, "port" | "state">) => Promise<DevPlane>;
  /** Returns the lines that describe the connection to a control plane. */
  connectionLines: (plane: DevPlane) => string[];
  browser: Browser;
  watch?: WatchFolder;
}

/**
 * Deploys the graphs in a folder to a new local control plane, and deploys them again after each change, until the
 * signal aborts. Stops the control plane and its agents before it resolves.
 */
export async function developFolder(
  context: CommandProcess,
  folder: string,
  options: DevOptions,
  deps: DevDeps,
): Promise<void> {
  const project = await findGraphProject(resolve(context.cwd, folder), context);
  const name = options.name ?? deploymentName(project);
  const state = options.state === undefined ? undefined : resolve(context.cwd, options.state);
  if (state !== undefined) createStateFolder(state);
  // The folders of the source are real paths, so the state folder is compared by its real path, too.
  const real = state === undefined ? undefined : slashed(realpathSync(state));
  const plane = await deps.startPlane({ ...options, ...(state !== undefined && { state }) });
  try {
    const development = new Development(
      context,
      { folder: project.folder, realFolder: realpathSync(project.folder), name, state: real },
      plane,
      deps.watch,
    );
    await development.print(
      [
        `Local control plane at ${plane.baseUrl} (API reference: ${plane.baseUrl}/docs). Ctrl-C stops it.`,
        ...deps.connectionLines(plane),
        "",
      ].join("\n"),
    );
    if (options.open && !(await deps.browser(plane.signInLink())))
      await context.stderr.write("agentserver: no browser was found; open the address yourself\n");
    await development.run();
  } catch (error) {
    // Ctrl-C is the normal way to end the command.
    if (!context.signal.aborted) throw error;
  } finally {
    await plane.close();
  }
}

/**
 * Creates the state folder with a `.gitignore`, so that it is never part of the source, even if it is inside the
 * source's folder.
 */
function createStateFolder(state: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(state, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Folder to deploy, and the name of its deployment. */
interface DevTarget {
  folder: string;
  /** Path of the folder with all links resolved, determined when the command starts. */
  realFolder: string;
  name: string;
  /** Real path of the state folder, with forward slashes. */
  state: string | undefined;
}

/** Current contents of the folder. */
interface Contents {
  /** Key that identifies the contents of the folder and the variables. */
  key: string;
  inputs: DeploymentInputs;
  /** Names of the environment variables that the control plane does not accept. */
  omitted: string[];
  /** Files of the source, with their hashes. */
  listing: string;
  /** Folders to watch. */
  folders: string[];
}

/** Prefix of the provider's warnings about the source, for example about files that often contain secrets. */
const aboutFolder = "sourceRevisionConfig.folder: ";

/** Deploys a folder after each change. */
class Development {
  private readonly loop: ChangeLoop;
  private readonly watcher: FolderWatcher;
  private readonly deployment: DevDeployment;
  private readonly logs: RevisionLogs;
  private redact: (text: string) => string = (text) => text;
  /** Key of the contents of the last attempt; undefined if the attempt must be repeated. */
  private attempted: string | undefined;
  private lastError: string | undefined;
  /** Folders that contained the source when it was last read successfully. */
  private folders: readonly string[] = [];
  /** Contents of the last rollout. */
  private deployed: Contents | undefined;
  /** Description of the changes that were printed but not rolled out yet. */
  private announced: string | undefined;
  private readonly printed = new Set<string>();
  private readonly ended = new AbortController();
  private readonly signal: AbortSignal;

  constructor(
    private readonly context: CommandProcess,
    private readonly target: DevTarget,
    plane: DevPlane,
    watch: WatchFolder = watchFolder,
  ) {
    const { clock, random } = context;
    const signal = (this.signal = AbortSignal.any([context.signal, this.ended.signal]));
    const env = {
      AGENTSERVER_BASE_URL: plane.baseUrl,
      AGENTSERVER_API_KEY: plane.apiKey,
      AGENTSERVER_TENANT_ID: plane.tenantId,
      AGENTSERVER_DIALECT: "langsmith",
    };
    const sessions = new SessionPool({ env, clock, random });
    const log = {
      // Everything else is printed together with the logs, or is relevant to programs only.
      write: (_: string, severity: string, text: string) =>
        severity === "warning" && text.startsWith(aboutFolder)
          ? this.printWarning(`the folder ${text.slice(aboutFolder.length)}`)
          : Promise.resolve(),
      status: () => Promise.resolve(),
    };
    this.loop = new ChangeLoop(clock);
    this.watcher = new FolderWatcher(this.loop.changed, watch);
    this.deployment = new DevDeployment({ sessions, log, folder: target.folder, signal });
    this.logs = new RevisionLogs({
      ...{ client: sessions.of(() => undefined).client(), clock, name: target.name, signal },
      redact: (text) => this.redact(text),
      print: (text) => this.print(text),
    });
  }

  print(text: string): Promise<void> {
    return this.context.stdout.write(printable(text));
  }

  /** Deploys the folder, and deploys it again after each change, until the signal aborts. */
  async run(): Promise<never> {
    this.loop.changed();
    const work = [this.logs.follow(), this.loop.run(() => this.deployChanges(), this.signal)];
    try {
      return await Promise.race(work);
    } finally {
      this.watcher.close();
      this.ended.abort(new Error("interrupted"));
      await Promise.allSettled(work);
    }
  }

  private async deployChanges(): Promise<void> {
    const { clock } = this.context;
    const began = clock.now();
    let contents: Contents | undefined;
    try {
      contents = await this.readContents();
      this.lastError = undefined;
      if (contents.key === this.attempted) return;
      this.redact = redactor(
        Object.values(contents.inputs.secrets ?? {}).filter((value) => !isCommonValue(value)),
      );
      await this.printOmitted(contents);
      await this.printChanges(contents);
      this.logs.setRollingOut(true);
      const attempt = await this.deployment.deploy(contents.inputs);
      this.attempted = contents.key;
      this.announced = undefined;
      if (attempt.result !== "rejected") this.deployed = contents;
      await this.logs.readNow();
      await this.print(this.redact(this.attemptText(attempt, clock.now() - began)));
    } catch (error) {
      this.signal.throwIfAborted();
      this.attempted = undefined;
      // If the files changed in the meantime, the next attempt shows whether the error still occurs.
      if (contents !== undefined && (await this.hasChanged(contents))) this.loop.changed();
      else await this.printError(error as Error);
    } finally {
      this.logs.setRollingOut(false);
    }
  }

  /** Reads the folder, and watches the folders of its source. */
  private async readContents(): Promise<Contents> {
    for (;;) {
      const reading = this.read();
      const folders = await reading.then((contents) => contents.folders).catch(() => this.foldersToWatch());
      // Files that were created before a new folder was watched would be missed.
      if (this.watcher.watch(folders)) continue;
      const contents = await reading;
      this.folders = folders;
      return contents;
    }
  }

  /** Returns the folders in which a change may fix a problem with the source. */
  private foldersToWatch(): string[] {
    const { folder, realFolder } = this.target;
    if (existsSync(folder)) return [folder, ...this.folders];
    return [folder, realFolder].map(existingParent);
  }

  private hasChanged({ key }: Contents): Promise<boolean> {
    return this.read().then(
      (contents) => contents.key !== key,
      () => true,
    );
  }

  private async read(): Promise<Contents> {
    const { folder, name, state } = this.target;
    const { path: envFile, secrets, otherVariables } = readEnvFile(folder);
    const source = await readFolder({ folder }, folder);
    const isState = (one: string) => state !== undefined && isInside(one, state);
    return {
      key: JSON.stringify([source.contentHash, secrets]),
      inputs: {
        name,
        source: "internal_source",
        sourceConfig: { deploymentType: "dev" },
        sourceRevisionConfig: { folder },
        secrets,
        rollout: { onSecretChange: "revise" },
        adopt: "always",
      },
      omitted: otherVariables,
      listing: packedListing(source.files),
      folders: [...source.searched, ...(envFile === undefined ? [] : [dirname(envFile)])].filter(
        (one) => !isState(one),
      ),
    };
  }

  private attemptText(attempt: Attempt, ms: number): string {
    if (attempt.result === "unchanged") return "No changes.\n";
    if (attempt.result === "rejected")
      return `Not deployed: ${attempt.reasons.join("; ")}. Waiting for changes.\n`;
    const { problem, revisionId, servingRevisionId, url } = attempt;
    if (problem === undefined)
      return `Revision ${revisionId.slice(0, 8)} is serving requests after ${formatDuration(ms)}${url === undefined ? "" : `: ${url}`}\n`;
    const serving = servingRevisionId
      ? `Revision ${servingRevisionId.slice(0, 8)} is still serving requests.`
      : "No revision is serving requests.";
    return `${problem}\n${serving} Waiting for changes.\n`;
  }

  /** Prints an error, unless the previous change caused the same error. */
  private async printError({ message }: Error): Promise<void> {
    if (message === this.lastError) return;
    this.lastError = message;
    await this.context.stderr.write(printable(`agentserver: ${this.redact(message)}\n`));
  }

  /** Prints the changes since the last rollout, unless a failed attempt has already printed the same changes. */
  private async printChanges(contents: Contents): Promise<void> {
    const text = changesText(this.deployed, contents);
    if (text !== this.announced) await this.print(text);
    this.announced = text;
  }

  private async printOmitted({ omitted }: Contents): Promise<void> {
    if (omitted.length > 0)
      await this.printWarning(
        `these variables of the env file do not become secrets of the deployment, because the control plane reserves their names or does not accept them: ${omitted.join(", ")}`,
      );
  }

  private async printWarning(text: string): Promise<void> {
    if (this.printed.has(text)) return;
    this.printed.add(text);
    await this.print(`Warning: ${this.redact(text)}\n`);
  }
}

/** Returns the nearest existing parent of a folder. */
function existingParent(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) ? parent : existingParent(parent);
}

/** Describes which files and variables changed. */
function changesText(before: Contents | undefined, after: Contents): string {
  if (!before) return "";
  const [old, now] = [before.inputs.secrets ?? {}, after.inputs.secrets ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name])
    .sort();
  return [
    changedFiles(before.listing, after.listing),
    names.length > 0 ? `changed in the env file: ${names.join(", ")}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}\n`)
    .join("");
}
