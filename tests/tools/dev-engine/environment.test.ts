import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { engineEnvironment } from "../../../tools/dev-engine/environment";
import { temporaryFolder } from "../temporary-folder";

test("isolates the engine from the user's own settings, inside the state folder", () => {
  const stateFolder = join(temporaryFolder(), "state");
  const env = {
    PATH: "/usr/bin",
    HOME: "/home/user",
    PULUMI_ACCESS_TOKEN: "token",
    PULUMI_STACK: "production",
    PULUMI_BACKEND_URL: "s3://theirs",
    UNSET: undefined,
  };

  const result = engineEnvironment({
    engine: { binFolder: "/engine/bin" },
    stateFolder,
    passphrase: "open",
    env,
  });

  expect(result).toEqual({
    PATH: ["/engine/bin", dirname(process.execPath), "/usr/bin"].join(delimiter),
    HOME: "/home/user",
    PULUMI_BACKEND_URL: `file://${join(stateFolder, "stacks")}`,
    PULUMI_CONFIG_PASSPHRASE: "open",
    PULUMI_HOME: join(stateFolder, "home"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  });
  expect(existsSync(join(stateFolder, "stacks"))).toBe(true);
});
