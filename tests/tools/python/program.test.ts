import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Progress } from "../../../tools/progress";
import { ensurePythonProgram } from "../../../tools/python/program";
import { generateSdks, generatorName } from "../../../tools/sdks/generator";
import { temporaryFolder, writeFile } from "../temporary-folder";

jest.mock("../../../tools/sdks/generator", () => ({ generateSdks: jest.fn(), generatorName: jest.fn() }));

test("generates the Python SDK again only if the generator has changed", async () => {
  const folder = temporaryFolder({ "bin/.keep": "" });
  const script = `#!/bin/sh
case "$*" in *platform*) echo '["3.12.0", "/somewhere"]' ;; esac
[ "$2" != venv ] || { /bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python"; }
`;
  writeFile(join(folder, "bin", "python3"), script);
  const env = { PATH: join(folder, "bin"), AGENTSERVER_CACHE: join(folder, "cache") };
  jest.mocked(generateSdks).mockImplementation(async (sdks) => void mkdirSync(sdks, { recursive: true }));
  const generate = async (generator: string) => {
    jest.mocked(generatorName).mockReturnValue(generator);
    await ensurePythonProgram(join(folder, "sdks"), { env, progress: new Progress() });
    return jest.mocked(generateSdks).mock.calls.length;
  };
  expect(await generate("one")).toBe(1);
  expect(await generate("one")).toBe(1);
  expect(await generate("two")).toBe(2);
});
