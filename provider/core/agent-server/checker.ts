import type { AgentServerChecks } from "../../resource/checks";
import type { Finding } from "../../resource/inputs/finding";
import { besides } from "../../resource/inputs/shape";
import type { Props } from "../../resource/inputs/values";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import type { AgentServerKind } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import { isFromManifest } from "../../resource/ownership/urn";
import { serverIn, type ServerInputs } from "../../resource/server";
import { memoizedQuery } from "../../session/session";
import { Checker } from "../checker";
import type { CheckedResource } from "../endpoint";
import type { Servers } from "./servers";

/**
 * Checks the inputs of a kind on agent servers, both with rules and with requests to servers whose address is known.
 */
export class AgentServerChecker {
  private readonly checks: AgentServerChecks;
  private readonly checker: Checker;

  constructor(
    kind: AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>,
    private readonly servers: Servers,
    maxWaitMs: number,
  ) {
    this.checks = kind.checks();
    this.checker = new Checker(kind, this.checks.compareResources?.bind(this.checks), maxWaitMs);
  }

  /** Returns all findings about the inputs. */
  async findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]> {
    const { checks, checker, servers } = this;
    const { session } = servers;
    const { wanted, misshapen, found: local } = checker.local(olds, news, who);
    const found = [...local, ...besides(misshapen, checks.rules(wanted, session.clock.now(), who.isSecret))];
    if (session.isOffline || found.some(({ severity }) => severity === "failure")) return found;
    const signal = checker.timeLimit(who.signal);
    const ask = async (place: Props, questions: AgentServerChecks["questions"] = []): Promise<Finding[]> => {
      const server = serverIn(place);
      if (!server || questions.length === 0) return [];
      const source = session.settingSource;
      const respondent = { name: "the agent server", key: server.url, source, facts: session.facts };
      const inquiry = checker.inquiry(respondent, signal);
      const { once } = inquiry;
      const answers = questions.map((question) =>
        inquiry.ask(() => {
          const client = servers.client(server, { ...memoizedQuery, redact: who.redact });
          return question(wanted, { ...who, server: client, clock: session.clock, signal, once });
        }),
      );
      const asked = (await Promise.all(answers)).flatMap((findings) => findings ?? []);
      return [...asked, ...inquiry.warnings];
    };
    return [
      ...found,
      ...(await ask(news, checks.declarations)),
      ...(isUntrusted(wanted, who) ? [] : await ask(news, checks.questions)),
      ...(await ask(olds, checks.questionsToOldServer)),
    ];
  }
}

/**
 * True if a manifest specifies a connection that no update has used yet. Anyone can propose a change to a manifest, and
 * the server in it would receive the key.
 */
function isUntrusted(wanted: DesiredInputs, { urn }: CheckedResource): boolean {
  return isFromManifest(urn) && !wanted.lacks("connection") && wanted.changes("connection");
}
