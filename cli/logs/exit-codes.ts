/** Exit codes of `agentserver logs` besides those of all commands. */
export const logsExitCodes = {
  /** The revision whose build log was followed ended in failure. */
  rolloutFailed: 2,
  /** The server keeps no logs. */
  noLogs: 3,
} as const;
