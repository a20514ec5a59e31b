import { useState } from "preact/hooks";
import { Card } from "../elements/card";
import { Field, Form, type Values } from "../elements/fields";
import { useTools } from "../tools";

const paces = [
  ["seconds", "seconds per status"],
  ["at once", "immediately"],
  ["step by step", "manually, one status at a time"],
] as const;
const verdicts = ["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "never"];

/** Displays the control that sets the statuses and duration of simulated rollouts. */
export function SteeringControl() {
  const { plane, act } = useTools();
  const [chosen, setChosen] = useState("seconds");
  const steer = ({ deployment, pace, seconds, verdict, reason }: Values) => {
    const plan = {
      deployment,
      pace: pace === "seconds" ? { secondsPerStatus: seconds } : pace,
      verdict,
      reason,
    };
    void act("Rollout settings applied.", () => plane.admin("POST", "steering", plan));
  };
  return (
    <Card
      title="Rollouts"
      explanation="Behavior of simulated rollouts from now on, including those in progress."
    >
      <Form onSubmit={steer}>
        <div class="fields">
          <Field title="Deployment" name="deployment" placeholder="all" />
          <Field title="Pace" name="pace" options={paces} onChoose={setChosen} />
          {chosen === "seconds" && (
            <Field
              title="Seconds"
              name="seconds"
              type="number"
              min={0}
              step="any"
              defaultValue={1}
              required
            />
          )}
          <Field title="Verdict" name="verdict" options={verdicts.map((verdict) => [verdict] as const)} />
          <Field title="Reason" name="reason" placeholder="none" />
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
            Apply to rollouts
          </button>
        </div>
      </Form>
    </Card>
  );
}
