import { installerLevel } from "../../../../../emulator/rollout/runtimes/python/installer";

test.each([
  ["Collecting langgraph==1.0.0", "DEBUG"],
  ["  Getting requirements to build wheel: started", "DEBUG"],
  ["Installing collected packages: a, b, c", "DEBUG"],
  ["  Attempting uninstall: pip", "DEBUG"],
  ["Resolved 61 packages in 120ms", "DEBUG"],
  [" + anyio==4.9.0", "DEBUG"],
  ["DEPRECATION: Wheel filename is not correctly normalized", "DEBUG"],
  ["[notice] A new release of pip is available", "DEBUG"],
  ["Successfully installed langgraph-1.0.0", "INFO"],
  ["Installed 61 packages in 33ms", "INFO"],
  ["WARNING: Retrying after connection broken", "WARNING"],
  ["ERROR: No matching distribution found for none", "ERROR"],
  ["  × No solution found when resolving dependencies:", "ERROR"],
])("logs the installer output line %j with the level %s", (line, level) => {
  expect(installerLevel(line)).toBe(level);
});
