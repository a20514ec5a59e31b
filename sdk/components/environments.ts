import * as pulumi from "@pulumi/pulumi";
import type { Deployment } from "../deployment";
import type { SourceConfigArgs } from "../deployment-args";
import type { VerifiedArtifacts } from "../deployment-outputs";
import type { Promotion } from "../../provider/promotion/promote";
import { failIfEnded, printedAlone } from "../functions/keep-alive";
import { promoteIn, type PromoteResult } from "../functions/promote";
import { valueIfKnown } from "../known-value";
import { AgentService } from "./agent-service";
import type { AgentServiceArgs } from "./agent-service-args";
import { type EnvironmentsInState, environmentsInState } from "./deployments-in-state";
import type { EnvironmentsArgs } from "./environments-args";
import { heldInputs } from "./held-inputs";
import { planEnvironments, type PlannedEnvironment } from "./environments-plan";

/** Environment that the component has declared. */
interface DeclaredEnvironment {
  environment: string;
  /** Service with the environment's deployment; undefined while the environment waits for its first promotion. */
  service: AgentService | undefined;
  /** Sentence that states what is waiting, why, since when, and how to proceed; undefined if nothing is waiting. */
  waiting: pulumi.Output<string | undefined>;
  /** Paths of the changed inputs that the environment does not get yet, because it keeps its source. */
  held: readonly string[];
}

/** Settings and contents of an environment, except for its source. */
type EnvironmentSettings = Omit<AgentServiceArgs, "agent" | "sourceRevisionConfig"> & {
  name: string;
  sourceConfig: SourceConfigArgs;
};

/** Inputs of an environment; without a source, it waits for its first promotion. */
interface EnvironmentInputs {
  source: Source | pulumi.Output<Source> | undefined;
  waiting: pulumi.Output<string | undefined>;
  given: EnvironmentSettings;
  /** Paths of the inputs that have their previous values in `given`, although the program has changed them. */
  held?: readonly string[];
}

type Source = EnvironmentsArgs["sourceRevisionConfig"];

/**
 * Deploys the same agent to several environments. The first environment uses the source in the program. Each of the
 * others uses the source that the previous environment has deployed and verified, by commit, image, or folder. Until
 * the conditions of its gate are met, an environment keeps its source or is not created, and previews report what is
 * waiting. If a rollout fails, the environments after it are not changed. Each deployment is named
 * `<component>-<environment>`.
 *
 * @example
 * const support = new Environments("support", {
 *   name: "support-agent",
 *   source: "github",
 *   sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
 *   sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
 *   environments: [
 *     { environment: "development" },
 *     { environment: "staging" },
 *     { environment: "production", gate: { approvedFrom: "approved" } },
 *   ],
 * });
 */
export class Environments extends pulumi.ComponentResource {
  /** Type token, which policies use to match the component. */
  static readonly __pulumiType = "agentserver:index:Environments";

  /** Deployments, keyed by environment; undefined while the environment waits for its first promotion. */
  readonly deployments: Readonly<Record<string, pulumi.Output<Deployment | undefined>>>;
  /**
   * Deployments with their contents, keyed by environment; undefined while the environment waits for its first
   * promotion.
   */
  readonly services: Readonly<Record<string, pulumi.Output<AgentService | undefined>>>;
  /** URLs of the agent servers, keyed by environment. */
  readonly urls: Readonly<Record<string, pulumi.Output<string | undefined>>>;
  /** Verified commit or image that each environment serves; undefined if the source is a folder. */
  readonly serves: Readonly<Record<string, pulumi.Output<string | undefined>>>;
  /**
   * Sentence for each environment that states what is waiting, why, since when, and how to proceed; undefined if
   * nothing is waiting.
   */
  readonly waiting: Readonly<Record<string, pulumi.Output<string | undefined>>>;

  /** Name of the component in errors. */
  private readonly title: string;
  private readonly declared: readonly Promise<DeclaredEnvironment>[];

