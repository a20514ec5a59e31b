import { join } from "node:path";
import { run } from "../../../tools/process";
import { repositoryRoot } from "../../../tools/repository";
import { temporaryFolder } from "../temporary-folder";

const script = join(repositoryRoot, "tools", "lint", "documents.cjs");

/** Checks a document with this text, and returns the exit code and the output. */
async function check(text: string): Promise<[number | undefined, string]> {
  const file = join(temporaryFolder({ "a.md": text }), "a.md");
  const { code, stdout } = await run(process.execPath, [script, file]);
  return [code, stdout.replaceAll(file, "a.md")];
}

test("reports disallowed phrases in prose with their line numbers", async () => {
  expect(await check("# Title\n\nAsks once more.\n")).toEqual([
    1,
    'a.md:3 Write again instead of "once more".\n',
  ]);
});

test("ignores code and the targets of links", async () => {
  expect(await check("# Title\n\n`once more` [again](once-more.md)\n\n```sh\nonce more\n```\n")).toEqual([
    0,
    "",
  ]);
});

test("reports Markdown errors with their line numbers", async () => {
  expect(await check("# Title\n\n```\nls\n```\n")).toEqual([
    1,
    "a.md:3 Fenced code blocks should have a language specified, MD040 of markdownlint.\n",
  ]);
});
