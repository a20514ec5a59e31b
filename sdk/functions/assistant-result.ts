/** An assistant as the version has it that is used. */
export interface GetAssistantResult {
  assistantId: string;
  /** The graph that it runs. */
  graph: string;
  name?: string;
  description?: string;
  /** How runs are configured: `tags`, `recursion_limit` and `configurable`, as the server has them. */
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  /** With the ownership tag, if a Pulumi resource owns it. */
  metadata?: Record<string, unknown>;
  version?: number;
}
