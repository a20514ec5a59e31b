import { join } from "node:path";
import { runOver } from "../../test-host";
import { PluginProvider } from "./plugin-provider";
// Ends worlds after each test of every file.
import "../../world";

runOver((kind, options) => new PluginProvider({ ...options, kindOf: () => kind, schema: () => "{}" }));

/** Tests of the core that run over the plugin as well. */
const files = [
  "deployment/reconcile/create",
  "deployment/reconcile/update",
  "deployment/reconcile/delete",
  "deployment/reconcile/replace",
  "deployment/reconcile/failed-rollout",
  "deployment/reconcile/adopt",
  "deployment/reconcile/large-state",
];

describe.each(files)("%s", (file) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- Declares its tests.
  require(join(__dirname, "..", "..", `${file}.test`));
});
