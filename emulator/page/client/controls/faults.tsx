import { useState } from "preact/hooks";
import { Card } from "../elements/card";
import { Field, Form, type Values } from "../elements/fields";
import { useTools } from "../tools";

const kinds = [
  ["status", "different response"],
  ["delay", "delayed response"],
  ["reset", "connection reset"],
  ["truncate", "truncated response"],
] as const;
const moments = [
  ["before", "before the request is processed"],
  ["after", "after the request is processed"],
] as const;
const methods = [["", "any"], ["GET"], ["POST"], ["PATCH"], ["DELETE"]] as const;

/** Displays the control that injects faults into the next matching requests. */
export function FaultControl() {
  const { plane, act } = useTools();
  const [kind, setKind] = useState("status");
  const hasMoment = kind === "status" || kind === "reset";
  // Fields that do not belong to the kind of fault are not in the form and have no value.
  const add = (values: Values) => void act("Fault added.", () => plane.admin("POST", "faults", values));
  return (
    <Card
      title="Faults"
      explanation="Faults apply to the next matching requests, except those from this page."
    >
      <Form onSubmit={add}>
        <div class="fields">
          <Field title="Fault" name="kind" options={kinds} onChoose={setKind} />
          {kind === "status" && (
            <>
              <Field
                title="Status"
                name="status"
                type="number"
                min={200}
                max={599}
                defaultValue={503}
                required
              />
              <Field title="Retry-After" name="retryAfter" type="number" min={0} placeholder="none" />
            </>
          )}
          {kind === "delay" && (
            <Field title="Milliseconds" name="ms" type="number" min={0} defaultValue={2000} required />
          )}
          {hasMoment && <Field title="When" name="when" options={moments} />}
          <Field title="Method" name="method" options={methods} />
          <Field title="Path" name="path" placeholder="any, or /v2/deployments/:id" />
          <Field title="Times" name="times" type="number" min={1} defaultValue={1} />
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Add fault
          </button>
          <button
            type="button"
            onClick={() => void act("All faults cleared.", () => plane.admin("DELETE", "faults"))}
          >
            Clear faults
          </button>
        </div>
      </Form>
    </Card>
  );
}
