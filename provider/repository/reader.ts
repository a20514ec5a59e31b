/** Repository to check, with the ref and the file that should exist in it. */
export interface RepositoryView {
  /** Absolute path of a folder, or an https address without credentials. */
  address: string;
  /** Branch, tag, or commit. */
  ref: string | undefined;
  /** File that should exist at that ref. */
  path: string | undefined;
}

/** Result of a check; `unclear` if the repository cannot be read, or cannot be read without credentials. */
export type RepositorySight = "there" | "no repository" | "no ref" | "no file" | "unclear";

/** Checks git repositories. Never rejects, never prompts for a password, and stops when the signal aborts. */
export type RepositoryReader = (view: RepositoryView, signal: AbortSignal) => Promise<RepositorySight>;
