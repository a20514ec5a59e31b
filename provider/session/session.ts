import { sortedJson } from "../resource/inputs/json";
import type { AgentServerClient } from "../agent-server/client";
import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import {
  configuredDialect,
  explicitProviderKey,
  resolveConnection,
  settingSource,
  withoutConnection,
  isOffline,
  proxyPasswords,
  resolveNetwork,
  secretsOf,
  type ConfigReader,
  type Connection,
} from "../control-plane/connection";
import { settingAdvice, type SettingSource, settingWithVariable } from "../control-plane/setting-names";
import type { ConnectionInputs } from "../control-plane/connection-inputs";
import { NameLookup } from "../control-plane/name-lookup";
import { historyTimeoutMs } from "../control-plane/polling/known-rollouts";
import { RolloutPolling } from "../control-plane/polling/rollout-polling";
import { Pace } from "../http/pace";
import { isLoopback, proxySettings } from "../http/proxy";
import { Network } from "../http/network";
import { detectDialect, dialectOf, type Dialect, type DialectName } from "../control-plane/dialects";
import { defaultRetryPolicy } from "../http/retry";
import { postJson, probe, type JsonRequest, type ProbeResponse } from "../http/probe";
import type { Upload } from "../http/upload";
import type { Transport, TransportOptions } from "../http/transport";
import type { Service } from "../http/service";
import { lazyClients } from "./lazy-clients";
import type { DeploymentRecord } from "../../wire";
import { AgentServerError } from "../errors";
import type { ControlPlaneAddress, Location } from "../resource/managed";
import {
  agentServerService,
  controlPlaneService,
  standaloneService,
  type StandaloneServer,
} from "./endpoints";
import { SharedRequest, type Send, type Waiting } from "../http/shared-request";

/** Values and functions that the process provides for a session, including everything that is not pure. */
export interface SessionOptions {
  config: ConfigReader;
  /** Values that the configuration marks as secret, if the host knows them. */
  configuredSecrets?: readonly string[];
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Returns a random number between 0 and 1, for the jitter of retries. */
  random: () => number;
  /** Name of the setting that contains the API key, if the connection is an input of a resource. */
  apiKeyFrom?: string;
  /** Maximum time for a response, in milliseconds; 30 s by default. */
  answerTimeoutMs?: number;
}

/** Options that an operation specifies for its clients. */
export type ClientOptions = Pick<TransportOptions, "onRetry" | "deadline" | "redact" | "budget" | "signal">;

/** Settings of a client for optional requests, each of which is sent once. */
export const memoizedQuery = { retry: { ...defaultRetryPolicy, attempts: 1 } };

/** A connection to a control plane, and the known facts about it. */
export class Session {
  private readonly access = this.shared("GET /v2/deployments", (onRetry, signal) =>
    this.client({ onRetry }).deployments.verifyAccess(signal),
  );
  private readonly detected = this.shared(
    "GET /openapi.json",
    async (onRetry, signal) =>
      (this.found ??= detectDialect(await this.client({ onRetry }).findApiDescription(signal))),
  );
  private readonly atStart = this.shared("GET /v2/deployments", (onRetry, signal) =>
    this.client({ onRetry }).deployments.firstPage(signal),
  );
  private readonly deployments = new Map<string, SharedRequest<DeploymentRecord | undefined>>();
  /** Facts about agent servers that checks have requested, shared by all kinds. */
  readonly facts = new Map<string, Promise<unknown>>();
  /** Lookup of deployments by name, shared by all resources. */
  readonly names: NameLookup;
  /** Dialect of the control plane, once it has been detected. */
  private found?: Dialect;
  private resolved?: Connection;
  private allWaits?: RolloutPolling;
  private sharedPace?: Pace;
  private pool?: Network;
  /** Sessions with other control planes, by connection and key. */
  private readonly others = new Map<string, Session>();

  constructor(private readonly options: SessionOptions) {
    this.names = new NameLookup(options.clock);
  }

  /** Returns the address and the credential of the control plane; throws if a setting is missing or invalid. */
  get connection(): Connection {
    const { config, env, apiKeyFrom } = this.options;
    return (this.resolved ??= resolveConnection(config, env, apiKeyFrom));
  }

  /** Source of the connection settings, for messages. */
  get settingSource(): SettingSource {
    return settingSource(this.options.config, this.options.apiKeyFrom);
  }

  get env(): NodeJS.ProcessEnv {
    return this.options.env;
  }

  /** Returns the state that is shared by all waits for rollouts. */
  get polling(): RolloutPolling {
    return (this.allWaits ??= new RolloutPolling(
      this.clock,
      () => this.clientWithoutRetries({ isOptional: true, answerTimeoutMs: historyTimeoutMs }),
      isLoopback(new URL(this.connection.baseUrl).hostname),
      () => this.pace.clockDifferenceMs,
    ));
  }

  /** True if previews send no requests; false if the setting is invalid. */
  get isOffline(): boolean {
    try {
      return isOffline(this.options.config, this.options.env);
    } catch {
      return false;
    }
  }

