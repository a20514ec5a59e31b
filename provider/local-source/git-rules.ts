import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import ignore, { type Ignore } from "ignore";
import { folderEnvironment, runGit } from "../repository/git";
import { fileError, foldersBelow, isInside, repositoryOf, ruleText } from "./files";

/** Maximum size of the list of tracked files that git returns, in characters. */
const longestIndex = 256 * 1024 * 1024;

interface Repository {
  /** Modes of the tracked files in a folder, by absolute path. */
  modes: ReadonlyMap<string, string>;
  /** Folders that contain the tracked files. */
  folders: ReadonlySet<string>;
  /** Patterns of `.git/info/exclude` and of the user's ignore file. */
  exclude: string;
  /** True if git ignores case in this repository, which is the default on most Macs. */
  ignoresCase: boolean;
  problem?: string;
}

/**
 * The rules for ignored and tracked files of a repository. Outside a repository, only the `.gitignore` files of folders
 * apply.
 */
export class GitRules {
  private constructor(
    /** Absolute path of the folder that the rules are relative to. */
    readonly top: string,
    /** Rules of all folders, starting with the root. Patterns and paths are byte strings, as in git. */
    private readonly rules: Ignore,
    /** Patterns that prevent the folder specified by the program from being ignored. */
    private readonly named: string,
    private readonly repository: Repository,
  ) {}

  /**
   * Reads the rules that apply in a folder, except for those of the folder's own `.gitignore`.
   * @param top folder that `.gitignore` files are relative to: the repository's root folder, if there is a repository
   * @param named folder that the program specifies, which is never ignored itself
   */
  static async open(top: string, folder: string, isRepository: boolean, named: string): Promise<GitRules> {
    return GitRules.for(top, folder, named, isRepository ? await readRepository(top, folder) : noRepository);
  }

  /** Returns the rules of the `.gitignore` files in the folders above a folder. */
  static above(top: string, folder: string): GitRules {
    return GitRules.for(top, folder, top, noRepository);
  }

  private static for(top: string, folder: string, named: string, repository: Repository): GitRules {
    const included = isInside(named, top) ? foldersBelow(top, named) : [];
    const patterns = included.map((one) => `!/${literal(bytes(one.slice(top.length + 1)))}/`).join("\n");
    let rules = new GitRules(top, ignore(), patterns, repository).with(patternsIn(repository.exclude, ""));
    for (const one of [top, ...foldersBelow(top, folder)].filter((above) => above !== folder))
      rules = rules.within(one, gitignoreIn(one));
    return rules;
  }

  /** Returns these rules with the patterns of a folder's `.gitignore` added. */
  within(folder: string, text: string): GitRules {
    const path = folder.slice(this.top.length + 1);
    return text === "" ? this : this.with(patternsIn(text, path && `${literal(bytes(path))}/`));
  }

  private with(patterns: string): GitRules {
    const { top, named, repository } = this;
    const rules = ignore({ ignorecase: repository.ignoresCase }).add(this.rules).add(patterns).add(named);
    return new GitRules(top, rules, named, repository);
  }

  /** Returns the reason that the list of tracked files could not be read, if there is one. */
  get problem(): string | undefined {
    return this.repository.problem;
  }

  ignores(file: string): boolean {
    return !this.repository.modes.has(file) && this.rules.ignores(bytes(file.slice(this.top.length + 1)));
  }

  ignoresFolder(folder: string): boolean {
    return !this.repository.folders.has(folder) && this.ignores(`${folder}/`);
  }

  /** Returns the mode of a file that git tracks, such as `100755`. */
  modeOf(file: string): string | undefined {
    return this.repository.modes.get(file);
  }
}

/** Returns the text of a folder's `.gitignore`, with one character for each byte. */
export function gitignoreIn(folder: string): string {
  return withoutMark(ruleText(`${folder}/.gitignore`, "latin1"));
}

/**
 * True if git ignores a folder or one of its parents, even if git tracks files inside the folder. Outside a repository,
 * the `.gitignore` files in the project's folder and its subfolders apply.
 * @param folder real path; need not exist
 * @param project real path
 */
export function isIgnoredFolder(folder: string, project: string): boolean {
  const repository = repositoryOf(posix.dirname(folder).replace(/^\/$/, ""));
  const top = repository ?? project;
  if (folder === top || !isInside(folder, top)) return false;
  const words = ["--literal-pathspecs", "check-ignore", "--no-index", "--quiet", "--"];
  const { status } =
    repository === undefined
      ? { status: null }
      : spawnSync("git", [...gitIn(top), ...words, `${folder.slice(top.length + 1)}/`], {
          env: environmentOf(top),
          stdio: "ignore",
        });
  // If git cannot be run, only `.gitignore` files apply.
  const isIgnored = status === 0 || (status !== 1 && GitRules.above(top, folder).ignoresFolder(folder));
  return isIgnored || (repository !== undefined && isIgnoredFolder(repository, project));
}

