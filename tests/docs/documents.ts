import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";

/** A file in the repository. */
export interface Document {
  /** Path from the root of the repository, with forward slashes. */
  path: string;
  text: string;
}

/** Folders that contain installed packages, build output, or the state of runs. */
const notOurs = new Set(["node_modules", "dist", ".git", ".agentserver", ".local"]);

/** Returns the repository files that match one of the patterns, including those in hidden folders. */
function filesOf(...patterns: string[]): Document[] {
  const exclude = (path: string) => path.split("/").some((part) => notOurs.has(part));
  const found = globSync(patterns, { cwd: repositoryRoot, exclude });
  return found.sort().map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }));
}

export const markdown = filesOf("**/*.md", ".github/**/*.md");

/** Workflows and other files that GitHub reads. */
export const workflows = filesOf(".github/workflows/*.yml");
export const dependabot = filesOf(".github/dependabot.yml");
export const issueTemplates = filesOf(".github/ISSUE_TEMPLATE/*.yml");
