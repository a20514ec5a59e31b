import type { TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Plane, type PlaneError } from "./data/plane";
import type { Session } from "./data/types";
import { Field, valuesOf } from "./elements/fields";

const sendable = /^[\x21-\x7e]+$/;

interface SignInProps {
  complaint: string | undefined;
  /** Rejects with a `PlaneError` if the credentials are not accepted. */
  check: (entered: Session) => Promise<void>;
  onSignedIn: (entered: Session) => void;
}

/** Displays the form for the API key and the workspace, and for the admin key if there is one. */
export function SignIn({ complaint, check, onSignedIn }: SignInProps) {
  const [problem, setProblem] = useState(complaint);
  const [hasAdminKey, setHasAdminKey] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => setProblem(complaint), [complaint]);
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
    // The form also works without these facts.
    Plane.facts().then(
      ({ admin }) => setHasAdminKey(admin.ownKey),
      () => undefined,
    );
  }, []);

  const enter = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { apiKey = "", tenantId = "", adminKey } = valuesOf(event.currentTarget) as Partial<Session>;
    const entered = { apiKey, tenantId, adminKey };
    const invalid = invalidity(entered);
    if (invalid) return setProblem(invalid);
    setChecking(true);
    try {
      await check(entered);
      onSignedIn(entered);
    } catch (error) {
      setProblem(refusal(error as PlaneError));
      setChecking(false);
    }
  };

  return (
    <main class="sign-in">
      <form ref={form} method="post" onSubmit={(event) => void enter(event)} autocomplete="off">
        <img src="page/icon.svg" alt="" width={44} height={44} />
        <h1>Local control plane</h1>
        <p class="quiet">
          Sign in with the API key and workspace that the control plane printed at startup. With a state
          folder, both are also in its <code>credentials.json</code>.
        </p>
        <Field title="API key" name="apiKey" type="password" required />
        <Field title="Workspace" name="tenantId" required />
        {hasAdminKey && (
          <Field title="Admin key (for requests and controls)" name="adminKey" type="password" />
        )}
        <p class="problem" role="alert" hidden={!problem}>
          {problem}
        </p>
        <button type="submit" class="primary" disabled={isChecking}>
          Sign in
        </button>
        <p class="quiet small">Kept in this tab until you close it, and sent only to this control plane.</p>
      </form>
    </main>
  );
}

/** Returns a description of the error that `check` rejected with, and its solution. */
export function refusal({ status, message }: PlaneError): string {
  if (status === 401)
    return `${message} Each control plane has its own key. Copy it from the output of the control plane.`;
  if (status === 403) return `${message} Copy the workspace ID from the same place as the key.`;
  if (status === 0) return `The control plane does not respond (${message}). Is it still running?`;
  return message;
}

function invalidity({ apiKey, tenantId, adminKey = "-" }: Session): string | undefined {
  if (!apiKey || !tenantId) return "Enter an API key and a workspace.";
  if (![apiKey, tenantId, adminKey].every((text) => sendable.test(text)))
    return "Keys and workspaces can contain only printable ASCII characters without spaces.";
  return undefined;
}
