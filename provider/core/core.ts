import { randomUUID } from "node:crypto";
import { bestEffort, type EngineLog, type BestEffortLog } from "../engine/log";
import { AgentServerError, asError } from "../errors";
import { type Call, type TimedOperation, secretAmong } from "../resource/call";
import { replacesOn } from "../resource/plan/replace-on-changes";
import { parseDuration } from "../text/duration";
import { findingText, type Finding } from "../resource/inputs/finding";
import { besides, shapeFindings } from "../resource/inputs/shape";
import { inputsOf, type AnyKind, type Computed, type PlacedKind } from "../resource/kind";
import { managedOutputNames } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import { withOmitted } from "../resource/omitted";
import type { Result, Operation } from "../resource/operation";
import { isSameServer } from "../resource/server";
import { ownerIdOf } from "../resource/ownership/owner-id";
import { notKnownYet } from "../resource/inputs/unknown";
import { at, withValuesAt, type Props } from "../resource/inputs/values";
import { logLine, type Change, type ChangeSummary, type Reason } from "../resource/plan";
import type { SessionPool } from "../session/session-pool";
import type { Decoded } from "./decoded";
import type { Endpoint } from "./endpoint";
import { endpointOf } from "./endpoint-of";
import { redactorFor } from "./redaction";
import { EngineReporter } from "./engine-reporter";

/** Values and functions that the process provides for the core. */
export interface CoreOptions {
  /** Sessions that all kinds in the process share. */
  sessions: SessionPool;
  log: EngineLog;
  /**
   * Maximum time for all questions that a preview asks about one resource, in milliseconds of real time; by default,
   * 5 s.
   */
  maxWaitMs?: number;
  /**
   * Folder that relative paths in the program are resolved against. Defaults to the working directory of the process.
   */
  workingFolder?: string;
  /** True if the engine passes the first Ctrl-C to this process. It does not pass it to dynamic providers. */
  receivesCancel?: boolean;
}

/** Result of checking the inputs of a resource. */
export interface CheckResult {
  /** Owner ID that identifies the resource's own objects. */
  ownerId: string;
  /** Values to add to the inputs, keyed by path. */
  computed: Record<string, unknown>;
  failures: Finding[];
}

/** An error that can be displayed: its message contains no secrets. */
export class DisplayError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reason that part of a create or update failed, as text that can be displayed. */
interface DisplayProblem {
  error: DisplayError;
  reasons: string[];
}

/** Result of a create or update, with errors that can be displayed. */
export interface Outcome {
  id: string;
  state: ManagedState;
  problem?: DisplayProblem;
}

/** Default timeout of create, update, and delete, in milliseconds. */
const defaultTimeoutMs = 30 * 60_000;

/** Differences between a resource's state and its desired inputs. */
export interface Diff {
  /** True if anything changes, even if only in state. */
  hasChanges: boolean;
  /** The changed inputs, with their effects. */
  changes: readonly Change[];
  /** The changed inputs that require a replacement. */
  replacing: Change[];
  /** True if the old resource is deleted before the new one is created, unless the program specifies the order. */
  deletesFirst: boolean;
}

/** Object that a resource currently represents. */
interface CurrentObject {
  id: string;
  state: Partial<ManagedState>;
  /** The owner ID before a rename that the same operation has completed. */
  earlierOwnerId?: string | undefined;
}

/** A resource that is being replaced. */
interface Replacement extends CurrentObject {
  /** Inputs of the resource that replaces it. */
  successor: object;
}

/** Maximum number of replaced resources that a state lists. */
const maxReplaced = 20;

