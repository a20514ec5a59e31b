import type { AgentServerClient } from "../agent-server/client";
import type { Operation } from "./operation";

/** What one create, update, read or delete of something at an agent server works with. */
export interface AgentServerOperation extends Operation {
  server: AgentServerClient;
  until(deadline: number): AgentServerOperation;
}
