import { Card } from "../elements/card";
import { DialogButton } from "../elements/fields";
import { useTools } from "../tools";

/** Displays the control that resets the control plane. */
export function ResetControl() {
  const { plane, act } = useTools();
  return (
    <Card
      title="Reset"
      explanation="Stops and deletes all deployments, and deletes all tokens, faults, rollout settings, and journal entries. Keys and the port are kept."
    >
      <div class="buttons">
        <DialogButton
          text="Reset…"
          title="Remove everything?"
          submit="Reset"
          danger
          onSubmit={() => void act("The control plane was reset.", () => plane.admin("POST", "reset"))}
        >
          <p>
            All deployments in all workspaces are stopped and deleted, with their data. This cannot be undone.
          </p>
        </DialogButton>
      </div>
    </Card>
  );
}
