import type { ConfigReader } from "../control-plane/connection";
import { dialectOf } from "../control-plane/dialects";
import { unfailing, type EngineLog, type UnfailingLog } from "../engine/log";
import { AgentServerError, asError } from "../errors";
import type { Call, TimedOperation } from "../resource/call";
import { secretAmong } from "../resource/call";
import { parseDuration } from "../resource/duration";
import { failure, type Finding } from "../resource/finding";
import { inputsOf, type AnyKind, type Checker } from "../resource/kind";
import { addressIn, type ManagedState } from "../resource/managed";
import { withOmitted } from "../resource/omitted";
import type { Ended, Operation } from "../resource/operation";
import { ownerIdOf } from "../resource/owner-id";
import { logLine, type Change, type Reason } from "../resource/plan";
import { Session, type SessionOptions } from "../session";
import type { Decoded } from "./decoded";
import { operationFor } from "./operation";
import { redactorFor } from "./redaction";

/** What the core takes from its process. */
export interface CoreOptions extends Omit<SessionOptions, "config"> {
  log: EngineLog;
}

/** An error that may be shown: its text holds no secret. */
export class ShownError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A create or update that did not come to what was wanted, with texts that may be shown. */
interface ShownProblem {
  error: ShownError;
  reasons: string[];
}

/** How a create or update ended. */
export interface Outcome {
  id: string;
  state: ManagedState;
  problem?: ShownProblem;
}

/** Default of the timeout of create, update and delete. */
const defaultTimeout = "30m";

/** Runs one kind of resource on decoded values, whichever host the values come from. */
export class Core {
  private readonly log: UnfailingLog;
  private session: Session;
  private checker: Checker;
  /** What takes the place of resources that are to be replaced, by their URNs: a delete does not learn what it is for. */
  private readonly successors = new Map<string, object>();
  /** Warnings of `check`, which is called several times for one resource. */
  private readonly warned = new Set<string>();

  /** @param checkOptions what the kind's checks may use besides the control plane */
  constructor(
    private readonly kind: AnyKind,
    private readonly options: CoreOptions,
    private readonly checkOptions?: unknown,
  ) {
    this.log = unfailing(options.log);
    this.session = new Session({ ...options, config: () => undefined });
    this.checker = kind.checker(this.session, checkOptions);
  }

  /** Takes the configuration; asks nobody and never throws: what is wrong with it is for `check` to say. */
  configure(config: ConfigReader): void {
    this.session = new Session({ ...this.options, config });
    this.checker = this.kind.checker(this.session, this.checkOptions);
  }

  /** Everything that is wrong with the inputs, and the id by which the resource recognizes what is its own. */
  check(call: Call, olds: Decoded, news: Decoded): Promise<{ ownerId: string; failures: string[] }> {
    return this.guarded([olds, news], async (redact) => {
      const ownerId = ownerIn(call, news, olds);
      const findings = [
        ...(await this.checker.findings(olds.values, news.values, { urn: call.urn, ownerId, redact })),
        ...timeoutFindings(call),
      ];
      const said = (wanted: Finding["severity"]) =>
        findings.filter(({ severity }) => severity === wanted).map((finding) => redact(findingText(finding)));
      for (const text of said("warning")) await this.warnOnce(call.urn, text);
      return { ownerId, failures: [...this.connectionFailures(), ...said("failure")] };
    });
  }

  /** Whether there is something to do, and the top-level inputs that ask for a replacement. */
  diff(call: Call, olds: Decoded, news: Decoded): Promise<{ changes: boolean; replaces: string[] }> {
    return this.guarded([olds, news], async (redact) => {
      const { kind, session } = this;
      const { urn } = call;
      const wanted = inputsOf(kind, news.values);
      const state = withOmitted(kind.readState(olds.values), wanted);
      const address = state.controlPlane;
      session.refuseMove(address);
      const { action, changes, reasons } = kind.plan({
        state,
        wanted,
        dialect: dialectOf(address.dialect),
        isSecret: secretAmong([...olds.secretPaths, ...news.secretPaths]),
      });
      // The address in state is what a later run is compared with, so it has to follow.
      const all: Reason[] = session.hasMoved(address) ? [...reasons, { code: "new-address" }] : reasons;
      if (all.length > 0) await this.log.say(urn, "info", logLine(all, kind.words, redact));
      this.successors.delete(urn);
      if (action === "replace") this.successors.set(urn, wanted);
      return { changes: all.length > 0, replaces: action === "replace" ? replacingInputs(changes) : [] };
    });
  }

  create(call: Call, news: Decoded): Promise<Outcome> {
    return this.guarded([news], async (redact) => {
      const inputs = this.accepted(news);
      const op = await this.operation("create", call, news, [news], redact);
      return shown(await this.kind.create(op, inputs), redact);
    });
  }

