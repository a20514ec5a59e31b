import { AgentServerError } from "../../errors";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { ControlPlaneKind } from "../../resource/kind";
import type { ControlPlaneState } from "../../resource/managed";
import type { Props } from "../../resource/inputs/values";
import type { Session } from "../../session/session";
import type { CheckedNow, OperationContext, Endpoint } from "../endpoint";
import { ControlPlaneChecker } from "./checker";
import { operationAtControlPlane } from "./operation";

/** The control plane of a configuration. */
export class ControlPlane implements Endpoint {
  private readonly checker: ControlPlaneChecker;

  /** @param patienceMs longest time for all questions about one resource, in milliseconds of real time */
  constructor(
    kind: ControlPlaneKind<object, ControlPlaneState, string>,
    private readonly session: Session,
    patienceMs: number,
  ) {
    this.checker = new ControlPlaneChecker(kind, session, patienceMs);
  }

  failures(): Finding[] {
    try {
      void this.session.connection;
      return [];
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return [failure("", error.message)];
    }
  }

  secrets(): string[] {
    return this.session.secrets;
  }

  findings(olds: Props, news: Props, who: CheckedNow): Promise<Finding[]> {
    return this.checker.findings(olds, news, who);
  }

  hasMoved({ controlPlane }: ControlPlaneState): boolean {
    this.session.refuseMove(controlPlane);
    return this.session.hasMoved(controlPlane);
  }

  operation(course: OperationContext) {
    return operationAtControlPlane(this.session, course);
  }
}
