import type { Exceptions } from "../judge/exceptions";

/** In what answers are not as published: in both dialects, and in one. */
export const exceptions: Record<string, Exceptions> = {
  both: [
    [
      /^GET \/v2\/auth\/(callback|setup)\/\{provider_id\} 200: text\/html$/,
      "what browsers come back to is a page",
    ],
    [
      /source_config\.deployment_type: must be equal to one of the allowed values$/,
      "serverless and dedicated are the newer names, which clients send though the document does not list them",
    ],
  ],
  interface: [
    [/source_revision_config\.graph_config_path: not published$/, "its name of langgraph_config_path"],
  ],
  langsmith: [],
};
