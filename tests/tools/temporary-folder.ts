import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder with these files, which is removed after the tests of the file. */
export function temporaryFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-test-"));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) writeFile(join(folder, name), content);
  return folder;
}

/** Writes a file and creates its parent folders. A script (`#!`) becomes executable. */
export function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  if (content.startsWith("#!")) chmodSync(path, 0o755);
}
