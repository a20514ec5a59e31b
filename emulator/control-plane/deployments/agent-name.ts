import type { WireAgent } from "../../../wire";

/** Rollouts of longer names never end in some installations, and users do not choose these names. */
const longestName = 21;

/**
 * Returns a name for the deployment of an agent in an environment, such as `support-bot-staging`: letters, digits and
 * dashes, starting with a letter.
 *
 * @param isTaken - Returns true if the name is in use.
 */
export function nameOfAgent(
  { agent_id: agentId, environment }: WireAgent,
  isTaken: (name: string) => boolean,
): string {
  const letters = agentId.normalize("NFKD").toLowerCase();
  const word = letters.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  const begun = /^[a-z]/.test(word) ? word : `agent-${word}`;
  for (let count = 1; ; count++) {
    const ending = count === 1 ? `-${environment}` : `-${environment}-${count}`;
    const name = begun.slice(0, longestName - ending.length).replace(/-$/, "") + ending;
    if (!isTaken(name)) return name;
  }
}
