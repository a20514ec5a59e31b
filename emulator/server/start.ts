import { Admin } from "../admin/admin";
import { brokenConnections, injectFaults } from "../admin/faults/middleware";
import { Faults } from "../admin/faults/faults";
import { Journal } from "../admin/journal/journal";
import { keepAgentJournal, keepJournal } from "../admin/journal/middleware";
import { agentsPath } from "../gateway/route";
import type { AdminLibrary } from "../admin/library";
import { adminRoutes } from "../admin/routes";
import { dialectTables } from "../../wire";
import { systemClock, type Clock } from "../clock";
import { pageRoutes } from "../page";
import { type PageSession, SignInCodes, signInLink } from "../control-plane/access/sign-in-codes";
import { normalizedRequest } from "../gateway/request/normalized";
import { withAbsolutePaths, type ControlPlaneOptions } from "./options";
import { AdminAccess } from "../control-plane/access/admin-key";
import { AgentOrigins } from "../control-plane/access/agent-origins";
import { agentOriginRefusal } from "../control-plane/access/host-guard";
import { chooseOrganizations } from "./organizations";
import { authenticationServices } from "../control-plane/authentication/services";
import { DeploymentService } from "../control-plane/deployments/service";
import { Provisioning } from "../control-plane/deployments/provisioning";
import { Removal } from "../control-plane/deployments/removal";
import { Folders } from "../control-plane/folders";
import { gateway } from "./gateway-lookup";
import { IntegrationService } from "../control-plane/integrations/service";
import { ListenerService } from "../control-plane/listeners/service";
import { inUrl, listen, type Serve } from "./listen";
import type { PlaneDeps } from "../control-plane/deps";
import { PushWatch } from "../control-plane/pushes/push-watch";
import { remoteBranches } from "../control-plane/pushes/remote-branches";
import { References } from "../control-plane/deployments/references";
import { Supervisor } from "../control-plane/rollouts/supervisor";
import { controlPlaneApp } from "../control-plane/routes/app";
import { chooseRunner } from "./runner";
import { announce, openStore } from "./state-folder";
import type { Store } from "../control-plane/store/store";
import { NeverReadyRunner } from "../control-plane/quirks/never-ready";
import { noQuirks, type Quirks } from "../control-plane/quirks/quirks";
import { Signatures } from "../control-plane/uploads/signature";
import { Uploads } from "../control-plane/uploads/uploads";
import { StorageFault } from "../storage/storage-fault";

/** A running local control plane. */
export interface ControlPlane {
  /** URL of the control plane, such as `http://127.0.0.1:8123`. */
  baseUrl: string;
  /** First key of the first organization. */
  apiKey: string;
  /** First workspace of the first organization. */
  tenantId: string;
  admin: AdminLibrary;
  /**
   * Returns a URL that opens the web console and signs the user in. It works only once, expires after ten minutes, and
   * does not contain a key.
   */
  signInLink(): string;
  /** Handles a request in this process, without a socket. The endpoints are the same as over HTTP. */
  fetch(request: Request): Promise<Response>;
  /** Stops agents and rollouts. They resume when a control plane is started with the same state folder. */
  close(): Promise<void>;
}

/**
 * Starts a local control plane.
 *
 * @example
 * const plane = await startControlPlane({ state: ".agentserver/state" });
 * console.log(plane.baseUrl, plane.apiKey, plane.tenantId);
 * await plane.close();
 */
