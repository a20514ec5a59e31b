import type * as pulumi from "@pulumi/pulumi";
import { systemClock, type Clock } from "../../clock";
import type { ConfigReader } from "../../control-plane/connection";
import { deploymentInputs, type DeploymentInputs } from "../../deployment/inputs";
import {
  createDeployment,
  deleteDeployment,
  readDeployment,
  updateDeployment,
  type LifecycleResult,
} from "../../deployment/lifecycle";
import { plan } from "../../deployment/plan/plan";
import type { Finding } from "../../deployment/preview/finding";
import { LookAhead, type LookAheadOptions } from "../../deployment/preview/look-ahead";
import { withOmitted } from "../../deployment/omitted";
import { hiddenIn, inputsIn, lastRolloutOf, stateIn, type Props } from "../../deployment/state";
import { AgentServerError, asError } from "../../errors";
import { gitReader } from "../../repository/git-reader";
import { Session } from "../../session";
import { engineLog, unfailing, type EngineLog, type UnfailingLog } from "./engine-log";
import { outputsOf, partialFailure, plainFailure } from "./host-error";
import { dialectOfState, operationFor, ownerOfProps, redactorFor, secretPathsOf } from "./operations";
import { withSecretCopies, withSecretDigests, withSecretValues } from "./secret-outputs";

/** What the host takes from its process. */
export interface HostOptions {
  env: NodeJS.ProcessEnv;
  argv: readonly string[];
  clock: Clock;
  random: () => number;
  log?: EngineLog;
  /** Longest time for one answer to arrive, in milliseconds; by default 30 s. */
  answerTimeoutMs?: number;
  /** What a preview may use besides the control plane; by default nothing. */
  lookAhead?: LookAheadOptions;
}

/** The provider as a dynamic one: a thin shell between the engine's calls and the deployment's lifecycle. */
export class DynamicHost implements pulumi.dynamic.ResourceProvider {
  private readonly log: UnfailingLog;
  private session: Session;
  private lookAhead: LookAhead;
  /** What takes the place of resources that are to be replaced, by their URNs: a delete does not learn what it is for. */
  private readonly successors = new Map<string, DeploymentInputs>();
  /** Warnings of `check`, which is called several times for one resource. */
  private readonly warned = new Set<string>();

  constructor(private readonly options: HostOptions) {
    this.log = unfailing(options.log ?? engineLog(options.argv));
    this.session = this.sessionWith(() => undefined);
    this.lookAhead = new LookAhead(this.session, options.lookAhead);
  }

  /** Called once; must not throw, for the engine would keep the broken provider, nor wait. */
  configure = (request: pulumi.dynamic.ConfigureRequest): Promise<void> => {
    this.session = this.sessionWith((key) => request.config.get(`agentserver:${key}`));
    this.lookAhead = new LookAhead(this.session, this.options.lookAhead);
    return Promise.resolve();
  };

  check = (olds: Props, news: Props): Promise<pulumi.dynamic.CheckResult> =>
    this.guarded([olds, news], async () => {
      const ownerId = ownerOfProps(news, olds);
      const redact = redactorFor(this.session, olds, news);
      const { __urn: urn = "" } = hiddenIn(news);
      const findings = await this.lookAhead.findings(olds, news, { urn, ownerId, redact });
      const wrong = findings.filter(({ severity }) => severity === "failure");
      await this.warn(
        urn,
        findings
          .filter(({ severity }) => severity === "warning")
          .map(inWords)
          .map(redact),
      );
      const failures = [
        ...this.checkConnection(),
        ...wrong.map(inWords).map((reason) => ({ property: "", reason: redact(reason) })),
      ];
      return { inputs: { ...news, ownerId }, failures };
    });

  diff = (_id: string, olds: Props, news: Props): Promise<pulumi.dynamic.DiffResult> =>
    this.guarded([olds, news], async () => {
      const { __urn: urn = "" } = hiddenIn(news);
      const wanted = inputsIn(news);
      const state = withOmitted(stateIn(olds), wanted);
      this.session.refuseMove(state.controlPlane);
      const steps = plan({
        before: inputsIn({ ...state }),
        wanted,
        lastRollout: lastRolloutOf(state),
        dialect: dialectOfState(this.session, olds),
        isSecret: secretPathsOf(olds, news),
      });
      const redact = redactorFor(this.session, olds, news);
      // The address in state is what a later run is compared with, so it has to follow.
      const moves = this.session.hasMoved(state.controlPlane)
        ? ["keeps the control plane's new address"]
        : [];
      const reasons = [...steps.reasons, ...moves];
      if (reasons.length > 0) await this.log.say(urn, "info", redact(reasons.join("; ")));
      this.successors.delete(urn);
      if (steps.action === "replace") this.successors.set(urn, wanted);
      const replaces = steps.action === "replace" ? replacingProperties(steps.changes) : [];
      return { changes: reasons.length > 0, replaces, deleteBeforeReplace: true };
    });

