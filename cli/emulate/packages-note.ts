/** Note in the help of commands that run agents. */
export const packagesNote =
  "The installed packages of agents are kept in ~/.cache/pulumi-agentserver, or in AGENTSERVER_CACHE.";
