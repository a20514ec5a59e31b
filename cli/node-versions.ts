/** Versions of Node.js on which the package is tested, by major version, with the oldest minor version of each. */
export const supportedNode: Readonly<Record<number, number>> = { 22: 12, 24: 0 };

/** Oldest major version of Node.js on which the local control plane runs. */
export const oldestNodeOfEmulator = 24;
