import { engineVersion } from "./version";
import type { MakeOptions } from "./build";

/** Puts an official engine of that version into `root`/bin. */
export type Installer = (options: { version: string; root: string }) => Promise<void>;

/** The download of the Automation API. Its default version is the SDK's own, which is pinned to the engine's. */
export const officialInstaller: Installer = async ({ version, root }) => {
  const { PulumiCommand } =
    require("@pulumi/pulumi/automation") as typeof import("@pulumi/pulumi/automation");
  const installed = await PulumiCommand.install({ root });
  if (installed.version?.toString() !== version) {
    throw new Error(`the download gave version ${installed.version}, not ${version}`);
  }
};

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
  if (!signal) return await work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}
