import { AgentServerError } from "../../errors";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { AgentServerKind } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import type { ServerInputs } from "../../resource/server";
import { at, type Props } from "../../resource/inputs/values";
import type { CheckedNow, OperationContext, Endpoint, EndpointOptions } from "../endpoint";
import { AgentServerChecker } from "./checker";
import { KeyRing } from "./key-ring";
import { operationAtAgentServer } from "./operation";
import { Servers } from "./servers";

/** The agent servers that resources name in their inputs. */
export class AgentServer implements Endpoint {
  private readonly checker: AgentServerChecker;
  private readonly keys: KeyRing;
  private readonly servers: Servers;

  constructor(
    kind: AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>,
    private readonly options: EndpointOptions,
  ) {
    const { session, config, patienceMs } = options;
    this.keys = new KeyRing(config, session.env);
    this.servers = new Servers(session, this.keys);
    this.checker = new AgentServerChecker(kind, this.servers, patienceMs);
  }

  failures(news: Props): Finding[] {
    const apiKeyFrom = at(news, "connection.apiKeyFrom");
    return [
      ...(news["deployment"] === undefined
        ? []
        : refused("deployment", () => this.options.session.connection)),
      ...(typeof apiKeyFrom === "string"
        ? refused("connection.apiKeyFrom", () => this.keys.get(apiKeyFrom))
        : []),
    ];
  }

  secrets(all: readonly Props[]): string[] {
    const keys = all.flatMap((values) => this.keys.find(at(values, "connection.apiKeyFrom")) ?? []);
    return [...keys, ...this.options.session.secrets];
  }

  findings(olds: Props, news: Props, who: CheckedNow): Promise<Finding[]> {
    return this.checker.findings(olds, news, who);
  }

  /** True if the control plane of the deployment has another address; an agent server without one cannot move. */
  hasMoved({ controlPlane }: ManagedState): boolean {
    if (!controlPlane) return false;
    this.options.session.refuseMove(controlPlane);
    return this.options.session.hasMoved(controlPlane);
  }

  operation(course: OperationContext) {
    return operationAtAgentServer(this.servers, course);
  }
}

/** What a setting that cannot be used says. */
function refused(property: string, use: () => unknown): Finding[] {
  try {
    use();
    return [];
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    return [failure(property, error.message)];
  }
}