export async function startControlPlane(given: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const options = withAbsolutePaths(given);
  const clock = options.clock ?? systemClock;
  const reportError = errorReporter(clock, options.onFault ?? (() => undefined));
  const store = openStore(options.state, clock, reportError);
  try {
    return await startWith(store, reportError, options);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function startWith(
  store: Store,
  reportError: (error: unknown) => void,
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { clock = systemClock, host = "127.0.0.1", state, allowedOrigins = [] } = options;
  for (const origin of allowedOrigins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error(
        `"${origin}" is not an origin: specify a scheme and a host without a path, such as https://studio.example.`,
      );
  const tenantsInUse = new Set(store.deployments.all().map(({ tenantId }) => tenantId));
  const organizations = chooseOrganizations(options, [...tenantsInUse]);
  const adminAccess = new AdminAccess(organizations, options.adminKey);
  const dialect = dialectTables[options.dialect ?? "interface"];
  const quirks: Quirks = { ...noQuirks, ...options.quirks };
  const { runner, steering } = chooseRunner(options, clock, dialect);
  const folders = new Folders(state);
  let baseUrl = "";

  const integrations = new IntegrationService(store, () => baseUrl);
  const seedIntegrations = (): void => {
    for (const seed of options.integrations ?? []) integrations.seed(seed, organizations.all[0]!.tenants[0]!);
  };
  seedIntegrations();
  const supervisor = new Supervisor({
    store,
    clock,
    runner: new NeverReadyRunner(runner, quirks),
    folders: steering ? undefined : folders,
    transitionCause: (job) => steering?.transitionCause(job) ?? "ordinary",
    skipsSuperseded: dialect.supersededStatuses.includes("SKIPPED"),
    released: (deploymentId) => agents.forget(deploymentId),
    reportError,
  });
  const provisioning = new Provisioning({ store, supervisor, clock, quirks, reportError });
  const uploads = new Uploads({ store, folders, clock, reportError });
  const deploymentService = new DeploymentService({
    store,
    supervisor,
    provisioning,
    references: new References(store, dialect),
    uploads,
    dialect,
    changed: (deploymentId) => pushes.changed(deploymentId),
  });
  const pushes = new PushWatch({
    store,
    deploymentService,
    clock,
    remoteBranches: remoteBranches(clock),
    seconds: options.pushSeconds ?? (options.rollout === "real" && !options.runner ? 5 : 0),
    buildsAreReal: !steering,
    reportError,
  });
  const removal = new Removal({ store, deploymentService, supervisor, folders, clock, quirks, reportError });
  removal.lingerSeconds = options.lingerSeconds ?? 0;
  removal.finalLingerSeconds = options.finalLingerSeconds ?? 0;
  const deps: PlaneDeps = {
    store,
    dialect,
    organizations,
    deploymentService,
    removal,
    provisioning,
    quirks,
    supervisor,
    ...authenticationServices(store, clock, dialect, () => baseUrl),
    pushes,
    uploads,
    integrations,
    listeners: new ListenerService(store),
    baseUrl: () => baseUrl,
    noteRead: (revisionId) => steering?.noteRead(revisionId),
    reportError,
  };
  const faults = new Faults();
  const journal = new Journal();
  const admin = new Admin({ plane: deps, clock, folders, faults, journal, steering, seedIntegrations });
  const keys = [...organizations.keys(), ...adminAccess.keys()];
  const faultInjector = injectFaults(faults, clock);
  const app = controlPlaneApp(deps, [keepJournal(journal, clock, keys), faultInjector]);
  app.use(`${agentsPath}/:deployment/*`, keepAgentJournal(journal, clock, keys), faultInjector);
  if (options.admin) app.route("/admin", adminRoutes(admin, adminAccess));
  const codes = new SignInCodes<PageSession>(clock);
  const agentCodes = new SignInCodes<string>(clock);
  const pageAdmin = options.admin ? adminAccess : undefined;
  const steerable = Boolean(steering);
  app.route("/", pageRoutes({ deps, clock, adminAccess: pageAdmin, steerable, codes, agentCodes }));
  const agents = gateway(deps, clock, folders, allowedOrigins);
  app.route("/", agents.routes);

  const origins = new AgentOrigins({ app, clock, signatures: new Signatures(store), codes: agentCodes });
  const serve: Serve = (given, environment, { deploymentId }) => {
    if (deploymentId !== undefined) return origins.fetch(given, environment, deploymentId);
    const request = normalizedRequest(given);
    return agentOriginRefusal(request) ?? app.fetch(request, environment);
  };
  const port = options.port || Number(store.setting("port") ?? 0);
  const server = await listen(serve, { host, port, allowedHosts: options.allowedHosts ?? [] });
  baseUrl = `http://${inUrl(host)}:${server.port}`;
  let withdraw: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await server.close();
    await uploads.close();
    await pushes.close();
    provisioning.close();
    agents.close();
    await supervisor.close();
    await removal.close();
    store.close();
    await folders.close().catch(reportError);
    withdraw?.();
  };
  try {
    store.keepSetting("port", String(server.port));
    withdraw = announce(state, baseUrl, reportError);
    await supervisor.endLeftovers();
    removal.resume();
    uploads.resume();
    provisioning.resume();
    supervisor.resume();
    pushes.start();
    const here = store.deployments.all().filter(({ goneAt }) => goneAt === null);
    if (!steering) agents.resume(here.map(({ id }) => id));
  } catch (error) {
    await close();
    throw error;
  }

  const [first] = organizations.all;
  return {
    baseUrl,
    apiKey: first!.apiKeys[0]!,
    tenantId: first!.tenants[0]!,
    admin,
    signInLink: () => {
      const adminKey = options.admin ? options.adminKey : undefined;
      const session = { apiKey: first!.apiKeys[0]!, tenantId: first!.tenants[0]! };
      return signInLink(
        baseUrl,
        codes.make(first!.name, { ...session, ...(adminKey !== undefined && { adminKey }) }),
      );
    },
    fetch: async (request) => {
      const answer = await serve(request, {}, {});
      if (brokenConnections.has(answer))
        throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      return answer;
    },
    close: () => (closing ??= close()),
  };
}

const againMs = 60_000;

/**
 * Returns a function that reports errors. For an unusable file, it reports the first error, and after that at most one
 * error per minute.
 */
function errorReporter(clock: Clock, report: (error: unknown) => void): (error: unknown) => void {
  const last = new Map<string, number>();
  return (error) => {
    if (error instanceof StorageFault) {
      const before = last.get(error.place);
      if (before !== undefined && clock.now() - before < againMs) return;
      last.set(error.place, clock.now());
    }
    report(error);
  };
}