/**
 * Returns the arguments that make git run in the top folder. If git ran in a subfolder that contains `HEAD`, `objects`,
 * and `refs`, git would treat that subfolder as a repository.
 */
function gitIn(top: string): string[] {
  return ["-C", `${top}/`, "-c", "core.fsmonitor=false"];
}

function environmentOf(top: string): NodeJS.ProcessEnv {
  return { ...folderEnvironment(process.env), GIT_CEILING_DIRECTORIES: posix.dirname(top) };
}

const noRepository: Repository = { modes: new Map(), folders: new Set(), exclude: "", ignoresCase: false };

async function readRepository(top: string, folder: string): Promise<Repository> {
  const git = (...words: string[]) =>
    runGit([...gitIn(top), "--literal-pathspecs", ...words], environmentOf(top), undefined, longestIndex);
  const [index, exclude, configured] = await Promise.all([
    git("ls-files", "--stage", "-z", "--", folder.slice(top.length + 1) || "."),
    git("rev-parse", "--git-path", "info/exclude"),
    git("config", "-z", "--type=path", "--get-regexp", "^core\\.(excludesfile|ignorecase)$"),
  ]);
  const settings = (configured?.stdout ?? "").split("\0").map((setting) => setting.split("\n"));
  const setting = (name: string) => settings.findLast(([key]) => key === `core.${name}`)?.[1];
  const userFile = join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "git/ignore");
  const files = [setting("excludesfile") ?? userFile, (exclude?.stdout ?? "").trimEnd()];
  const texts = files.map((file) => textOf(resolve(`${top}/`, file)));
  return {
    ...readIndex(top, folder, index?.code === 0 ? index.stdout : ""),
    exclude: texts.join("\n"),
    ignoresCase: setting("ignorecase") === "true",
    problem: problemIn(index),
  };
}

function problemIn(index: Awaited<ReturnType<typeof runGit>>): string | undefined {
  if (!index) return "Git cannot be run";
  if (index.code === 0 || /not a git repository/.test(index.stderr)) return undefined;
  return index.stderr.split("\n")[0]!.replace(/^fatal: /, "");
}

function readIndex(top: string, folder: string, listed: string): Pick<Repository, "modes" | "folders"> {
  const modes = new Map<string, string>();
  const folders = new Set<string>();
  for (const line of listed.split("\0").filter(Boolean)) {
    const place = `${top}/${line.slice(line.indexOf("\t") + 1)}`;
    const mode = line.slice(0, line.indexOf(" "));
    modes.set(place, mode);
    // Mode 160000 means a submodule, which is a folder.
    if (mode === "160000") folders.add(place);
    for (
      let above = dirname(place);
      above.length > folder.length && !folders.has(above);
      above = dirname(above)
    )
      folders.add(above);
  }
  return { modes, folders };
}

/**
 * Converts the patterns of a folder's `.gitignore` to patterns that are relative to the top folder.
 * @param prefix path of the folder, relative to the top folder
 */
function patternsIn(text: string, prefix: string): string {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => {
      const [, negation = "", body = ""] = /^(!?)(.*)$/s.exec(line) ?? [];
      // Trailing spaces are ignored, unless they are escaped.
      const pattern = /^(?:\\[^]|[^\\])*?(?= *$)/.exec(body)?.[0] ?? body;
      if (pattern === "" || pattern === "/") return [];
      const isAnchored = /\/(?!$)/.test(pattern);
      const variants = isAnchored ? variantsOf(pattern.replace(/^\//, "")) : [`**/${pattern}`];
      return variants.map((one) => `${negation}/${prefix}${one}`);
    })
    .join("\n");
}

// Git compares the text before the first wildcard separately, so the rest of `a**/b` starts with `**/`.
function variantsOf(pattern: string): string[] {
  const [, start, rest, end] = /^([^*?[\\]*[^*?[\\/])\*{2,}(?:\/(.+?))?(\/?)$/s.exec(pattern) ?? [];
  if (start === undefined) return [pattern];
  return rest === undefined
    ? [`${start}*${end}`, `${start}*/**${end}`]
    : [`${start}${rest}${end}`, `${start}*/**/${rest}${end}`];
}

/** Returns a pattern that matches only this path, with escaped wildcards. */
function literal(path: string): string {
  return path.replace(/[\\*?[ ]/g, "\\$&");
}

/** Converts a string to a byte string, with one character for each byte, because in git a `?` matches one byte. */
function bytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function textOf(file: string): string {
  try {
    return withoutMark(readFileSync(file, "latin1"));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return "";
    throw fileError(file, error);
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\u00ef\u00bb\u00bf/, "");
}
