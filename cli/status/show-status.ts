import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { catchTransient } from "../transient-failure";
import { printable, printableJson } from "../printable";
import { addContents } from "./contents";
import { type DeploymentOverview, listOverviews } from "./overview";
import { showPromotions } from "./promotions";
import { formatTable } from "./table";

/** Interval between refreshes, in milliseconds. */
const refreshMs = 5_000;
/** Escape sequence that moves the cursor to the top left corner and clears the screen. */
const clearScreen = "\u001b[H\u001b[J";

export interface StatusOptions extends ConnectionFlags {
  /** True to refresh every five seconds until Ctrl-C. */
  watch?: boolean;
  /** True for JSON instead of the table; with `watch`, one line per refresh. */
  json?: boolean;
  /** True to read the revisions of every deployment, to display when each revision started serving. */
  details?: boolean;
  /** True to count the contents of each agent server. */
  contents?: boolean;
  /** True to include preview deployments of pull requests. */
  previews?: boolean;
  /** True to display the environments of the stack and what is waiting for promotion, based on state. */
  promotions?: boolean;
}

/** Prints the workspace's deployments, or the environments of a stack, and resolves with the exit code. */
export function showStatus(context: CommandProcess, options: StatusOptions): Promise<number> {
  if (options.promotions) return showPromotions(context, options);
  return withControlPlane(context, options, async (access) => {
    const { clock, signal, stdout } = context;
    const { client, session } = access;
    const repaints = options.watch && !options.json && stdout.isTTY;
    const show = async () => {
      const listed = await listOverviews(client, { ...options, signal });
      const overviews = options.contents ? await addContents(listed, session, signal) : listed;
      const text = format(overviews, options, stdout.columns);
      await stdout.write(
        repaints ? `${clearScreen}${heading(access)}; press Ctrl-C to stop\n\n${text}` : text,
      );
    };
    await show();
    while (options.watch) {
      await clock.sleep(refreshMs, signal);
      await catchTransient(show(), context, access.redact);
    }
    return exitCodes.success;
  });
}

function format(
  overviews: DeploymentOverview[],
  { json, watch }: StatusOptions,
  columns: number | undefined,
): string {
  if (!json) return formatTable(overviews, columns);
  return `${printableJson(JSON.stringify(overviews, undefined, watch ? 0 : 2))}\n`;
}

function heading({ session }: ControlPlaneAccess): string {
  const { baseUrl, tenantId } = session.connection;
  return printable(`Deployments on ${baseUrl}${tenantId === undefined ? "" : `, workspace ${tenantId}`}`);
}
