import { resolve } from "node:path";
import type { ControlPlaneOptions } from "./options";

/**
 * Returns the options with absolute paths: agents have working folders of their own, and this process may change its
 * own.
 */
export function withAbsolutePaths(options: ControlPlaneOptions): ControlPlaneOptions {
  const { state, integrations } = options;
  if (state === "") throw new Error("`state` is empty: name a folder, or leave it out.");
  return {
    ...options,
    ...(state !== undefined && { state: resolve(state) }),
    ...(integrations && {
      integrations: integrations.map((seed) =>
        seed.folder === undefined ? seed : { ...seed, folder: resolve(seed.folder) },
      ),
    }),
  };
}
