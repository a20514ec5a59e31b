import { join } from "node:path";
import { run } from "../../../tools/process";
import { repositoryRoot } from "../../../tools/repository";
import { temporaryFolder } from "../temporary-folder";

const script = join(repositoryRoot, "tools", "lint", "spelling.mjs");

/** Checks a file with this text, and returns the exit code and the output. */
async function check(text: string): Promise<[number | undefined, string]> {
  const file = join(temporaryFolder({ "a.ts": text }), "a.ts");
  const { code, stdout } = await run(process.execPath, [script, file]);
  return [code, stdout.replaceAll(file, "a.ts")];
}

test("reports misspelled words and British spellings with their line numbers", async () => {
  expect(await check("// Waits.\nconst recievedRevison = colour;\n")).toEqual([
    1,
    'a.ts:2 Unknown word "recieved".\na.ts:2 Unknown word "Revison".\na.ts:2 Unknown word "colour".\n',
  ]);
});

test("accepts project words, short words, addresses, escapes, and hexadecimal numbers", async () => {
  const text = String.raw`Pulumi's rollouts: abc, https://example.com/qwrtz, "\nfirst\u001b", #fcfcfd, 4f2dabcdef0; it doesn't`;

  expect(await check(text)).toEqual([0, ""]);
});
