import { npmLevel } from "../../../../../emulator/rollout/runtimes/javascript/npm";

test.each([
  ["added 214 packages in 18s", "INFO"],
  ["up to date in 1s", "INFO"],
  ["npm warn deprecated inflight@1.0.6: This module is not supported", "DEBUG"],
  ["npm warn EBADENGINE Unsupported engine", "WARNING"],
  ["npm notice New major version of npm available!", "DEBUG"],
  ["> esbuild@0.25.0 postinstall", "DEBUG"],
  ["42 packages are looking for funding", "DEBUG"],
])("logs the npm output line %j with the level %s", (line, level) => {
  expect(npmLevel(line)).toBe(level);
});
