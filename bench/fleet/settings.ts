import { join } from "node:path";
import { startControlPlane } from "../../emulator/index";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { declareReal } from "./baseline";
import { stopwatchOf } from "./stopwatch";

/** Settings that affect how the engine writes a stack's state, as environment variables. */
const settings: Record<string, Record<string, string>> = {
  none: {},
  "`PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS=true`": {
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
  },
  "`PULUMI_DIY_BACKEND_GZIP=true`": { PULUMI_DIY_BACKEND_GZIP: "true" },
  "`PULUMI_DIY_BACKEND_ZSTD=true`": { PULUMI_DIY_BACKEND_ZSTD: "true" },
  "`PULUMI_SKIP_CHECKPOINTS=true`": { PULUMI_SKIP_CHECKPOINTS: "true" },
};

/**
 * Measures creating and destroying this number of deployments with each of the settings. Returns the rows of a table.
 */
export async function withSettings(folder: string, size: number, parallel: number): Promise<string[][]> {
  const plane = await startControlPlane();
  plane.admin.steer({ pace: "at once" });
  const engine = await ensureEngine();
  const rows: string[][] = [];
  try {
    for (const [name, variables] of Object.entries(settings)) {
      const project = join(folder, `settings-${rows.length}`);
      declareReal(project, size, "v1");
      const watch = stopwatchOf(project, engine, plane, variables);
      await watch.run("stack", "init", "fleet");
      const apply = ["--yes", "--skip-preview", `--parallel=${parallel}`];
      const created = await watch.run("up", ...apply);
      const destroyed = await watch.run("destroy", ...apply);
      rows.push([`${size}:${parallel}`, name, created.seconds.toFixed(1), destroyed.seconds.toFixed(1)]);
    }
    return rows;
  } finally {
    await plane.close();
  }
}