/** Performs the operations of one kind of resource on decoded values, independently of the host. */
export class Core {
  private readonly log: BestEffortLog;
  private readonly kind: AnyKind;
  private endpoint: Endpoint;
  /** Resources to replace, by URN. The engine does not report whether a create or delete is part of a replacement. */
  private readonly replacements = new Map<string, Replacement>();
  /**
   * Objects that the resources represent in this update, by URN. If a failed replacement was reverted, the state may
   * contain the same object twice, once as pending deletion.
   */
  private readonly currentObjects = new Map<string, CurrentObject>();
  /** Current URNs of resources, keyed by {@link keyInState}, because the URNs in state may differ. */
  private readonly urns = new Map<string, string>();
  /** Previous inputs, by URN, of resources that have been checked but not diffed since. */
  private readonly checked = new Map<string, Props>();
  /**
   * URNs of resources that have been read but not checked since. A diff of such a resource displays the result of a
   * refresh: the engine compares the refreshed state with the recorded inputs.
   */
  private readonly refreshed = new Set<string>();
  /**
   * Last line that was logged about each resource's plan, by URN. A check removes it. The engine may request the same
   * plan several times.
   */
  private readonly planLines = new Map<string, string>();
  /** Messages of `check` that have already been logged. The engine calls `check` several times for one resource. */
  private readonly logged = new Set<string>();

  constructor(
    private readonly placed: PlacedKind,
    private readonly options: CoreOptions,
  ) {
    this.kind = placed;
    this.log = bestEffort(options.log);
    this.endpoint = this.endpointWith(() => undefined);
  }

  /**
   * Sets the configuration. Sends no requests and never throws; `check` reports invalid settings.
   * @param secrets secret values of the configuration
   */
  configure(config: (key: string) => string | undefined, secrets: readonly string[] = []): void {
    this.endpoint = this.endpointWith(config, secrets);
  }

  /** Returns all findings about the inputs, and the owner ID that identifies the resource's own objects. */
  check(call: Call, olds: Decoded, news: Decoded): Promise<CheckResult> {
    return this.runGuarded([olds, news], async (redact) => {
      const { urn, faults, replaceOnChanges } = call;
      const replacement = this.replacements.get(urn);
      // The engine checks the inputs of a replacement again, as those of a new resource.
      this.refreshed.delete(urn);
      this.planLines.delete(urn);
      const isNew = Object.keys(olds.values).length === 0;
      const uncompared = this.checked.get(urn);
      if (!isNew) this.checked.set(urn, olds.values);
      const replaced = replacement
        ? { ...replacement.successor, ownerId: replacement.state.ownerId }
        : uncompared;
      const known = isNew ? (replaced ?? olds.values) : olds.values;
      const { values: computed, findings } = await this.computed(call, news, known);
      const ownerId = this.ownerIdFor(call, news.values["ownerId"] ?? known["ownerId"]);
      const shown = Object.entries(computed).filter(([path]) => !path.startsWith("__"));
      const whole = withValuesAt(news.values, Object.fromEntries(shown));
      const local = findings.filter(({ severity }) => severity === "failure");
      const found = await this.endpoint.findings(olds.values, whole, {
        urn,
        ...(call.organization !== undefined && { organization: call.organization }),
        ownerId,
        otherOwnerId: this.otherOwnerId(call, ownerId, known["ownerId"]),
        redact,
        faults,
        replaceOnChanges,
        isSecret: secretAmong(news.secretPaths),
        predecessor: replacement?.id,
        pending: replacement?.state.replaced,
        signal: call.signal,
      });
      const all = [...this.endpoint.failures(news.values), ...findings, ...besides(local, found)];
      const said = all.map((one) => ({ ...one, property: redact(one.property), reason: redact(one.reason) }));
      for (const one of said)
        if (one.severity !== "failure") await this.logOnce(urn, one.severity, findingText(one));
      return { ownerId, computed, failures: said.filter(({ severity }) => severity === "failure") };
    });
  }

  /**
   * Returns the owner ID of a resource, based on the owner ID in state. For objects on an agent server, the owner ID
   * changes with the URN, because a new resource may use the previous name. For objects on a control plane, it does not
   * change, because writing a new tag may create a revision.
   */
  private ownerIdFor(call: Call, known: unknown): string {
    if (typeof known !== "string") return ownerIdOf(call);
    return this.placed.endpointType === "control plane" ? known : ownerIdOf(call, known);
  }

