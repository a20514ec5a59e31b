import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Console } from "./console";
import { Plane, PlaneError } from "./data/plane";
import { takeCode } from "./data/route";
import { forgetSession, keepSession, readSession } from "./data/session";
import type { Session } from "./data/types";
import { SignIn } from "./sign-in";

/** Asks for credentials if this tab has none, and then shows the control plane. */
function App({ linkProblem }: { linkProblem: string | undefined }) {
  const [session, setSession] = useState(readSession);
  const [complaint, setComplaint] = useState(linkProblem);

  useEffect(() => {
    const followLink = async () => {
      const problem = await enterWithLink();
      if (problem === null) location.reload();
      // A user who is already signed in does not need the link.
      else if (problem !== undefined && !readSession()) setComplaint(problem);
    };
    const listener = () => void followLink();
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);

  const leave = (why?: string) => {
    forgetSession();
    setComplaint(why);
    setSession(undefined);
  };
  if (session) return <Console session={session} onRefused={leave} onSignOut={() => leave()} />;
  const onSignedIn = (entered: Session) => {
    keepSession(entered);
    setSession(entered);
  };
  return <SignIn complaint={complaint} check={signedIn} onSignedIn={onSignedIn} />;
}

/** Rejects unless the control plane accepts the entered credentials. */
async function signedIn(entered: Session): Promise<void> {
  const plane = new Plane(entered);
  await plane.deployments({ limit: 1 });
  if (entered.adminKey && !(await plane.facts()).admin.open)
    throw new PlaneError(422, "This admin key is not valid for the admin API of this control plane.");
}

/**
 * Signs in with the code from a link. Resolves with `undefined` if the URL contains no code, with `null` after signing
 * in, and otherwise with the reason for the rejection.
 */
async function enterWithLink(): Promise<string | null | undefined> {
  const code = takeCode();
  if (code === undefined) return undefined;
  try {
    keepSession(await Plane.enter(code));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

void enterWithLink().then((problem) => {
  document.body.replaceChildren();
  render(<App linkProblem={problem ?? undefined} />, document.body);
});
