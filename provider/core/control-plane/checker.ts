import { isDeepStrictEqual } from "node:util";
import { isCloudHost } from "../../control-plane/base-url";
import type { Connection } from "../../control-plane/connection";
import { allDialects, dialectOf, type Dialect } from "../../control-plane/dialects";
import { isLoopback } from "../../http/proxy";
import type { Checks, Sources } from "../../resource/checks";
import type { Finding } from "../../resource/inputs/finding";
import type { ControlPlaneKind } from "../../resource/kind";
import { addressIn, type ControlPlaneState } from "../../resource/managed";
import { besides } from "../../resource/inputs/shape";
import type { Props } from "../../resource/inputs/values";
import type { DesiredInputs } from "../../resource/inputs/wanted";
import type { Session } from "../../session/session";
import { Checker } from "../checker";
import type { CheckedResource } from "../endpoint";

/** Function that applies the rules of one dialect to the desired inputs. */
type Rules = (dialect: Dialect) => Finding[];

/**
 * Checks the inputs of a kind on the control plane, with the rules of the control plane's dialect and with requests
 * about new values.
 */
export class ControlPlaneChecker {
  private readonly checks: Checks;
  private readonly checker: Checker;
  private readonly facts = new Map<string, Promise<unknown>>();

  /** @param session undefined if the connection in the inputs is unknown or cannot be used */
  constructor(
    kind: ControlPlaneKind<object, ControlPlaneState, string>,
    private readonly session: Session | undefined,
    maxWaitMs: number,
  ) {
    this.checks = kind.checks();
    this.checker = new Checker(kind, this.checks.compareResources?.bind(this.checks), maxWaitMs);
  }

  /** Returns all findings about the inputs. Sends requests only if the inputs have a valid shape. */
  async findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]> {
    const { checks } = this;
    const { wanted, misshapen, found } = this.checker.local(olds, news, who);
    const connection = this.connection();
    const selfHosted = connection !== undefined && !isCloudHost(new URL(connection.baseUrl).hostname);
    const rules: Rules = (dialect) => besides(misshapen, checks.rules(wanted, dialect, selfHosted));
    const known = this.knownDialect(olds);
    // Only new values have to be checked with requests to the control plane.
    if (!this.session || !connection || connection.offline || found.length > 0 || !wanted.hasChanges)
      return [...found, ...(known ? rules(known) : commonFindings(rules))];
    return this.asking(this.session, wanted, rules, known, connection, who);
  }

  private async asking(
    session: Session,
    wanted: DesiredInputs,
    rules: Rules,
    known: Dialect | undefined,
    connection: Connection,
    { urn, ownerId, predecessor, pending, isSecret, redact, signal: canceled }: CheckedResource,
  ): Promise<Finding[]> {
    const { checks } = this;
    const source = session.settingSource;
    const respondent = { name: "the control plane", key: "", source, facts: this.facts };
    const inquiry = this.checker.inquiry(respondent, this.checker.timeLimit(canceled));
    const { signal, once } = inquiry;
    const dialect =
      known ??
      (this.needsDialect(wanted, rules)
        ? await inquiry.ask(() => once("dialect", () => session.lookUpDialect(signal)))
        : undefined);
    const local = dialect ? rules(dialect) : commonFindings(rules);
    const client = () => session.clientWithoutRetries({ redact });
    const sources: Sources = {
      urn,
      ownerId,
      predecessor,
      isSecret,
      pending,
      client,
      clock: session.clock,
      agentServer: (url) => session.agentServerWithoutRetries(url, { redact }),
      findByName: (name) => session.names.find(client, name, { isFresh: false, signal }),
      findByAgent: (agentId, environment) => client().deployments.findByAgent(agentId, environment, signal),
      isLocal: isLoopback(new URL(connection.baseUrl).hostname),
      dialect,
      once,
      signal,
    };
    const asked = await Promise.all(checks.questions.map((ask) => inquiry.ask(() => ask(wanted, sources))));
    const remote = asked
      .flatMap((findings) => findings ?? [])
      .filter(({ property }) => !local.some((finding) => finding.property === property));
    return [...local, ...remote, ...inquiry.warnings];
  }

  private connection(): Connection | undefined {
    try {
      return this.session?.connection;
    } catch {
      // Invalid settings are reported separately.
      return undefined;
    }
  }

  private knownDialect(olds: Props): Dialect | undefined {
    const { dialect } = addressIn(olds) ?? {};
    return dialect ? dialectOf(dialect) : this.session?.knownDialect;
  }

  /** True if the findings about new values depend on the dialect. */
  private needsDialect(wanted: DesiredInputs, rules: Rules): boolean {
    if (!this.checks.about.some((name) => wanted.changes(name))) return false;
    const [first, ...others] = allDialects.map(rules);
    return others.some((list) => !isDeepStrictEqual(list, first)) || this.checks.dependsOnDialect(wanted);
  }
}

/** Returns the findings that are the same for all dialects. */
function commonFindings(rules: Rules): Finding[] {
  const [first, ...others] = allDialects;
  return rules(first!).filter((finding) =>
    others.every((dialect) => rules(dialect).some((one) => isDeepStrictEqual(one, finding))),
  );
}