  /**
   * Returns the other owner ID of a renamed resource (the previous or the new one), or `undefined` if the resource was
   * not renamed.
   */
  private otherOwnerId(call: Call, ownerId: string, known: unknown): string | undefined {
    return [known, this.ownerIdFor(call, known)].find(
      (one): one is string => typeof one === "string" && one !== ownerId,
    );
  }

  private async computed({ urn }: Call, { values }: Decoded, olds: Props): Promise<Computed> {
    const { kind, options } = this;
    const context = { urn, workingFolder: options.workingFolder ?? "", olds };
    return (await kind.computed?.(values, context)) ?? { values: {}, findings: [] };
  }

  /** Returns the changes, and those that require a replacement. Logs the reasons for the plan. */
  diff(id: string, call: Call, olds: Decoded, news: Decoded): Promise<Diff> {
    return this.runGuarded([olds, news], async (redact) => {
      const { kind, endpoint } = this;
      const { urn } = call;
      const { state, wanted, plan, isRenamed } = this.planned(call, olds, news);
      const { action, changes, reasons, deletesFirst } = plan;
      // A new address has to be stored in state, because later runs compare addresses with the one in state.
      const hasMoved = endpoint.hasMoved(state, news.values);
      const all: Reason[] = [
        ...reasons,
        ...(hasMoved ? [{ code: "new-address" }] : []),
        ...(call.isMoved ? [{ code: "new-provider" }] : []),
        ...(isRenamed ? [{ code: "renamed" }] : []),
      ];
      const isRefresh = this.refreshed.delete(urn);
      const shown = isRefresh ? driftReasons(changes, all) : all;
      const line = logLine(shown, kind.words, redact);
      const isNewLine = line !== "" && this.planLines.get(urn) !== line;
      if (isNewLine) await this.log.write(urn, "info", line);
      if (!isRefresh) this.planLines.set(urn, line);
      if (isNewLine && !isRefresh)
        for (const text of kind.remarks?.(olds.hidden ?? {}, news.hidden ?? {}) ?? [])
          await this.log.write(urn, "info", redact(text));
      this.checked.delete(urn);
      this.replacements.delete(urn);
      this.currentObjects.delete(urn);
      this.urns.set(keyInState(id, state.ownerId), urn);
      const standing = { id, state: olds.values };
      if (action === "replace") this.replacements.set(urn, { ...standing, successor: wanted });
      else this.currentObjects.set(urn, standing);
      const replacing = action === "replace" ? changes.filter(({ effect }) => effect === "replace") : [];
      return { hasChanges: all.length > 0, changes, replacing, deletesFirst };
    });
  }

  /** Returns the inputs and outputs of a create for a preview. The outputs are unknown. */
  previewCreate(news: Decoded): Promise<Props> {
    return this.runGuarded([news], () => {
      const own = this.kind.outputs.filter((name) => !managedOutputNames.includes(name));
      return { ...Object.fromEntries(own.map((name) => [name, notKnownYet])), ...news.values };
    });
  }

  /**
   * Returns the inputs and outputs of an update for a preview. Only outputs that the update may change are unknown.
   * @param earlier the previous inputs of the program; by default, the inputs in state, which may include values that
   * the server has set
   */
  previewUpdate(call: Call, olds: Decoded, news: Decoded, earlier: Props = olds.values): Promise<Props> {
    return this.runGuarded([olds, news], () => {
      const { kind, endpoint } = this;
      const { state, plan, isRenamed } = this.planned(call, olds, news);
      const { omitted: _omitted, ...before } = state as ManagedState & Props;
      const kept = Object.entries(before).filter(
        ([name]) => kind.outputs.includes(name) || !Object.hasOwn(earlier, name),
      );
      // An unknown value may replace the resource.
      const mayReplace = plan.changes.some(({ effect, unknown }) => effect === "replace" && unknown);
      const changed = [
        ...(mayReplace ? kind.outputs.filter((name) => !managedOutputNames.includes(name)) : []),
        ...(plan.changedOutputs ?? []),
        ...(isRenamed ? (kind.tagOutputs ?? []) : []),
        ...(endpoint.hasMoved(state, news.values) ? ["controlPlane"] : []),
      ];
      return {
        ...Object.fromEntries(kept),
        ...Object.fromEntries(changed.map((name) => [name, notKnownYet])),
        ...news.values,
      };
    });
  }

