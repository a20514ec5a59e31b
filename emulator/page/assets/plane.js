/** Error for a request that the control plane rejected or did not respond to. */
export class PlaneError extends Error {
  name = "PlaneError";

  /** @param status - HTTP status, or 0 if there was no response */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const maxWaitMs = 10_000;

/** Client of the control plane for the signed-in user. */
export class Plane {
  #headers;
  #adminHeaders;

  /** @param adminKey - key of the admin API, if it has its own; otherwise `apiKey` may be sufficient */
  constructor({ apiKey, tenantId, adminKey }) {
    this.#headers = { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
    this.#adminHeaders = { "X-Api-Key": adminKey ?? apiKey };
  }

  /** Returns the facts that are available before sign-in. */
  static async facts() {
    return ask("GET", "page/facts");
  }

  /** Exchanges the code from a link for its keys. The code cannot be used again. */
  static async enter(code) {
    return ask("POST", "page/sign-in", {}, { code });
  }

  async facts() {
    return ask("GET", "page/facts", this.#adminHeaders);
  }

  deployments({ nameContains, limit, offset = 0 }) {
    const filter = nameContains ? { name_contains: nameContains } : {};
    return this.#read("page/v2/deployments", { limit, offset, ...filter });
  }

  deployment(deploymentId) {
    return this.#read(`page/v2/deployments/${encodeURIComponent(deploymentId)}`, {});
  }

  revisions(deploymentId, limit) {
    return this.#read(`page/v2/deployments/${encodeURIComponent(deploymentId)}/revisions`, { limit });
  }

  log(deploymentId, revisionId, query) {
    const path = `page/v2/deployments/${encodeURIComponent(deploymentId)}/revisions/${encodeURIComponent(revisionId)}/logs`;
    return this.#read(path, query);
  }

  journal(query) {
    return this.#read("admin/journal", query, this.#adminHeaders);
  }

  /** Returns a single-use code that gives access to the agent's own origin. */
  agentSignInCode(deploymentId) {
    const path = `page/agents/${encodeURIComponent(deploymentId)}/sign-in-codes`;
    return ask("POST", path, this.#headers);
  }

  /** Redeploys or interrupts a revision through the public API, like any client. */
  ofRevision(deploymentId, revisionId, word) {
    const path = ["v2/deployments", deploymentId, "revisions", revisionId, word];
    return ask("POST", path.join("/"), this.#headers);
  }

  admin(method, path, body) {
    return ask(method, `admin/${path}`, this.#adminHeaders, body);
  }

  #read(path, query, headers = this.#headers) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    return ask("GET", `${path}?${new URLSearchParams(given)}`, headers);
  }
}

async function ask(method, path, headers = {}, body = undefined) {
  const answer = await send(method, path, headers, body);
  const text = await answer.text();
  const content = parsed(text);
  if (!answer.ok) throw new PlaneError(answer.status, detailOf(content) ?? `It answered ${answer.status}.`);
  return content;
}

async function send(method, path, headers, body) {
  try {
    return await fetch(path, {
      method,
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(maxWaitMs),
    });
  } catch (error) {
    throw new PlaneError(0, error.name === "TimeoutError" ? "no answer in time" : "no connection");
  }
}

function parsed(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the message in `detail`, which is a string or a list of validation errors. */
function detailOf(content) {
  const detail = content?.detail;
  if (!Array.isArray(detail)) return detail;
  return detail.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; ");
}
