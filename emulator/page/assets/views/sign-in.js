import { element, setShown, setText } from "../dom.js";
import { input } from "./form.js";

const sendable = /^[\x21-\x7e]+$/;

/**
 * Creates the form for the API key and the workspace, and for the admin key if there is one.
 *
 * @param facts - resolves with the facts that are available before sign-in
 * @param check - rejects with a `PlaneError` if the credentials are not accepted
 */
export function signIn({ complaint, facts, check, onSignedIn }) {
  const apiKey = input("API key", { type: "password", name: "apiKey", required: true });
  const tenantId = input("Workspace", { name: "tenantId", required: true });
  const adminKey = input("Admin key (for requests and controls)", { type: "password", name: "adminKey" });
  setShown(adminKey.root, false);
  // The form also works without a response.
  facts().then(
    ({ admin }) => setShown(adminKey.root, admin.ownKey),
    () => undefined,
  );
  const problem = element("p", { class: "problem", role: "alert" });
  const submit = element("button", { type: "submit", class: "primary" }, "Look inside");
  const reportError = (text) => {
    setText(problem, text ?? "");
    setShown(problem, Boolean(text));
  };
  reportError(complaint);

  const enter = async (event) => {
    event.preventDefault();
    const entered = {
      apiKey: apiKey.control.value.trim(),
      tenantId: tenantId.control.value.trim(),
      adminKey: adminKey.read(),
    };
    const invalid = invalidity(entered);
    if (invalid) return reportError(invalid);
    submit.disabled = true;
    try {
      await check(entered);
      apiKey.control.value = adminKey.control.value = "";
      onSignedIn(entered);
    } catch (error) {
      reportError(refusal(error));
    } finally {
      submit.disabled = false;
    }
  };

  return element(
    "main",
    { class: "sign-in" },
    element(
      "form",
      { method: "post", onsubmit: enter, autocomplete: "off" },
      element("img", { src: "page/icon.svg", alt: "", width: 44, height: 44 }),
      element("h1", {}, "Local control plane"),
      element(
        "p",
        { class: "quiet" },
        "Sign in with what this control plane printed at its start; with a state folder both are in its ",
        element("code", {}, "credentials.json"),
        ".",
      ),
      apiKey.root,
      tenantId.root,
      adminKey.root,
      problem,
      submit,
      element("p", { class: "quiet small" }, "Kept by this tab until you close it, and sent nowhere else."),
    ),
  );
}

/** Returns a description of the problem with the response to `check`, and its solution. */
export function refusal({ status, message }) {
  if (status === 401) return `${message} Each control plane has its own key: copy it from its output.`;
  if (status === 403) return `${message} Copy the workspace from where the key is.`;
  if (status === 0) return `The control plane does not respond (${message}). Is it still running?`;
  return message;
}

function invalidity({ apiKey, tenantId, adminKey = "-" }) {
  if (!apiKey || !tenantId) return "API key and workspace are needed.";
  if (![apiKey, tenantId, adminKey].every((text) => sendable.test(text)))
    return "Keys and workspaces are plain letters, digits, and signs, without spaces.";
  return undefined;
}
