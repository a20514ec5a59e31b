import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";

/** A file of the repository that people read. */
export interface Document {
  /** From the repository's root, with slashes. */
  path: string;
  text: string;
}

/** What installations, builds and runs leave behind. */
const notOurs = new Set(["node_modules", "dist", ".git", ".agentserver", ".local"]);

/** The repository's files of this kind, those in folders that begin with a dot included. */
function filesOf(...patterns: string[]): Document[] {
  const exclude = (path: string) => path.split("/").some((part) => notOurs.has(part));
  const found = globSync(patterns, { cwd: repositoryRoot, exclude });
  return found.sort().map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }));
}

/** All Markdown files. */
export const markdown = filesOf("**/*.md", ".github/**/*.md");

/** The workflows, and the other files that GitHub reads. */
export const workflows = filesOf(".github/workflows/*.yml");
export const issueTemplates = filesOf(".github/ISSUE_TEMPLATE/*.yml");
