import { Client } from "@langchain/langgraph-sdk";
import type { LocalControlPlane } from "./control-plane";

interface Message {
  type: string;
  content: string;
}

/**
 * Sends a question to a deployed agent through its API: creates a thread and a run, waits for the run, and reads the
 * thread's state.
 */
export async function ask(
  url: string,
  { apiKey }: Pick<LocalControlPlane, "apiKey">,
  question: string,
): Promise<string> {
  const agent = new Client({ apiUrl: url, apiKey });
  const { thread_id: threadId } = await agent.threads.create();
  const run = await agent.runs.create(threadId, "agent", {
    input: { messages: [{ role: "user", content: question }] },
  });
  await agent.runs.join(threadId, run.run_id);
  const { values } = await agent.threads.getState<{ messages?: Message[] }>(threadId);
  const answer = values.messages?.at(-1);
  if (answer?.type !== "ai") throw new Error("The agent did not answer. See its log on the control plane.");
  return answer.content;
}