  /** Returns the secrets of the connection and of the configuration. */
  get secrets(): string[] {
    const { config, configuredSecrets = [], env } = this.options;
    try {
      const { baseUrl } = this.connection;
      const isSecret = configuredSecrets.includes(config("baseUrl") ?? "");
      return [...configuredSecrets, ...(isSecret ? [baseUrl] : []), ...secretsOf(this.connection)];
    } catch {
      // Without a connection there is no key to hide, but there may be a proxy.
      return [...configuredSecrets, ...proxyPasswords(proxySettings(env))];
    }
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /**
   * Returns a client whose requests share a retry budget. Retries are reported to `onRetry`, and stop at the deadline.
   */
  client(options: ClientOptions = {}): ControlPlaneClient {
    return lazyClients.controlPlane(this.transport(this.controlPlane, options));
  }

  /** Returns a client for optional requests, each of which is sent once. */
  clientWithoutRetries(
    options: Pick<TransportOptions, "redact" | "isOptional" | "answerTimeoutMs"> = {},
  ): ControlPlaneClient {
    return lazyClients.controlPlane(this.transport(this.controlPlane, { ...memoizedQuery, ...options }));
  }

  /**
   * Returns a client for a deployment's agent server. All such clients are created here, so that the key is sent
   * unencrypted only to this machine or to the control plane's own host.
   * @throws AgentServerError `bad_configuration` for any other address that is not https
   */
  agentServer(url: string, options: Partial<TransportOptions> = {}): AgentServerClient {
    return lazyClients.agentServer(
      this.transport(agentServerService(url, this.connection, this.network), options),
    );
  }

  /** Returns a client for a deployment's agent server, for optional requests, each of which is sent once. */
  agentServerWithoutRetries(url: string, options: Pick<TransportOptions, "redact"> = {}): AgentServerClient {
    return this.agentServer(url, { ...memoizedQuery, ...options });
  }

  /**
   * Returns a client for an agent server that does not belong to a deployment of the control plane.
   * @throws AgentServerError `bad_configuration` for an address to which the key must not be sent
   */
  standalone(server: StandaloneServer, options: Partial<TransportOptions> = {}): AgentServerClient {
    return lazyClients.agentServer(
      this.transport(standaloneService(server, this.network, this.settingSource), options),
    );
  }

  /** Returns the deployment as it was when the first caller requested it; `undefined` if it no longer exists. */
  deploymentAtStart(id: string, waiting?: Waiting): Promise<DeploymentRecord | undefined> {
    let shared = this.deployments.get(id);
    if (!shared) {
      shared = this.shared(`GET /v2/deployments/${id}`, (onRetry, signal) =>
        this.client({ onRetry, signal }).deployments.find(id),
      );
      this.deployments.set(id, shared);
    }
    return shared.get(waiting);
  }

  /** Uploads a file to a URL that the control plane returned for it. */
  upload(file: Upload): Promise<void> {
    return lazyClients.upload(this.network, this.connection.baseUrl, file, () => this.clock.now());
  }

  /**
   * Returns a session with another control plane, which uses the network settings of this session. Equal connections
   * share a session.
   */
  elsewhere(connection: ConnectionInputs, apiKey: string): Session {
    const key = sortedJson([connection, apiKey]);
    const known = this.others.get(key);
    if (known) return known;
    const session = this.sessionWith(connection, apiKey);
    this.others.set(key, session);
    return session;
  }

  private sessionWith(connection: ConnectionInputs, apiKey: string): Session {
    const { config, env } = this.options;
    const { baseUrl, region, tenantId, dialect, apiKeyFrom } = connection;
    const given: Partial<Record<Parameters<ConfigReader>[0], string | undefined>> = {
      baseUrl,
      region,
      tenantId,
      dialect,
      apiKey,
    };
    const shared: readonly Parameters<ConfigReader>[0][] = [
      explicitProviderKey,
      "caFile",
      "offline",
      "maxRequestsPerSecond",
      "allowMove",
    ];
    return new Session({
      ...this.options,
      apiKeyFrom,
      config: (setting) => (shared.includes(setting) ? config(setting) : given[setting]),
      env: withoutConnection(env),
    });
  }

  /** Sends a `GET` request to any URL, without the credentials of the connection. */
  probe(url: string, signal: AbortSignal): Promise<ProbeResponse> {
    return probe(this.network, url, signal);
  }

  /** Sends a `POST` request to any URL, without the credentials of the connection. */
  postJson(url: string, request: JsonRequest): Promise<ProbeResponse> {
    return postJson(this.network, url, request);
  }

  /** Checks, once for all resources, that the credentials are accepted. */
  verifyAccess(waiting?: Waiting): Promise<void> {
    return this.access.get(waiting);
  }

  /** Returns the first page of the workspace's deployments, as it was when the first caller requested it. */
  deploymentsAtStart(waiting?: Waiting): Promise<DeploymentRecord[]> {
    return this.atStart.get(waiting);
  }

  /** Returns the configured dialect; `undefined` if no dialect, or an unknown one, is configured. */
  get configuredDialect(): DialectName | undefined {
    try {
      return configuredDialect(this.options.config, this.options.env);
    } catch {
      return undefined;
    }
  }

  /** Returns the dialect in state or, if there is none, in the configuration; otherwise, detects it once. */
  dialect(known?: ControlPlaneAddress, waiting?: Waiting): Promise<Dialect> {
    const named = known?.dialect ?? this.connection.dialect;
    if (named) return Promise.resolve(dialectOf(named));
    return this.found ? Promise.resolve(this.found) : this.detected.get(waiting);
  }

  /** Returns the dialect if it is configured or already detected; sends no requests. */
  get knownDialect(): Dialect | undefined {
    const { configuredDialect } = this;
    return configuredDialect ? dialectOf(configuredDialect) : this.found;
  }

  /** Detects the dialect with one request. The result is shared with all later calls, but a failure is not. */
  async lookUpDialect(signal: AbortSignal): Promise<Dialect> {
    this.found ??= detectDialect(await this.clientWithoutRetries().findApiDescription(signal));
    return this.found;
  }

  /** True if the configuration specifies a different control plane or workspace than the state. */
  hasMoved(known: Location | undefined): boolean {
    const { baseUrl, tenantId = known?.tenantId } = this.connection;
    return known !== undefined && (known.baseUrl !== baseUrl || known.tenantId !== tenantId);
  }

  /**
   * Throws if the configured control plane is not the one in state. Otherwise, a 404 response from the wrong control
   * plane would be mistaken for a deletion.
   */
  refuseMove(known: Location | undefined): void {
    if (!known || !this.hasMoved(known)) return;
    const { baseUrl, tenantId = known.tenantId, allowMove } = this.connection;
    // If the state specifies no workspace, the key identified the workspace.
    if (allowMove || (known.baseUrl === baseUrl && known.tenantId === "")) return;
    const moved = (what: string, from: string, to: string) =>
      from === to ? [] : [`${what} ${from}, now ${to}`];
    const differences = [
      ...moved("address", known.baseUrl, baseUrl),
      ...moved("workspace", known.tenantId, tenantId),
    ].join("; ");
    const selected =
      this.options.apiKeyFrom === undefined
        ? "the configured one"
        : "the one that its `connection` specifies";
    throw new AgentServerError(
      "moved_control_plane",
      `The resource in state is on a different control plane than ${selected} (${differences}). Restore the previous connection, or ${settingAdvice("allowMove", this.settingSource, "true")} if the same deployments are at the new address.`,
    );
  }

  /**
   * Confirms that a deployment that was not found no longer exists; throws if the API key may belong to another
   * workspace. If only the key identifies the workspace, the key must belong to the workspace in state.
   */
  async confirmWorkspace(
    deploymentId: string,
    known: Location | undefined,
    waiting?: Waiting,
  ): Promise<void> {
    if (!known || this.connection.tenantId !== undefined) return;
    const { tenantId: workspace } = known;
    const tenantSetting = settingWithVariable("tenantId", this.settingSource);
    if (workspace === "")
      throw new AgentServerError(
        "moved_control_plane",
        `Deployment ${deploymentId} was not found with this API key, which may belong to another workspace: neither the server nor the configuration specifies the workspace of the deployment. If the key belongs to another workspace, restore the previous key. If the deployment was deleted, set ${tenantSetting} to the ID of its workspace (any value works if the server has only one workspace) and run the command again.`,
        { deploymentId },
      );
    const deployments = await this.client({ onRetry: waiting?.onRetry }).deployments.list(waiting?.signal);
    if (deployments.some(({ tenant_id: id }) => id === workspace)) return;
    throw new AgentServerError(
      "moved_control_plane",
      `Deployment ${deploymentId} of workspace ${workspace} was not found with this API key, which may belong to another workspace. Set ${tenantSetting} to ${workspace}, or restore the previous key.`,
      { deploymentId },
    );
  }

  private shared<Result>(request: string, send: Send<Result>): SharedRequest<Result> {
    return new SharedRequest(request, send, () => this.clock.now());
  }

  private get controlPlane(): Service {
    return controlPlaneService(this.connection, this.network, this.pace);
  }

  private get pace(): Pace {
    return (this.sharedPace ??= new Pace(this.clock, this.connection.maxRequestsPerSecond));
  }

  private get network(): Network {
    if (this.pool) return this.pool;
    const { config, env } = this.options;
    const { proxies, certificates } = this.resolved ?? resolveNetwork(config, env);
    return (this.pool = new Network(proxies, certificates));
  }

  private transport(service: Service, options: Partial<TransportOptions>): Transport {
    const { clock, random, answerTimeoutMs } = this.options;
    return lazyClients.transport({
      service,
      clock,
      random,
      answerTimeoutMs,
      retry: defaultRetryPolicy,
      ...options,
    });
  }
}
