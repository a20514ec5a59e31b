import { type DialectName, startControlPlane, VirtualClock } from "../../../emulator/index";
import type { Facts } from "../../../tools/published-facts/facts";
import type { Authentication, Deployment, Listener, Token } from "../../emulator/answers";
import { clientOf, creationIn } from "../../emulator/control-plane/client";
import { published } from "../../published/facts/published";
import { exceptions } from "../../published/control-plane/exceptions";
import type { Exceptions } from "../../published/judge/exceptions";
import { Judge } from "../../published/judge/exchange";
import { secretValue } from "./control-plane-requests";
import { Fuzzing } from "./fuzzing";
import type { KnownIds } from "./known-ids";
import type { FuzzRequest } from "./request";
import { type FuzzAnswer, send } from "./sending";

/** A control plane that receives random requests. */
export interface FuzzedPlane {
  fuzzing: Fuzzing;
  /**
   * Deletes everything that requests have created. Checks that the control plane still responds and has not logged any
   * errors.
   */
  quiet(): Promise<void>;
  /** Checks that a new deployment is rolled out as usual. Then does the same as `quiet`. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const provider = {
  provider_id: "forge",
  name: "Forge",
  client_id: "client",
  client_secret: secretValue,
  auth_url: "https://forge.example.test/auth",
  token_url: "https://forge.example.test/token",
};

const further: Record<DialectName, Exceptions> = {
  interface: [
    [/\.source: must be equal to one of the allowed values$/, "the interface document does not list them"],
    [/\.resource_spec\.\S+: must /, "kept unchanged: the interface document does not describe its contents"],
  ],
  langsmith: [],
};

const several = [
  /^DELETE \/v2\/deployments 207: not published$/,
  "named in the prose of the document",
] as const;
const absent = [
  /\/(push-token|upload-url) 404: not published$/,
  "documented by clients alone, and partly absent",
] as const;

const documentRefused = {
  detail: "Requests to the control plane from pages that agents serve are rejected.",
};

/**
 * True if the control plane rejected a request because it came from a sandboxed document, such as a page of an agent.
 */
function isDocumentRefused({ headers }: FuzzRequest, { status, text }: FuzzAnswer): boolean {
  return headers.origin === "null" && status === 403 && text === JSON.stringify(documentRefused);
}

/** Serves a control plane whose virtual time advances while requests are waiting for it. */
export async function servePlane(dialect: DialectName, own: Facts): Promise<FuzzedPlane> {
  const clock = new VirtualClock();
  const faults: unknown[] = [];
  const plane = await startControlPlane({ clock, dialect, onFault: (error) => faults.push(error) });
  const client = clientOf(plane);
  const repositories = [{ name: "agents", url: "https://git.example.test/agents.git" }];
  let made = 0;
  const plant = async (known: KnownIds): Promise<void> => {
    made += 1;
    for (const kind of ["github", "forge-github"] as const)
      known.add("integration_id", plane.admin.seedIntegration({ name: "acme", kind, repositories }));
    const secrets = [{ name: "KEY", value: secretValue }];
    const body = creationIn(dialect, `planted-${made}`, { secrets });
    const { id, latest_revision_id: revision } = (await client.post<Deployment>("/v2/deployments", body))
      .body;
    known.add("deployment_id", id);
    known.add("revision_id", revision);
    const compute = { compute_type: "k8s", compute_id: `cluster-${made}`, compute_config: {} };
    known.add("listener_id", (await client.post<Listener>("/v2/listeners", compute)).body.id);
    await client.post("/v2/auth/providers", provider);
    const wish = { user_id: "ada", provider: "forge", scopes: ["repo"], force_new: true };
    const { auth_id: flow } = (await client.post<Authentication>("/v2/auth/authenticate", wish)).body;
    if (flow) known.add("auth_id", flow);
    const seed = { userId: "ada", provider: "forge", scopes: ["repo"], token: secretValue };
    plane.admin.seedToken(seed);
    const { body: tokens } = await client.get<Token[]>("/v2/auth/tokens");
    for (const token of tokens.slice(0, 3)) known.add("token_id", token.id);
    const connection = { oauth_token_id: tokens[0]!.id };
    const connected = await client.post<{ id?: string }>("/v2/auth/agents/agent-1/connections", connection);
    if (connected.body.id) known.add("connection_id", connected.body.id);
    await clock.advance(made % 2 ? 3_600_000 : 1_000);
  };
  const fuzzing = new Fuzzing({
    base: plane.baseUrl,
    headers: { "x-api-key": plane.apiKey, "x-tenant-id": plane.tenantId },
    judge: new Judge(published.controlPlane),
    own: new Judge(own),
    exceptions: [...exceptions["both"]!, ...exceptions[dialect]!, ...further[dialect], several, absent],
    isRefusedEarly: isDocumentRefused,
    secrets: [plane.apiKey, secretValue],
    kinds: new Set(["latest_revision_id", "auth_id", "connection_id", "listener_id"]),
    waiting: /^$/,
    plant,
    send: async (...request) => {
      let over = false;
      const sent = send(...request).finally(() => (over = true));
      sent.catch(() => undefined);
      if (request[1].operation.includes("/wait/")) while (!over) await clock.advance(60_000);
      return sent;
    },
  });
  const quiet = async (): Promise<void> => {
    expect((await client.get("/ok")).body).toEqual({ ok: true });
    expect(faults.splice(0)).toEqual([]);
    await plane.admin.reset();
    fuzzing.clear();
  };
  const settle = async (): Promise<void> => {
    const body = creationIn(dialect, `well-${crypto.randomUUID()}`);
    const { status, body: one } = await client.post<Deployment>("/v2/deployments", body);
    await clock.advance(3_600_000);
    const { body: later } = await client.get<Deployment>(`/v2/deployments/${one.id}`);
    expect([status, later.status, later.active_revision_id]).toEqual([201, "READY", one.latest_revision_id]);
    await quiet();
  };
  return { fuzzing, quiet, settle, close: () => plane.close() };
}
