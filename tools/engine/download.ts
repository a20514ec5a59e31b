import type * as Automation from "@pulumi/pulumi/automation";
import { engineVersion } from "./version";
import type { MakeOptions } from "./build";

/** Puts an official engine of that version into `root`/bin. */
export type Installer = (options: { version: string; root: string }) => Promise<void>;

/** The download of the Automation API. Its default version is the SDK's own, which is pinned to the engine's. */
export const officialInstaller: Installer = async ({ version, root }) => {
  // Loaded here, since it takes a second and most commands download nothing.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { PulumiCommand } = require("@pulumi/pulumi/automation") as typeof Automation;
  const installed = (await PulumiCommand.install({ root })).version?.toString();
  if (installed !== version)
    throw new Error(`the download gave version ${installed ?? "unknown"}, not ${version}`);
};

/** Where the installer begins. */
const installerUrl = "https://get.pulumi.com/install.sh";
/** Longest wait for the first answer, in milliseconds: on a machine without it, something else has to begin soon. */
const reachMs = 3_000;

/** Why the official engine cannot be had here, or undefined if the place that it comes from answers. */
export async function whyNoDownload(signal?: AbortSignal, url = installerUrl): Promise<string | undefined> {
  const late = AbortSignal.timeout(reachMs);
  try {
    const answer = await fetch(url, {
      method: "HEAD",
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    return answer.ok ? undefined : `${new URL(url).host} answers ${answer.status}`;
  } catch {
    signal?.throwIfAborted();
    return `${new URL(url).host} cannot be reached`;
  }
}

/** Downloads the official engine with its companions into `folder`/bin. */
export async function downloadEngine(
  folder: string,
  { signal, report }: MakeOptions,
  install: Installer,
): Promise<void> {
  signal?.throwIfAborted();
  report(`version ${engineVersion}`);
  await raceAbort(install({ version: engineVersion, root: folder }), signal);
}

/** The official installer cannot be stopped; what it leaves behind after an abort is in a folder that nobody uses. */
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
