import {
  type ControlPlane,
  type ControlPlaneOptions,
  type DialectName,
  startControlPlane,
  VirtualClock,
} from "../../../emulator/index";

/** A response with its parsed JSON body. */
export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

/** An HTTP client for a control plane. It does not check responses. */
export class Client {
  constructor(
    private readonly baseUrl: string,
    private readonly headers: Record<string, string>,
  ) {}

  /**
   * Sends a request. The body of the response has the type that the caller specifies. The type is not checked; a
   * mismatch makes the test fail.
   */
  async send<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const raw = typeof body === "string";
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: {
        // A persistent connection would outlive the server that a test restarts on the same port.
        connection: "close",
        ...this.headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: parsed(text) as Body };
  }

  get<Body = unknown>(path: string): Promise<Answer<Body>> {
    return this.send("GET", path);
  }

  post<Body = unknown>(path: string, body?: unknown): Promise<Answer<Body>> {
    return this.send("POST", path, body);
  }

  patch<Body = unknown>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.send("PATCH", path, body);
  }

  delete<Body = unknown>(path: string): Promise<Answer<Body>> {
    return this.send("DELETE", path);
  }
}

/** A control plane in virtual time, and a client for its first workspace. */
export interface Rig {
  plane: ControlPlane;
  clock: VirtualClock;
  client: Client;
  faults: unknown[];
}

const running = new Set<ControlPlane>();

/** Starts a control plane, which `stopAll` stops. */
export async function start(options: ControlPlaneOptions = {}): Promise<Rig> {
  const clock = new VirtualClock();
  const faults: unknown[] = [];
  const plane = await startControlPlane({ clock, onFault: (error) => faults.push(error), ...options });
  running.add(plane);
  return { plane, clock, client: clientOf(plane), faults };
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((plane) => plane.close()));
  running.clear();
}

export function clientOf(plane: ControlPlane, headers: Record<string, string> = {}): Client {
  return new Client(plane.baseUrl, { "X-Api-Key": plane.apiKey, "X-Tenant-Id": plane.tenantId, ...headers });
}

/** Returns the body of a request that creates a deployment. */
export function creation(name: string, more: object = {}): object {
  return {
    name,
    source: "github",
    source_config: { repo_url: "https://example.test/agent.git", build_on_push: false },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [],
    ...more,
  };
}

/** Returns the body of a request that creates a deployment in a dialect. */
export function creationIn(dialect: DialectName, name: string, more: object = {}): object {
  if (dialect === "interface") return creation(name, more);
  return creation(name, {
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    ...more,
  });
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
