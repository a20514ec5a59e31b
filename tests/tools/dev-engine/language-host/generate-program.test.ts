import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GenerateProgramRequest } from "@pulumi/pulumi/proto/language_pb";
import { generateProgram } from "../../../../tools/dev-engine/language-host/generate-program";
import { temporaryFolder } from "../../temporary-folder";

const cache = temporaryFolder({});
const generate = () =>
  generateProgram(new GenerateProgramRequest().setLoaderTarget("127.0.0.1:1"), "nodejs", {
    AGENTSERVER_CACHE: cache,
  });

/** Adds a script to the cache, which runs instead of the SDK generator. */
function addGenerator(name: string, script: string, modifiedAt: number): void {
  const path = join(cache, "sdk-generator", `${process.platform}-${process.arch}-${name}`, "sdk-generator");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  utimesSync(path, modifiedAt, modifiedAt);
}

test("suggests the command that builds the generator if there is none", async () => {
  await expect(generate()).rejects.toThrow("Run `npm run sdks` in the repository once.");
});

test("returns the files of the generator that was used last", async () => {
  addGenerator("b", "echo '{}'", 1);
  addGenerator("a", `echo '{"index.ts":"// '$1 $2 $3'"}'`, 2);
  const files = (await generate()).getSourceMap();
  expect(Buffer.from(files.get("index.ts")!).toString()).toBe("// program nodejs 127.0.0.1:1");
});

test("fails with the output of a generator that fails", async () => {
  addGenerator("c", "echo 'unknown package' >&2; exit 1", 3);
  await expect(generate()).rejects.toThrow(/^unknown package$/);
});
