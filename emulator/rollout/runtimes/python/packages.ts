/**
 * Packages that serve Python graphs, in the versions that this package was tested with. They are licensed under the
 * Elastic License 2.0. They are not shipped, but are installed from the user's package index into the environment of
 * the user's agent.
 */
export const runtimePackages: Readonly<Record<string, string>> = {
  "langgraph-api": "0.16.7",
  "langgraph-runtime-inmem": "0.36.7",
};

/** Oldest Python version that these packages support. */
export const oldestPython = "3.11";
