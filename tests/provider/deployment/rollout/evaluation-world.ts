import type { DeploymentInputs, VerifyInputs } from "../../../../provider/deployment/inputs/inputs";
import { EvaluatedAgents, said, type AgentRun } from "../../evaluated-agents";
import type { ServerLimits } from "../../server-limits";
import { agent, World } from "../../world";

export type Evaluation = NonNullable<VerifyInputs["evaluation"]>;

/**
 * Returns an answer that repeats the question. Questions that begin with `wrong` or `fails` have a different result.
 */
export function echo(_graph: string, { q }: { q: string }): AgentRun {
  if (q.startsWith("fails")) return { error: "no model" };
  return said(q.startsWith("wrong") ? "something else" : `answer ${q}`);
}

/** Returns cases whose correct answers are those of {@link echo}. */
export const cases = (...questions: string[]) =>
  questions.map((q) => ({ input: { q }, expect: `answer ${q}` }));

/** Returns the inputs of an agent whose revisions are evaluated. */
export function evaluated(evaluation: Evaluation, repoRef = "one", rollout: object = {}): DeploymentInputs {
  const sourceRevisionConfig = {
    repoRef: repoRef.repeat(14).slice(0, 40),
    graphConfigPath: "langgraph.json",
  };
  return agent({ sourceRevisionConfig, rollout: { verify: { graph: "agent", evaluation }, ...rollout } });
}

/** Returns simulated agents that respond with the results of `run`, and a control plane that deploys them. */
export async function worldOf(
  run: EvaluatedAgents["run"] = echo,
  dialect: "langsmith" | "interface" = "langsmith",
  limits?: ServerLimits,
) {
  const agents = new EvaluatedAgents(run);
  return { agents, world: await World.start({ runner: agents, dialect }, limits) };
}

/** Returns the questions of all runs, sorted. */
export function questions({ started }: EvaluatedAgents): string[] {
  return started.map(({ input }) => (input as { q: string }).q).sort();
}
