import { AgentServerError, asError } from "../../errors";
import type { AgentServerChecks } from "../../resource/checks";
import { warning, type Finding } from "../../resource/inputs/finding";
import { inputsOf, type AgentServerKind } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import { serverIn, type ServerInputs } from "../../resource/server";
import { besides, shapeFindings } from "../../resource/inputs/shape";
import type { Props } from "../../resource/inputs/values";
import { DesiredInputs } from "../../resource/inputs/wanted";
import { askedOnce } from "../../session/session";
import { within } from "../../clock";
import type { CheckedNow } from "../endpoint";
import type { Servers } from "./servers";

/**
 * Finds out what can be known about inputs before anything is done: from themselves and, where the address of the agent
 * server is known, from that.
 */
export class Checker {
  private readonly checks: AgentServerChecks;
  /** Servers that have not answered, and that nothing more is asked of. */
  private readonly silent = new Set<string>();

  /** @param patienceMs longest time for all questions about one resource, in milliseconds of real time */
  constructor(
    private readonly kind: AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>,
    private readonly servers: Servers,
    private readonly patienceMs: number,
  ) {
    this.checks = kind.checks();
  }

  /** Everything that can be said about the inputs. */
  async findings(olds: Props, news: Props, who: CheckedNow): Promise<Finding[]> {
    const { checks, kind, servers } = this;
    const wanted = new DesiredInputs(inputsOf(kind, olds), inputsOf(kind, news), who.replaceOnChanges);
    const misshapen = shapeFindings(kind.inputs, wanted.inputs);
    const compared = checks.compareResources?.(wanted, who) ?? [];
    const ruled = besides(misshapen, checks.rules(wanted, servers.session.clock.now()));
    const found = [...misshapen, ...compared, ...who.faults, ...ruled];
    const isWrong = found.some(({ severity }) => severity === "failure");
    if (servers.session.isOffline || isWrong) return found;
    const signal = AbortSignal.timeout(this.patienceMs);
    const ask = async (place: Props, questions: AgentServerChecks["questions"]): Promise<Finding[]> => {
      const server = serverIn(place);
      if (!server || questions.length === 0 || this.silent.has(server.url)) return [];
      try {
        const client = servers.client(server, { ...askedOnce, redact: who.redact });
        const sources = {
          ...who,
          server: client,
          clock: servers.session.clock,
          signal,
          once: <Fact>(fact: string, ask: () => Promise<Fact>) => this.once(`${server.url} ${fact}`, ask),
        };
        const answers = questions.map((ask) => within(signal, ask(wanted, sources)));
        return (await Promise.all(answers)).flat();
      } catch (error) {
        this.silent.add(server.url);
        return [this.unanswered(error, signal)];
      }
    };
    return [
      ...found,
      ...(await ask(news, checks.questions)),
      ...(await ask(olds, checks.questionsToOldServer ?? [])),
    ];
  }

  private once<Fact>(fact: string, ask: () => Promise<Fact>): Promise<Fact> {
    const { facts } = this.servers.session;
    const known = facts.get(fact) as Promise<Fact> | undefined;
    if (known) return known;
    const asked = ask();
    facts.set(fact, asked);
    return asked;
  }

  private unanswered(error: unknown, signal: AbortSignal): Finding {
    const why = signal.aborted
      ? `no answer within ${this.patienceMs / 1_000} s`
      : asError(error).message.replace(/\.+$/, "");
    if (!signal.aborted && !AgentServerError.is(error)) throw error;
    return warning(
      "",
      `the agent server could not be asked to check new and changed inputs: ${why}. This does not mean that the inputs are wrong. To turn these questions off in previews, run \`pulumi config set agentserver:offline true\`.`,
    );
  }
}