  private planned(call: Call, olds: Decoded, news: Decoded) {
    const { kind } = this;
    const wanted = inputsOf(kind, news.values);
    const state = withOmitted(kind, kind.readState(olds.values), wanted);
    const plan = kind.plan({
      state,
      wanted,
      replacesOn: replacesOn(call.replaceOnChanges ?? []),
      isSecret: secretAmong([...olds.secretPaths, ...news.secretPaths]),
    });
    const { ownerId: next = state.ownerId } = news.values;
    const isRenamed = plan.action !== "replace" && next !== state.ownerId && !kind.keepsTag?.(wanted);
    return { state, wanted, plan, isRenamed };
  }

  create(call: Call, news: Decoded): Promise<Outcome> {
    return this.runGuarded([news], async (redact) => {
      const inputs = this.accepted(news);
      // The engine may replace a resource even if the plan does not require it: because of the `replaceOnChanges`
      // option, or because the engine has not called `diff`.
      const replaced = this.replacements.get(call.urn) ?? this.currentObjects.get(call.urn);
      const known = replaced?.state ?? this.checked.get(call.urn);
      const op = await this.operation("create", call, news, [news], redact, {
        earlierOwnerId: known?.ownerId,
      });
      // A later delete in this update does not belong to a replacement.
      this.replacements.delete(call.urn);
      this.checked.delete(call.urn);
      const pending = replaced?.state.replaced ?? [];
      const result = await this.kind.create(op, inputs, replaced?.id, pending);
      const before = { replaced: replaced ? [replaced.id, ...pending] : [], creationId: randomUUID() };
      return this.recordCurrent(call, op, result, before, redact);
    });
  }

  update(id: string, call: Call, olds: Decoded, news: Decoded): Promise<Outcome> {
    return this.runGuarded([olds, news], async (redact) => {
      const inputs = this.accepted(news);
      const state = withOmitted(this.kind, this.kind.readState(olds.values), inputs);
      const op = await this.operation("update", call, olds, [news, olds], redact);
      const result = await this.kind.update(op, id, state, inputs);
      return this.recordCurrent(call, op, result, state, redact);
    });
  }

  /**
   * Reads a resource.
   * @param readId ID of the resource or, if it is not in state, its import ID
   * @returns `undefined` if the resource no longer exists
   */
  read(
    readId: string,
    call: Call,
    props: Decoded,
  ): Promise<{ id: string; state: ManagedState; inputs: object } | undefined> {
    return this.runGuarded([props], async (redact) => {
      const known = this.knownState(props);
      const importId = known ? undefined : readId;
      const op = await this.operation("read", call, props, [props], redact, { importId });
      const { id, server } = op.imported ?? { id: readId, server: {} };
      const found = await unlessGone(op, () => this.kind.read(op, id, known));
      if (!found) return undefined;
      const state = completeState(op, { id, state: { ...found.state, ...server } }, known);
      this.refreshed.add(call.urn);
      return { id, state, inputs: { ...found.inputs, ...server, ownerId: state.ownerId } };
    });
  }

  delete(id: string, call: Call, props: Decoded): Promise<void> {
    return this.runGuarded([props], async (redact) => {
      // Fails if a newer release has written the state.
      const known = this.knownState(props);
      const op = await this.operation("delete", call, props, [props], redact);
      if (this.isCurrent(id, props)) {
        await this.log.write(
          call.urn,
          "warning",
          `${id} was not deleted, because this program has recreated or readopted it. To replace a resource under the same name, set the resource option \`deleteBeforeReplace: true\`.`,
        );
        return;
      }
      const urn = this.urns.get(keyInState(id, op.resource.ownerId)) ?? call.urn;
      const standing = this.currentObjects.get(urn);
      const isReplaced = standing && !isSame(standing, { id, state: props.values });
      const replacement = isReplaced
        ? { id: standing.id, inputs: inputsOf(this.kind, { ...standing.state }) }
        : undefined;
      const successor = this.replacements.get(urn)?.successor;
      await unlessGone(op, () => this.kind.delete(op, id, known, successor, replacement));
    });
  }

