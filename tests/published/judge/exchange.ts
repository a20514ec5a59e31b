import type { Facts, Operation, Shape } from "../../../tools/published-facts/facts";
import { Conformity } from "./conformity";

/** A request, with its response if there is one to check. */
export interface Exchange {
  method: string;
  /** Path without the prefix of a self-hosted installation or a deployment. */
  path: string;
  query?: Record<string, string | string[]>;
  body?: unknown;
  answer?: { status: number; media: string; body: unknown };
}

/** Checks requests and responses against the facts of one document. */
export class Judge {
  private readonly strictly: Conformity;
  private readonly loosely: Conformity;

  constructor(private readonly facts: Facts) {
    this.strictly = new Conformity(facts.schemas, true);
    this.loosely = new Conformity(facts.schemas, false);
  }

  /**
   * Returns the operation of a request. If several operations match, returns the one with the most literal segments.
   */
  operationOf({ method, path }: Pick<Exchange, "method" | "path">): string | undefined {
    return Object.keys(this.facts.operations)
      .filter((name) => {
        const [word, template] = name.split(" ") as [string, string];
        return word === method && new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
      })
      .sort((one, other) => one.split("{").length - other.split("{").length)[0];
  }

  /** Returns the parts of the request that are not in the document. */
  request(exchange: Exchange): string[] {
    const name = this.operationOf(exchange);
    if (name === undefined) return [`${exchange.method} ${exchange.path}: not published`];
    const operation = this.facts.operations[name]!;
    return [...this.parameters(name, operation, exchange), ...this.body(name, operation, exchange)];
  }

  /**
   * Returns the parts of the response that are not in the document.
   *
   * @param closed true to report fields that the document does not list
   */
  answer(exchange: Exchange, closed = true): string[] {
    const name = this.operationOf(exchange);
    if (name === undefined) return [`${exchange.method} ${exchange.path}: not published`];
    const { status, media, body } = exchange.answer!;
    const known = this.facts.operations[name]!.answers[String(status)];
    const at = `${name} ${status}`;
    if (!known) return [`${at}: not published`];
    if (!known.content) return body === undefined ? [] : [`${at}: has a body`];
    const shape = known.content[media];
    if (!shape) return [`${at}: ${media || "no body"}`];
    return (closed ? this.strictly : this.loosely).findings(body, shape, at);
  }

  private parameters(name: string, { parameters }: Operation, { path, query = {} }: Exchange): string[] {
    const known = (place: string) => parameters.filter((one) => one.in === place);
    const words = name.split(" ")[1]!.split("/");
    const inPath = known("path").flatMap((parameter) => {
      const sent = decodeURIComponent(path.split("/")[words.indexOf(`{${parameter.name}}`)]!);
      return this.strictly.findings(sent, parameter, `${name} path ${parameter.name}`);
    });
    const missing = known("query").filter((one) => one.required && !(one.name in query));
    const inQuery = Object.entries(query).flatMap(([key, sent]) => {
      const at = `${name} query ${key}`;
      const parameter = known("query").find((one) => one.name === key);
      return parameter
        ? this.strictly.findings(read(sent, parameter), parameter, at)
        : [`${at}: not published`];
    });
    return [...inPath, ...inQuery, ...missing.map((one) => `${name} query ${one.name}: missing`)];
  }

  private body(name: string, { body: known }: Operation, { body }: Exchange): string[] {
    if (!known) return body === undefined ? [] : [`${name} body: not published`];
    if (body === undefined) return known.required ? [`${name} body: missing`] : [];
    return this.strictly.findings(body, known, `${name} body`);
  }
}

/** Converts a query value, which is a string, to the expected type. */
function read(sent: string | string[], { type, items }: Shape): unknown {
  if (type === "array") return [sent].flat().map((one) => read(one, items ?? {}));
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(String(sent))) return Number(sent);
  if (type === "boolean" && (sent === "true" || sent === "false")) return sent === "true";
  return sent;
}
