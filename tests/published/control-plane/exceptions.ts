import type { Exceptions } from "../judge/exceptions";

/**
 * Differences between actual responses and the published responses: those in both dialects, and those in a single
 * dialect.
 */
export const exceptions: Record<string, Exceptions> = {
  both: [
    [
      /^GET \/v2\/auth\/(callback|setup)\/\{provider_id\} 200: text\/html$/,
      "browsers are redirected to a page",
    ],
    [
      /source_config\.deployment_type: must be equal to one of the allowed values$/,
      "serverless and dedicated are newer names, which clients send but the document does not list",
    ],
  ],
  interface: [
    [/source_revision_config\.graph_config_path: not published$/, "its name of langgraph_config_path"],
  ],
  langsmith: [],
};
