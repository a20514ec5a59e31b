/** Versions of Node.js that the package is tested on: the oldest supported minor version of each major version. */
export const supportedNode: Readonly<Record<number, number>> = { 22: 12, 24: 0 };

/** Oldest major version of Node.js on which the local control plane runs. */
export const oldestNodeOfEmulator = 24;
