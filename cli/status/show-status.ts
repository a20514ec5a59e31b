import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { orInPassing } from "../passing-failure";
import { printable, printableJson } from "../printable";
import { withContents } from "./contents";
import { type DeploymentOverview, overviewOf } from "./overview";
import { tableOf } from "./table";

/** Pause between two looks, in milliseconds. */
const lookMs = 5_000;
/** To the upper left corner, and nothing below. */
const clearScreen = "\u001b[H\u001b[J";

export interface StatusOptions extends ConnectionFlags {
  /** Looks again every five seconds, until Ctrl-C. */
  watch?: boolean;
  /** JSON in place of the table; with `watch` one line a look. */
  json?: boolean;
  /** Asks for the revisions of every deployment, which shows since when each one serves. */
  details?: boolean;
  /** Asks every agent server what it holds. */
  contents?: boolean;
  /** Shows builds of pull requests, too. */
  previews?: boolean;
}

/** Prints the workspace's deployments; resolves with the exit code. */
export function showStatus(surroundings: CommandProcess, options: StatusOptions): Promise<number> {
  return withControlPlane(surroundings, options, async (access) => {
    const { clock, signal, stdout } = surroundings;
    const { client, session } = access;
    const repaints = options.watch && !options.json && stdout.isTTY;
    const show = async () => {
      const listed = await overviewOf(client, { ...options, signal });
      const overviews = options.contents ? await withContents(listed, session, signal) : listed;
      const text = formatted(overviews, options, stdout.columns);
      await stdout.write(repaints ? `${clearScreen}${headingOf(access)}; Ctrl-C ends this\n\n${text}` : text);
    };
    await show();
    while (options.watch) {
      await clock.sleep(lookMs, signal);
      await orInPassing(show(), surroundings, access.redact);
    }
    return exitCodes.success;
  });
}

function formatted(
  overviews: DeploymentOverview[],
  { json, watch }: StatusOptions,
  columns: number | undefined,
): string {
  if (!json) return tableOf(overviews, columns);
  return `${printableJson(JSON.stringify(overviews, undefined, watch ? 0 : 2))}\n`;
}

function headingOf({ session }: ControlPlaneAccess): string {
  const { baseUrl, tenantId } = session.connection;
  return printable(`Deployments at ${baseUrl}${tenantId === undefined ? "" : `, workspace ${tenantId}`}`);
}
