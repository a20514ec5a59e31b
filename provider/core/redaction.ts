import { secretsOf } from "../control-plane/connection";
import { type AnyKind, inputsOf } from "../resource/kind";
import { textsAt, type Props } from "../resource/values";
import type { Session } from "../session";
import { plainText } from "../text/plain-text";
import { redactor } from "../text/redact";
import type { Decoded } from "./decoded";

/** Hides every secret that these properties and the connection hold, and what would drive a terminal. */
export function redactorFor(
  session: Session,
  kind: AnyKind,
  ...all: readonly Decoded[]
): (text: string) => string {
  const secrets = all.flatMap(({ values, secretPaths }) => [
    ...kind.secretMaps.flatMap((name) => Object.values((values[name] ?? {}) as Props)),
    ...secretPaths.flatMap((path) => textsAt(values, path)),
    ...kind.secretTexts(inputsOf(kind, values)),
  ]);
  const texts = secrets.filter((secret): secret is string => typeof secret === "string");
  const redact = redactor([...texts, ...connectionSecrets(session)]);
  // A second time, for one that a command to the terminal stood in the midst of.
  return (text) => redact(plainText(redact(text)));
}

function connectionSecrets(session: Session): string[] {
  try {
    return secretsOf(session.connection);
  } catch {
    // Without a connection there is no key to hide.
    return [];
  }
}
