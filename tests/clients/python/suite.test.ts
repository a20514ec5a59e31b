import { join } from "node:path";
import type { Running } from "../../emulator/gateway/deployment";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";
import { pythonEnvironment, runScript } from "./suite";

const reason =
  "tests/x needs Python: no Python 3.11 or later with its venv module is on PATH. " +
  "Install Python 3.11 or later (python3, python3-venv).";

test("skips the tests with a reason if Python is missing, but fails them in CI", () => {
  const machine = { PATH: temporaryFolder(), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(pythonEnvironment("tests/x", machine)).toBeUndefined();
    expect(write.mock.calls.map(([text]) => text)).toEqual([`Skipped: ${reason}\n`]);
    expect(() => pythonEnvironment("tests/x", { ...machine, CI: "true" })).toThrow(reason);
  } finally {
    write.mockRestore();
  }
});

test("shows the output of a failed script without the API key", async () => {
  const python = join(temporaryFolder(), "python");
  writeFile(
    python,
    '#!/bin/sh\necho "asked $AGENT_URL with $AGENT_API_KEY"; echo "assert False" >&2; exit 1\n',
  );
  const running = { url: "http://agent", plane: { apiKey: "very-secret" } } as Running;
  await expect(runScript(python, "some.py", running)).rejects.toThrow(
    "some.py ended with 1:\nasked http://agent with <API_KEY>\nassert False\n",
  );
});
