import type { Observation } from "../data/observer";
import { ended } from "../data/status";
import type { Deployment } from "../data/types";
import { DialogButton, Field } from "../elements/fields";
import { useTools } from "../tools";

const statuses = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
];

interface ActionsProps {
  seen: Observation;
  deployment: Deployment;
}

/** Displays the actions on the selected revision that use the public API. They require only the API key. */
export function RevisionActions({ seen: { revision }, deployment }: ActionsProps) {
  const { plane, act } = useTools();
  const id = revision?.id.slice(0, 8);
  const call = async (word: "redeploy" | "interrupt") => {
    if (revision) await plane.ofRevision(deployment.id, revision.id, word);
  };
  return (
    <div class="actions" role="group" aria-label="Actions for the selected revision">
      <button
        type="button"
        disabled={!revision}
        title={id && `Create a revision with the source of ${id}`}
        onClick={() => void act("A revision with the same source was created.", () => call("redeploy"))}
      >
        Redeploy
      </button>
      <button
        type="button"
        disabled={!revision || ended(revision.status)}
        title={id && `Interrupt the rollout of ${id}`}
        onClick={() => void act("Rollout interrupted.", () => call("interrupt"))}
      >
        Interrupt
      </button>
    </div>
  );
}

/** Displays the admin actions on a deployment. Displays nothing if the admin API is not available. */
export function AdminActions({ seen: { facts, revision, revisions }, deployment }: ActionsProps) {
  const { plane, act } = useTools();
  if (!facts.admin.open) return null;
  const call = (path: string, body: unknown) =>
    plane.admin("POST", `deployments/${encodeURIComponent(deployment.id)}/${path}`, body);
  const [latest] = revisions;
  return (
    <div class="actions" role="group" aria-label="Admin actions">
      {facts.steerable && (
        <button
          type="button"
          title="Move the rollout to its next status"
          disabled={!latest || ended(latest.status)}
          onClick={() => void act("Advanced to the next status.", () => call("step", {}))}
        >
          Step
        </button>
      )}
      <DialogButton
        text="Set status…"
        hint="Set any status on the selected revision"
        title="Set a revision's status"
        submit="Set status"
        disabled={!revision || ended(revision.status)}
        onSubmit={({ status, message }) =>
          void act(`Status is now ${status}.`, () =>
            call("status", { revisionId: revision?.id, status, message }),
          )
        }
      >
        <p class="quiet">{revision && `Revision ${revision.id.slice(0, 8)} is ${revision.status}.`}</p>
        <Field title="Status" name="status" list="statuses" defaultValue="DEPLOY_FAILED" required />
        <datalist id="statuses">
          {statuses.map((status) => (
            <option key={status} value={status} />
          ))}
        </datalist>
        <Field title="Reason" name="message" placeholder="none" />
      </DialogButton>
      <DialogButton
        text="Create revision…"
        hint="Create a revision as another client would"
        title="Create a revision as another client would"
        submit="Create revision"
        onSubmit={({ ref }) =>
          void act("A revision was created.", () =>
            call("revisions", { sourceRevisionConfig: ref ? { repo_ref: ref } : {} }),
          )
        }
      >
        <Field title="Ref to build" name="ref" placeholder="unchanged" />
      </DialogButton>
    </div>
  );
}