  /**
   * Records the object that the resource now represents, so that a later delete of an earlier state does not delete the
   * object. Returns the outcome for display.
   */
  private recordCurrent(
    { urn }: Call,
    op: Operation,
    { id, state, problem }: Result<ManagedState>,
    known: Partial<ManagedState>,
    redact: (text: string) => string,
  ): Outcome {
    const result = { id, state: completeState(op, { id, state }, known), problem };
    this.currentObjects.set(urn, { ...result, earlierOwnerId: op.resource.otherOwnerId });
    return toDisplay(result, redact);
  }

  /**
   * True if a resource in this program represents the object in this state, because it created or adopted the object
   * after the state was written. This happens if a replacement was reverted or requested, or if a new resource has the
   * previous name of a renamed one.
   */
  private isCurrent(id: string, { values }: Decoded): boolean {
    const { ownerId, creationId } = values;
    return [...this.currentObjects.values()].some(
      (one) =>
        isSame(one, { id, state: values }) &&
        [one.state.ownerId, one.earlierOwnerId].includes(ownerId as string | undefined) &&
        one.state.creationId !== creationId,
    );
  }

  /**
   * Creates the context of an operation.
   * @param owners properties that may contain the owner ID, in order of precedence
   */
  private operation(
    action: TimedOperation | "read",
    call: Call,
    state: Decoded,
    owners: Decoded[],
    redact: (text: string) => string,
    {
      earlierOwnerId = state.values["ownerId"],
      importId,
    }: { earlierOwnerId?: unknown; importId?: string | undefined } = {},
  ): Promise<Operation> {
    const { log, kind, endpoint } = this;
    const ownerId = ownerIn(call, ...owners.map(({ values }) => values));
    const otherOwnerId = this.otherOwnerId(call, ownerId, earlierOwnerId);
    const wanted = kind.timeoutInput && at(owners[0]!.values, kind.timeoutInput);
    const given = typeof wanted === "string" ? parseDuration(wanted) : undefined;
    const custom = action === "read" ? undefined : call.timeouts[action];
    const isCustom = given === undefined && custom !== undefined;
    const setBy = (!isCustom && kind.timeoutInput) || "customTimeouts";
    return endpoint.operation({
      reporter: new EngineReporter(
        log,
        call,
        redact,
        this.options.sessions.clock,
        this.options.receivesCancel ?? false,
      ),
      call,
      writes: action !== "read",
      hasInputs: action === "create" || action === "update",
      known: state.values,
      wanted: owners[0]!.values,
      resource: { identity: call, ownerId, otherOwnerId, workingFolder: this.options.workingFolder ?? "" },
      limit: { totalMs: given ?? custom ?? defaultTimeoutMs, setBy },
      importId,
      redact,
    });
  }

  /** Returns the state of a resource; `undefined` if only the ID is known, which may be the case for a read. */
  private knownState({ values }: Decoded): ManagedState | undefined {
    return "schemaVersion" in values ? this.kind.readState(values) : undefined;
  }

  /** Returns the inputs, parsed again with the same schema, because a policy may have changed them after `check`. */
  private accepted({ values }: Decoded): object {
    const wanted = inputsOf(this.kind, values);
    const parsed = this.kind.inputs.safeParse(wanted);
    if (parsed.success) return parsed.data;
    const [finding] = shapeFindings(this.kind.inputs, wanted);
    throw new AgentServerError(
      "bad_configuration",
      `The inputs are no longer valid after a policy changed them: ${findingText(finding!)}. Correct the policy.`,
    );
  }

  private endpointWith(
    config: (key: string) => string | undefined,
    secrets: readonly string[] = [],
  ): Endpoint {
    const session = this.options.sessions.of((setting) => config(`agentserver:${setting}`), secrets);
    return endpointOf(this.placed, { session, config, maxWaitMs: this.options.maxWaitMs ?? 5_000 });
  }

