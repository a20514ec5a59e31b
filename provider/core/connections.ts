import { type ConnectionInputs, isConnection } from "../control-plane/connection-inputs";
import { AgentServerError } from "../errors";
import { failure, type Finding } from "../resource/inputs/finding";
import type { Session } from "../session/session";
import type { KeyRing } from "./agent-server/key-ring";

/**
 * Sessions of a program: the configured session, and one session for each connection in the inputs of its resources.
 */
export class Connections {
  constructor(
    readonly configured: Session,
    private readonly keys: KeyRing,
  ) {}

  /**
   * Returns the session of a connection or, without a connection, the configured session.
   * @throws AgentServerError `missing_credentials` if the API key of the connection is missing
   */
  session(connection: ConnectionInputs | undefined): Session {
    return connection
      ? this.configured.elsewhere(connection, this.keys.get(connection.apiKeyFrom))
      : this.configured;
  }

  /**
   * Returns the session for a connection that may be invalid or unknown; `undefined` if there is no session. Never
   * throws.
   */
  find(connection: unknown): Session | undefined {
    if (connection === undefined) return this.configured;
    try {
      return isConnection(connection) ? this.session(connection) : undefined;
    } catch {
      // `failures` reports the error.
      return undefined;
    }
  }

  /**
   * Returns a finding if the connection cannot be used. An invalid shape of the connection is reported separately.
   * @param property property of the connection in the inputs
   * @param otherwise property of the finding if the inputs contain no connection and the configured one is used instead
   */
  failures(connection: unknown, property: string, otherwise: string): Finding[] {
    if (connection === undefined) return refusedSetting(otherwise, () => this.configured.connection);
    if (!isConnection(connection)) return [];
    return refusedSetting(property, () => this.session(connection).connection);
  }

  /** Returns the API keys of these connections, and the secrets of the configured session. */
  secrets(connections: readonly unknown[]): string[] {
    const keys = connections.flatMap((one) =>
      typeof one === "object" && one !== null && "apiKeyFrom" in one
        ? (this.keys.find(one.apiKeyFrom) ?? [])
        : [],
    );
    return [...keys, ...this.configured.secrets];
  }
}

/** Returns a finding if the use of a setting fails. */
export function refusedSetting(property: string, use: () => unknown): Finding[] {
  try {
    use();
    return [];
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    return [failure(property, error.message)];
  }
}
