/**
 * Packages that serve Python graphs, with the versions that this package was tested with. Their license is the Elastic
 * License 2.0: they are installed from the user's package index into the environment of the user's agent, and are not
 * shipped.
 */
export const runtimePackages: Readonly<Record<string, string>> = {
  "langgraph-api": "0.16.7",
  "langgraph-runtime-inmem": "0.36.7",
};

/** Oldest Python version that these support. */
export const oldestPython = "3.11";
