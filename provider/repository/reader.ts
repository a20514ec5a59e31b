/** What is wanted of a repository. */
export interface RepositoryView {
  /** Absolute path of a folder, or an https address without credentials. */
  address: string;
  /** Branch, tag or commit. */
  ref: string | undefined;
  /** File that is to be there at that ref. */
  path: string | undefined;
}

/** What a look at it came to; `unclear` where it cannot be read, or not without credentials. */
export type RepositorySight = "there" | "no repository" | "no ref" | "no file" | "unclear";

/** Looks into git repositories; never rejects, asks nobody for a password, and ends with the signal. */
export type RepositoryReader = (view: RepositoryView, signal: AbortSignal) => Promise<RepositorySight>;
