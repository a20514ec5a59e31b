import { isDeepStrictEqual } from "node:util";
import { isCloudHost } from "../../control-plane/base-url";
import type { Connection } from "../../control-plane/connection";
import { dialectOf, interfaceDialect, langsmithDialect, type Dialect } from "../../control-plane/dialects";
import { isLoopback } from "../../http/proxy";
import { AgentServerError, asError } from "../../errors";
import type { Session } from "../../session";
import { checkRules, checkShape } from "../rules/check";
import type { Checked, Checker } from "../../resource/kind";
import type { Props } from "../../resource/values";
import type { DeploymentState } from "../state";
import { warning, type Finding } from "../../resource/finding";
import { askName } from "./held-name";
import type { Question, Sources } from "./question";
import { askIntegration, askListener } from "./references";
import { Siblings } from "./siblings";
import { askRepository } from "./repository";
import type { RepositoryReader } from "../../repository/reader";
import { Wanted } from "../rules/wanted";
import { within } from "../../within";

/** What a preview may use besides the control plane. */
export interface LookAheadOptions {
  repositories?: RepositoryReader;
  /** Longest time for all questions about one resource, in milliseconds of real time; by default 5 s. */
  patienceMs?: number;
}

const questions: readonly Question[] = [askIntegration, askListener, askName, askRepository];

/**
 * What can be known about inputs before anything is done. Most of it follows from them and the dialect; about what is
 * new in them the control plane is asked, each fact once, until it turns out that it cannot be asked.
 */
export class LookAhead implements Checker {
  private readonly facts = new Map<string, Promise<unknown>>();
  private readonly siblings = new Siblings();
  private saidWhyNot = false;
  private givenUp = false;

  constructor(
    private readonly session: Session,
    private readonly options: LookAheadOptions = {},
  ) {}

  /** Everything that can be said about the inputs; asks only about those of a right shape. */
  async findings(olds: Props, news: Props, who: Checked): Promise<Finding[]> {
    const wanted = new Wanted(olds, news);
    this.siblings.note(who.urn, { ownerId: who.ownerId, wanted: wanted.text("name"), held: wanted.heldName });
    const shape = [...checkShape(news), ...this.siblings.findings(who.urn)];
    const connection = this.connection();
    const place = { olds, selfHosted: connection && !isCloudHost(new URL(connection.baseUrl).hostname) };
    const rules = (dialect: Dialect) => checkRules(news, dialect, place);
    const known = this.knownDialect(olds);
    if (!connection || connection.offline || shape.length > 0)
      return [...shape, ...(known ? rules(known) : agreed(rules))];
    return this.asking(wanted, rules, known, connection, who);
  }

  private async asking(
    wanted: Wanted,
    rules: (dialect: Dialect) => Finding[],
    known: Dialect | undefined,
    connection: Connection,
    { ownerId, redact }: Checked,
  ): Promise<Finding[]> {
    const signal = AbortSignal.timeout(this.options.patienceMs ?? 5_000);
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
      (needsDialect(wanted, rules)
        ? await answer(() => this.once("dialect", () => this.session.lookUpDialect(signal)))
        : undefined);
    const local = dialect ? rules(dialect) : agreed(rules);
    const client = this.session.askingOnce({ redact });
    const sources: Sources = {
      client,
      findByName: (name) => this.session.names.find(() => client, name, { isFresh: false, signal }),
      repositories: this.options.repositories,
      isLocal: isLoopback(new URL(connection.baseUrl).hostname),
      dialect,
      makesOne: (dialect ? [dialect] : dialects).every((one) => wanted.makesOne(one)),
      ownerId,
      siblings: this.siblings,
      once: (fact, ask) => this.once(fact, ask),
      signal,
    };
    const asked = await Promise.all(questions.map((ask) => answer(() => ask(wanted, sources))));
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
      ? `no answer within ${(this.options.patienceMs ?? 5_000) / 1_000} s`
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
    const { dialect } = (olds as Partial<DeploymentState>).controlPlane ?? {};
    return dialect ? dialectOf(dialect) : this.session.knownDialect;
  }
}

const dialects = [interfaceDialect, langsmithDialect];

/** What all dialects say alike. */
function agreed(rules: (dialect: Dialect) => Finding[]): Finding[] {
  const [first = [], ...others] = dialects.map(rules);
  return first.filter((finding) =>
    others.every((list) => list.some((one) => isDeepStrictEqual(one, finding))),
  );
}

/** Whether it makes a difference for what is new here which dialect the control plane speaks. */
function needsDialect(wanted: Wanted, rules: (dialect: Dialect) => Finding[]): boolean {
  if (
    !["source", "sourceConfig", "sourceRevisionConfig", "secrets", "name"].some((path) =>
      wanted.changes(path),
    )
  )
    return false;
  const [first, ...others] = dialects.map(rules);
  const source = wanted.text("source");
  return (
    others.some((list) => !isDeepStrictEqual(list, first)) ||
    (wanted.isNew && dialects.some(({ table }) => table.listenerRequired.includes(source ?? ""))) ||
    (wanted.isNew && wanted.gives("sourceConfig.listenerId"))
  );
}