  create = async (inputs: Props): Promise<pulumi.dynamic.CreateResult> => {
    const result = await this.guarded([inputs], async () => {
      const wanted = accepted(inputs);
      const op = await operationFor(this.session, this.log, "create", { current: inputs });
      return createDeployment(op, wanted);
    });
    return this.conclude(result, inputs, inputs);
  };

  update = async (id: string, olds: Props, news: Props): Promise<pulumi.dynamic.UpdateResult> => {
    const result = await this.guarded([olds, news], async () => {
      const wanted = accepted(news);
      const op = await operationFor(this.session, this.log, "update", { current: olds, wanted: news });
      return updateDeployment(op, id, withOmitted(stateIn(olds), wanted), wanted);
    });
    const { outs } = this.conclude(result, olds, news);
    return { outs };
  };

  read = (id: string, props: Props = {}): Promise<pulumi.dynamic.ReadResult> =>
    this.guarded([props], async () => {
      const known = "latestRevisionId" in props ? stateIn(props) : undefined;
      const op = await operationFor(this.session, this.log, "read", { current: props });
      const found = await readDeployment(op, id, known);
      if (!found) return { id: "", props: {} };
      const hidden = hiddenIn(props) as Props;
      return {
        id,
        props: withSecretCopies(
          withSecretDigests(withSecretValues(outputsOf({ ...hidden, ...found.state }))),
          secretPathsOf(props),
        ),
        inputs: withSecretValues(outputsOf({ ...hidden, ...found.inputs, ownerId: found.state.ownerId })),
      };
    });

  delete = (id: string, props: Props): Promise<void> =>
    this.guarded([props], async () => {
      const op = await operationFor(this.session, this.log, "delete", { current: props });
      await deleteDeployment(op, id, this.successors.get(hiddenIn(props).__urn ?? ""));
    });

  private sessionWith(config: ConfigReader): Session {
    const { env, clock, random, answerTimeoutMs } = this.options;
    return new Session({ config, env, clock, random, answerTimeoutMs });
  }

  private checkConnection(): pulumi.dynamic.CheckFailure[] {
    try {
      void this.session.connection;
      return [];
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return [{ property: "", reason: error.message }];
    }
  }

  private async warn(urn: string, warnings: string[]): Promise<void> {
    for (const text of warnings) {
      const once = `${urn} ${text}`;
      if (this.warned.has(once)) continue;
      this.warned.add(once);
      await this.log.say(urn, "warning", text);
    }
  }

  private conclude(result: LifecycleResult, olds: Props, news: Props): { id: string; outs: Props } {
    const hidden = hiddenIn(news) as Props;
    if (result.problem) throw partialFailure(result, hidden, redactorFor(this.session, olds, news));
    const outs = withSecretCopies(outputsOf({ ...hidden, ...result.state }), secretPathsOf(news));
    return { id: result.id, outs };
  }

  /** Lets nothing but an Error with a clean text out: anything else would leave the engine waiting for ever. */
  private async guarded<Result>(props: Props[], work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (thrown) {
      throw plainFailure(asError(thrown), redactorFor(this.session, ...props));
    } finally {
      // The engine may end this process as soon as it has the answer.
      await this.log.spoken();
    }
  }
}

/**
 * The engine looks the property up by its name, prints the value that it finds there, secret or not, and finds none
 * for a path; so the path goes into the text.
 */
function inWords({ property, reason }: Finding): string {
  return property === "" ? reason : `${property}: ${reason}`;
}

/** A policy may have changed the inputs after `check`, so they are read with the same schema again. */
function accepted(props: Props): DeploymentInputs {
  const parsed = deploymentInputs.safeParse(inputsIn(props));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AgentServerError("bad_configuration", `${issue?.path.join(".")}: ${issue?.message}`);
}

/** The engine names top-level properties only. */
function replacingProperties(changes: { path: string; effect: string }[]): string[] {
  const paths = changes.filter(({ effect }) => effect === "replace").map(({ path }) => path.split(".")[0]!);
  return [...new Set(paths)];
}

/** The provider that this process serves. */
export function processProvider(): DynamicHost {
  const { env, argv } = process;
  const lookAhead = { repositories: gitReader(env) };
  return new DynamicHost({ env, argv, clock: systemClock, random: Math.random, lookAhead });
}