  constructor(name: string, args: EnvironmentsArgs, opts?: pulumi.ComponentResourceOptions) {
    // Checked before the first resource is registered, so that invalid arguments change nothing.
    const title = `Environments "${name}"`;
    const all = planEnvironments(title, args);
    super(Environments.__pulumiType, name, {}, opts);
    this.title = title;
    const declared: Promise<DeclaredEnvironment>[] = [];
    // The first environment is always declared, and environments with a folder as the source never wait.
    const inState =
      all.length > 1 && args.source !== "internal_source"
        ? this.readState(all.map(({ environment }) => environment))
        : Promise.resolve(undefined);
    for (const one of all) {
      const previous = declared.at(-1);
      declared.push(
        inState
          .then((known) => this.declare(`${name}-${one.environment}`, args, one, previous, known))
          .catch((error: unknown) => {
            throw printedAlone(error);
          }),
      );
    }
    void failIfEnded(
      `${title}: the program exited before the component had determined what each environment serves, so no resources can be deleted safely.`,
      Promise.all(declared),
    );
    const each = <Value>(to: (declared: DeclaredEnvironment) => pulumi.Input<Value>) =>
      Object.fromEntries(
        all.map(({ environment }, index) => [environment, pulumi.output(declared[index]!.then(to))]),
      ) as Record<string, pulumi.Output<Value>>;
    this.declared = declared;
    this.services = each(({ service }) => service);
    this.deployments = each(({ service }) => service?.deployment);
    this.urls = each(({ service }) => service?.url);
    this.serves = each(({ service }) =>
      service?.verified.apply(({ current }) =>
        current?.source === "internal_source" ? undefined : current?.artifact,
      ),
    );
    this.waiting = each(({ waiting }) => waiting);
  }

  /**
   * Waits until each environment is either declared or known to wait for its first promotion, so that a dependency on
   * the component includes all of them.
   */
  protected override async initialize(): Promise<void> {
    // Pulumi calls this method before the constructor has set the fields.
    await Promise.resolve();
    await Promise.all(this.declared);
    const { urls, serves, waiting } = this;
    // `agentserver status` reads the order of promotion from state.
    this.registerOutputs({ environments: Object.keys(urls), urls, serves, waiting });
  }

  /**
   * Reads the environments in state. Fails before the first environment is declared if another environment would be
   * deleted.
   */
  private async readState([first, ...later]: string[]): Promise<EnvironmentsInState> {
    const inState = await environmentsInState(this, [first!, ...later]);
    for (const environment of later) if (!inState.find(environment)) await inState.requireAbsent(environment);
    return inState;
  }

  /** Declares an environment after determining whether it has a source. */
  private async declare(
    serviceName: string,
    args: EnvironmentsArgs,
    one: PlannedEnvironment,
    previous: Promise<DeclaredEnvironment> | undefined,
    inState: EnvironmentsInState | undefined,
  ): Promise<DeclaredEnvironment> {
    const settings = { ...settingsOf(one, args, previous !== undefined), name: one.name };
    const inputs: EnvironmentInputs = previous
      ? await this.promoteFrom(await previous, one, args, settings, inState)
      : { source: args.sourceRevisionConfig, waiting: pulumi.output(undefined), given: settings };
    const { source, waiting, given, held = [] } = inputs;
    const service =
      source && new AgentService(serviceName, { ...given, sourceRevisionConfig: source }, { parent: this });
    return { environment: one.environment, service, waiting, held };
  }

