import { urlOf } from "../../provider/deployment/ownership/find-deployment";
import { CommandFailure, type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { findDeployment } from "../deployment-lookup";
import { printable } from "../printable";
import { docsOf, isWebAddress, pageOf } from "./addresses";
import type { Browser } from "./browser";

/** Options of `agentserver open`. */
export interface OpenOptions extends ConnectionFlags {
  /** True to open the API reference. */
  docs?: boolean;
  /** True to print the address only. */
  print?: boolean;
}

/** Prints the address of the control plane or of a deployment, and opens it in the browser. */
export function openAddress(
  context: CommandProcess,
  deployment: string | undefined,
  options: OpenOptions,
  browser: Browser,
): Promise<void> {
  return withControlPlane(context, options, async (access) => {
    const address =
      deployment === undefined
        ? controlPlaneAddress(access, options)
        : await deploymentAddress(access, deployment, options, context.signal);
    await context.stdout.write(`${printable(address)}\n`);
    if (options.print || (await browser(address))) return;
    await context.stderr.write("agentserver: no browser was found; open the address yourself\n");
  });
}

function controlPlaneAddress({ session }: ControlPlaneAccess, { docs }: OpenOptions): string {
  const { baseUrl, tenantId } = session.connection;
  return docs ? docsOf(baseUrl) : pageOf(baseUrl, tenantId);
}

async function deploymentAddress(
  { client }: ControlPlaneAccess,
  nameOrId: string,
  { docs }: OpenOptions,
  signal: AbortSignal,
): Promise<string> {
  const url = urlOf(await findDeployment(client, nameOrId, signal));
  if (url === undefined)
    throw new CommandFailure(
      `The deployment "${nameOrId}" has no URL yet. Run \`npx agentserver status\` to see its status.`,
      exitCodes.failure,
    );
  if (!isWebAddress(url))
    throw new CommandFailure(
      `The URL of the deployment "${nameOrId}" was not opened, because it is not an http or https address, or contains a password.`,
      exitCodes.failure,
    );
  return docs ? docsOf(url) : url;
}
