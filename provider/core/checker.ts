import { within } from "../clock";
import { settingAdvice, type SettingSource } from "../control-plane/setting-names";
import { AgentServerError, asError } from "../errors";
import type { Checked } from "../resource/checks";
import { warning, type Finding } from "../resource/inputs/finding";
import { shapeFindings } from "../resource/inputs/shape";
import type { Props } from "../resource/inputs/values";
import { DesiredInputs } from "../resource/inputs/wanted";
import { inputsOf, type AnyKind } from "../resource/kind";
import type { CheckedResource } from "./endpoint";

/** A service that answers questions about inputs. */
interface Respondent {
  /** Name of the service in messages, for example "the control plane". */
  name: string;
  /** Key that distinguishes the service from other services. */
  key: string;
  /** Source of the connection settings, for messages. */
  source: SettingSource;
  /** Facts about the service that have been requested, shared by all resources. */
  facts: Map<string, Promise<unknown>>;
}

/** Questions about one resource that are sent to a service. */
export interface Inquiry {
  /** Returns the answer to a question; undefined if the service does not respond. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer | undefined>;
  /** Requests a fact about the service once, even if many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  /** Warnings that the service did not answer questions. */
  warnings: Finding[];
  signal: AbortSignal;
}

/**
 * Checks the inputs of one kind before any change. Control planes and agent servers share this part of the checks: the
 * shape of the inputs, conflicts with other resources of the program, and questions to a service as long as it
 * responds.
 */
export class Checker {
  private readonly unresponsive = new Set<string>();
  private readonly reported = new Set<string>();

  /** @param maxWaitMs maximum time for all questions about one resource, in milliseconds of real time */
  constructor(
    private readonly kind: AnyKind,
    private readonly compareResources: ((wanted: DesiredInputs, who: Checked) => Finding[]) | undefined,
    private readonly maxWaitMs: number,
  ) {}

  /**
   * Returns the findings that depend only on the program.
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param news the inputs of the program, which may be invalid or unknown
   */
  local(olds: Props, news: Props, who: CheckedResource) {
    const { kind } = this;
    const wanted = new DesiredInputs(inputsOf(kind, olds), inputsOf(kind, news), who.replaceOnChanges);
    const misshapen = shapeFindings(kind.inputs, wanted.inputs);
    const found = [...misshapen, ...(this.compareResources?.(wanted, who) ?? []), ...who.faults];
    return { wanted, misshapen, found };
  }

  /**
   * Returns a signal that is aborted after the maximum time for all questions about one resource.
   * @param canceled signal that is aborted when the engine cancels the call
   */
  timeLimit(canceled: AbortSignal | undefined): AbortSignal {
    const limit = AbortSignal.timeout(this.maxWaitMs);
    return canceled ? AbortSignal.any([limit, canceled]) : limit;
  }

  inquiry(respondent: Respondent, signal: AbortSignal): Inquiry {
    const { key, facts } = respondent;
    const warnings: Finding[] = [];
    return {
      warnings,
      signal,
      ask: async (question) => {
        if (this.unresponsive.has(key)) return undefined;
        try {
          return await within(signal, question());
        } catch (error) {
          warnings.push(...this.reportUnresponsive(respondent, error, signal));
          return undefined;
        }
      },
      once: <Fact>(fact: string, ask: () => Promise<Fact>) => {
        const known = facts.get(`${key} ${fact}`) as Promise<Fact> | undefined;
        if (known) return known;
        const asked = ask();
        facts.set(`${key} ${fact}`, asked);
        return asked;
      },
    };
  }

  /**
   * Reports once per run that a service did not answer a question. No more requests are sent to the service, unless it
   * only rejected this one.
   */
  private reportUnresponsive(
    { name, key, source }: Respondent,
    error: unknown,
    signal: AbortSignal,
  ): Finding[] {
    const code = AgentServerError.is(error) ? error.code : undefined;
    if (signal.aborted || code !== "request_refused") this.unresponsive.add(key);
    if (this.reported.has(key)) return [];
    this.reported.add(key);
    const why = signal.aborted
      ? `no response within ${this.maxWaitMs / 1_000} s`
      : asError(error).message.replace(/\.+$/, "");
    return [
      warning(
        "",
        `${name} could not check new and changed inputs: ${why}. The inputs may still be valid. To turn off these checks in previews, ${settingAdvice("offline", source, "true")}.`,
      ),
    ];
  }
}