  /** Returns the source and the other inputs of an environment, and reports what is waiting. */
  private async promoteFrom(
    { environment: fromName, service, held: heldUpstream }: DeclaredEnvironment,
    { environment, args: own, connection }: PlannedEnvironment,
    { source, sourceRevisionConfig: configured }: EnvironmentsArgs,
    settings: EnvironmentSettings,
    inState: EnvironmentsInState | undefined,
  ): Promise<EnvironmentInputs> {
    const buildsOnPush = await valueIfKnown(settings.sourceConfig.buildOnPush);
    if (buildsOnPush?.value === true)
      throw new pulumi.RunError(
        `${this.title}: ${environment}: sourceConfig.buildOnPush must not be true: a push would bypass the promotion.`,
      );
    const from = service?.verified ?? pulumi.output<VerifiedArtifacts>({ history: [] });
    if (source === "internal_source") {
      const verified = pulumi.all([from, configured.folder]).apply(([{ current }, folder]) => {
        this.requireVerified(current, fromName, environment);
        // The provider rejects a folder with different contents, for example if the previous environment was excluded
        // from the update.
        return { folder: folder!, contentHash: current!.artifact };
      });
      const { folder, contentHash } = verified;
      const promoted = { ...configured, folder, contentHash };
      return { source: promoted, waiting: pulumi.output(undefined), given: settings };
    }
    const state = inState?.find(environment);
    const held = state && (await heldInputs(state, settings, configured.graphConfigPath));
    const promotion = promoteIn(
      {
        component: this,
        title: this.title,
        toName: environment,
        inState: state,
        upstreamInState: inState?.find(fromName)?.verified ?? { history: [] },
        kind: source,
        isOtherRepository: held?.changed.includes("sourceConfig.repoUrl"),
        heldUpstream,
        replacedFor: held?.changed,
        mayBeAbsent: own.gate !== undefined || !service,
        isUpstreamAbsent: !service,
        isSecretSource: pulumi.isSecret(pulumi.output(configured)),
      },
      { from, fromName, to: { name: settings.name, ...(connection && { connection }) }, gate: own.gate },
    );
    const waiting = promotion.apply((result) => result.waiting);
    // In a preview, an unknown result may be a source, so the environment is declared.
    const known = await valueIfKnown(promotion);
    if (known && !("artifact" in known.value)) return { source: undefined, waiting, given: settings };
    const isKept = known !== undefined && (known.value as Partial<Promotion>).isKept === true;
    const promoted = promotion.apply((result) => {
      const { sourceRevisionConfig } = result as PromoteResult;
      const { graphConfigPath } = sourceRevisionConfig;
      const isWithoutPath = graphConfigPath === undefined && !isKept;
      return {
        ...sourceRevisionConfig,
        ...(isWithoutPath && { graphConfigPath: configured.graphConfigPath }),
      };
    });
    if (!isKept) return { source: promoted, waiting, given: settings };
    return { source: promoted, waiting, given: held!.keep(settings), held: held!.changed };
  }

  /** Fails the program if the previous environment does not serve a verified folder. */
  private requireVerified(current: object | undefined, before: string, environment: string): void {
    if (current) return;
    throw printedAlone(
      new pulumi.RunError(
        `${this.title}: Nothing can be promoted to ${environment}: the revision that ${before} serves is not verified.`,
      ),
    );
  }
}

/**
 * Returns the settings and contents of an environment, except for its name and source. A promoted environment never
 * builds on a push, even if its deployment did before.
 */
function settingsOf(
  {
    args: { environment: _environment, name: _name, gate: _gate, connection: _own, sourceConfig, ...own },
    connection,
  }: PlannedEnvironment,
  {
    name: _base,
    environments: _environments,
    sourceConfig: common,
    sourceRevisionConfig: _given,
    connection: _common,
    ...others
  }: EnvironmentsArgs,
  isPromoted: boolean,
): Omit<EnvironmentSettings, "name"> {
  const settings = { ...common, ...sourceConfig };
  const isWithoutPushes = isPromoted && others.source === "github";
  return {
    ...others,
    ...own,
    ...(connection && { connection }),
    assistants: { ...others.assistants, ...own.assistants },
    crons: { ...others.crons, ...own.crons },
    memory: { ...others.memory, ...own.memory },
    sourceConfig: {
      ...settings,
      ...(isWithoutPushes && { buildOnPush: falseByDefault(settings.buildOnPush) }),
    },
  };
}

/** Returns the value, or `false` if there is none. An output may also resolve to `undefined`. */
function falseByDefault(given: SourceConfigArgs["buildOnPush"]): pulumi.Input<boolean> {
  if (typeof given === "boolean") return given;
  // Programs in other languages may pass null.
  return given ? pulumi.output(given).apply((value) => (value as boolean | undefined) ?? false) : false;
}
