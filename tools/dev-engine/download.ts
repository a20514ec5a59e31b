import type * as Automation from "@pulumi/pulumi/automation";
import { engineVersion } from "./version";
import type { MakeOptions } from "./build";

/** Installs an official engine of this version into `root`/bin. */
export type Installer = (options: { version: string; root: string }) => Promise<void>;

/** Installs the engine with the Automation API. The SDK's default version is the pinned engine version. */
export const officialInstaller: Installer = async ({ version, root }) => {
  // Loaded on demand, since it takes a second and most commands do not download an engine.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { PulumiCommand } = require("@pulumi/pulumi/automation") as typeof Automation;
  const installed = (await PulumiCommand.install({ root })).version?.toString();
  if (installed !== version)
    throw new Error(`the download returned version ${installed ?? "unknown"} instead of ${version}`);
};

/** URL of the official installer. */
const installerUrl = "https://get.pulumi.com/install.sh";
/**
 * Maximum time for the first response, in milliseconds. It is short, because users of offline machines have to wait for
 * it.
 */
const timeoutMs = 3_000;

/** Returns the reason that the official engine cannot be downloaded, or undefined if the server responds. */
export async function downloadObstacle(
  signal?: AbortSignal,
  url = installerUrl,
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "HEAD",
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    });
    return response.ok ? undefined : `${new URL(url).host} responds with ${response.status}`;
  } catch {
    signal?.throwIfAborted();
    return `${new URL(url).host} cannot be reached`;
  }
}

/** Downloads the official engine and its companions into `folder`/bin. */
export async function downloadEngine(
  folder: string,
  { signal, report }: MakeOptions,
  install: Installer,
): Promise<void> {
  signal?.throwIfAborted();
  report(`version ${engineVersion}`);
  await raceAbort(install({ version: engineVersion, root: folder }), signal);
}

/** Stops waiting when the signal aborts. The installer cannot be stopped, but its folder will not be used. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
