import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Creates a temporary folder, which is removed after the tests of the file. Returns its real path. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `agentserver-${name}-`)));
  made.push(folder);
  return folder;
}

/** A git repository for a test. */
export class Repository {
  readonly folder = temporaryFolder("repository");

  constructor(files: Record<string, string> = {}) {
    this.git("init", "--quiet", "--initial-branch=main");
    if (Object.keys(files).length > 0) this.commit(files);
  }

  write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), text);
    }
  }

  /** Writes and commits files. Returns the ID of the commit. */
  commit(files: Record<string, string>): string {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "Change");
    return this.git("rev-parse", "HEAD");
  }

  git(...args: string[]): string {
    const author = [
      "-c",
      "user.name=Test",
      "-c",
      "user.email=test@example.com",
      "-c",
      "commit.gpgsign=false",
    ];
    return execFileSync("git", ["-C", this.folder, ...author, ...args], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  }
}