  private async logOnce(urn: string, severity: "info" | "warning", text: string): Promise<void> {
    const once = `${urn} ${text}`;
    if (this.logged.has(once)) return;
    this.logged.add(once);
    await this.log.write(urn, severity, text);
  }

  /**
   * Runs a function, and waits until all messages have been delivered. Throws only errors whose text contains no
   * secrets.
   */
  private async runGuarded<Result>(
    props: Decoded[],
    work: (redact: (text: string) => string) => Result | Promise<Result>,
  ): Promise<Result> {
    const redact = () => redactorFor(this.endpoint, this.kind, ...props);
    try {
      return await work(redact());
    } catch (thrown) {
      throw toDisplayError(asError(thrown), redact());
    } finally {
      // The engine may stop this process as soon as it has the result.
      await this.log.flush();
    }
  }
}

/**
 * Returns the reasons for the result of a refresh: the changes that it found, with the recorded inputs as the old
 * values and the server's values as the new ones.
 */
function driftReasons(changes: readonly Change[], reasons: readonly Reason[]): Reason[] {
  const found = changes
    .filter(({ effect }) => effect !== "state")
    .map(({ path, effect, values, summary }): Change => ({
      path,
      effect,
      ...(values && { values: { from: values.to, to: values.from } }),
      ...(summary !== undefined && { summary: reversed(summary) }),
    }));
  const isLost = reasons.some(({ code }) => code === "lost" || code.startsWith("taken-back"));
  return [
    ...(found.length > 0 ? [{ code: "drift", changes: found }] : []),
    ...(isLost ? [{ code: "lost" }] : []),
  ];
}

function reversed(summary: ChangeSummary): ChangeSummary {
  if (typeof summary === "string") return summary;
  return { ...summary, added: summary.removed, removed: summary.added };
}

function toDisplay({ id, state, problem }: Result<ManagedState>, redact: (text: string) => string): Outcome {
  if (!problem) return { id, state };
  return {
    id,
    state,
    problem: { error: toDisplayError(problem.error, redact), reasons: problem.reasons.map(redact) },
  };
}

function toDisplayError(error: Error, redact: (text: string) => string): DisplayError {
  return new DisplayError(AgentServerError.is(error) ? error.code : "internal", redact(error.message));
}

/** Returns a key for a resource in state that does not depend on the URN in that state. IDs alone are not unique. */
function keyInState(id: string, ownerId: string): string {
  return JSON.stringify([id, ownerId]);
}

/**
 * True if both resources represent the same object. The same ID on a different server belongs to a different object.
 */
function isSame(one: { id: string; state: object }, other: { id: string; state: object }): boolean {
  return one.id === other.id && isSameServer(one.state, other.state);
}

/**
 * Returns the state with two additions: the resource's control plane, unless the kind recorded it, and the IDs of the
 * resources that this resource has replaced. The engine does not report which of these resources still have to be
 * deleted.
 */
function completeState(
  { resource: { controlPlane } }: Operation,
  { id, state }: { id: string; state: ManagedState },
  { replaced: ids = [], creationId }: Partial<ManagedState> = {},
): ManagedState {
  const replaced = [...new Set(ids)].filter((one) => one !== id).slice(0, maxReplaced);
  return {
    ...state,
    ...(controlPlane && !state.controlPlane && { controlPlane }),
    ...(replaced.length > 0 && { replaced }),
    ...(creationId !== undefined && { creationId }),
  };
}

/**
 * Returns the owner ID in the properties of the resource. If they do not contain one, it is derived from the resource's
 * identity.
 */
function ownerIn(call: Call, ...all: Props[]): string {
  const known = all.map(({ ownerId }) => ownerId).find((ownerId) => typeof ownerId === "string");
  return known ?? ownerIdOf(call);
}

/**
 * Sends requests about an object, and returns their result; `undefined` if the object's parent no longer exists, or is
 * deleted in the meantime.
 */
async function unlessGone<Answer>(op: Operation, work: () => Promise<Answer>): Promise<Answer | undefined> {
  if (op.isGone) return undefined;
  try {
    return await work();
  } catch (error) {
    if (await op.isGoneNow?.()) return undefined;
    throw error;
  }
}
