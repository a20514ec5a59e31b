import { Card } from "../elements/card";
import { DialogButton } from "../elements/fields";
import { useTools } from "../tools";

/** Control that resets the control plane. */
export function ResetControl() {
  const { plane, act } = useTools();
  return (
    <Card
      title="Reset"
      explanation="Ends and removes all deployments, tokens, faults, steering and the journal. Keys and port stay."
    >
      <div class="buttons">
        <DialogButton
          text="Reset…"
          title="Remove everything?"
          submit="Reset"
          danger
          onSubmit={() => void act("The control plane is empty.", () => plane.admin("POST", "reset"))}
        >
          <p>
            All deployments of all workspaces end and are gone, with their data. Nothing brings them back.
          </p>
        </DialogButton>
      </div>
    </Card>
  );
}