  update(id: string, call: Call, olds: Decoded, news: Decoded): Promise<Outcome> {
    return this.guarded([olds, news], async (redact) => {
      const inputs = this.accepted(news);
      const op = await this.operation("update", call, olds, [news, olds], redact);
      const state = withOmitted(this.kind.readState(olds.values), inputs);
      return shown(await this.kind.update(op, id, state, inputs), redact);
    });
  }

  /** Nothing where the resource is gone. */
  read(id: string, call: Call, props: Decoded): Promise<{ state: ManagedState; inputs: object } | undefined> {
    return this.guarded([props], async (redact) => {
      const known = "schemaVersion" in props.values ? this.kind.readState(props.values) : undefined;
      const op = await this.operation("read", call, props, [props], redact);
      const found = await this.kind.read(op, id, known);
      return found && { state: found.state, inputs: { ...found.inputs, ownerId: found.state.ownerId } };
    });
  }

  delete(id: string, call: Call, props: Decoded): Promise<void> {
    return this.guarded([props], async (redact) => {
      const op = await this.operation("delete", call, props, [props], redact);
      await this.kind.delete(op, id, this.successors.get(call.urn));
    });
  }

  /** @param owners where the ownership tag may stand, the first place first */
  private operation(
    deed: TimedOperation | "read",
    call: Call,
    state: Decoded,
    owners: Decoded[],
    redact: (text: string) => string,
  ): Promise<Operation> {
    const { session, log, kind } = this;
    const known = addressIn(state.values);
    const custom = deed === "read" ? undefined : call.timeouts[deed];
    const timeout = kind.timeoutIn(inputsOf(kind, owners[0]!.values)) ?? custom ?? defaultTimeout;
    const timeoutMs = parseDuration(timeout) ?? parseDuration(defaultTimeout)!;
    const ownerId = ownerIn(call, ...owners);
    return operationFor({ session, log, call, writes: deed !== "read", known, ownerId, timeoutMs, redact });
  }

  /** A policy may have changed the inputs after `check`, so they are read with the same schema again. */
  private accepted({ values }: Decoded): object {
    const parsed = this.kind.inputs.safeParse(inputsOf(this.kind, values));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new AgentServerError("bad_configuration", `${issue?.path.join(".")}: ${issue?.message}`);
  }

  private connectionFailures(): string[] {
    try {
      void this.session.connection;
      return [];
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return [error.message];
    }
  }

  private async warnOnce(urn: string, text: string): Promise<void> {
    const once = `${urn} ${text}`;
    if (this.warned.has(once)) return;
    this.warned.add(once);
    await this.log.say(urn, "warning", text);
  }

  /** Lets nothing but an error with a clean text out, and nothing before all that was said has arrived. */
  private async guarded<Result>(
    props: Decoded[],
    work: (redact: (text: string) => string) => Promise<Result>,
  ): Promise<Result> {
    const redact = () => redactorFor(this.session, this.kind, ...props);
    try {
      return await work(redact());
    } catch (thrown) {
      throw shownError(asError(thrown), redact());
    } finally {
      // The engine may end this process as soon as it has the answer.
      await this.log.spoken();
    }
  }
}

function shown({ id, state, problem }: Ended<ManagedState>, redact: (text: string) => string): Outcome {
  if (!problem) return { id, state };
  return {
    id,
    state,
    problem: { error: shownError(problem.error, redact), reasons: problem.reasons.map(redact) },
  };
}

function shownError(error: Error, redact: (text: string) => string): ShownError {
  return new ShownError(AgentServerError.is(error) ? error.code : "internal", redact(error.message));
}

/** The owner id of the resource: from its properties, else made from its identity. */
function ownerIn(call: Call, ...places: Decoded[]): string {
  const known = places.map(({ values }) => values["ownerId"]).find((ownerId) => typeof ownerId === "string");
  return known ?? ownerIdOf(call);
}

/**
 * The engine looks the property up by its name, prints the value that it finds there, secret or not, and finds none
 * for a path; so the path goes into the text.
 */
function findingText({ property, reason }: Finding): string {
  return property === "" ? reason : `${property}: ${reason}`;
}

function timeoutFindings({ timeouts }: Call): Finding[] {
  return Object.entries(timeouts).flatMap(([operation, text]) =>
    typeof text !== "string" || parseDuration(text) !== undefined
      ? []
      : [failure(`customTimeouts.${operation}`, 'must be a duration such as "30m" or "1h30m"')],
  );
}

/** The engine names top-level properties only. */
function replacingInputs(changes: Change[]): string[] {
  const paths = changes.filter(({ effect }) => effect === "replace").map(({ path }) => path.split(".")[0]!);
  return [...new Set(paths)];
}
