import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.ts";
import type { Settings } from "./settings.ts";

/** Statuses are nobody's: they only need some author. */
const author = ["-c", "user.name=agentserver-gitops", "-c", "user.email=agentserver-gitops@localhost"];
/** Files arrive as they were committed, and a link leads nowhere: it is a file with its target's path. */
const plainFiles = ["-c", "core.symlinks=false", "-c", "core.autocrlf=false"];

/** Variables that point git at another repository, as they do in a hook. */
const elsewhere = /^GIT_(ALTERNATE|COMMON|DIR|INDEX|NAMESPACE|OBJECT|PREFIX|QUARANTINE|WORK)/;

/**
 * The repository that the deployments come from. Objects are fetched into a store without branches, so that nothing
 * that a killed git leaves behind stands in the way of the next one.
 */
export class SourceRepository {
  private readonly settings: Settings;
  private readonly signal: AbortSignal;
  private readonly store: string;

  private constructor(settings: Settings, signal: AbortSignal) {
    this.settings = settings;
    this.signal = signal;
    this.store = join(settings.workFolder, "objects.git");
  }

  static async open(settings: Settings, signal: AbortSignal): Promise<SourceRepository> {
    const repository = new SourceRepository(settings, signal);
    mkdirSync(repository.store, { recursive: true });
    await repository.git(["init", "--quiet", "--bare"]);
    return repository;
  }

  /** The newest commits of branches, as they are there now; a branch that is not there is left out. */
  async heads(...branches: string[]): Promise<Record<string, string | undefined>> {
    const refs = branches.map((branch) => `refs/heads/${branch}`);
    const listed = await this.git(["ls-remote", this.settings.repository, ...refs]);
    const heads = listed.split("\n").map((line) => line.split("\t") as [string, string]);
    return Object.fromEntries(
      heads.filter(([, ref]) => refs.includes(ref)).map(([id, ref]) => [ref.slice("refs/heads/".length), id]),
    );
  }

  /** Gets a commit, unless it is here already. */
  async fetch(commit: string): Promise<void> {
    const here = await this.tryGit(["cat-file", "-e", `${commit}^{tree}`]);
    if (here.code === 0) return;
    const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc"];
    await this.git(["fetch", ...quietly, this.settings.repository, commit]);
  }

  /** Writes the files of a commit into a folder, in place of all that is in it. */
  async checkOut(commit: string, folder: string): Promise<void> {
    await this.fetch(commit);
    const index = join(this.settings.workFolder, "checkout-index");
    for (const left of [folder, index, `${index}.lock`]) rmSync(left, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await this.git([...plainFiles, `--work-tree=${folder}`, "read-tree", "--reset", "-u", commit], { index });
  }

  /** A file of a commit; nothing if it is not there. */
  async read(commit: string, path: string): Promise<string | undefined> {
    await this.fetch(commit);
    const { code, stdout } = await this.tryGit(["cat-file", "blob", `${commit}:${path}`]);
    return code === 0 ? stdout : undefined;
  }

  /**
   * Commits files on top of a branch of the repository, without a checkout.
   * @param parent the newest commit of the branch; nothing makes the branch
   * @returns the new commit; nothing if the branch has another newest commit meanwhile
   */
  async commitTo(
    branch: string,
    parent: string | undefined,
    files: Record<string, string>,
    message: string,
  ): Promise<string | undefined> {
    const index = join(this.settings.workFolder, "status-index");
    for (const left of [index, `${index}.lock`]) rmSync(left, { force: true });
    if (parent) await this.git(["read-tree", parent], { index });
    for (const [path, content] of Object.entries(files)) {
      const blob = await this.git(["hash-object", "-w", "--stdin"], { input: content });
      await this.git(["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`], { index });
    }
    const tree = await this.git(["write-tree"], { index });
    const parents = parent ? ["-p", parent] : [];
    const commit = await this.git([...author, "commit-tree", tree, ...parents, "-m", message]);
    const target = `${commit}:refs/heads/${branch}`;
    const pushed = await this.tryGit(["push", "--quiet", this.settings.repository, target]);
    if (pushed.code === 0) return commit;
    const { [branch]: newest } = await this.heads(branch);
    if (newest === parent) throw failure("push", pushed.stderr);
    return undefined;
  }

  private async git(words: string[], more: { index?: string; input?: string } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.tryGit(words, more);
    if (code === 0) return stdout.trim();
    throw failure(words.find((word) => /^[a-z]/.test(word) && !word.includes("=")) ?? "", stderr);
  }

  private tryGit(words: string[], { index, input }: { index?: string; input?: string } = {}) {
    const own = Object.entries(this.settings.env).filter(([name]) => !elsewhere.test(name));
    return run("git", [`--git-dir=${this.store}`, ...words], {
      cwd: process.cwd(),
      env: { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: "0", ...(index && { GIT_INDEX_FILE: index }) },
      signal: this.signal,
      input,
    });
  }
}

/** Git's own words, without what an address may hold before its `@`. */
function failure(command: string, stderr: string): Error {
  return new Error(`git ${command} failed: ${stderr.trim().replace(/\/\/[^/@\s]+@/g, "//")}`);
}
