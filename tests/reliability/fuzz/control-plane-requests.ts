import type { Facts } from "../../../tools/published-facts/facts";
import { fc } from "../../properties";
import { published } from "../../published/facts/published";
import { known } from "./known-ids";
import type { FuzzRequest } from "./request";
import { requestsOf } from "./requests";
import type { Hints } from "./values";

/** Value of all secrets that are sent or already exist. */
export const secretValue = "sesame-open";

/** A URL where no server is listening, and that does not require a name lookup. */
const url = fc.constantFrom("http://127.0.0.1:9/x", "https://127.0.0.1:9", "git@127.0.0.1:a/b.git");
const user = fc.constantFrom("ada", "bob");

/** Values that let requests pass the first checks. */
const hints: Hints = {
  deployment_id: known("deployment_id"),
  deployment_ids: fc.array(known("deployment_id"), { minLength: 1, maxLength: 3 }),
  revision_id: fc.oneof(known("revision_id"), known("latest_revision_id")),
  project_id: known("deployment_id"),
  listener_id: known("listener_id"),
  integration_id: known("integration_id"),
  auth_id: known("auth_id"),
  state: known("auth_id"),
  token_id: known("token_id"),
  oauth_token_id: known("token_id"),
  connection_id: known("connection_id"),
  provider_id: fc.constantFrom("forge", "slack"),
  provider: fc.constant("forge"),
  agent_id: fc.constantFrom("agent-1", "agent-2"),
  user_id: user,
  ls_user_id: user,
  source: fc.constantFrom("github", "external_docker", "internal_docker", "internal_source"),
  repo_url: url,
  mcp_server_url: fc.constantFrom("http://127.0.0.1:9/mcp", "http://127.0.0.1:9"),
  auth_url: url,
  token_url: url,
  value: fc.constant(secretValue),
  client_secret: fc.constant(secretValue),
  token: fc.constant(secretValue),
  code: fc.constant("c0de"),
  timeout: fc.constantFrom(0, 1, 3_600),
  limit: fc.constantFrom(1, 2, 100),
  offset: fc.constantFrom<unknown>(0, 1, "0"),
  cursor: fc.constantFrom("0", "1", "9007199254740993"),
  type: fc.constantFrom("build", "deploy"),
  log_type: fc.constantFrom("BUILD", "DEPLOY"),
};

/** Returns requests for one operation of a control plane, based on the published document and on its own document. */
export function planeRequests(operation: string, own: Facts): fc.Arbitrary<FuzzRequest> {
  const sources = [published.controlPlane, published.interface, own]
    .filter(({ operations }) => operation in operations)
    .map((facts) => ({ facts, name: operation }));
  return requestsOf(operation, sources, hints);
}
