import { isDeepStrictEqual } from "node:util";
import { isCloudHost } from "../../control-plane/base-url";
import type { Connection } from "../../control-plane/connection";
import { allDialects, dialectOf, type Dialect } from "../../control-plane/dialects";
import { isLoopback } from "../../http/proxy";
import { AgentServerError, asError } from "../../errors";
import type { Checks, Sources } from "../../resource/checks";
import { warning, type Finding } from "../../resource/inputs/finding";
import { inputsOf, type ControlPlaneKind } from "../../resource/kind";
import { addressIn, type ControlPlaneState } from "../../resource/managed";
import { besides, shapeFindings } from "../../resource/inputs/shape";
import type { Props } from "../../resource/inputs/values";
import { DesiredInputs } from "../../resource/inputs/wanted";
import type { Session } from "../../session/session";
import { within } from "../../clock";
import type { CheckedNow } from "../endpoint";

/** The rules of one dialect about what is wanted. */
type Rules = (dialect: Dialect) => Finding[];

/**
 * Finds out what can be known about inputs before anything is done. Most of it follows from them and the dialect; about
 * what is new in them the control plane is asked, each fact once, until it turns out that it cannot be asked.
 */
export class Checker {
  private readonly checks: Checks;
  private readonly facts = new Map<string, Promise<unknown>>();
  private saidWhyNot = false;
  private givenUp = false;

  /** @param patienceMs longest time for all questions about one resource, in milliseconds of real time */
  constructor(
    private readonly kind: ControlPlaneKind<object, ControlPlaneState, string>,
    private readonly session: Session,
    private readonly patienceMs: number,
  ) {
    this.checks = kind.checks();
  }

  /**
   * Everything that can be said about the inputs; asks only about those of a right shape.
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param news the inputs of the program; nothing in them needs to be right or known yet
   */
  async findings(olds: Props, news: Props, who: CheckedNow): Promise<Finding[]> {
    const { checks, kind } = this;
    const wanted = new DesiredInputs(inputsOf(kind, olds), inputsOf(kind, news), who.replaceOnChanges);
    const misshapen = shapeFindings(kind.inputs, wanted.inputs);
    const always = [...misshapen, ...(checks.compareResources?.(wanted, who) ?? []), ...who.faults];
    const connection = this.connection();
    const selfHosted = connection !== undefined && !isCloudHost(new URL(connection.baseUrl).hostname);
    const rules: Rules = (dialect) => besides(misshapen, checks.rules(wanted, dialect, selfHosted));
    const known = this.knownDialect(olds);
    if (!connection || connection.offline || always.length > 0)
      return [...always, ...(known ? rules(known) : agreed(rules))];
    return this.asking(wanted, rules, known, connection, who);
  }

  private async asking(
    wanted: DesiredInputs,
    rules: Rules,
    known: Dialect | undefined,
    connection: Connection,
    { urn, ownerId, predecessor, pending, isSecret, redact }: CheckedNow,
  ): Promise<Finding[]> {
    const signal = AbortSignal.timeout(this.patienceMs);
    const troubles: Finding[] = [];
    const answer = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
      if (this.givenUp) return undefined;
      try {
        return await within(signal, ask());
      } catch (error) {
        troubles.push(...this.unanswered(error, signal));
        return undefined;
      }
    };
    const dialect =
      known ??
      (this.needsDialect(wanted, rules)
        ? await answer(() => this.once("dialect", () => this.session.lookUpDialect(signal)))
        : undefined);
    const local = dialect ? rules(dialect) : agreed(rules);
    const client = this.session.askingOnce({ redact });
    const sources: Sources = {
      urn,
      ownerId,
      predecessor,
      isSecret,
      pending,
      client,
      clock: this.session.clock,
      agentServer: (url) => this.session.agentServerOnce(url, { redact }),
      findByName: (name) => this.session.names.find(() => client, name, { isFresh: false, signal }),
      findByAgent: (agentId, environment) => client.deployments.findByAgent(agentId, environment, signal),
      isLocal: isLoopback(new URL(connection.baseUrl).hostname),
      dialect,
      once: (fact, ask) => this.once(fact, ask),
      signal,
    };
    const asked = await Promise.all(this.checks.questions.map((ask) => answer(() => ask(wanted, sources))));
    const remote = asked
      .flatMap((findings) => findings ?? [])
      .filter(({ property }) => !local.some((finding) => finding.property === property));
    return [...local, ...remote, ...troubles];
  }

  private once<Fact>(fact: string, ask: () => Promise<Fact>): Promise<Fact> {
    const known = this.facts.get(fact) as Promise<Fact> | undefined;
    if (known) return known;
    const asked = ask();
    this.facts.set(fact, asked);
    return asked;
  }

  /** Says once in a run that there was no answer; after one that took its time, or none at all, nothing more is asked. */
  private unanswered(error: unknown, signal: AbortSignal): Finding[] {
    const code = AgentServerError.is(error) ? error.code : undefined;
    if (signal.aborted || code !== "request_refused") this.givenUp = true;
    if (this.saidWhyNot) return [];
    this.saidWhyNot = true;
    const why = signal.aborted
      ? `no answer within ${this.patienceMs / 1_000} s`
      : asError(error).message.replace(/\.+$/, "");
    return [
      warning(
        "",
        `the control plane could not be asked to check new and changed inputs: ${why}. This does not mean that the inputs are wrong. To turn these questions off in previews, run \`pulumi config set agentserver:offline true\`.`,
      ),
    ];
  }

  private connection(): Connection | undefined {
    try {
      return this.session.connection;
    } catch {
      // The settings are checked, and complained about, by themselves.
      return undefined;
    }
  }

  private knownDialect(olds: Props): Dialect | undefined {
    const { dialect } = addressIn(olds) ?? {};
    return dialect ? dialectOf(dialect) : this.session.knownDialect;
  }

  /** Whether it makes a difference for what is new here which dialect the control plane speaks. */
  private needsDialect(wanted: DesiredInputs, rules: Rules): boolean {
    if (!this.checks.about.some((name) => wanted.changes(name))) return false;
    const [first, ...others] = allDialects.map(rules);
    return others.some((list) => !isDeepStrictEqual(list, first)) || this.checks.asksByDialect(wanted);
  }
}

/** What all dialects say alike. */
function agreed(rules: Rules): Finding[] {
  const [first = [], ...others] = allDialects.map(rules);
  return first.filter((finding) =>
    others.every((list) => list.some((one) => isDeepStrictEqual(one, finding))),
  );
}
